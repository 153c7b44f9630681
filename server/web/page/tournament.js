// SPDX-License-Identifier: MIT
// Standings, tables and curves of a tournament, from the document of
// server/statistics/tournament_json.h.
"use strict";

const kPlayerColours = ["blue", "red", "green", "orange", "purple", "teal", "pink", "brown", "yellow", "grey"];

function percent(value) { return (100 * value).toFixed(1); }

function cellsOf(tag, ...contents) {
  return contents.map((content) => {
    const number = typeof content === "number" || (typeof content === "string" && /^[-−+±·\d]/.test(content));
    return element(tag, {class: number ? "number" : undefined}, content instanceof Node ? content : String(content));
  });
}

/** `stacked`: on a phone each row becomes a paragraph of its own. */
function tableOf(head, rows, stacked = true) {
  const numbers = (column) => rows.some((row) => row.children[column].classList.contains("number"));
  for (const row of rows) head.forEach((title, column) => row.children[column].setAttribute("data-title", title));
  return element("div", {class: "card scroll tables" + (stacked ? " stacked" : "")}, element("table", {},
    element("thead", {}, element("tr", {}, ...head.map((title, column) => element("th", {class: numbers(column) ? "number" : undefined}, title)))),
    element("tbody", {}, ...rows)));
}

/** The mean as a dot on the whisker of its interval, 0 to 100. */
function intervalPicture(score) {
  if (!score) return element("span", {class: "faint"}, "no block yet");
  const x = (value) => (2 + 196 * value).toFixed(1);
  const label = `${percent(score.mean)}, with 95 % between ${percent(score.low)} and ${percent(score.high)}`;
  return drawn("svg", {class: "interval", viewBox: "0 0 200 16", role: "img", "aria-label": label},
    drawn("title", {}, label),
    drawn("line", {class: "half", x1: 100, x2: 100, y1: 0, y2: 16}), drawn("line", {class: "half", x1: 2, x2: 198, y1: 8, y2: 8}),
    drawn("path", {class: "range", d: `M${x(score.low)} 8H${x(score.high)}M${x(score.low)} 4v8M${x(score.high)} 4v8`}),
    drawn("circle", {class: "mean", cx: x(score.mean), cy: 8, r: 4}));
}

function signed(elo) {
  if (elo === null) return "∞";
  return `${elo < 0 ? "−" : "+"}${Math.abs(Math.round(elo))}`;
}

/** The difference with its interval of 95 %; an end that is infinite is null. */
function eloText(elo) {
  if (!elo) return "";
  if (elo.error !== null && elo.difference !== null) return `${signed(elo.difference)} ± ${Math.round(elo.error)}`;
  const low = elo.low === null ? "−∞" : signed(elo.low), high = elo.high === null ? "+∞" : signed(elo.high);
  const difference = elo.difference !== null ? signed(elo.difference) : elo.low === null ? "−∞" : "+∞";
  return `${difference} (${low} .. ${high})`;
}

/** The same, seen by the other player. */
function turnedElo(elo) {
  const minus = (value) => value === null ? null : -value;
  return elo && {difference: minus(elo.difference), low: minus(elo.high), high: minus(elo.low), error: elo.error};
}

function standingsRows(players, colours) {
  return players.map((player) => {
    const fixed = player.fixed_sum_blocks > 0;
    const faults = Object.values(player.faults).reduce((a, b) => a + b, 0);
    const mean = player.think.moves > 0 ? player.think.total_ms / player.think.moves : undefined;
    return element("tr", {}, ...cellsOf("td", player.rank,
      element("span", {}, element("i", {class: `dot of-${colours.get(player.player) || "grey"}`}), player.player),
      player.score ? percent(player.score.mean) : "", element("div", {}, intervalPicture(player.score)),
      fixed ? `${player.wins} / ${player.draws} / ${player.losses}` : "", eloText(player.elo),
      player.matches, faults || "", mean === undefined ? "" : mean < 10 ? mean.toFixed(1) + " ms" : seconds(mean)));
  });
}

const kStandingsHead = ["#", "player", "score", "95 % interval, 0 to 100", "won / drawn / lost", "Elo", "matches", "faults", "think time a move"];

/** Who did how well against whom: rows against columns, which have the numbers of the rows. */
function crossTable(tournament) {
  const players = tournament.summary.standings.map((row) => row.player);
  const pairs = new Map();
  for (const {first, second, blocks, advantage, elo} of tournament.summary.pairs) {
    if (!blocks) continue;
    pairs.set(first + "\n" + second, {score: advantage, elo});
    pairs.set(second + "\n" + first,
              {score: {mean: 1 - advantage.mean, low: 1 - advantage.high, high: 1 - advantage.low}, elo: turnedElo(elo)});
  }
  const rows = players.map((row, index) => element("tr", {}, element("td", {}, `${index + 1} ${row}`), ...players.map((column) => {
    const pair = pairs.get(row + "\n" + column);
    if (!pair) return element("td", {class: "faint"}, row === column ? "—" : "");
    const {score, elo} = pair;
    const weight = Math.round(60 * Math.min(1, Math.abs(score.mean - 0.5) * 2));
    const style = `background: color-mix(in srgb, var(--${score.mean >= 0.5 ? "green" : "red"}) ${weight}%, transparent)`;
    const title = `${row} against ${column}: 95 % between ${percent(score.low)} and ${percent(score.high)}`;
    return element("td", {}, element("span", {class: "cell", style, title}, percent(score.mean)),
                   elo ? element("small", {class: "elo"}, eloText(elo)) : null);
  })));
  return tableOf(["", ...players.map((_, index) => String(index + 1))], rows, false);
}

function gameParts(tournament, colours) {
  return tournament.summary.games.map((game) => {
    const leader = game.standings[0];
    const facts = `${game.matches} matches, ${game.blocks} blocks` + (game.aborted ? `, ${game.aborted} aborted` : "") +
                  `, ${game.mean_steps.toFixed(1)} steps on average (${game.least_steps} to ${game.most_steps})`;
    const roles = game.roles.length > 1 ? `; by role: ${game.roles.map(({role, mean}) => `${role} ${percent(mean)}`).join(", ")}` : "";
    return element("details", {class: "game", "data-game": game.game},
      element("summary", {}, element("b", {}, game.game), " ", element("small", {}, facts +
              (leader && leader.score ? `; ${leader.player} leads with ${percent(leader.score.mean)}` : "") + roles)),
      tableOf(kStandingsHead, standingsRows(game.standings, colours)));
  });
}

function faultTable(tournament) {
  const kinds = tournament.fault_kinds;
  const rows = tournament.summary.standings.map((player) => element("tr", {}, ...cellsOf("td", player.player,
    ...kinds.map((kind) => player.faults[kind.name] || "·"), player.aborted || "·", player.culprit || "·")));
  const table = tableOf(["player", ...kinds.map((kind) => kind.name), "aborted", "for its faults"], rows);
  table.querySelectorAll("th").forEach((th, index) => {
    if (index > 0 && index <= kinds.length) th.title = kinds[index - 1].meaning;
  });
  return table;
}

// --- Curves ---------------------------------------------------------------------------------------

function colourNow(name) {
  return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
}

/** Curves that have their colours from the page, also when the page turns dark, until `end()`. */
class Chart {
  constructor(label, rows, options, colours) {
    Object.assign(this, {rows, options, colours});
    this.place = element("div", {class: "plot", role: "img", "aria-label": label});
    this.place.chart = this;
    this.key = element("div", {class: "key"});
    this.node = element("div", {class: "card"}, this.place, this.key);
    this.ended = new AbortController();
    this.frame = requestAnimationFrame(() => this.begin());
  }

  begin() {
    this.draw();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw(), {signal: this.ended.signal});
  }

  draw() {
    const grid = colourNow("line"), ink = colourNow("faint");
    this.clear();
    this.graph = new Dygraph(this.place, this.rows, {
      colors: this.colours.map(colourNow), gridLineColor: grid, axisLineColor: grid, strokeWidth: 2, fillAlpha: 0.12,
      axisLabelFontSize: 12, labelsDiv: this.key, legend: "always", connectSeparatedPoints: true, rightGap: 12,
      underlayCallback: (canvas, area, graph) => this.drawBounds(canvas, area, graph, ink), ...this.options.dygraph});
  }

  drawBounds(canvas, area, graph, ink) {
    canvas.save();
    canvas.strokeStyle = ink;
    canvas.setLineDash([5, 4]);
    for (const bound of this.options.bounds || []) {
      const y = graph.toDomYCoord(bound);
      canvas.beginPath();
      canvas.moveTo(area.x, y);
      canvas.lineTo(area.x + area.w, y);
      canvas.stroke();
    }
    canvas.restore();
  }

  clear() { if (this.graph) this.graph.destroy(); }

  /** Nothing outside of its node refers to it any more. */
  end() {
    cancelAnimationFrame(this.frame);
    this.ended.abort();
    this.clear();
  }
}

function scoreChart(tournament, colours) {
  const curves = tournament.curves.filter((curve) => curve.points.length > 1);
  if (curves.length === 0) return null;
  const blocks = new Map();
  curves.forEach((curve, index) => {
    for (const [block, low, mean, high] of curve.points) {
      if (!blocks.has(block)) blocks.set(block, new Array(curves.length).fill(null));
      blocks.get(block)[index] = [100 * low, 100 * mean, 100 * high];
    }
  });
  const rows = [...blocks.entries()].sort((a, b) => a[0] - b[0]).map(([block, values]) => [block, ...values]);
  return new Chart("mean score after each block", rows, {bounds: [50], dygraph: {
    labels: ["block", ...curves.map((curve) => curve.player)], customBars: true, valueRange: [0, 100.5], ylabel: "", digitsAfterDecimal: 1,
  }}, curves.map((curve) => colours.get(curve.player))).node;
}

function testParts(tournament) {
  const test = tournament.summary.sprt;
  if (!test) return [];
  const share = Math.max(0, Math.min(1, (test.llr - test.lower) / (test.upper - test.lower)));
  const parts = [element("h2", {}, "Test"), element("div", {class: "card"},
    element("p", {}, tournament.sentence),
    element("div", {class: "bar", role: "img", "aria-label": `LLR ${test.llr.toFixed(2)} between ${test.lower.toFixed(2)} and ${test.upper.toFixed(2)}`},
      element("span", {style: `left: ${(100 * share).toFixed(1)}%`})),
    element("div", {class: "ends"}, element("small", {}, `H0 at ${test.lower.toFixed(2)}`),
            element("b", {}, `LLR ${test.llr.toFixed(2)}`), element("small", {}, `H1 at ${test.upper.toFixed(2)}`)))];
  if (tournament.llr.length > 1) {
    const low = Math.min(test.lower, ...tournament.llr.map((point) => point[1]));
    const high = Math.max(test.upper, ...tournament.llr.map((point) => point[1]));
    const room = 0.08 * (high - low);
    parts.push(new Chart("log-likelihood ratio after each block", tournament.llr, {bounds: [test.lower, test.upper], dygraph: {
      labels: ["block", "LLR"], valueRange: [low - room, high + room], digitsAfterDecimal: 2}}, ["accent"]).node);
  }
  return parts;
}

/** Everything there is to say of a tournament but its matches. */
function tournamentParts(tournament) {
  const summary = tournament.summary;
  const colours = new Map(tournament.players.map((name, i) => [name, kPlayerColours[i % kPlayerColours.length]]));
  const faults = summary.standings.some((player) => player.aborted || Object.values(player.faults).some((n) => n > 0));
  const scores = scoreChart(tournament, colours);
  return [
    element("section", {class: "tournament"},
      element("h2", {}, tournament.name, tournament.places && tournament.places.length > 0
        ? element("small", {class: "place"}, tournament.places.join(", ")) : null),
      element("p", {class: "faint"}, `${tournament.format}, ${tournament.games.length} games, ${summary.matches} matches in ${summary.blocks} complete blocks` +
              (summary.aborted ? `, ${summary.aborted} aborted` : "")),
      tournament.note ? element("p", {class: "faint"}, tournament.note) : null,
      tableOf(kStandingsHead, standingsRows(summary.standings, colours)),
      ...testParts(tournament),
      ...(tournament.players.length > 1 && summary.pairs.length > 0 ?
          [element("h2", {}, "Against each other"), element("p", {class: "faint"}, "The row's player against the column's: 50, and half the difference of their scores."), crossTable(tournament)] : []),
      ...(scores ? [element("h2", {}, "Score over time"), element("p", {class: "faint"}, "Mean score after each block, with its 95 % interval."), scores] : []),
      element("h2", {}, "Games"), ...gameParts(tournament, colours),
      element("h2", {}, "Faults"), faults ? faultTable(tournament) : element("p", {class: "faint"}, "None: every answer came in time and was legal."))];
}

/** Shows it in place of what the node has, which may be older standings: games that are open stay open. */
function showTournament(node, tournament) {
  const open = new Set([...node.querySelectorAll("details.game[open]")].map((game) => game.dataset.game));
  for (const plot of node.querySelectorAll(".plot")) plot.chart.end();
  node.replaceChildren(...tournamentParts(tournament));
  for (const game of node.querySelectorAll("details.game")) game.open = open.has(game.dataset.game);
}
