// SPDX-License-Identifier: MIT
// Talks to Ludens for the page, to that of this machine or to that within the page (program.js), in a Worker: timers of
// a tab in the background run once a second at most, a Worker's run on time. See server/gamemaster/README.md.
"use strict";

const kRetry = 200;      // ms until a request that failed is made again
const kPing = 5;         // seconds that a manager waits for an answer to ping
const kLast = 10;        // seconds for a message that wants no answer
const kSlowestView = 1000, kFastestView = 100;  // ms between two looks at the player
const kPondering = 150;  // ms at a time: as long a message may wait
const kLatest = 1000;    // ms by which an answer counts as late at most: a module that hangs says nothing of the next one
const kReplaced = 250;   // ms by which a move is taken to have been late, at least, that the manager replaced
const kHung = 5000;      // ms after its clock until a module that has not answered is replaced; the next one has twice that

let link = null;         // {player, address, token, clocks: {start, play}, heard: [{text, at}: messages of the match]}
let program = null;      // that plays
let current = null;      // the match's last message: {id, kind, text, at, heard: before it}, and what `handle` adds
let picture = null;      // number of the board that the page has
let view = null;         // the last view
let sent = null;         // the move that was answered last

const tell = (message) => postMessage(message);
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * How long before the end of its clock an answer leaves: what is set, and the recent lateness of answers, of which a peak
 * counts at once and fades by an eighth with each answer. At most a quarter of the clock.
 */
class Margin {
  constructor() { this.lateness = 0; }
  of(seconds) { return Math.min(link.margin + this.lateness, 250 * seconds); }
  measured(late) { this.lateness = Math.max(Math.min(late, kLatest), this.lateness - this.lateness / 8, 0); }
}
const margin = new Margin();

/** The Ludens of this machine: asked by this Worker or, where the browser does not let it, by a window of Ludens. */
class Served {
  constructor() {
    this.passage = null;  // where there is a window: what was asked through it, by number
    this.asked = 0;
  }

  message({text}) { return this.request("message", {text}); }
  pass(message) { return this.message(message); }
  view() { return this.request("view", {picture}); }

  async request(path, body) {
    const text = JSON.stringify({player: link.player, ...body});
    const reply = this.passage ? await this.throughWindow(path, text) : await this.fetch(path, text);
    if (reply.status !== 200) throw new Refused(reply.status);
    return JSON.parse(reply.text);
  }

  async fetch(path, body) {
    const reply = await fetch(`${link.address}/${path}`, {
      method: "POST", cache: "no-store", referrerPolicy: "no-referrer",
      headers: {"Authorization": `Bearer ${link.token}`, "Content-Type": "application/json"}, body,
    });
    return {status: reply.status, text: await reply.text()};
  }

  throughWindow(path, body) {
    return new Promise((resolve, reject) => {
      this.passage.set(++this.asked, {resolve, reject});
      tell({kind: "ask", request: {number: this.asked, path, token: link.token, body}});
    });
  }

  setPassage(isThere) {
    for (const {reject} of this.passage ? this.passage.values() : []) reject(new Error("its window was closed"));
    this.passage = isThere ? new Map() : null;
  }

  passed({number, status, text, failed}) {
    const asked = this.passage?.get(number);
    if (!asked) return;
    this.passage.delete(number);
    if (failed) asked.reject(new Error(failed));
    else asked.resolve({status, text});
  }
}

/** The Ludens within the page. It has one thread: it receives nothing while it thinks, and reports what it has found. */
class Local {
  constructor(setup) {
    this.seen = {match: null};
    this.pictures = 0;  // boards so far; a module that is new counts matches anew
    this.asked = 0;
    this.patience = kHung;
    this.engine = new Engine(setup, ({view}) => view && this.see(view),
                             (why) => tell({kind: "problem", text: `the module failed: ${why}`}));
    this.catchUp(link.heard);
  }

  /** The board of a match that has ended stays. */
  see(view) {
    if (view.game) ++this.pictures;
    const {game, state, role, result} = this.seen;
    this.seen = {...(view.match ? {...this.seen, result: undefined} : {game, state, role, result}), ...view, picture: this.pictures};
  }

  async view() {
    const {game, ...view} = this.seen;
    return view.picture === picture ? view : this.seen;
  }

  /** Tells a module that is new, after a reload of the page or a failure, of the match so far. */
  catchUp(heard) {
    if (this.informed !== this.engine.worker) {
      this.informed = this.engine.worker;
      this.replayed = this.replay(heard);
    }
    return this.replayed;
  }

  /** Without thinking, and as long as there is no other module. */
  async replay(heard) {
    for (const {text} of heard) {
      const answer = await this.ask({do: "message", player: link.player, text, ms: 0}, Date.now());
      if (answer === null) return;
    }
  }

  /** A ping does not wait for a module that still loads: the start clock is longer. */
  async message(message) {
    if (message.kind === "ping" && !this.engine.isBroken) return {answer: said(message, "ready")};
    const mine = ++this.asked;
    let answer = await this.send(message);
    if (answer === null && mine === this.asked) answer = await this.send(message);
    this.ponder(mine);
    return answer || {answer: null, problem: "the module gave no answer"};
  }

  /** It has no clock of its own: it waits for as long as the module thinks about a message before it. */
  async pass({text}) {
    await this.engine.ready;
    return await this.engine.ask({do: "message", player: link.player, text, ms: 0}) || {};
  }

  async send({text, until, heard, ...message}) {
    await this.catchUp(heard);
    return this.ask({do: "message", player: link.player, text, until: until - 1.5 * message.margin}, until);
  }

  /** Null if the module fails or hangs; then there is another one. It can't hang before it is ready. */
  async ask(request, until) {
    await this.engine.ready;
    const timer = setTimeout(() => this.replace(), Math.max(0, until - Date.now()) + this.patience);
    const answer = await this.engine.ask(request);
    clearTimeout(timer);
    return answer;
  }

  /** Where it was only slow, as with long rules on a busy machine, the next one must not end in the same place. */
  replace() {
    this.patience *= 2;
    this.engine.stop();
  }

  async ponder(mine) {
    while (mine === this.asked) {
      const answer = await this.ask({do: "ponder", ms: kPondering}, Date.now() + kPondering);
      if (!answer || !answer.busy) return;
    }
  }
}

class Refused extends Error {
  constructor(status) {
    super(status === 403 ? "Ludens refuses the key: open the page with the key that it prints now"
                         : `Ludens answers with status ${status}`);
    this.forGood = status === 403;
  }
}

/** Of an error of a request. */
const lost = ({message, forGood}) => tell({kind: "lost", text: message, forGood});

/** The answer to a message. */
const said = (message, content) => `message(${message.id},${link.player},manager,${content})`;

/** Whether a message waits for its answer. A ping is no part of the match: it ends no other message, nor do they end it. */
const isOpen = (message) => !message.answered && (message.kind === "ping" || message === current);

/** A message of the manager, until it is answered or its clock has run out. */
async function handle(message) {
  if (!message.kind) return pass(message);
  message.seconds = {ping: kPing, start: link.clocks.start, play: link.clocks.play}[message.kind];
  message.until = message.at + 1000 * (message.seconds || kLast);
  message.answered = false;
  message.margin = margin.of(message.seconds || kLast);
  compare(message);
  if (message.kind !== "ping") current = message;
  if (message.kind === "start" || message.kind === "stop" || message.kind === "abort") view = null;
  tell({kind: "asked", what: message.kind, until: message.until, seconds: message.seconds || 0});
  // A Ludens that hangs or has gone must not cost the move: this timer is the page's own.
  const timer = setTimeout(() => late(message), message.until - message.margin - Date.now());
  do {  // once in any case: the next message says nothing of this one's move
    try {
      const {answer, problem} = await program.message(message);
      if (message.kind === "start" || message.kind === "play") margin.measured(Date.now() - (message.until - message.margin));
      if (!isOpen(message)) break;
      if (problem) tell({kind: "problem", text: problem});
      settle(message, answer);
    } catch (error) {
      lost(error);
      if (error.forGood) break;
      await sleep(kRetry);
    }
  } while (isOpen(message) && Date.now() < message.until);
  clearTimeout(timer);
}

/** What Ludens is going to ignore: it says in its log why. */
async function pass(message) {
  try {
    const {problem} = await program.pass(message);
    if (problem) tell({kind: "problem", text: problem});
  } catch (error) {
    lost(error);
  }
}

/** Says so where the manager made another move in place of ours: it came too late there, so the next ones come sooner. */
function compare({kind, text}) {
  if (kind !== "play" && kind !== "stop") return;
  const ours = sent;
  sent = null;
  const told = /,\s*(?:play|stop)\(([^]*)\)\s*\)\s*$/.exec(text);
  if (!ours || !told || told[1].replace(/\s/g, "") === ours.replace(/\s/g, "")) return;
  margin.measured(Math.max(kReplaced, 2 * margin.lateness));
  tell({kind: "problem", text: `the manager replaced our ${ours} by ${told[1]}: it was late or illegal there; from now on ` +
                               `answers leave ${Math.round(margin.of(link.clocks.play))} ms before the clock ends`});
}

function settle(message, answer) {
  message.answered = true;
  if (message.kind === "play" && answer) sent = /^message\([^,]*,[^,]*,[^,]*,([^]*)\)$/.exec(answer)[1];
  tell({kind: "settled", id: message.id, what: message.kind, answer: answer || null});
}

/** The clock ends: sends what is known. */
function late(message) {
  if (!isOpen(message)) return;
  const move = view && view.message === message.id && view.asked && view.move;
  const known = message.kind === "start" ? "ready" : message.kind === "play" ? move : null;
  if (message.kind === "start" || message.kind === "play") {
    tell({kind: "problem", text: known ? `no answer in time: the page sends ${known}` : "no answer in time, and no move is known"});
  }
  if (known) settle(message, said(message, known));
}

/** Looks at what the player does, often enough to know a move before the clock ends. */
async function watch() {
  for (;;) {
    try {
      view = await program.view();
      if (view.picture !== undefined) picture = view.picture;
      tell({kind: "view", view});
    } catch (error) {
      lost(error);
    }
    const clock = link.clocks.play || 10;
    await sleep(Math.max(kFastestView, Math.min(kSlowestView, 100 * clock)));
  }
}

onmessage = ({data}) => {
  if (data.kind === "open") {
    link = data.link;
    program = data.setup ? new Local(data.setup) : new Served();
    watch();
  } else if (data.kind === "passage") program.setPassage(data.isThere);
  else if (data.kind === "passed") program.passed(data.answer);
  else if (data.kind === "margin") link.margin = data.margin;
  else if (data.kind === "message") {
    link.clocks = data.clocks;
    handle(data.message);
  }
};
