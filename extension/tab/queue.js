import { KaptureError } from "../basics/errors.js";

/**
 * One command at a time, in the order they came, each with its own time-out. A command that is over
 * (answered, timed out, cancelled) has its signal aborted, so nothing it left running can act any more.
 */
export class Queue {
  /** @type {Promise<unknown>} */
  #tail = Promise.resolve();
  /** @type {Map<string, {controller: AbortController}>} */
  #jobs = new Map();
  /** @type {string|null} */
  #running = null;

  /**
   * @template T
   * @param {string} id
   * @param {number} timeoutMs counted from the moment the command starts to run
   * @param {(signal: AbortSignal) => Promise<T>} work
   * @param {() => Promise<any>} [afterTimeout] done before the next command starts
   * @returns {Promise<T>} what `work` returns; rejects with COMMAND_TIMEOUT or the reason of `cancel` / `failAll`
   */
  run(id, timeoutMs, work, afterTimeout = async () => {}) {
    const job = { controller: new AbortController() };
    this.#jobs.set(id, job);
    const turn = this.#tail.then(() => this.#take(id, job, timeoutMs, work, afterTimeout));
    this.#tail = turn.catch(() => {});
    return turn;
  }

  /**
   * @template T
   * @param {string} id
   * @param {{controller: AbortController}} job
   * @param {number} timeoutMs
   * @param {(signal: AbortSignal) => Promise<T>} work
   * @param {() => Promise<any>} afterTimeout
   * @returns {Promise<T>}
   */
  async #take(id, { controller }, timeoutMs, work, afterTimeout) {
    const { signal } = controller;
    /** @type {number|undefined} */
    let timer;
    this.#running = id;
    try {
      signal.throwIfAborted();
      /** @type {Promise<never>} */
      const over = new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      });
      const late = () =>
        controller.abort(
          new KaptureError(
            "COMMAND_TIMEOUT",
            `not done after ${timeoutMs} ms`,
            "give a longer timeout or check the page",
          ),
        );
      timer = setTimeout(late, timeoutMs);
      return await Promise.race([work(signal), over]);
    } catch (error) {
      if (error.code === "COMMAND_TIMEOUT") await afterTimeout();
      throw error;
    } finally {
      clearTimeout(timer);
      this.#jobs.delete(id);
      this.#running = null;
      if (!signal.aborted) controller.abort(new KaptureError("INTERNAL", "the command is over"));
    }
  }

  /**
   * Give up on a command, waiting or running.
   * @param {string} id
   * @param {Error} error
   */
  cancel(id, error = new KaptureError("OUTCOME_UNKNOWN", "cancelled by its caller")) {
    this.#jobs.get(id)?.controller.abort(error);
  }

  /**
   * Give up on every command.
   * @param {Error} error
   */
  failAll(error) {
    for (const id of this.ids()) this.cancel(id, error);
  }

  /**
   * Give up on the command that runs.
   * @param {Error} error
   */
  failRunning(error) {
    if (this.#running !== null) this.cancel(this.#running, error);
  }

  get size() {
    return this.#jobs.size;
  }

  /** @param {string} id */
  has(id) {
    return this.#jobs.has(id);
  }

  /** Every command that runs or waits. */
  ids() {
    return [...this.#jobs.keys()];
  }

  /** Resolves when every command given so far is over. */
  idle() {
    return this.#tail;
  }
}
