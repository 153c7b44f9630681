// The page of `ludens report`: everything is in the document; nothing is loaded.
"use strict";

/** The list of matches, and the viewer of the one that was chosen. */
class MatchList {
  constructor(games, matches) {
    this.games = games;
    this.matches = matches;
    this.place = element("div", {class: "card"});
    this.rows = element("tbody");
    this.search = element("input", {type: "search", placeholder: "search: game, player, result", "aria-label": "search matches",
                                    oninput: () => this.filter()});
    this.count = element("small");
    const head = element("tr", {}, ...["match", "players", "goals", "steps", "faults"].map((t) => element("th", {}, t)));
    this.node = element("section", {},
      element("h2", {id: "matches"}, matches.length === 1 ? "Match" : "Matches"), this.place,
      matches.length === 1 ? null : element("div", {class: "filters"}, this.search, this.count),
      matches.length === 1 ? null : element("div", {class: "card list scroll tables"},
        element("table", {}, element("thead", {}, head), this.rows)));
    this.texts = matches.map((match) => this.textOf(match).toLowerCase());
    matches.forEach((match, index) => this.rows.append(this.row(match, index)));
    this.filter();
    addEventListener("hashchange", () => this.follow());
    addEventListener("keydown", (event) => this.viewer && this.viewer.key(event));
    this.follow();
  }

  result(match) {
    if (!match.end) return "unfinished";
    return match.end.completed ? match.end.goals.join(" : ") : "no result";
  }

  faults(match) {
    let faults = 0;
    for (const step of match.steps) for (const error of step.errors || []) faults += error ? 1 : 0;
    return faults;
  }

  textOf(match) {
    return [match.id, match.game, ...match.roles.flatMap((r) => [r.name, r.player]), this.result(match)].join(" ");
  }

  row(match, index) {
    const players = match.roles.flatMap((role, i) => [
      i > 0 ? " · " : "", element("i", {class: `dot of-${role.colour}`, title: role.name}), role.player]);
    return element("tr", {onclick: () => this.choose(index, 0)},
      element("td", {}, match.id), element("td", {}, ...players), element("td", {}, this.result(match)),
      element("td", {class: "number"}, String(match.steps.length - 1)),
      element("td", {class: "number"}, String(this.faults(match) || "")));
  }

  filter() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    [...this.rows.children].forEach((row, index) => {
      row.hidden = !words.every((word) => this.texts[index].includes(word));
      shown += row.hidden ? 0 : 1;
    });
    this.count.textContent = `${shown} of ${this.matches.length}`;
  }

  choose(index, step) {
    this.show(index);
    this.viewer.go(step);
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
    [...this.rows.children].forEach((row, i) => row.classList.toggle("here", i === index));
  }

  /** The address names match and step, so that it can be handed on. */
  remember(index, step) {
    this.address = `#${encodeURIComponent(this.matches[index].id)}/${step}`;
    history.replaceState(null, "", this.address);
  }

  follow() {
    if (this.address && location.hash === this.address) return;
    const [id, step] = location.hash.slice(1).split("/");
    const index = this.matches.findIndex((match) => match.id === decodeURIComponent(id));
    const before = location.hash;
    this.show(Math.max(index, 0));
    if (index >= 0) this.viewer.go(Number(step) || 0);
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
