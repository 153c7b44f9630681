// SPDX-License-Identifier: MIT
// How the page talks to the Ludens within it: a Worker that answers requests in their order, and that is replaced where
// it fails, or where who waits gives up. Also used by Workers.
"use strict";

/** `setup`: {engine: source of the Worker, module: base64}; calls `told(what)` for events meanwhile, and `failed(why)`. */
class Engine {
  constructor(setup, told = () => {}, failed = () => {}) {
    this.setup = setup;
    this.told = told;
    this.failed = failed;
    this.start();
  }

  start() {
    this.isBroken = false;
    this.why = null;
    this.waiting = new Map();
    this.last = 0;
    this.isReady = false;
    this.ready = new Promise((resolve) => { this.setReady = resolve; });
    this.worker = new Worker(URL.createObjectURL(new Blob([this.setup.engine], {type: "text/javascript"})));
    this.worker.onmessage = ({data}) => this.hear(data);
    this.worker.onerror = (event) => this.fail(event.message);
    this.worker.postMessage({module: this.setup.module});
  }

  hear(data) {
    if (data.ready) {
      this.isReady = true;
      this.setReady();
      return this.told({ready: true});
    }
    if (data.failed) return this.fail(data.failed);
    if (data.told) return this.told(data.told);
    const resolve = this.waiting.get(data.number);
    this.waiting.delete(data.number);
    resolve(data.answer);
  }

  /** All who wait get `null`. What never began to work is not tried again: it is broken until `stop`, and `why`
   *  keeps the reason. */
  fail(why) {
    if (this.isReady) this.stop();
    else {
      this.isBroken = true;
      this.why = why;
      this.give();
    }
    this.failed(why);
  }

  /** Ends whatever it does; a new one is there for the next request. */
  stop() {
    this.worker.terminate();
    this.give();
    this.start();
  }

  give() {
    for (const resolve of this.waiting.values()) resolve(null);
    this.waiting.clear();
  }

  /** A promise of the answer, or of `null` if there will be none. `until` in a request, a time as Date.now() has it,
   *  becomes what is left, `ms`, when the Worker takes the request. */
  ask(request) {
    if (this.isBroken) return Promise.resolve(null);
    return new Promise((resolve) => {
      this.waiting.set(++this.last, resolve);
      this.worker.postMessage({number: this.last, request});
    });
  }
}
