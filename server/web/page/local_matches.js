// SPDX-License-Identifier: MIT
// Matches at the table within the page (server/wasm/table.h), as a source of events for LivePage.
"use strict";

const kTable = "ludens-table";  // in the session's storage: the match, for when the page is loaded again
const kMostFailures = 2;        // of the program in one step, until the match is given up

/**
 * The program has one thread and hears nothing while it thinks. Where it is to stop, or has failed, another Worker takes
 * the table over: the match goes on from its record and the moves that were chosen since.
 */
class LocalMatches {
  /** `kept`: what `LocalMatches.kept` has. `changed()` is called after what buttons and figures show has changed. */
  constructor(engine, setup, kept, changed) {
    this.engine = engine;
    this.setup = setup;
    this.changed = changed;
    this.record = kept ? kept.record : null;  // its text, up to the last step
    this.chosen = kept ? kept.chosen : [];    // {role, step, move, ms} since
    this.askedAt = Date.now();                // when people and the program were asked last
    this.thought = null;                      // what the program would play now, while it thinks
    this.isOver = false;
    this.failures = 0;
    this.seats = setup.seats.some(({page}) => page) ? new PageSeats(kept && kept.seats, this) : null;
    this.setPaused(false);
  }

  /** The match that was played before the page was loaded again; null if there was none. */
  static kept() { return JSON.parse(sessionStorage.getItem(kTable) || "null"); }

  // --- Events and requests

  open(names, on, lost) {
    this.on = on;
    this.engine.told = ({event, data}) => event && this.hear(event, data);
    this.engine.failed = (why) => this.failed(why);
    on("hello", {run: this.setup.run});
    this.begun = this.sit();
  }

  hear(event, data) {
    if (event === "thought") this.thought = data;
    else if (event === "pages") { if (!this.isTakingOver) this.seats.tell(data); }
    else if (!this.isTakingOver) this.pass(event, data);
    this.changed();
  }

  pass(event, data) {
    console.log(JSON.stringify({time: new Date().toISOString(), event, ...data}));
    if (event === "match" || event === "step") this.failures = 0;
    if (event === "turn" || event === "asked") this.askedAt = Date.now();
    if (event === "match") this.isOver = false;
    if (event === "end") this.isOver = true;
    if (event === "match" || event === "step" || event === "end") this.remember();
    this.on(event, data);
    if (event === "match") this.on("complete", {});
  }

  note(text) { this.on("note", {text}); }

  /** Sits down at a table, a new one or that of the record, and makes a request there before the program thinks. */
  async sit(request) {
    const answer = await this.engine.ask({do: "table", ...this.setup, ...(this.record ? {record: this.record} : {})});
    this.isTakingOver = false;
    if (answer && !answer.problem) for (const move of this.chosen) await this.engine.ask({do: "move", ...move});
    const last = answer && request ? await this.engine.ask(request) : answer;
    this.go(true);
    return this.refusal(last);
  }

  /** Null, or why it was not done. */
  refusal(answer) {
    if (!answer) return {why: "the program gave no answer", status: 500};
    return answer.problem ? {why: answer.problem, status: 409} : null;
  }

  /** Null, or why it can't be done. */
  async post(target, request) {
    if (target === "/close") return this.close();
    const wanted = {do: target.slice(1), ms: Date.now() - this.askedAt, ...request};
    if (target === "/undo" && this.thought) return this.takeOver(wanted);  // the program need not end its thought
    if (target === "/move") this.choose(wanted);
    const refusal = await this.request(wanted);
    if (target === "/restart" && !refusal) this.takeSeat(request.role);
    return refusal;
  }

  /** Keeps a move in mind for as long as the record does not have it. */
  choose({role, step, move, ms}) {
    this.chosen = [...this.chosen.filter((other) => other.role !== role || other.step !== step), {role, step, move, ms}];
    this.keep();
  }

  /** The person has changed seats with who plays that role. */
  takeSeat(role) {
    const {seats} = this.setup;
    const own = seats.findIndex(({person}) => person);
    if (role !== undefined && own >= 0) [seats[own], seats[role]] = [seats[role], seats[own]];
  }

  async request(request) {
    let answer = await this.engine.ask(request);
    if (!answer && this.takenOver && !this.closed) {  // it was lost with a Worker
      await this.takenOver;
      answer = await this.engine.ask(request);
    }
    if (answer) this.go(answer.busy);
    return this.refusal(answer);
  }

  /** Makes the program's own moves, one after the other; requests of people are handled in between. */
  async go(busy) {
    if (this.going) return;
    this.going = true;
    while (busy && !this.closed) {
      await this.proceeds;
      const answer = await this.engine.ask({do: "go"});
      if (answer && this.thought) this.choose({...this.thought, move: this.thought.move.move, ms: Date.now() - this.askedAt});
      this.thought = null;
      busy = answer !== null && answer.busy;
    }
    this.going = false;
    this.changed();
  }

  /** Another Worker goes on with the match; the page hears of nothing that it knows. */
  takeOver(request) {
    this.engine.stop();
    return this.sitAgain(request);
  }

  sitAgain(request) {
    this.isTakingOver = this.record !== null;
    this.thought = null;
    this.takenOver = this.sit(request);
    return this.takenOver;
  }

  failed(why) {
    if (this.engine.isBroken || ++this.failures >= kMostFailures) {
      return this.note(`The program failed (${why}). Choose a game to begin anew.`);
    }
    this.note(`The program failed (${why}); another one goes on with the match.`);
    this.sitAgain();
  }

  // --- What people do beside their moves

  /** The program plays the best move that it has found so far. */
  async moveNow() {
    if (!this.thought || !this.record) return;
    this.choose({...this.thought, move: this.thought.move.move, ms: Date.now() - this.askedAt});
    await this.takeOver();
  }

  /** Whether the others wait; a move that is being looked for is still made. */
  setPaused(paused) {
    if (this.proceed) this.proceed();
    this.isPaused = paused;
    this.proceeds = new Promise((resolve) => { this.proceed = resolve; });
    if (!paused) this.proceed();
    this.changed();
  }

  close() {
    if (this.closed) return null;
    this.closed = true;
    if (this.seats) this.seats.leave(this.isOver ? [] : this.setup.seats.flatMap(({page}) => page || []));
    sessionStorage.removeItem(kTable);
    this.engine.stop();
    this.onClose();
    return null;
  }

  // --- The record

  async remember() {
    const answer = await this.engine.ask({do: "record"});
    if (!answer || !answer.record || this.closed) return;
    this.record = answer.record;
    this.chosen = this.chosen.filter(({step}) => step >= answer.steps);
    this.keep();
    this.changed();
  }

  keep() {
    const {setup, record, chosen, seats} = this;
    if (!record || this.closed) return;
    try {
      sessionStorage.setItem(kTable, JSON.stringify({setup, record, chosen, seats: seats && seats.state}));
    } catch (error) {  // no room
      sessionStorage.removeItem(kTable);
      this.note("This match has become too long to go on after the page is loaded again. Its record can be saved.");
    }
  }
}
