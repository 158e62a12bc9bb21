/**
 * The last `capacity` items, oldest first; counts what it had to drop.
 * @template T
 */
export class Ring {
  /** @type {T[]} */
  #items = [];
  #start = 0;

  /** @param {number} capacity */
  constructor(capacity) {
    this.capacity = capacity;
    this.dropped = 0;
  }

  /** @param {T} item */
  push(item) {
    if (this.#items.length < this.capacity) {
      this.#items.push(item);
      return;
    }
    this.#items[this.#start] = item;
    this.#start = (this.#start + 1) % this.capacity;
    this.dropped += 1;
  }

  /** Forget everything; returns how many items that were. */
  clear() {
    const count = this.#items.length;
    this.#items = [];
    this.#start = 0;
    this.dropped = 0;
    return count;
  }

  get length() {
    return this.#items.length;
  }

  /** Newest first, lazily. */
  *newestFirst() {
    const count = this.#items.length;
    for (let back = 1; back <= count; back += 1) yield this.#items[(this.#start + count - back) % count];
  }
}
