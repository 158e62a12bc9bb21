/** A set of names that keeps only so many, the newest. */
export class Newest {
  /** @type {Set<string>} */
  #names = new Set();
  #max;

  /** @param {number} max */
  constructor(max) {
    this.#max = max;
  }

  /** @param {string} name */
  has(name) {
    return this.#names.has(name);
  }

  /** @param {string} name */
  add(name) {
    this.#names.add(name);
    const [oldest] = this.#names;
    if (this.#names.size > this.#max) this.#names.delete(oldest);
  }

  /** @param {string} name */
  delete(name) {
    this.#names.delete(name);
  }
}
