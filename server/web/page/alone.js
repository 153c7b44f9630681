// SPDX-License-Identifier: MIT
// The page that has Ludens within it: a place to try it, or a player of the manager's page of the same origin.
"use strict";

/** Matches at the table within the page, as a source of events for LivePage. */
class LocalMatches {
  constructor(engine, setup) {
    this.engine = engine;
    this.setup = setup;
  }

  open(names, on, lost) {
    this.on = on;
    this.engine.told = ({event, data}) => {
      if (!event) return;
      console.log(JSON.stringify({time: new Date().toISOString(), event, ...data}));
      on(event, data);
      if (event === "match") on("complete", {});
    };
    this.engine.failed = (why) => on("note", {text: `The program failed (${why}). Choose a game to begin anew.`});
    on("hello", {run: this.setup.run});
    this.begun = this.request({do: "table", ...this.setup});
  }

  /** Returns null, or why it can't be done. */
  async post(target, request) {
    if (target === "/close") return this.close();
    return this.request({do: target.slice(1), ...request});
  }

  async request(request) {
    const answer = await this.engine.ask(request);
    if (!answer) return {why: "the program gave no answer", status: 500};
    this.go(answer.busy);
    return answer.problem ? {why: answer.problem, status: 409} : null;
  }

  /** Makes the program's own moves, one after the other; requests of people are handled in between. */
  async go(busy) {
    if (this.going) return;
    this.going = true;
    while (busy && !this.closed) {
      const answer = await this.engine.ask({do: "go"});
      busy = answer !== null && answer.busy;
    }
    this.going = false;
  }

  close() {
    this.closed = true;
    this.engine.stop();
    this.onClose();
    return null;
  }
}

/** The choice of game, players and clocks. */
class TryPage {
  constructor(setup, place) {
    this.setup = setup;
    this.place = place;
    this.runs = 0;
    this.engine = new Engine(setup);
    this.listen();
    this.build();
    this.choose();
  }

  /** Hears what the program says while there is no match. */
  listen() {
    this.engine.told = (told) => this.told(told);
    this.engine.failed = (why) => this.failed(why);
  }

  failed(why) { this.say(`Ludens ${this.engine.isBroken ? "could not be started" : "has failed"}: ${why}`); }

  told({ready}) {
    if (ready) document.body.dataset.ready = String(Math.round(performance.now()));
  }

  build() {
    const names = Object.keys(this.setup.games);
    this.game = element("select", {id: "game", onchange: () => this.choose()},
      ...names.map((name) => element("option", {value: name}, name.replaceAll("_", " "))),
      element("option", {value: ""}, "another one: paste its rules"));
    this.rules = element("textarea", {id: "rules", rows: 12, spellcheck: "false", hidden: true, oninput: () => this.look(),
                                      placeholder: "Rules in the Game Description Language, prefix or as on Gamemaster", "aria-label": "rules"});
    this.file = element("input", {type: "file", hidden: true, "aria-label": "file of rules", onchange: () => this.read()});
    this.role = element("select", {id: "role"});
    this.clock = element("select", {id: "clock"}, ...[1, 3, 10, 30].map((s) => element("option", {value: String(1000 * s)}, `${s} s`)));
    this.begin = element("button", {class: "main", id: "begin"}, "Play");
    this.problem = element("p", {role: "alert", id: "problem"});
    this.form = element("form", {class: "card", onsubmit: (event) => { event.preventDefault(); this.play(); }},
      element("p", {}, "Ludens plays any game from its rules alone. It runs in this page; nothing is sent anywhere."),
      element("p", {}, element("label", {}, "Game ", this.game)), this.rules, this.file,
      element("p", {}, element("label", {}, "You play ", this.role), " ", element("label", {}, "Ludens thinks ", this.clock)),
      this.begin, this.problem,
      location.protocol.startsWith("http") ? element("p", {class: "faint"}, "To play here for a manager of this site, ",
        element("a", {href: "#player"}, "open this page as a player"), ".") : null);
    this.table = element("div");
    this.place.append(this.form, this.table);
  }

  say(text) { this.problem.textContent = text; }

  choose() {
    const own = this.game.value === "";
    this.rules.hidden = this.file.hidden = !own;
    this.look();
  }

  async read() {
    const [file] = this.file.files;
    if (file) this.rules.value = await file.text();
    this.look();
  }

  get text() { return this.game.value === "" ? this.rules.value : this.setup.games[this.game.value]; }

  /** Shows the roles of the game, or what is wrong with it. */
  async look() {
    const text = this.text;
    this.begin.disabled = true;
    this.say("");
    if (text.trim() === "") return this.role.replaceChildren();
    const answer = await this.engine.ask({do: "look", text});
    if (text !== this.text) return;
    if (this.engine.isBroken) this.failed(this.engine.why);
    if (!answer) return;
    this.say(answer.problem || "");
    this.begin.disabled = answer.problem !== undefined;
    const people = (answer.roles || []).filter((name) => name.toLowerCase() !== "random");
    const option = (name) => element("option", {value: String(answer.roles.indexOf(name))}, name);
    this.role.replaceChildren(...people.map(option), element("option", {value: ""}, "nothing: watch it play"));
  }

  play() {
    const name = this.game.value || "game";
    const people = this.role.value === "" ? [] : [Number(this.role.value)];
    const setup = {run: ++this.runs, game: name, text: this.text, people, ms: Number(this.clock.value), seed: Date.now() % 1000003};
    const matches = new LocalMatches(this.engine, setup);
    matches.onClose = () => {
      live.leave();
      this.listen();
      this.table.replaceChildren();
      this.form.hidden = false;
      this.choose();
    };
    this.form.hidden = true;
    const page = element("div");
    this.table.replaceChildren(element("p", {}, element("button", {type: "button", id: "other", onclick: () => matches.close()}, "Another game")), page);
    window.live = new LivePage({title: "Ludens", restart: true, help: true, run: setup.run, close: ["Another game", "end this one"]}, matches, page);
    matches.begun.then((refusal) => refusal && matches.on("note", {text: refusal.why}));
  }
}

const alone = JSON.parse(document.getElementById("data").textContent);
const main = document.querySelector("main");
const venue = location.origin === alone.venue || nameInAddress() || sessionStorage.getItem(kKept);
window.ludens = venue ? new Player(alone, main) : new TryPage(alone, main);
