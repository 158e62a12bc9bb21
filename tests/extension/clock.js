import { mock } from "node:test";
import { settle } from "./fakes.js";

const STEP_MS = 5;

/** A clock that moves when the test says, and only once all that is due is done: a busy machine changes nothing. */
export class Clock {
  #ms = 0;

  /** For `beforeEach`; `stop` is for `afterEach`. */
  constructor() {
    mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
    mock.method(performance, "now", () => this.#ms);
    mock.method(AbortSignal, "timeout", (ms) => {
      const over = new AbortController();
      setTimeout(() => over.abort(new DOMException("The time is over.", "TimeoutError")), ms);
      return over.signal;
    });
  }

  stop() {
    mock.timers.reset();
    mock.restoreAll();
  }

  async tick(ms) {
    for (const end = this.#ms + ms; this.#ms < end;) {
      const step = Math.min(STEP_MS, end - this.#ms);
      await settle();
      this.#ms += step;
      mock.timers.tick(step);
    }
    await settle();
  }

  /** Let time pass until this is done, and resolve to what it came to. */
  async during(work) {
    const state = { isDone: false };
    const done = () => (state.isDone = true);
    work.then(done, done);
    await settle();
    while (!state.isDone) await this.tick(STEP_MS);
    return work;
  }
}
