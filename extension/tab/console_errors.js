/** An answer tells so many, the newest. */
const MAX_LISTED = 5;
const MAX_TEXT = 200;
/** So many that were told are remembered. */
const MAX_TOLD = 500;
/** The browser makes one up each time a script asks for it. */
const MADE_ADDRESS = /blob:[^\s)]*?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

/** The console's errors as answers tell them: each once, with how often it came, and never again. */
export class ConsoleErrors {
  /** Those that are not told yet, as they are compared. @type {Map<string, {text: string, count: number}>} */
  #fresh = new Map();
  /** How many came before those that an answer has room for. */
  #leftOut = 0;
  /** @type {Set<string>} */
  #told = new Set();

  /** @param {string} text */
  add(text) {
    const shown = text.slice(0, MAX_TEXT);
    const compared = shown.replace(MADE_ADDRESS, "blob:");
    if (this.#told.has(compared)) return;
    this.#fresh.set(compared, { text: shown, count: (this.#fresh.get(compared)?.count ?? 0) + 1 });
    if (this.#fresh.size <= MAX_LISTED) return;
    const [[oldest, { count }]] = this.#fresh;
    this.#fresh.delete(oldest);
    this.#leftOut += count;
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
    const leftOut = this.#leftOut;
    this.#fresh.clear();
    this.#leftOut = 0;
    for (const [compared] of fresh) this.#told.add(compared);
    for (const oldest of [...this.#told].slice(0, -MAX_TOLD)) this.#told.delete(oldest);
    return fresh.map(([, { text, count }], index) => {
      const often = count > 1 ? ` (${count} times)` : "";
      return `${text}${often}${leftOut && !index ? ` (${leftOut} more before it)` : ""}`;
    });
  }
}
