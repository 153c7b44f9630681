// SPDX-License-Identifier: MIT
// What people do in a match: the moves of a turn, chosen by squares, words or buttons; hints, and moves taken back.
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

/** A button that acts on its second press within a few seconds, or at once where it is `isSure`; `forget()`s the first. */
function sureButton(attributes, text, action) {
  let pressed;
  const forget = () => {
    clearTimeout(pressed);
    pressed = undefined;
    sure.button.textContent = text;
  };
  const press = () => {
    const again = pressed !== undefined;
    forget();
    if (again || sure.isSure) return action();
    sure.button.textContent = "Really?";
    pressed = setTimeout(forget, 4000);
  };
  const sure = {button: element("button", {type: "button", ...attributes, onclick: press}, text), isSure: false, forget};
  return sure;
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
    this.resign = sureButton({id: "resign", title: "give the match up"}, "Resign", () => this.send("/resign", {}));
    this.buttons = {
      hint: button("hint", "Hint", "let the program look for a move", () => this.hint()),
      undo: button("undo", "Take back", "back to your last choice", () => this.undo()),
      resign: this.resign.button,
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
      this.resign.forget();
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
    const others = goals.filter(({role}) => !role.human && !isChance(role));
    if (own.length !== 1) return "The match is over";
    if (others.length === 0) return `You have reached ${own[0]} of 100`;
    const best = Math.max(...others.map(({goal}) => goal));
    if (own[0] !== best) return own[0] > best ? "You have won" : "You have lost";
    if (best < 100) return "A draw";
    const winners = others.filter(({goal}) => goal === best).map(({role}) => role.name);
    return `You have won, and so ${winners.length === 1 ? "has" : "have"} ${winners.join(" and ")}`;
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
