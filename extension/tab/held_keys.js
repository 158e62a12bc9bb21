import { KaptureError } from "../basics/errors.js";
import { mask, MODIFIERS } from "./keys.js";
/** @import { Cdp } from "./cdp.js" */
/** @import { Key } from "./keys.js" */

/** @typedef {{name: string, key: Key}} Named a key with the name it was asked for by */

/** The keys an agent holds down in a tab from one command to the next; whatever else is pressed is pressed with them. */
export class HeldKeys {
  /** @type {Map<string, Key>} */
  #held = new Map();
  /** Why none is held any more, for who lets go of one afterwards. */
  #why = "";

  /** @param {Cdp} cdp */
  constructor(cdp) {
    this.cdp = cdp;
  }

  /** In the order they were pressed. */
  get names() {
    return [...this.#held.keys()];
  }

  /** The modifiers among them, as CDP has them. */
  get modifiers() {
    return mask(this.names.filter((name) => name in MODIFIERS));
  }

  /** @param {string} name */
  has(name) {
    return this.#held.has(name);
  }

  /** @param {Named} pressed */
  add({ name, key }) {
    this.#held.set(name, key);
  }

  /** @param {string[]} names an error when one of these is not held */
  demand(names) {
    const missing = names.find((name) => !this.#held.has(name));
    if (missing) throw notHeld(missing, this.names, this.#why);
  }

  /**
   * The key goes up.
   * @param {string} name one that is held
   * @returns {Key}
   */
  take(name) {
    const key = /** @type {Key} */ (this.#held.get(name));
    this.#held.delete(name);
    return key;
  }

  /** What writes text or chooses cannot with Control or the like held down. */
  demandNoModifier() {
    const held = this.names.filter((name) => name in MODIFIERS);
    if (held.length)
      throw new KaptureError(
        "INVALID_PARAMS",
        `${held.join(" and ")} is held down in this tab, so nothing is typed or chosen`,
        `release it first: kapturemcp_press_key with key ${JSON.stringify(held[0])} and action "up"`,
      );
  }

  /**
   * All go up: whoever held them is gone, or is paused.
   * @param {string} why in words
   */
  async letGo(why) {
    const held = [...this.#held].reverse();
    this.lose(why);
    const ups = held.map(([, { key, code, keyCode }]) => ({
      type: "keyUp",
      key,
      code,
      windowsVirtualKeyCode: keyCode,
    }));
    const releasing = ups.map((up) => this.cdp.send("Input.dispatchKeyEvent", up));
    await Promise.allSettled(releasing); // the tab may be gone with them
  }

  /**
   * The page that knew of them is gone.
   * @param {string} why in words
   */
  lose(why) {
    if (this.#held.size) this.#why = why;
    this.#held.clear();
  }
}

/**
 * @param {string} name
 * @param {string[]} held
 * @param {string} why
 */
function notHeld(name, held, why) {
  const others = held.length ? `only ${held.join(", ")}` : `nothing is${why && ` any more: ${why}`}`;
  const nextStep = 'hold it down with action "down", or go on without';
  return new KaptureError("INVALID_PARAMS", `press_key: ${name} is not held down in this tab (${others})`, nextStep);
}
