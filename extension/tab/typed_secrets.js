/** Shorter ones stand in any text by chance. */
const MIN_CHARS = 6;
/** So many are remembered, the newest, and together so much: a page that is told costs time for each. */
const MAX_REMEMBERED = 100;
const MAX_CHARS = 64 * 1024;
const MASK = "***";
/** Words of the protocol, which a secret may be equal to. */
const KEPT = new Set(["type", "id", "kind", "code", "tabId", "command", "format", "outcome"]);

/** Marks a frame whose `result` is what an agent's code answered: who may run code can read any field, and is told. */
export const OF_CODE = Symbol("of code");

/**
 * What was typed into secret fields of any tab, in the worker's memory alone, to be masked where a page puts it into its
 * title, address, console or text: also in the page of another tab, and after a pause. What a page makes of it (a hash,
 * half of it, another encoding) is not found.
 */
export class TypedSecrets {
  /** Each value → the ways it is written. @type {Map<string, string[]>} */
  #remembered = new Map();
  #chars = 0;

  /**
   * What a page tells of the element that a call means, before anything is put there.
   * @template {{secret?: true}} T
   * @param {T} target
   * @param {any[]} args of the call: the target, then what is to be put into it
   * @returns {T} the target
   */
  noted(target, [, given]) {
    const value = typeof given === "string" ? given : (given?.typed ?? given?.text);
    if (target.secret && typeof value === "string") this.#remember(value.trim());
    return target;
  }

  /** @param {string} value */
  #remember(value) {
    if ([...value].length < MIN_CHARS) return;
    this.#forget(value);
    this.#remembered.set(value, writtenWays(value));
    this.#chars += value.length;
    for (const oldest of this.#remembered.keys()) {
      const { size } = this.#remembered;
      if (size === 1 || (size <= MAX_REMEMBERED && this.#chars <= MAX_CHARS)) break;
      this.#forget(oldest);
    }
  }

  /** @param {string} value */
  #forget(value) {
    if (this.#remembered.delete(value)) this.#chars -= value.length;
  }

  /** Forget them all: nothing more is told to the panel that they were typed for. */
  clear() {
    this.#remembered.clear();
    this.#chars = 0;
  }

  /**
   * A frame for the panel without them.
   * @template {{result?: any}} T
   * @param {T} frame
   * @returns {T}
   */
  masked(frame) {
    if (!this.#remembered.size) return frame;
    const masked = this.#within(frame);
    return frame[OF_CODE] ? { ...masked, result: frame.result } : masked;
  }

  /**
   * @param {any} value
   * @param {string} name of the property it is, if it is one
   * @returns {any}
   */
  #within(value, name = "") {
    if (typeof value === "string") return KEPT.has(name) ? value : this.#text(value);
    if (Array.isArray(value)) return value.map((each) => this.#within(each));
    if (value === null || typeof value !== "object" || typeof value.toJSON === "function") return value;
    // The picture of a page is not text.
    const isPicture = typeof value.format === "string" && typeof value.data === "string";
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, isPicture && key === "data" ? each : this.#within(each, key)]),
    );
  }

  /** @param {string} text */
  #text(text) {
    let masked = text;
    for (const ways of this.#remembered.values()) for (const way of ways) masked = masked.replaceAll(way, MASK);
    return masked;
  }
}

/**
 * As text, in an address and in a form's, in JSON and in HTML; longer ones first.
 * @param {string} value
 */
function writtenWays(value) {
  const html = value.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  const ways = [
    value,
    encodeURIComponent(value.toWellFormed()),
    new URLSearchParams({ v: value }).toString().slice("v=".length),
    encodeURI(value.toWellFormed()),
    JSON.stringify(value).slice(1, -1),
    html,
    html.replace(/"/g, "&quot;"),
  ];
  return [...new Set(ways)].toSorted((one, other) => other.length - one.length);
}
