// SPDX-License-Identifier: MIT
// Talks to the Ludens of this machine for the page, in a Worker: timers of a tab in the background
// run once a second at most, a Worker's run on time. See server/gamemaster/README.md.
"use strict";

const kRetry = 200;      // ms until a request that failed is made again
const kPing = 5;         // seconds that a manager waits for an answer to ping
const kLast = 10;        // seconds for a message that wants no answer
const kSlowestView = 1000, kFastestView = 100;  // ms between two looks at the player

let link = null;         // {player, address, token, clocks: {start, play}}
let current = null;      // the message under way: {id, kind, text, until, answered}
let picture = null;      // number of the board that the page has
let view = null;         // what was seen last

const tell = (message) => postMessage(message);
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function request(path, body) {
  const reply = await fetch(`${link.address}/${path}`, {
    method: "POST", cache: "no-store", referrerPolicy: "no-referrer",
    headers: {"Authorization": `Bearer ${link.token}`, "Content-Type": "application/json"},
    body: JSON.stringify({player: link.player, ...body}),
  });
  if (!reply.ok) throw new Refused(reply.status);
  return reply.json();
}

class Refused extends Error {
  constructor(status) {
    super(status === 403 ? "Ludens refuses the key: open the page with the key that it prints now"
                         : `Ludens answers with status ${status}`);
    this.forGood = status === 403;
  }
}

/** What can be said of a message without understanding it. */
function opened(text) {
  const parts = /^\s*message\(\s*([^,()]+?)\s*,\s*[^,()]+,\s*[^,()]+,\s*([a-z]+)/.exec(text);
  if (!parts) return null;
  const [, id, kind] = parts;
  const clocks = kind === "start" && /,\s*(\d+)\s*,\s*(\d+)\s*\)\s*\)\s*$/.exec(text);
  if (clocks) {
    link.clocks = {start: Number(clocks[1]), play: Number(clocks[2])};
    tell({kind: "clocks", clocks: link.clocks});
  }
  const seconds = {ping: kPing, start: link.clocks.start, play: link.clocks.play}[kind];
  return {id, kind, text, seconds, until: Date.now() + 1000 * (seconds || kLast), answered: false};
}

/** A message of the manager, until it is answered or its clock has run out. */
async function handle(text) {
  const message = opened(text);
  if (!message) return pass(text);
  current = message;
  if (message.kind === "start" || message.kind === "stop" || message.kind === "abort") view = null;
  tell({kind: "asked", what: message.kind, until: message.until, seconds: message.seconds || 0});
  // A Ludens that hangs or has gone must not cost the move: this timer is the page's own.
  const slack = Math.min(400, 100 * (message.seconds || kLast));
  const timer = setTimeout(() => late(message), message.until - slack - Date.now());
  while (message === current && !message.answered && Date.now() < message.until) {
    try {
      const {answer, problem} = await request("message", {text});
      if (message !== current || message.answered) break;
      if (problem) tell({kind: "problem", text: problem});
      settle(message, answer);
    } catch (error) {
      tell({kind: "lost", text: error.forGood ? error.message : "Ludens is not reachable; trying again"});
      if (error.forGood) break;
      await sleep(kRetry);
    }
  }
  clearTimeout(timer);
}

/** What is no message: Ludens says in its log why. */
async function pass(text) {
  try {
    const {problem} = await request("message", {text});
    if (problem) tell({kind: "problem", text: problem});
  } catch (error) {
    tell({kind: "lost", text: error.message});
  }
}

function settle(message, answer) {
  message.answered = true;
  tell({kind: "settled", id: message.id, what: message.kind, answer: answer || null});
}

/** The clock ends: what is known is sent. */
function late(message) {
  if (message !== current || message.answered) return;
  const known = view && view.message === message.id && view.asked && view.move;
  const said = message.kind === "start" ? "ready" : message.kind === "play" ? known : null;
  if (message.kind === "start" || message.kind === "play") {
    tell({kind: "problem", text: said ? `no answer in time: the page sends ${said}` : "no answer in time, and no move is known"});
  }
  if (said) settle(message, `message(${message.id},${link.player},manager,${said})`);
}

/** Looks at what the player does, often enough to know a move before the clock ends. */
async function watch() {
  for (;;) {
    try {
      view = await request("view", {picture});
      if (view.picture !== undefined) picture = view.picture;
      tell({kind: "view", view});
    } catch (error) {
      tell({kind: "lost", text: error.forGood ? error.message : "Ludens is not reachable; trying again"});
    }
    const clock = link.clocks.play || 10;
    await sleep(Math.max(kFastestView, Math.min(kSlowestView, 100 * clock)));
  }
}

onmessage = ({data}) => {
  if (data.kind === "open") {
    link = data.link;
    watch();
  } else if (data.kind === "message") {
    handle(data.text);
  }
};
