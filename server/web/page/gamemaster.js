// SPDX-License-Identifier: MIT
// The page of Ludens on Gamemaster: hears the manager by the browser's storage, hands messages to a
// Worker that talks to the Ludens of this machine, or to that within the page, and shows what that does.
"use strict";

const kManager = "manager";
const kKept = "ludens-gamemaster";  // in the session's storage, which no other tab can read
const kKinds = ["ping", "start", "play", "stop", "abort"];  // of messages
const kLines = 100;                 // of the log
const kTranscript = "ludens-transcript";  // likewise in the session's storage
const kTranscriptLength = 1 << 20;  // characters that are kept
const kMargin = 400;                // ms between an answer and the end of its clock, at least

/** `http://127.0.0.1:9147/gamemaster#TOKEN`, as `ludens serve --gamemaster` prints it. */
function readKey(text) {
  const parts = /^\s*(https?:\/\/[^#\s]+?)\/?#(\S+)\s*$/.exec(text);
  return parts && {address: parts[1], token: parts[2]};
}

/** Players are uploaded as NAME.html; empty if that is no identifier. */
function nameOfFile() {
  const file = decoded(location.pathname.split("/").pop() || "");
  return file.replace(/\.html?$/, "").replace(/[^A-Za-z0-9_]/g, "");
}

/** The identifier in the address, as `?player=NAME` or `#player=NAME`; null if there is none. */
function nameInAddress() {
  const named = /[?&]player=([A-Za-z0-9_]+)/.exec(location.search) || /^#player=([A-Za-z0-9_]+)$/.exec(location.hash);
  return named && named[1];
}

/** Whether an address or an origin is that of this machine. */
const isHere = (address) => /^https?:\/\/(localhost|127(\.\d+){3}|\[::1\])(:\d+)?(\/|$)/.test(address);

/**
 * What can be said of a message without understanding it: {id, kind, clocks: of a start}. The kind is null for what a
 * player of that name ignores.
 */
function opened(text, player) {
  const parts = /^\s*message\(\s*([^,()]+?)\s*,\s*([^,()]+?)\s*,\s*([^,()]+?)\s*,\s*(\w*)/.exec(text || "");
  if (!parts) return {id: null, kind: null, clocks: null};
  const [, id, sender, receiver, what] = parts;
  const kind = sender === kManager && receiver === player && kKinds.includes(what) ? what : null;
  const clocks = kind === "start" && /,\s*(\d+)\s*,\s*(\d+)\s*\)\s*\)\s*$/.exec(text);
  return {id, kind, clocks: clocks ? {start: Number(clocks[1]), play: Number(clocks[2])} : null};
}

/**
 * A window at Ludens's own address, opened by a click. Browsers that let no page of a public site talk to this machine
 * let it talk to that window, which asks Ludens in its place (gamemaster_window.js). `changed`: it is there now, or gone.
 */
class Passage {
  constructor(address, changed, answered, signal) {
    this.address = address;
    this.origin = new URL(address).origin;
    this.changed = changed;
    this.answered = answered;
    this.window = null;
    addEventListener("message", (event) => this.hear(event), {signal});
  }

  open() { window.open(`${this.address}/window`, "_blank", "popup,width=480,height=260"); }

  /** The window says again and again that it is there, also to a page that was loaded anew. */
  hear({source, origin, data}) {
    if (origin !== this.origin || !data) return;
    if (data.ludens === "here" && source !== this.window) {
      this.window = source;
      this.changed(true);
    } else if (data.ludens === "answer" && source === this.window) this.answered(data);
  }

  ask(request) {
    this.look();
    this.window?.postMessage({ludens: "ask", ...request}, this.origin);
  }

  look() {
    if (!this.window?.closed) return;
    this.window = null;
    this.changed(false);
  }
}

/** What the user lets pages of this site do with this machine: "granted", "denied" or "prompt"; null: not known. */
async function permission() {
  for (const name of ["loopback-network", "local-network-access"]) {
    try {
      return (await navigator.permissions.query({name})).state;
    } catch {  // a browser without it
    }
  }
  return null;
}

/** `setup`: {worker: source, origin: of the venue}, or {worker, engine, module} where the page has Ludens within it. */
class Player {
  constructor(setup, place) {
    this.setup = setup;
    this.place = place;
    const kept = JSON.parse(sessionStorage.getItem(kKept) || "null");
    const named = nameInAddress();
    const key = !setup.module && readKey(decoded(location.hash.slice(1)));
    const isOther = kept && (named && named !== kept.player ||
                             key && (key.address !== kept.address || key.token !== kept.token));
    const player = named || (location.origin === (setup.origin || setup.venue) ? nameOfFile() : "");
    this.link = kept;
    if (kept && !isOther) this.open(kept, true);
    else if (setup.module && player) this.open({player}, false);
    else if (!setup.module && location.origin !== setup.origin) this.explain();
    else if (key && player && !kept && isHere(key.address)) this.open({player, ...key}, false);
    else this.ask("", key);
  }

  // --- Before the first message

  /** The page at its own program, or as a file: it can only play where the manager is. */
  explain() {
    const key = readKey(location.href);
    const step = (...children) => element("li", {}, ...children);
    this.place.append(element("section", {class: "card"},
      element("p", {}, "This page plays on ", element("b", {}, this.setup.origin), " for the Ludens of this machine."),
      element("ol", {},
        step(location.protocol.startsWith("http")
          ? element("a", {href: location.pathname, download: "ludens.html"}, "Save this page") : "Take this file",
          " and upload it there as your player."),
        step("Open the uploaded page there, in the browser that also has the manager's page."),
        step("Give it your player's identifier and the key that ", element("code", {}, "ludens serve --gamemaster"),
          " prints", key ? element("span", {}, ": ", element("code", {id: "key"}, location.href)) : null, ".")),
      element("p", {class: "faint"}, `If you see this at the venue, its address is not ${this.setup.origin}: start `,
        element("code", {}, `ludens serve --gamemaster ${location.origin}`), " and upload its page again.")));
  }

  /** For the player and its key, which the address may have given; `why` says what was wrong with those before. */
  ask(why = "", given = null) {
    const named = nameInAddress();
    if (location.hash || named) history.replaceState(null, "", location.pathname + (named ? "" : location.search));
    const player = element("input", {id: "player", required: true, pattern: "[A-Za-z0-9_]+", autocomplete: "off",
                                     value: this.link ? this.link.player : named || nameOfFile() || "ludens"});
    const key = element("input", {id: "key", required: true, size: 60, autocomplete: "off", spellcheck: "false",
                                  placeholder: "http://127.0.0.1:9147/gamemaster#..."});
    if (given) key.value = `${given.address}#${given.token}`;
    const problem = element("p", {role: "alert"}, why);
    this.place.append(this.form = element("form", {class: "card", onsubmit: (event) => {
      event.preventDefault();
      const link = this.setup.module ? {} : readKey(key.value);
      if (!link) problem.textContent = "This is no key; ludens serve --gamemaster prints it when it starts.";
      else this.open({player: player.value, ...link}, false);
    }},
      element("p", {}, element("label", {}, "Your player's identifier ", player)),
      this.setup.module ? null : element("p", {}, element("label", {}, "Key ", key)),
      element("button", {class: "main", id: "begin"}, "Play"), problem));
  }

  // --- The match

  open(link, again) {
    if (link.token && location.hash) history.replaceState(null, "", location.pathname + location.search);  // it shows the key
    this.link = {heard: [], clocks: {start: 10, play: 10}, margin: kMargin, ...link};
    this.transcript = again ? sessionStorage.getItem(kTranscript) || "" : "";
    this.view = null;
    this.clock = null;
    this.over = false;     // whether the manager has ended the match
    this.role = null;      // in the match that is shown; views after its end do not tell it
    this.pictures = null;  // the board, and the number of its game
    const missed = this.missed(again);
    this.keep();
    if (this.form) this.form.remove();
    this.build();
    this.worker = new Worker(URL.createObjectURL(new Blob([this.setup.worker], {type: "text/javascript"})));
    this.worker.onmessage = ({data}) => this.hear(data);
    const {engine, module} = this.setup;
    this.worker.postMessage({kind: "open", link: this.link, setup: module && {engine, module}});
    this.listening = new AbortController();
    if (!module) {
      this.passage = new Passage(this.link.address, (isThere) => this.passes(isThere),
                                 (answer) => this.worker.postMessage({kind: "passed", answer}), this.listening.signal);
    }
    addEventListener("storage", (event) => {
      if (event.storageArea === localStorage && event.key === link.player && event.newValue) this.pass(event.newValue);
    }, {signal: this.listening.signal});
    if (missed) this.pass(missed.text, missed.at);
    this.ticks = setInterval(() => this.tick(), 250);
  }

  /** Forgets the player and its key, and asks for others. */
  leave(why) {
    this.listening.abort();
    this.worker.onmessage = null;
    this.worker.terminate();
    clearInterval(this.ticks);
    sessionStorage.removeItem(kKept);
    sessionStorage.removeItem(kTranscript);
    this.card.remove();
    this.ask(why);
  }

  keep() { sessionStorage.setItem(kKept, JSON.stringify(this.link)); }

  /** The message of the manager that waits for an answer after a reload; it is then heard again. */
  missed(again) {
    const {player, heard} = this.link;
    const text = localStorage.getItem(player);
    const {id, kind} = this.opened(text);
    const last = heard.at(-1);
    const isLast = last && (last.text === text || !kind || kind === "ping");  // of those of the match
    if (isLast) return last.answered ? null : heard.pop();
    const answered = id !== null && id === opened(localStorage.getItem(kManager)).id;
    return text && !answered && (again || kind === "play") ? {text, at: Date.now()} : null;
  }

  /** A message of the manager, and when it came, from which its clock runs. */
  pass(text, at = Date.now()) {
    this.log(`manager: ${text}`);
    const {id, kind, clocks} = this.opened(text);
    if (clocks) this.link.clocks = clocks;
    this.worker.postMessage({kind: "message", message: {id, kind, text, at, heard: this.link.heard}, clocks: this.link.clocks});
    this.remember(kind, text, at);
  }

  /** As `opened`. A play that came before the last message of the match is ignored, too. */
  opened(text) {
    const message = opened(text, this.link.player);
    const ids = this.link.heard.map((heard) => opened(heard.text).id);
    const isOld = message.kind === "play" && ids.includes(message.id) && ids.at(-1) !== message.id;
    return isOld ? {...message, kind: null} : message;
  }

  /** The match so far, which the storage does not have: a page that is loaded again must know it. */
  remember(kind, text, at) {
    if (kind === "start" || kind === "stop" || kind === "abort") this.link.heard = [];
    if (kind === "start" || kind === "play") this.link.heard.push({text, at});
    this.keep();
  }

  hear(data) {
    if (data.kind === "view") this.show(data.view);
    else if (data.kind === "asked") this.asked(data);
    else if (data.kind === "settled") this.settled(data);
    else if (data.kind === "problem") this.log(data.text);
    else if (data.kind === "ask") this.passage.ask(data.request);
    else if (data.kind === "lost" && data.forGood) this.leave(data.text);
    else if (data.kind === "lost") this.lost(data.text);
  }

  /** The Worker could not ask Ludens; `why` is in the words of the browser, which tells pages no more. */
  async lost(why) {
    if (!this.passage) return this.say(why, true);
    const state = await permission();
    const reason = state === "denied" ? " The browser does not let this page talk to this machine: allow it, or open the window."
      : state === "prompt" ? " The browser asks whether this page may talk to this machine: allow it, or open the window."
      : isSecureContext ? "" : ` Browsers of today let no page of ${location.origin} talk to this machine: open the window.`;
    this.say(`Ludens is not reachable at ${this.link.address} (the browser says: ${why}); trying again.${reason}`, true);
    this.nodes.passage.hidden = Boolean(this.passage.window);
  }

  /** Whether the window is there, by which the Worker then talks. */
  passes(isThere) {
    this.log(isThere ? "talking to Ludens through its window" : "the window of Ludens was closed");
    this.nodes.passage.hidden = isThere;
    this.worker.postMessage({kind: "passage", isThere});
  }

  asked({what, until, seconds}) {
    if (what === "ping") return;  // in mid-match, too
    this.clock = seconds ? {until, what} : null;
    this.over = what === "stop" || what === "abort";
    if (this.over || what === "start") {
      for (const name of ["move", "goal", "result"]) this.nodes[name].textContent = "–";
      this.nodes.thinking.textContent = "";
    }
    if (this.over) this.say(what === "stop" ? "The match is over." : "The match was aborted.");
    this.tick();
  }

  settled({id, what, answer}) {
    if (answer) {
      localStorage.setItem(kManager, answer);
      this.log(`${this.link.player}: ${answer}`);
    }
    if (what === "ping") return;
    this.clock = null;
    const last = this.link.heard.at(-1);
    if (last && opened(last.text).id === id) last.answered = true;
    this.keep();
    if (what === "play") this.nodes.sent.textContent = answer ? answer.replace(/^message\([^()]*?,[^()]*?,[^()]*?,(.*)\)$/, "$1") : "nothing: not in control";
    this.tick();
  }

  // --- What is shown

  build() {
    const value = (id) => element("b", {id}, "–");
    const row = (name, node) => element("div", {}, element("small", {}, name), element("br"), node);
    this.nodes = {status: element("p", {id: "status", role: "status"}, "Waiting for the manager."),
                  role: value("role"), clock: value("clock"), move: value("move"), goal: value("goal"), sent: value("sent"),
                  result: value("result"), thinking: element("p", {id: "thinking", class: "faint"}),
                  passage: element("button", {type: "button", id: "passage", hidden: true, onclick: () => this.passage.open()},
                                   "Open a window of Ludens"),
                  chips: element("div", {class: "chips"}), board: element("div", {id: "board"}), facts: element("div"),
                  log: element("ol", {id: "log", class: "faint"})};
    const {status, role, clock, move, goal, sent, result, thinking, passage, chips, board, facts, log} = this.nodes;
    const margin = element("input", {id: "margin", type: "number", min: 50, max: 60000, step: 50, value: this.link.margin,
                                     onchange: () => margin.checkValidity() && this.setMargin(Number(margin.value))});
    this.place.append(this.card = element("section", {class: "card"},
      element("p", {}, "Player ", element("b", {}, this.link.player),
                       ...(this.link.address ? [", at ", element("code", {}, this.link.address)] : []), " ",
                       element("button", {type: "button", id: "change", onclick: () => this.leave()}, "Change player")), status,
      element("div", {class: "players"}, row("role", role), row("clock", clock), row("would send", move), row("expected goal", goal), row("sent", sent), row("result", result)),
      thinking, chips, board, facts,
      element("details", {}, element("summary", {}, "Messages and clock"),
        element("p", {}, element("label", {}, "Answer ", margin, " ms before the clock ends, or sooner where answers were late. "),
                         element("button", {type: "button", id: "transcript", onclick: () => this.save()}, "Save all messages")),
        log)));
    passage.hidden = true;
    status.after(passage);
  }

  setMargin(ms) {
    this.link.margin = ms;
    this.keep();
    this.worker.postMessage({kind: "margin", margin: ms});
  }

  /** All that was said, in full, as a file. */
  save() {
    const file = URL.createObjectURL(new Blob([this.transcript], {type: "text/plain"}));
    element("a", {href: file, download: `${this.link.player}-messages.txt`}).click();
    setTimeout(() => URL.revokeObjectURL(file), 1000);
  }

  say(text, bad = false) {
    if (this.nodes.status.textContent !== text) this.log(text);
    this.nodes.status.textContent = text;
    this.nodes.status.classList.toggle("bad", bad);
  }

  log(text) {
    const time = new Date().toISOString();
    console.log(JSON.stringify({time, text}));
    this.transcript = `${this.transcript}${time} ${text}\n`.slice(-kTranscriptLength);
    sessionStorage.setItem(kTranscript, this.transcript);
    this.nodes.log.prepend(element("li", {}, text.length > 200 ? text.slice(0, 200) + "..." : text));
    while (this.nodes.log.children.length > kLines) this.nodes.log.lastChild.remove();
  }

  tick() {
    const left = this.clock ? Math.max(0, (this.clock.until - Date.now()) / 1000) : null;
    this.nodes.clock.textContent = left === null ? "–" : `${left.toFixed(1)} s`;
    this.passage?.look();
  }

  show(view) {
    if (view.game) this.take(view);
    if (this.over && view.match) return;  // it was looked up before the match was over
    this.view = view;
    if (view.match) this.role = view.role;
    if (this.nodes.status.classList.contains("bad") || view.match) this.say(this.describe(view));
    if (view.state) this.draw(view);
    if (view.result && (this.over || this.link.heard.length === 0)) this.end(view.result);
    if (!view.match) return;
    const {role, move, goal, thinking} = this.nodes;
    thinking.textContent = view.thinking || "";
    role.textContent = view.role;
    move.textContent = view.asked && view.move ? view.move : "–";
    goal.textContent = view.goal === undefined ? "–" : view.goal.toFixed(1) + (view.exact ? " (proved)" : "");
  }

  /** What all roles got. */
  end(result) {
    const goals = Object.entries(result).map(([role, goal]) => `${role} ${goal}`).join(", ");
    this.nodes.result.textContent = goals;
    this.say(`The match is over: ${goals}.`);
  }

  describe(view) {
    if (!view.match) return "Waiting for the manager.";
    return view.asked ? "Thinking about its move." : "Waiting for the others.";
  }

  /** A game is sent once, so that none may be left out. */
  take({game, picture}) {
    this.pictures = {board: new BoardPicture(game), game, picture};
    this.nodes.board.replaceChildren(this.pictures.board.node);
  }

  draw({picture, state}) {
    if (!this.pictures || this.pictures.picture !== picture) return;
    const text = JSON.stringify(state);
    if (this.pictures.drawn === text) return;
    this.pictures.drawn = text;
    const shown = new States(this.pictures.game, [state]).list[0];
    this.pictures.board.show(shown);
    this.nodes.chips.replaceChildren(...controlChips(shown, this.role ? [{name: this.role}] : []));
    this.nodes.facts.replaceChildren(factGroups(shown));
  }
}

addEventListener("hashchange", () => location.reload());
const bridge = JSON.parse(document.getElementById("data").textContent);
if (bridge.origin) window.ludens = new Player(bridge, document.querySelector("main"));
