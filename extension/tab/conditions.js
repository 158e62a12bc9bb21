/** What is waited for by condition: looked at after every event, never on a clock. */
export class Conditions {
  /** @type {Set<() => void>} */
  #checks = new Set();

  /** Something has happened. */
  look() {
    for (const check of this.#checks) check();
  }

  /**
   * Resolves once `condition()` holds. Rejects when `signal` aborts.
   * @param {() => boolean} condition
   * @param {AbortSignal} signal
   * @returns {Promise<void>}
   */
  until(condition, signal) {
    if (condition()) return Promise.resolve();
    if (signal.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const end = () => {
        this.#checks.delete(check);
        signal.removeEventListener("abort", aborted);
      };
      const check = () => {
        if (!condition()) return;
        end();
        resolve();
      };
      const aborted = () => {
        end();
        reject(signal.reason);
      };
      this.#checks.add(check);
      signal.addEventListener("abort", aborted, { once: true });
    });
  }

  /**
   * The same for `deadlineMs` at most.
   * @param {number} deadlineMs
   * @param {() => boolean} condition
   * @param {AbortSignal} signal
   * @returns {Promise<boolean>} whether the condition holds
   */
  async within(deadlineMs, condition, signal) {
    if (condition()) return true;
    const deadline = AbortSignal.timeout(deadlineMs);
    await this.until(condition, AbortSignal.any([signal, deadline])).catch((error) => {
      if (!deadline.aborted || signal.aborted) throw error;
    });
    return condition();
  }
}
