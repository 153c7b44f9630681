// SPDX-License-Identifier: MIT
// Seats of a match in which pages of Gamemaster's protocol play, in other tabs of this browser.
"use strict";

const kBetweenPlays = 1000;  // ms that a manager leaves between two plays
const kPingClock = 5000;     // ms

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Tells them what the table says, and the table what they answer. */
class PageSeats {
  /**
   * `kept`: what `state` was before the page was loaded again; null for a new match. `matches` gets the answers
   * (`request`) and what people should know (`note`), and says when the next play may be sent (`proceeds`).
   */
  constructor(kept, matches) {
    this.matches = matches;
    this.manager = new Manager(kept ? kept.last : undefined);
    this.open = kept ? kept.open : [];  // {id, step, what, role, player, name, at, ms}: messages that wait for an answer
  }

  get state() { return {last: this.manager.last, open: this.open}; }

  /**
   * What the table says to all of them, once: those that were asked before the page was loaded again are not asked anew.
   * A START is for each of them: one may have been asked while another one was waited for.
   */
  async tell({id, step, messages}) {
    const what = messages[0].content.split("(", 1)[0];
    this.open = this.open.filter((open) => open.id === id && open.step === step && open.what === what);
    for (const open of this.open) this.wait(open, this.manager.expect(open.player, open.name));
    const asked = this.open.map(({role}) => role);
    const rest = asked.length === 0 ? messages : what === "start" ? messages.filter(({role}) => !asked.includes(role)) : [];
    if (what === "play" && rest.length > 0) {
      if (step > 0) await pause(kBetweenPlays);
      await this.matches.proceeds;
    }
    if (this.left) return;
    for (const {role, player, content, ms} of rest) {
      if (ms === undefined) this.manager.tell(player, content);
      else this.ask({id, step, what, role, player, ms}, content);
    }
  }

  async ask(question, content) {
    if (question.what === "start") await this.wake(question.player);
    if (this.left) return;
    const {name, answer} = this.manager.ask(question.player, content);
    const open = {...question, name, at: Date.now()};
    this.open.push(open);
    this.matches.keep();
    this.wait(open, answer);
  }

  /** Until the page is there: nobody can play against one that is not open yet. */
  async wake(player) {
    for (let tries = 0; !this.left; ++tries) {
      const {name, answer} = this.manager.ask(player, "ping()");
      if (await Promise.race([answer, pause(kPingClock).then(() => null)])) {
        return tries > 0 ? this.matches.note(`${player} is there now.`) : undefined;
      }
      this.manager.forget(name);
      this.matches.note(`${player} does not answer: open its page in another tab of this browser.`);
    }
  }

  /** For the answer, until its clock has run out. */
  async wait(open, answer) {
    const left = Math.max(0, open.at + open.ms - Date.now());
    const said = await Promise.race([answer, pause(left).then(() => null)]);
    this.manager.forget(open.name);
    this.open = this.open.filter((other) => other !== open);
    if (this.left) return;
    const {id, step, role} = open;
    this.matches.request({do: "answer", id, step, role, ms: Date.now() - open.at, ...(said ? {text: said.answer} : {})});
  }

  /** `players` are told that the match is over. */
  leave(players) {
    this.left = true;
    for (const player of players) this.manager.tell(player, "abort()");
    this.manager.leave();
  }
}
