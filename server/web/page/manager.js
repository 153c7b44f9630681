// SPDX-License-Identifier: MIT
// The manager's side of Gamemaster's protocol, in the storage that pages of one origin share. Needs no other script.
"use strict";

/** Asks players, each by its identifier, and hears their answers. Each message has its own name, which is a number. */
class Manager {
  /** `last`: the name of the last message of the manager before, which goes on. */
  constructor(last = Date.now() % 1000000 * 1000) {
    this.last = last;
    this.wanted = new Map();  // by the message's name: {player, resolve}
    this.unasked = 0;         // messages that answered nothing since something was answered
    this.listening = new AbortController();
    addEventListener("storage", ({key, newValue}) => {
      if (key === "manager" && newValue !== null) this.hear(newValue);
    }, {signal: this.listening.signal});
  }

  hear(text) {
    const parts = /^\s*message\(\s*([^,()]+?)\s*,\s*([^,()]+?)\s*,\s*manager\s*,([^]*)\)\s*$/.exec(text);
    const wanted = parts && this.wanted.get(parts[1]);
    if (!wanted || parts[2] !== wanted.player) return void ++this.unasked;
    this.wanted.delete(parts[1]);
    wanted.resolve({answer: parts[3].trim(), unasked: this.counted()});
  }

  counted() {
    const unasked = this.unasked;
    this.unasked = 0;
    return unasked;
  }

  /** Does not wait any more for the answer to that message, or to any; returns how many answered nothing. */
  forget(name) {
    if (name === undefined) this.wanted.clear();
    else this.wanted.delete(name);
    return this.counted();
  }

  /** Sends a message and returns its name. */
  tell(player, content) {
    const name = String(++this.last);
    localStorage.setItem(player, `message(${name},manager,${player},${content})`);
    return name;
  }

  /** {name, answer: a promise of {answer: its content, unasked: messages that answered nothing since the last one}}. */
  ask(player, content) {
    const answer = this.expect(player, String(this.last + 1));
    return {name: this.tell(player, content), answer};
  }

  /** A promise of the answer to a message of that name, which may have come already. */
  expect(player, name) {
    return new Promise((resolve) => {
      this.wanted.set(name, {player, resolve});
      const last = localStorage.getItem("manager");
      if (last && last.startsWith(`message(${name},`)) this.hear(last);
    });
  }

  leave() {
    this.listening.abort();
    this.forget();
  }
}
