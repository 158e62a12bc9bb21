import { KaptureError } from "../basics/errors.js";
import { Newest } from "../basics/newest.js";
/** @import { Response } from "../wire/protocol.js" */

/** Of so many commands it is known how they ended, and of so many that they came and that they began. */
const MAX_KEPT = 256;
const MAX_KNOWN = 1024;
/** All that is kept of a tab; one answer that takes more than its part is kept without what it tells of the page. */
const MAX_CHARS = 256 * 1024;
const MAX_CHARS_EACH = 8 * 1024;
/** So many are kept for a worker that comes after this one: those that a panel may have lost when it went. */
const MAX_LAST = 16;

/**
 * What became of the commands of a tab, for a panel that lost the answers. Never on disk; what a command read or
 * returned, and snapshots, are not kept.
 */
export class Results {
  /** The name of this memory: another one knows nothing of the commands that were given while this one was there. */
  memory = crypto.randomUUID().slice(0, 8);
  #given = new Newest(MAX_KNOWN);
  #begun = new Newest(MAX_KNOWN);
  /** @type {Map<string, {response: Response, size: number}>} */
  #ended = new Map();
  #size = 0;

  /** @param {Response[]} [ended] those of before, from an earlier worker */
  constructor(ended = []) {
    for (const response of ended) this.#keep(response);
  }

  /**
   * A command came.
   * @param {string} id
   * @returns {boolean} whether it is to be carried out; false when it came before
   */
  give(id) {
    const isNew = !this.#given.has(id);
    this.#given.add(id);
    return isNew;
  }

  /**
   * A command runs from now on.
   * @param {string} id
   */
  begin(id) {
    this.#begun.add(id);
  }

  /** @param {string} id */
  hasBegun(id) {
    return this.#begun.has(id);
  }

  /**
   * A command is over. One that never ran leaves nothing behind, nor does one that asks back and has done nothing: it
   * may come again, with more allowed.
   * @param {Response} response
   */
  end(response) {
    const { id, error } = response;
    if (!this.#begun.has(id)) return;
    if (error?.code === "NEEDS_APPROVAL") {
      this.#given.delete(id);
      this.#begun.delete(id);
      return;
    }
    this.#keep(response);
  }

  /** The last ones. */
  last() {
    return [...this.#ended.values()].slice(-MAX_LAST).map(({ response }) => response);
  }

  /**
   * What became of a command whose answer the panel lost, as a response; null while it runs.
   * @param {string} id
   * @param {boolean} isRunning
   * @param {number} lost how many answers it lost: the commands are carried out and answered in turn, so that none of
   *   so few can have been forgotten here
   * @returns {Response|null}
   */
  of(id, isRunning, lost) {
    const ended = this.#ended.get(id);
    if (ended) return ended.response;
    if (isRunning) return null;
    const isKnown = id.startsWith(`${this.memory}.`) && lost <= MAX_KEPT && !this.#begun.has(id);
    return { type: "response", id, success: false, error: (isKnown ? neverBegan() : forgotten()).asWire(), ms: 0 };
  }

  /** @param {Response} response */
  #keep(response) {
    const kept = withoutContent(response);
    this.#ended.set(response.id, kept);
    this.#size += kept.size;
    while (this.#ended.size > MAX_KEPT || this.#size > MAX_CHARS) this.#forget(first(this.#ended.keys()));
  }

  /** @param {string} id */
  #forget(id) {
    this.#size -= this.#ended.get(id)?.size ?? 0;
    this.#ended.delete(id);
  }
}

/** The connection broke, and what had not begun, or only looked, is given up. */
export function neverBegan() {
  return new KaptureError("NOT_SENT", "the connection broke before the command had begun", "nothing was done");
}

function forgotten() {
  return new KaptureError(
    "OUTCOME_UNKNOWN",
    "the connection broke, and the extension no longer knows what became of the command",
    "look at the page before trying again",
  );
}

/**
 * @param {Response} response
 * @returns {{response: Response, size: number}}
 */
function withoutContent({ type, id, success, error, outcome, effects, targets, dialogs, ms }) {
  const response = { type, id, success, error, outcome, effects, targets, dialogs, ms };
  const size = JSON.stringify(response).length;
  if (size <= MAX_CHARS_EACH) return { response, size };
  const { requests, changed } = effects ?? {};
  const code = error && { code: error.code };
  const least = { type, id, success, error: code, outcome, effects: effects && { requests, changed }, ms };
  return { response: least, size: JSON.stringify(least).length };
}

/**
 * The first of a collection that holds one at least.
 * @param {IterableIterator<string>} keys
 */
function first(keys) {
  const { value } = keys.next();
  return /** @type {string} */ (value);
}
