// The page of `--watch`: follows matches while they are played, and lets people choose their moves.
"use strict";

/** What a person does when it is their turn in a match. */
class TurnPanel {
  constructor(live) {
    this.live = live;
    this.node = element("section", {class: "card turn", "aria-live": "polite", hidden: true});
    this.chosen = [];
    setInterval(() => this.tick(), 250);
  }

  show(turn, viewer) {
    const again = this.turn === turn && this.viewer === viewer;
    this.turn = turn;
    this.viewer = viewer;
    this.node.hidden = !turn;
    if (!turn) return viewer && viewer.board.mark({source: new Set(), target: new Set(), chosen: new Set()});
    if (again) return;
    this.chosen = [];
    const role = viewer.match.roles[turn.role];
    this.clock = element("span", {class: "clock"});
    this.search = element("input", {type: "search", placeholder: "search the legal moves", "aria-label": "search the legal moves",
                                    oninput: () => this.list(), onkeydown: (event) => this.enter(event)});
    this.moves = element("div", {class: "legal"});
    this.node.replaceChildren(
      element("h2", {}, element("span", {}, element("i", {class: `dot of-${role.colour}`}), `Your move, ${role.name}`), this.clock),
      element("div", {class: "filters"}, this.search,
              element("button", {type: "button", onclick: () => this.resign()}, "Resign")),
      this.moves);
    this.tick();
    this.list();
  }

  tick() {
    if (!this.turn) return;
    const left = Math.max(0, this.turn.until - Date.now());
    const whole = Math.ceil(left / 1000);
    this.clock.textContent = `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
    this.clock.classList.toggle("late", left < 10000);
  }

  /** Moves that go on from the squares chosen so far, and match the search. */
  candidates() {
    const wanted = this.search.value.toLowerCase().trim().replace(/\s+/g, " ");
    return this.turn.legal.filter((move) => plainMove(move.move).toLowerCase().includes(wanted) &&
      this.chosen.every((square, place) => this.fits(move, place, square)));
  }

  fits(move, place, square) {
    if (!move.squares) return false;
    return move.line ? place === 0 && move.squares.includes(square) : move.squares[place] === square;
  }

  list() {
    const moves = this.candidates();
    this.moves.replaceChildren(...moves.slice(0, 500).map((move) =>
      element("button", {type: "button", onclick: () => this.play(move)}, plainMove(move.move))));
    if (moves.length > 500) this.moves.append(`and ${moves.length - 500} more`);
    const source = new Set(), target = new Set();
    for (const move of moves) {
      const next = move.line ? (this.chosen.length === 0 ? move.squares : []) : (move.squares || []).slice(this.chosen.length, this.chosen.length + 1);
      const several = !move.line && (move.squares || []).length > this.chosen.length + 1;
      for (const square of next) (several && this.chosen.length === 0 ? source : target).add(square);
    }
    this.viewer.board.mark({source, target, chosen: new Set(this.chosen)});
  }

  click(square) {
    if (!this.turn || this.viewer.at !== this.viewer.last) return;
    const before = this.chosen;
    this.chosen = before.concat(square);
    if (this.candidates().length === 0) {
      this.chosen = before.includes(square) ? [] : [square];
      if (this.candidates().length === 0) this.chosen = [];
    }
    const left = this.candidates();
    const complete = this.chosen.length > 0 && left.length === 1 &&
                     (left[0].line || left[0].squares.length === this.chosen.length);
    if (complete) this.play(left[0]);
    else this.list();
  }

  enter(event) {
    if (event.key !== "Enter") return;
    const left = this.candidates();
    if (left.length === 1) this.play(left[0]);
  }

  play(move) { this.send("/move", {move: move.move}); }

  resign() {
    if (confirm("Resign this match?")) this.send("/resign", {});
  }

  send(target, request) {
    const {id, role, step} = this.turn;
    this.live.post(target, {id, role, step, ...request});
  }
}

class LivePage {
  constructor(data) {
    this.data = data;
    this.turns = new TurnPanel(this);
    this.status = element("p", {class: "status"}, "connecting");
    this.tabs = element("nav", {class: "tabs", "aria-label": "matches"});
    this.place = element("div", {class: "card"});
    this.after = element("div", {class: "filters", hidden: true},
      element("button", {type: "button", class: "main", id: "restart", onclick: () => this.post("/restart")}, "New match"),
      element("button", {type: "button", id: "close", onclick: () => this.post("/close")}, "Finish"));
    this.tournament = element("div");
    document.querySelector("main").append(this.status, this.tabs, this.turns.node, this.after, this.place, this.tournament);
    this.forget();
    addEventListener("keydown", (event) => this.viewer && this.viewer.key(event));
    this.connect();
  }

  forget() {
    this.games = new Map();
    this.matches = new Map();  // by id: {match, turns}
    this.ready = false;
  }

  connect() {
    const events = new EventSource("events");
    const on = (name, action) => events.addEventListener(name, (event) => action(JSON.parse(event.data)));
    on("hello", () => { this.forget(); this.said("following"); });
    on("game", (game) => this.games.set(game.picture, game));
    on("match", (match) => this.begin(match));
    on("step", ({id, step}) => this.step(id, step));
    on("end", ({id, end}) => this.end(id, end));
    on("dropped", ({id}) => { this.matches.delete(id); this.list(); });
    on("turn", (turn) => this.turn(turn));
    on("answered", ({id, role}) => this.answered(id, role));
    on("tournament", (tournament) => this.tournament.replaceChildren(...tournamentParts(tournament)));
    on("note", ({text}) => this.said(text));
    on("complete", () => { this.ready = true; this.pick(); });
    events.onerror = () => this.said("The program has ended, or can't be reached; what was seen stays here.", true);
  }

  said(text, lost = false) {
    this.status.textContent = text;
    this.status.classList.toggle("lost", lost);
  }

  begin(match) {
    this.matches.set(match.id, {match, turns: new Map(), running: !match.end});
    if (this.ready) this.pick();
  }

  /** Stays with the match that is shown until it has ended and another one runs. */
  pick() {
    const shown = this.matches.get(this.shown);
    const running = [...this.matches.values()].filter((entry) => entry.running);
    const next = shown && (shown.running || this.held || running.length === 0) ? shown
               : running[0] || [...this.matches.values()].pop();
    if (next) this.show(next.match.id);
    this.list();
  }

  show(id) {
    const entry = this.matches.get(id);
    if (this.shown !== id || this.entry !== entry) {
      if (this.viewer) this.viewer.stop();
      this.shown = id;
      this.entry = entry;
      this.viewer = new Viewer(this.games.get(entry.match.picture), entry.match,
                               {onSquare: (square) => this.turns.click(square)});
      this.viewer.show(this.viewer.last);
      this.place.replaceChildren(this.viewer.node);
    }
    this.refresh();
  }

  refresh() {
    const turns = this.entry ? [...this.entry.turns.values()] : [];
    this.turns.show(turns[0], this.viewer);
    this.after.hidden = !(this.data.restart && this.entry && !this.entry.running);
  }

  list() {
    const entries = [...this.matches.values()];
    this.tabs.hidden = entries.length < 2;
    this.tabs.replaceChildren(...entries.slice(-24).map(({match, running}) =>
      element("button", {type: "button", "aria-pressed": String(match.id === this.shown), title: match.id,
                         onclick: () => { this.held = !running; this.show(match.id); this.list(); }},
              `${match.game}: ${running ? match.steps.length - 1 : match.end && match.end.completed ? match.end.goals.join(" : ") : "no result"}`)));
  }

  step(id, step) {
    const entry = this.matches.get(id);
    if (!entry) return;
    if (id === this.shown) this.viewer.add(step);
    else entry.match.steps.push(step);
    this.list();
  }

  end(id, end) {
    const entry = this.matches.get(id);
    if (!entry) return;
    entry.running = false;
    entry.turns.clear();
    entry.match.end = end;
    if (id === this.shown) this.viewer.end(end);
    if (this.data.restart) this.refresh();
    else this.pick();
    this.list();
  }

  turn(turn) {
    const entry = this.matches.get(turn.id);
    if (!entry) return;
    turn.until = Date.now() + turn.ms;
    entry.turns.set(turn.role, turn);
    if (turn.id === this.shown) this.refresh();
    document.title = "● " + this.data.title;
  }

  answered(id, role) {
    const entry = this.matches.get(id);
    if (!entry) return;
    entry.turns.delete(role);
    if (id === this.shown) this.refresh();
    document.title = this.data.title;
  }

  async post(target, request) {
    try {
      const token = new URLSearchParams(location.search).get("token") || "";
      const headers = {"Content-Type": "application/json", "X-Ludens-Token": token};
      const answer = await fetch(target, {method: "POST", headers, body: request ? JSON.stringify(request) : ""});
      if (!answer.ok) this.said(await answer.text(), true);
    } catch (error) {
      this.said("The program can't be reached.", true);
    }
  }
}

window.live = new LivePage(JSON.parse(document.getElementById("data").textContent));
