// SPDX-License-Identifier: MIT
// The page that has Ludens within it: matches of people, the program and pages, or a player of the manager's page of the
// same origin.
"use strict";

/** A match and what can be done with it beside moves, above it. */
class MatchView {
  /** `onClose(why)`: when it has ended; `why` it could not begin, or undefined. */
  constructor(engine, setup, kept, onClose) {
    const button = (id, text, title, action) => element("button", {type: "button", id, title, onclick: action}, text);
    this.other = sureButton({id: "other"}, "Another game", () => this.matches.close());
    this.now = button("now", "Move now", "play the best move found so far", () => this.matches.moveNow());
    this.pause = button("pause", "Pause", "let the players wait", () => this.matches.setPaused(!this.matches.isPaused));
    this.save = button("save", "Save record", "as JSON, in the form of ggp.org", () => this.download());
    this.thought = element("span", {id: "thought", class: "faint"});
    this.controls = element("div", {class: "controls"}, this.other.button, this.now, this.pause, this.save, this.thought);
    this.score = element("div", {id: "score", class: "scroll"});
    this.page = element("div");
    document.querySelector("body > header").append(this.controls);
    document.body.classList.add("playing");
    this.matches = new LocalMatches(engine, setup, kept, () => this.refresh());
    this.matches.onClose = () => {
      this.live.leave();
      this.controls.remove();
      document.body.classList.remove("playing");
      onClose(this.why);
    };
    this.node = element("div", {}, this.page, this.score);
    this.live = new LivePage({title: "Ludens", restart: true, help: true, run: setup.run, close: ["Another game", "end this one"]}, this.matches, this.page);
    this.matches.begun.then((refusal) => refusal && this.giveUp(refusal.why));
    this.refresh();
  }

  refresh() {
    const {matches} = this;
    if (!matches) return;
    this.other.isSure = matches.isOver;
    this.now.disabled = !matches.thought || !matches.record;
    this.pause.disabled = matches.isOver;
    this.pause.textContent = matches.isPaused ? "Go on" : "Pause";
    this.save.disabled = !matches.record;
    const entry = this.live && this.live.entry;
    const {thought} = matches;
    this.thought.textContent = thought && entry ? `${entry.match.roles[thought.role].name}: ${legalText(thought.move)}, worth ${Math.round(thought.value)}` : "";
    if (entry) this.score.replaceChildren(tally(entry.match));
  }

  /** Where no match could begin. */
  giveUp(why) {
    this.why = why;
    this.matches.close();
  }

  download() {
    const address = URL.createObjectURL(new Blob([this.matches.record], {type: "application/json"}));
    element("a", {href: address, download: JSON.parse(this.matches.record).matchId.replace(/[^A-Za-z0-9._-]/g, "_") + ".json"}).click();
    setTimeout(() => URL.revokeObjectURL(address), 60000);
  }
}

/** The choice of game, players and clocks. */
class TryPage {
  constructor(setup, place) {
    this.setup = setup;
    this.place = place;
    this.runs = 0;
    this.seats = [];
    this.engine = new Engine(setup);
    this.engine.ready.then(() => { document.body.dataset.ready = String(Math.round(performance.now())); });
    this.listen();
    this.build();
    const kept = LocalMatches.kept();
    if (kept) this.show(kept.setup, kept);
    else this.choose().then(() => this.rehearse());
  }

  /** A browser compiles what runs for the first time; that shall take no time of the first move. */
  rehearse() { return this.engine.ask({do: "measure", text: Object.values(this.setup.games)[0], ms: 1}); }

  /** Hears what the program says while there is no match. */
  listen() {
    this.engine.told = () => {};
    this.engine.failed = (why) => this.failed(why);
  }

  failed(why) { this.say(`Ludens ${this.engine.isBroken ? "could not be started" : "has failed"}: ${why}`); }

  build() {
    const names = Object.keys(this.setup.games);
    const clock = (id, label) => element("label", {}, label, this[id] = element("input", {type: "number", min: 1, max: 3600, value: 10, "aria-label": label}), " s");
    this.game = element("select", {id: "game", onchange: () => this.choose()},
      ...names.map((name) => element("option", {value: name}, name.replaceAll("_", " "))),
      element("option", {value: ""}, "another one: paste its rules"));
    this.rules = new RulesField(() => this.look());
    this.table = element("div", {id: "seats"});
    this.strategies = element("datalist", {id: "strategies"});
    this.clocks = element("p", {id: "clocks", hidden: true}, clock("startClock", "Pages have a start clock of "), clock("playClock", "a play clock of "));
    this.begin = element("button", {class: "main", id: "begin"}, "Play");
    this.problem = element("p", {role: "alert", id: "problem"});
    this.form = element("form", {class: "card", onsubmit: (event) => { event.preventDefault(); this.play(); }},
      element("p", {}, "Ludens plays any game from its rules alone. It runs in this page; nothing is sent anywhere."),
      element("p", {}, element("label", {}, "Game ", this.game)), this.rules.node, this.table, this.strategies, this.clocks,
      this.begin, this.problem,
      location.protocol.startsWith("http") ? element("p", {class: "faint"}, "To play here for a manager of this site, ",
        element("a", {href: "#player"}, "open this page as a player"), ".") : null);
    this.match = element("div");
    this.place.append(this.form, this.match);
  }

  say(text) { this.problem.textContent = text; }

  choose() {
    this.rules.node.hidden = this.game.value !== "";
    return this.look();
  }

  get text() { return this.game.value === "" ? this.rules.text : this.setup.games[this.game.value]; }

  /** Shows the roles of the game, or what is wrong with it: of one text after the other, if it changes meanwhile. */
  async look() {
    this.begin.disabled = true;
    this.again = true;
    if (this.looking) return;
    this.looking = true;
    while (this.again) {
      this.again = false;
      await this.lookAt(this.text);
    }
    this.looking = false;
  }

  async lookAt(text) {
    const isOwn = this.game.value === "";
    const ask = async (request) => {
      const answer = text.trim() === "" ? {roles: []} : await this.engine.ask({do: "look", text, ...request});
      return this.again ? null : answer;
    };
    this.say("");
    const answer = await ask({});
    if (this.engine.isBroken) this.failed(this.engine.why);
    if (!answer) return;
    this.rules.show(answer);
    this.say(answer.problem && !(isOwn && answer.diagnostics.length > 0) ? answer.problem : "");
    this.begin.disabled = answer.problem !== undefined || answer.roles.length === 0;
    this.seat(answer);
    if (!isOwn || this.begin.disabled) return;
    const all = await ask({all: true});
    if (all) this.rules.show(all);
  }

  /** A row for each role, which stays as people have left it as long as the roles are the same. */
  seat({roles, strategies = []}) {
    const same = roles.length === this.seats.length && roles.every((role, index) => role === this.seats[index].role);
    if (same) return;
    this.strategies.replaceChildren(...strategies.map((value) => element("option", {value})));
    const first = roles.findIndex((role) => role.toLowerCase() !== "random");
    this.seats = roles.map((role, index) => new SeatField(role, index === first ? "person" : "program", () => this.showClocks()));
    this.table.replaceChildren(...this.seats.filter(({role}) => role.toLowerCase() !== "random").map(({node}) => node));
    this.showClocks();
  }

  showClocks() { this.clocks.hidden = !this.seats.some(({isPage}) => isPage); }

  play() {
    if (this.begin.disabled) return;
    this.show({run: ++this.runs, game: this.game.value || "game", text: this.text, seats: this.seats.map(({seat}) => seat),
               startClock: Number(this.startClock.value), playClock: Number(this.playClock.value), seed: Date.now() % 1000003}, null);
  }

  show(setup, kept) {
    this.form.hidden = true;
    const view = new MatchView(this.engine, setup, kept, async (why) => {
      this.listen();
      this.match.replaceChildren();
      this.form.hidden = false;
      await this.choose();
      if (why) this.say(why);
    });
    this.match.replaceChildren(view.node);
    this.matches = view.matches;
    window.live = view.live;
  }
}

const alone = JSON.parse(document.getElementById("data").textContent);
const main = document.querySelector("main");
const venue = location.origin === alone.venue || nameInAddress() || sessionStorage.getItem(kKept);
window.ludens = venue ? new Player(alone, main) : new TryPage(alone, main);
