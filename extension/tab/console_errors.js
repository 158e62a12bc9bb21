/** An answer tells so many, the newest. */
const MAX_LISTED = 5;
const MAX_TEXT = 200;
/** So many that were told are remembered. */
const MAX_TOLD = 500;

/** The console's errors as answers tell them: each once, with how often it came, and never again. */
export class ConsoleErrors {
  /** Those that are not told yet → how often they came. @type {Map<string, number>} */
  #fresh = new Map();
  /** @type {Set<string>} */
  #told = new Set();

  /** @param {string} text */
  add(text) {
    const shown = text.slice(0, MAX_TEXT);
    if (!this.#told.has(shown)) this.#fresh.set(shown, (this.#fresh.get(shown) ?? 0) + 1);
    if (this.#fresh.size > MAX_LISTED) this.#fresh.delete([...this.#fresh.keys()][0]);
  }

  /** Whether anything is there to tell. */
  get hasAny() {
    return this.#fresh.size > 0;
  }

  /**
   * Those since the last call that were never told.
   * @returns {string[]}
   */
  take() {
    const fresh = [...this.#fresh];
    this.#fresh.clear();
    for (const [text] of fresh) this.#told.add(text);
    for (const oldest of [...this.#told].slice(0, -MAX_TOLD)) this.#told.delete(oldest);
    return fresh.map(([text, count]) => (count > 1 ? `${text} (${count} times)` : text));
  }
}
