// SPDX-License-Identifier: MIT
// The page of `--watch` and `play`: follows matches while they are played.
"use strict";

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
    if (id === this.shown) {
      this.viewer.end(end);
      this.said(`The match is over. ${resultText(entry.match)}`);
    }
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
