// SPDX-License-Identifier: MIT
// The page of `ludens report`: everything is in the document; nothing is loaded.
"use strict";

/** How many matches have each id. */
function countIds(matches) {
  const counts = new Map();
  for (const {id} of matches) counts.set(id, (counts.get(id) || 0) + 1);
  return counts;
}

/** Names of matches in addresses: their ids; of several with one id, all but the first get a number. */
function keysOf(matches) {
  const seen = new Map();
  return matches.map(({id}) => {
    const number = (seen.get(id) || 0) + 1;
    seen.set(id, number);
    return number === 1 ? id : `${id}~${number}`;
  });
}

function resultOf(match) {
  if (!match.end) return "unfinished";
  return match.end.completed ? match.end.goals.join(" : ") : "no result";
}

function faultsOf(match) {
  let faults = 0;
  for (const step of match.steps) for (const error of step.errors || []) faults += error ? 1 : 0;
  return faults;
}

/** The columns of the list, and what it is sorted by in each. */
const kColumns = [
  {title: "match", key: (match) => match.started},
  {title: "game", key: (match) => match.game},
  {title: "players", key: (match) => match.roles.map((role) => role.player).join(" ")},
  {title: "goals", key: (match) => resultOf(match)},
  {title: "steps", key: (match) => match.steps.length},
  {title: "faults", key: faultsOf},
];

/** The list of matches, and the viewer of the one that was chosen. */
class MatchList {
  constructor(games, matches) {
    this.games = games;
    this.matches = matches;
    this.keys = keysOf(matches);
    this.counts = countIds(matches);
    this.place = element("div", {class: "card"});
    this.rows = element("tbody");
    this.search = element("input", {type: "search", placeholder: "search: game, player, result", "aria-label": "search matches",
                                    oninput: () => this.filter()});
    this.count = element("small");
    this.heads = kColumns.map(({title}, column) => element("th", {},
      element("button", {onclick: () => this.sort(column)}, title)));
    const head = element("tr", {}, ...this.heads);
    this.node = element("section", {},
      element("h2", {id: "matches"}, matches.length === 1 ? "Match" : "Matches"), this.place,
      matches.length === 1 ? null : element("div", {class: "filters"}, this.search, this.count),
      matches.length === 1 ? null : element("div", {class: "card list scroll tables stacked"},
        element("table", {}, element("thead", {}, head), this.rows)));
    this.texts = matches.map((match) => this.textOf(match).toLowerCase());
    this.all = matches.map((match, index) => this.row(match, index));
    this.rows.append(...this.all);
    this.filter();
    addEventListener("hashchange", () => this.follow());
    addEventListener("keydown", (event) => this.viewer && this.viewer.key(event));
    this.follow();
  }

  /** Where the record lies, for matches that share their id. */
  placeOf(index) {
    const {id, place} = this.matches[index];
    return this.counts.get(id) > 1 && place ? element("small", {class: "place"}, place) : null;
  }

  textOf(match) {
    return [match.id, match.place || "", match.game, ...match.roles.flatMap((r) => [r.name, r.player]), resultOf(match)].join(" ");
  }

  row(match, index) {
    const players = match.roles.flatMap((role, i) => [
      i > 0 ? " · " : "", element("i", {class: `dot of-${role.colour}`, title: role.name}), role.player]);
    const cell = (title, ...content) => element("td", {"data-title": title}, ...content);
    return element("tr", {onclick: (event) => this.click(event, index)},
      cell("match", element("a", {class: "id", href: this.addressOf(index)}, match.id), this.placeOf(index)), cell("game", match.game),
      cell("players", ...players), cell("goals", resultOf(match)), cell("steps", String(match.steps.length - 1)),
      cell("faults", String(faultsOf(match) || "")));
  }

  filter() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    this.all.forEach((row, index) => {
      row.hidden = !words.every((word) => this.texts[index].includes(word));
      shown += row.hidden ? 0 : 1;
    });
    this.count.textContent = `${shown} of ${this.matches.length}`;
  }

  /** By a column; backwards if it is sorted by that already. */
  sort(column) {
    this.turn = this.sorted === column ? -this.turn : 1;
    this.sorted = column;
    const keys = this.matches.map(kColumns[column].key);
    const before = (a, b) => typeof keys[a] === "number" ? keys[a] - keys[b] : keys[a].localeCompare(keys[b], undefined, {numeric: true});
    const order = [...keys.keys()].sort((a, b) => this.turn * before(a, b) || a - b);
    this.rows.append(...order.map((index) => this.all[index]));
    this.heads.forEach((th, i) =>
      th.setAttribute("aria-sort", i !== column ? "none" : this.turn > 0 ? "ascending" : "descending"));
  }

  /** On the row or its link, which opens another tab if a key is held. */
  click(event, index) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.show(index);
    this.viewer.node.focus({preventScroll: true});
    this.place.scrollIntoView({block: "nearest"});
  }

  show(index) {
    if (this.viewer) this.viewer.stop();
    const match = this.matches[index];
    this.index = index;
    this.viewer = new Viewer(this.games[match.picture], match, {onShow: (step) => this.remember(index, step)});
    const title = element("p", {class: "faint"}, `${match.game}, ${new Date(match.started).toLocaleString()}, ` +
                          `start clock ${match.start_clock} s, play clock ${match.play_clock} s`);
    this.place.replaceChildren(title, this.viewer.node);
    this.all.forEach((row, i) => row.classList.toggle("here", i === index));
  }

  addressOf(index) { return `#${encodeURIComponent(this.keys[index])}`; }

  /** The address names match and step, so that it can be handed on. */
  remember(index, step) {
    this.address = `${this.addressOf(index)}/${step}`;
    history.replaceState(null, "", this.address);
  }

  follow() {
    if (this.address && location.hash === this.address) return;
    const [id, step] = location.hash.slice(1).split("/");
    const index = this.keys.indexOf(decoded(id));
    const before = location.hash;
    const finished = this.matches.findIndex(({end}) => end && end.completed);
    this.show(index >= 0 ? index : Math.max(finished, 0));
    if (index >= 0 && step) this.viewer.go(Number(step) || 0);
    else if (!before) history.replaceState(null, "", location.pathname + location.search);
  }
}

function report(data) {
  const main = document.querySelector("main");
  for (const tournament of data.tournaments) main.append(...tournamentParts(tournament));
  for (const problem of data.problems) main.append(element("p", {class: "warning"}, problem));
  data.matches.sort((a, b) => a.started - b.started);
  if (data.matches.length > 0) main.append(new MatchList(data.games, data.matches).node);
}

report(JSON.parse(document.getElementById("data").textContent));
