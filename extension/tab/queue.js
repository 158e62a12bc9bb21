import { KaptureError } from "../basics/errors.js";

/**
 * One command at a time, in the order they came, each with its own time-out. Only commands that may run beside one
 * another, and come one after the other, do so. A command that is over (answered, timed out, cancelled) has its signal
 * aborted, so nothing it left running can act any more.
 */
export class Queue {
  /** Resolves when all those are over that the next one waits for, whatever it is. @type {Promise<unknown>} */
  #before = Promise.resolve();
  /** Resolves when all are over. @type {Promise<unknown>} */
  #tail = Promise.resolve();
  /** What those have in common that were given last and may run beside one another; undefined: the last one may not. */
  #beside = /** @type {string|undefined} */ (undefined);
  /** @type {Map<string, {controller: AbortController}>} */
  #jobs = new Map();
  /** @type {Set<string>} */
  #running = new Set();

  /**
   * @template T
   * @param {string} id
   * @param {number} timeoutMs counted from the moment the command starts to run
   * @param {(signal: AbortSignal) => Promise<T>} work
   * @param {() => Promise<any>} [afterTimeout] done before the next command starts
   * @param {string} [beside] the command may run beside others of this kind
   * @returns {Promise<T>} what `work` returns; rejects with COMMAND_TIMEOUT or the reason of `cancel` / `failAll`
   */
  run(id, timeoutMs, work, afterTimeout = async () => {}, beside = undefined) {
    const job = { controller: new AbortController() };
    this.#jobs.set(id, job);
    // One of another kind waits for all that came before; one of the same kind only for what those wait for, too.
    if (beside === undefined || beside !== this.#beside) this.#before = this.#tail;
    this.#beside = beside;
    const turn = this.#before.then(() => this.#take(id, job, timeoutMs, work, afterTimeout));
    // One that fails must not fail those behind it.
    this.#tail = Promise.all([this.#tail, turn.catch(() => {})]);
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
    this.#running.add(id);
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
      // From here on: who waits behind a slow command has not had its time yet.
      timer = setTimeout(late, timeoutMs);
      return await Promise.race([work(signal), over]);
    } catch (error) {
      // In this turn still: the next command would meet the same stuck page, and wait as long.
      if (error.code === "COMMAND_TIMEOUT") await afterTimeout();
      throw error;
    } finally {
      clearTimeout(timer);
      this.#jobs.delete(id);
      this.#running.delete(id);
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
   * Give up on the commands that run.
   * @param {Error} error
   */
  failRunning(error) {
    for (const id of this.#running) this.cancel(id, error);
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
