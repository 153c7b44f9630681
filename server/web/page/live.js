// SPDX-License-Identifier: MIT
// The page of `--watch` and `play`: follows matches while they are played, and lets people choose their moves.
"use strict";

function clockText(until) {
  const whole = Math.ceil(Math.max(0, until - Date.now()) / 1000);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** The role that the host plays: dice, and cards that are turned up. */
function isChance(role) {
  return role.name.toLowerCase() === "random";
}

/** A legal move, or one that is advised, as people read it. */
function legalText(move) {
  return plainMove(move.text || move.move);
}

function sentence(text) {
  return text[0].toUpperCase() + text.slice(1) + (text.endsWith(".") ? "" : ".");
}

/** Moves of a turn, and which of them go on from the squares chosen so far. */
class Choice {
  constructor(legal) {
    this.legal = legal;
    this.chosen = [];
  }

  fits(move, place, square) {
    if (!move.squares) return false;
    return move.line ? place === 0 && move.squares.includes(square) : move.squares[place] === square;
  }

  /** With the squares given, and with the words searched for. */
  matching(squares, words = "") {
    return this.legal.filter((move) => squares.every((square, place) => this.fits(move, place, square)) &&
      legalText(move).toLowerCase().includes(words));
  }

  /** Whether the squares chosen are all that the move names. */
  named(move) { return this.chosen.length > 0 && (move.line ? 1 : move.squares.length) === this.chosen.length; }

  /** Continues with a square, begins again with it, or forgets all. False if nothing can be played there. */
  add(square) {
    const tries = [this.chosen.concat(square)];
    if (!this.chosen.includes(square)) tries.push([square]);
    const next = tries.find((squares) => this.matching(squares).length > 0);
    const again = this.chosen.includes(square);
    this.chosen = next || [];
    return next !== undefined || again;
  }

  /** Squares by what they are: the first ones of moves that name several, those that go on, and lines. */
  marks(words) {
    const marks = {source: new Set(), target: new Set(), line: new Set(), chosen: new Set(this.chosen)};
    for (const move of this.matching(this.chosen, words)) {
      const squares = move.squares || [];
      if (move.line && this.chosen.length === 0) squares.forEach((square) => marks.line.add(square));
      if (move.line || squares.length <= this.chosen.length) continue;
      const begins = this.chosen.length === 0 && squares.length > 1;
      (begins ? marks.source : marks.target).add(squares[this.chosen.length]);
    }
    return marks;
  }
}

/**
 * What a person sees and does in a match: whose turn it is, the clock, and the moves. Its height is always the same, and
 * so is that of each of its parts.
 */
class TurnPanel {
  constructor(live) {
    this.live = live;
    this.title = element("span");
    this.clock = element("span", {class: "clock", role: "timer"});
    this.message = element("p", {class: "message", "aria-live": "polite"});
    this.actions = element("div", {class: "actions"});
    this.search = element("input", {type: "search", placeholder: "search the legal moves", "aria-label": "search the legal moves",
                                    oninput: () => this.list(), onkeydown: (event) => this.enter(event)});
    this.moves = element("div", {class: "legal", role: "group", "aria-label": "legal moves"});
    this.choices = element("div", {class: "choices", role: "group", "aria-label": "moves to these squares", hidden: true});
    this.node = element("section", {class: "card turn", "aria-label": "your turn"},
      element("h2", {}, this.title, this.clock), this.message, this.actions, this.search, this.moves);
    const button = (id, text, title, action) => element("button", {type: "button", id, title, onclick: action}, text);
    this.buttons = {
      hint: button("hint", "Hint", "let the program look for a move", () => this.hint()),
      undo: button("undo", "Take back", "back to your last choice", () => this.undo()),
      resign: button("resign", "Resign", "give the match up", () => this.resign()),
      restart: button("restart", "Rematch", "another match, with the same roles", () => this.restart({})),
      close: button("close", ...(live.data.close || ["Finish", "end the program"]), () => this.live.post("/close", {})),
    };
    this.buttons.restart.classList.add("main");
    this.ticks = setInterval(() => this.tick(), 250);
  }

  /** Another match, or the same one on another viewer. */
  watch(entry, viewer) {
    const focus = this.input && this.input.picture.node.contains(document.activeElement) ? this.input.focused : undefined;
    this.entry = entry;
    this.viewer = viewer;
    this.turn = undefined;
    this.choice = new Choice([]);
    this.input = new BoardInput(viewer.board, this);
    viewer.board.node.append(this.choices);
    this.refresh();
    const node = focus === undefined ? undefined : viewer.board.nodeOf(focus);
    if (node) node.focus({preventScroll: true});
  }

  get people() { return this.entry.match.roles.filter((role) => role.human); }

  /** The entry has changed: its turns, its end, or its clock. */
  refresh() {
    if (!this.entry) return;
    const turn = [...this.entry.turns.values()][0];
    if (turn !== this.turn) {
      this.turn = turn;
      this.sent = undefined;
      this.hinted = undefined;
      this.choice = new Choice(turn ? turn.legal : []);
      this.search.value = "";
      this.forgetResign();
      if (turn) this.say(this.news() + this.prompt());
    }
    this.node.classList.toggle("ended", !this.entry.running);
    this.showTitle();
    this.showActions();
    this.list();
    this.tick();
  }

  // --- What is said ---

  say(text) { this.message.textContent = text; }

  showTitle() {
    const {match, running} = this.entry;
    const role = this.turn && match.roles[this.turn.role];
    this.search.disabled = !this.turn;
    if (role) return this.title.replaceChildren(element("i", {class: `dot of-${role.colour}`}), `Your move, ${role.name}`);
    if (!running) {
      this.title.textContent = this.outcome();
      this.say(match.end.completed ? this.news() + match.roles.map((r, i) => `${r.name} ${match.end.goals[i]}`).join(", ") + "."
                                   : `No result: ${match.end.reason}.`);
      return;
    }
    const others = match.roles.filter((r) => !r.human && !isChance(r));
    this.title.textContent = this.entry.starts ? "The players get ready"
                           : others.length === 1 ? `${others[0].name} thinks` : "Waiting for the others";
  }

  outcome() {
    const {roles, end} = this.entry.match;
    if (!end.completed) return "The match has ended";
    const goals = roles.map((role, index) => ({role, goal: end.goals[index]}));
    const own = goals.filter(({role}) => role.human).map(({goal}) => goal);
    const others = goals.filter(({role}) => !role.human && !isChance(role)).map(({goal}) => goal);
    if (own.length !== 1) return "The match is over";
    if (others.length === 0) return `You have reached ${own[0]} of 100`;
    const best = Math.max(...others);
    return own[0] > best ? "You have won" : own[0] < best ? "You have lost" : "A draw";
  }

  /** What the others have done since a person made a move, at the same time or later. */
  news() {
    const {match} = this.entry;
    const {steps, roles} = match;
    const news = [];
    for (let number = steps.length - 1; number > 0; --number) {
      const step = steps[number];
      const moves = step.moves.map(plainMove);
      const acts = (index) => moves[index] !== "" && (saysMore(step.moves[index]) || !/^noop$/i.test(moves[index]));
      const perceived = match.sight === undefined || !step.percepts ? [] : step.percepts[match.sight];
      if (perceived.length > 0) news.unshift(`You perceive ${perceived.map(plainMove).join(", ")}.`);
      roles.forEach((role, index) => {
        const late = role.human && step.errors && step.errors[index];
        if (late) news.unshift(`Your time was over: ${moves[index]} was played for you.`);
        else if (!role.human && acts(index)) news.unshift(`${role.name}: ${moves[index]}.`);
      });
      if (roles.some((role, index) => role.human && acts(index))) break;
    }
    return news.length > 0 ? news.join(" ") + " " : "";
  }

  prompt() {
    const squares = this.turn.legal.some((move) => move.squares);
    if (!squares) return "Choose a move below.";
    if (this.turn.legal.some((move) => move.line)) return "Click where to play.";
    return "Choose a marked square.";
  }

  tick() {
    if (!this.entry) return;
    const until = this.turn ? this.turn.until : this.entry.running ? this.entry.until : undefined;
    const left = until === undefined ? 0 : until - Date.now();
    this.clock.textContent = until === undefined || (!this.turn && left <= 0) ? "" : clockText(until);
    this.clock.classList.toggle("late", this.turn !== undefined && until !== undefined && left < 10000);
  }

  showActions() {
    const {running, match} = this.entry;
    const {hint, undo, resign, restart, close} = this.buttons;
    const {help, restart: more} = this.live.data;
    undo.disabled = match.steps.length < 2;
    hint.disabled = resign.disabled = !this.turn;
    const sides = match.roles.map((role, index) => ({...role, index})).filter((role) => !role.human && !isChance(role));
    const swap = sides.map((role) => element("button", {type: "button", class: "swap", onclick: () => this.restart({role: role.index})},
                                             `Play ${role.name}`));
    const wanted = running ? [help && hint, help && undo, resign] : more ? [restart, ...swap, help && undo, close] : [];
    const key = wanted.map((node) => node ? node.textContent : "").join();
    if (key === this.actionsKey) return;  // a button that is pressed must stay where it is
    this.actionsKey = key;
    this.actions.replaceChildren(...wanted.filter(Boolean));
  }

  // --- Choosing ---

  words() { return this.search.value.toLowerCase().trim().replace(/\s+/g, " "); }

  /** The legal moves that go on from the squares chosen, and the marks on the board. */
  list() {
    const now = this.turn && this.viewer.at === this.viewer.last && !this.sent;
    const moves = this.turn ? this.choice.matching(this.choice.chosen, this.words()) : [];
    const key = moves.map((move) => move.move).join();
    if (key !== this.listKey || this.moves.childElementCount === 0) {
      this.listKey = key;
      this.moves.replaceChildren(...moves.slice(0, 500).map((move) => this.button(move)));
      if (moves.length > 500) this.moves.append(`and ${moves.length - 500} more: search`);
    }
    const marks = now ? this.choice.marks(this.words()) : new Choice([]).marks("");
    marks.hint = new Set(now && this.hinted ? this.hinted.squares || [] : []);
    this.input.mark(marks, (square) => this.describe(square));
    const named = now ? moves.filter((move) => this.choice.named(move)) : [];
    this.choices.hidden = named.length < 2 || named.length < moves.length;
    if (!this.choices.hidden) this.choices.replaceChildren(...named.map((move) => this.button(move)));
  }

  button(move) {
    const hinted = this.hinted && this.hinted.move === move.move;
    return element("button", {type: "button", class: hinted ? "hinted" : undefined, onclick: () => this.play(move)}, legalText(move));
  }

  describe(square) {
    const {rows, columns} = this.viewer.board.game;
    const index = square % this.viewer.board.size;
    const names = this.thingsOn(square).map((thing) => thing.name);
    const {layers} = this.viewer.state;
    const layer = layers.length > 1 ? `${layers[Math.floor(square / this.viewer.board.size)]}: ` : "";
    return `${layer}${columns[index % columns.length]} ${rows[Math.floor(index / columns.length)]}, ${names.join(", ") || "empty"}`;
  }

  thingsOn(square) {
    return thingsOn(this.viewer.state, square);
  }

  /** The line that a click on the square would choose. */
  lineOf(square) {
    if (!this.turn || this.choice.chosen.length > 0) return [];
    const lines = this.choice.legal.filter((move) => move.line && move.squares.includes(square));
    return lines.flatMap((move) => move.squares);
  }

  /** Why nothing can be chosen now; empty if something can. */
  obstacle() {
    if (!this.live.connected) return "There is no connection to the program. This page tries again.";
    if (this.sent) return "Your move is on its way.";
    if (this.turn) return "";
    return this.entry.running ? "It is not your turn yet." : "The match is over.";
  }

  click(square) {
    const why = this.obstacle();
    if (why) return this.say(why);
    if (this.viewer.at !== this.viewer.last) {
      this.viewer.go(this.viewer.last);
      return this.say("This is the present position. Choose again.");
    }
    this.search.value = "";
    const possible = this.choice.add(square);
    const left = this.choice.matching(this.choice.chosen);
    if (left.length === 1 && this.choice.named(left[0])) return this.play(left[0]);
    this.say(!possible ? "Nothing can be played there. " + this.prompt()
           : this.choice.chosen.length === 0 ? this.prompt()
           : left.some((move) => this.choice.named(move)) ? "Several moves name these squares: choose one."
           : "Now choose where to.");
    this.list();
  }

  mayDrag(square) {
    if (this.obstacle() || this.viewer.at !== this.viewer.last) return false;
    const {chosen} = this.choice;
    if (chosen.length > 0 && chosen[chosen.length - 1] === square) return true;
    return this.choice.matching([square]).some((move) => !move.line && move.squares.length > 1);
  }

  /** Begins a move with the square: only a click goes on with what was chosen before. */
  lift(square) {
    const {chosen} = this.choice;
    if (chosen[chosen.length - 1] === square) return;
    this.search.value = "";
    this.choice.chosen = [square];
    this.say("Now choose where to.");
    this.list();
  }

  clear() {
    this.choice.chosen = [];
    if (this.turn) this.say(this.prompt());
    this.list();
  }

  enter(event) {
    if (event.key !== "Enter") return;
    const left = this.choice.matching(this.choice.chosen, this.words());
    if (left.length === 1) this.play(left[0]);
  }

  // --- Requests ---

  play(move) {
    const why = this.obstacle();
    if (why) return this.say(why);
    this.sent = move;
    this.say(`You play ${legalText(move)}.`);
    this.list();
    this.send("/move", {move: move.move}, "That move was not played: the position has changed meanwhile.");
  }

  hint() {
    this.say("Looking for a move …");
    this.send("/hint", {});
  }

  advise({id, role, step, move, problem}) {
    const turn = this.turn;
    if (!turn || turn.id !== id || turn.role !== role || turn.step !== step) return;
    if (problem) return this.say(sentence(problem));
    this.hinted = move;
    this.choice.chosen = [];
    this.listKey = undefined;
    this.say(`Hint: ${legalText(move)}.`);
    this.list();
  }

  undo() {
    this.say("Taking back …");
    this.live.held = false;
    this.ask("/undo", {});
  }

  /** With the match's id, so that a second click does not ask for a third match. */
  restart(request) {
    this.live.held = false;
    this.ask("/restart", request);
  }

  /** A refusal that comes when another match is shown says nothing of that one. */
  ask(target, request) {
    const {id} = this.entry.match;
    this.live.post(target, {id, ...request}, (why) => this.entry.match.id === id && this.say(sentence(why)));
  }

  /** The second click within a few seconds means it. */
  resign() {
    const sure = this.sure !== undefined;
    this.forgetResign();
    if (sure) return this.send("/resign", {});
    this.buttons.resign.textContent = "Really?";
    this.sure = setTimeout(() => this.forgetResign(), 4000);
  }

  forgetResign() {
    clearTimeout(this.sure);
    this.sure = undefined;
    this.buttons.resign.textContent = "Resign";
  }

  async send(target, request, refusal) {
    const turn = this.turn;
    await this.live.post(target, {id: turn.id, role: turn.role, step: turn.step, ...request}, (why, status) => {
      if (this.turn !== turn) return;
      this.sent = undefined;
      this.choice.chosen = [];
      this.say(status === 409 && refusal ? refusal : sentence(why));
      this.list();
    });
  }
}

const kPatience = 10000;  // ms that a request may take, which the program answers at once

/** The program at the page's address: server-sent events, and requests. */
class ServedMatches {
  /**
   * Browsers have six connections to a program. `rests`: whether a page that nobody sees leaves its own one to others,
   * and gets everything again when it is seen.
   */
  constructor(rests) {
    this.rests = rests;
    document.addEventListener("visibilitychange", () => this.listen && this.resume());
  }

  /** Calls `on(name, data)` for events of these names, and `lost(forGood)` when there are none for now. */
  open(names, on, lost) {
    this.listen = () => {
      const events = new EventSource("events");
      for (const name of names) events.addEventListener(name, (event) => on(name, JSON.parse(event.data)));
      // The browser tries again automatically, unless it was refused.
      events.onerror = () => lost(events.readyState === EventSource.CLOSED);
      return events;
    };
    this.resume();
  }

  /** Keeps a stream that is open, and opens none for a page that rests. */
  resume() {
    const asleep = this.rests && document.hidden;
    if (this.events && (asleep || this.events.readyState === EventSource.CLOSED)) {
      this.events.close();
      this.events = undefined;
    }
    if (!asleep && !this.events) this.events = this.listen();
  }

  /**
   * Null, or why it was refused and with which status. Each open page on which people play keeps a connection: a request
   * may wait for another page to be closed.
   */
  async post(target, request) {
    const token = new URLSearchParams(location.search).get("token") || "";
    const headers = {"Content-Type": "application/json", "X-Ludens-Token": token};
    const signal = AbortSignal.timeout(kPatience);
    const answer = await fetch(target, {method: "POST", headers, body: JSON.stringify(request), signal});
    return answer.ok ? null : {why: (await answer.text()).trim(), status: answer.status};
  }
}

const kEndedKept = 24;  // matches

/** Whether `later` is the same match, with the same steps and maybe more. */
function goesOn(match, later) {
  const text = ({picture, sight, roles, steps}) => JSON.stringify([picture, sight, roles, steps.slice(0, match.steps.length)]);
  return (!match.end || later.end) && text(match) === text(later);
}

/** Shows the matches of `source`, such as ServedMatches, within `main`. */
class LivePage {
  constructor(data, source, main = document.querySelector("main")) {
    this.data = data;
    this.source = source;
    this.status = element("p", {class: "status", "aria-live": "polite"});
    this.tabs = element("nav", {class: "tabs", "aria-label": "matches", hidden: true});
    this.place = element("div");
    this.turns = new TurnPanel(this);
    this.tournament = element("div");
    main.append(this.status, this.place, this.tabs, this.tournament);
    if (!data.restart) this.place.before(this.tabs);
    this.connected = false;
    this.forget();
    this.listening = new AbortController();
    addEventListener("keydown", (event) => this.viewer && this.viewer.key(event), {signal: this.listening.signal});
    this.connect();
  }

  /** Does nothing any more; the source and the nodes are its owner's. */
  leave() {
    this.listening.abort();
    clearInterval(this.turns.ticks);
    if (this.viewer) this.viewer.stop();
  }

  forget() {
    this.games = new Map();
    this.matches = new Map();  // by id: {match, game, tab, turns, running, until}
    this.ready = false;
  }

  connect() {
    const actions = {
      hello: ({run}) => this.hello(run),
      game: (game) => this.games.set(game.picture, game),
      match: (match) => this.begin(match),
      asked: (asked) => this.asked(asked),
      step: ({id, step}) => this.step(id, step),
      end: ({id, end}) => this.end(id, end),
      forgotten: ({picture}) => this.games.delete(picture),
      dropped: ({id}) => this.dropped(id),
      turn: (turn) => this.turn(turn),
      answered: ({id, role}) => this.answered(id, role),
      advice: (advice) => this.turns.advise(advice),
      tournament: (tournament) => showTournament(this.tournament, tournament),
      note: ({text}) => this.said(text),
      complete: () => { this.ready = true; this.pick(); },
    };
    this.source.open(Object.keys(actions), (name, data) => actions[name](data), (forGood) => this.lost(forGood));
  }

  /** The beginning of all that there is to know. Another program at this address has another page. */
  hello(run) {
    if (run !== this.data.run) {
      sessionStorage.setItem("restarted", "yes");
      return location.reload();
    }
    const again = sessionStorage.getItem("restarted") ? "The program was started again. To play there, open the address that it printed."
                : this.wasLost ? "Connected again." : "Connected.";
    sessionStorage.removeItem("restarted");
    this.connected = true;
    this.forget();
    this.said(again);
  }

  lost(forGood) {
    this.connected = false;
    this.wasLost = true;
    const ended = this.entry && !this.entry.running;
    this.said(ended ? "The program has ended, or can't be reached; what was seen stays here."
                    : "The connection is lost. This page tries again every second; the clocks go on.", true);
    if (!forGood) return;
    this.said("The program does not know this page any more: open the address that it printed.", true);
    setTimeout(() => this.connect(), 3000);
  }

  said(text, lost = false) {
    this.status.textContent = this.status.title = text;
    this.status.classList.toggle("lost", lost);
  }

  begin(match) {
    const tab = element("button", {type: "button", title: match.id, onclick: () => this.choose(match.id)});
    this.matches.set(match.id, {match, game: this.games.get(match.picture), tab, turns: new Map(), running: !match.end});
    this.forgetOld();
    if (this.ready) this.pick();
  }

  /** Of the matches that have ended, the newest stay, and the one that is shown. */
  forgetOld() {
    const ended = [...this.matches.values()].filter(({match, running}) => !running && match.id !== this.shown);
    for (const {match} of ended.slice(0, -kEndedKept)) this.matches.delete(match.id);
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
      const people = entry.match.roles.some((role) => role.human);
      const seen = this.shown === id && !people && goesOn(this.entry.match, entry.match);
      this.shown = id;
      this.entry = entry;
      if (seen) return this.goOn(entry);
      if (this.viewer) this.viewer.stop();
      this.viewer = new Viewer(entry.game, entry.match,
                               {panel: people ? this.turns.node : null, onShow: () => this.turns.viewer && this.turns.viewer === this.viewer && this.turns.list()});
      this.viewer.show(this.viewer.last);
      this.place.replaceChildren(this.viewer.node);
      if (people) this.turns.watch(entry, this.viewer);
    }
    this.refresh();
  }

  /** The viewer stays as a person has left it, and gets what has happened since. */
  goOn(entry) {
    const {steps, end} = entry.match;
    entry.match = this.viewer.match;
    for (const step of steps.slice(entry.match.steps.length)) this.viewer.add(step);
    if (end) this.viewer.end(end);
    this.refresh();
  }

  refresh() {
    if (this.turns.entry === this.entry) this.turns.refresh();
    document.title = (this.entry && this.entry.turns.size > 0 ? "● " : "") + this.data.title;
  }

  /** A person wants to see this match. */
  choose(id) {
    this.held = !this.matches.get(id).running;
    this.show(id);
    this.list();
  }

  /** A tab stays where it is as long as its match does: it may be pressed, or have the focus. */
  list() {
    const entries = [...this.matches.values()];
    this.tabs.hidden = this.data.restart && entries.length < 2;
    const tabs = entries.map((entry) => this.label(entry));
    for (const tab of [...this.tabs.children]) if (!tabs.includes(tab)) tab.remove();
    tabs.forEach((tab, place) => this.tabs.children[place] === tab || this.tabs.insertBefore(tab, this.tabs.children[place]));
  }

  label({match, tab, running}) {
    const result = match.end && match.end.completed ? match.end.goals.join(" : ") : "no result";
    tab.textContent = `${match.game}: ${running ? match.steps.length - 1 : result}`;
    tab.setAttribute("aria-pressed", String(match.id === this.shown));
    return tab;
  }

  step(id, step) {
    const entry = this.matches.get(id);
    if (!entry) return;
    if (id === this.shown) this.viewer.add(step);
    else entry.match.steps.push(step);
    if (id === this.shown) this.refresh();
    this.list();
  }

  asked({id, start, ms}) {
    const entry = this.matches.get(id);
    if (!entry) return;
    entry.starts = start;
    entry.until = Date.now() + ms;
    if (id === this.shown) this.refresh();
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

  /** Another match has taken its place. */
  dropped(id) {
    this.matches.delete(id);
    if (id === this.shown) this.pick();
    this.list();
  }

  turn(turn) {
    const entry = this.matches.get(turn.id);
    if (!entry) return;
    turn.until = turn.ms === undefined ? undefined : Date.now() + turn.ms;
    entry.turns.set(turn.role, turn);
    if (turn.id === this.shown) this.refresh();
  }

  answered(id, role) {
    const entry = this.matches.get(id);
    if (!entry) return;
    entry.turns.delete(role);
    if (id === this.shown) this.refresh();
  }

  /** `refused(why)` is called where it was not done. */
  async post(target, request, refused = (why) => this.said(why, true)) {
    try {
      const refusal = await this.source.post(target, request);
      if (refusal) refused(refusal.why, refusal.status);
    } catch (error) {
      const late = error instanceof DOMException;  // where there is no program it is a TypeError
      refused(late ? "The program does not answer. Close other tabs of this page." : "The program can't be reached.");
    }
  }
}

const served = JSON.parse(document.getElementById("data").textContent);
if (served.run !== undefined) window.live = new LivePage(served, new ServedMatches(!served.restart));
