/** So many at a time, the others after them in the order they came. */
export class Turns {
  #free;
  /** @type {(() => void)[]} */
  #waiting = [];

  /** @param {number} count */
  constructor(count) {
    this.#free = count;
  }

  /**
   * What `work` resolves to, once it had its turn.
   * @template T
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   */
  async take(work) {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise((/** @type {(value?: undefined) => void} */ resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}
