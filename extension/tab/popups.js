/** @import { Effects, OpenedTab } from "./effects.js" */

/** A window that a page asks for unpressed is blocked as a rule: after this long it is not waited for. */
const TAB_DEADLINE_MS = 1000;
/** Behind a press hardly anything blocks it, but on a busy machine its tab takes long. */
const PRESSED_TAB_DEADLINE_MS = 5000;

/**
 * @typedef {{tabId?: string, url?: string, closed?: boolean, browserTabId?: number, host?: string, next?: string}} Found a
 *   new tab, which nobody may enter without a `tabId`; without its address it is where the page asked for. Of one that is
 *   its person's to share no more than its host is told, its number in the browser, and how to ask for it.
 */

/** The tabs a page opens: each is part of the action that asked for it. */
export class Popups {
  /** @type {{url: string, come: (opened: Promise<Found|null>) => void}[]} */
  #expected = [];

  /** @param {Effects} effects */
  constructor(effects) {
    this.effects = effects;
  }

  /** Whether the page asked for a window whose tab has not come. */
  get isExpecting() {
    return this.#expected.length > 0;
  }

  /**
   * The page asked for a window: its tab is part of the running action's effects.
   * @param {string} url
   * @param {boolean} isPressed a press, or a key, made it ask
   */
  expect(url, isPressed) {
    /** @type {PromiseWithResolvers<OpenedTab|null>} */
    const { promise, resolve } = Promise.withResolvers();
    const come = (/** @type {Promise<Found|null>} */ opened) => {
      clearTimeout(timer);
      resolve(told(opened, url));
    };
    const deadlineMs = isPressed ? PRESSED_TAB_DEADLINE_MS : TAB_DEADLINE_MS;
    const timer = setTimeout(() => {
      this.#expected.splice(this.#expected.indexOf(expected), 1);
      resolve(null);
    }, deadlineMs);
    const expected = { url, come };
    this.#expected.push(expected);
    this.effects.newTab(promise);
  }

  /**
   * A tab with this one as its opener appeared; `opened` resolves to what became of it, null when that is told
   * otherwise.
   * @param {Promise<Found|null>} opened
   * @returns {string} the address the page asked for, if it asked
   */
  opened(opened) {
    const expecting = this.#expected.shift();
    if (expecting) expecting.come(opened);
    else this.effects.newTab(told(opened));
    return expecting?.url ?? "";
  }
}

/**
 * @param {Promise<Found|null>} opened
 * @param {string} asked the address the page asked for
 * @returns {Promise<OpenedTab|null>}
 */
async function told(opened, asked = "") {
  const found = await opened;
  return found?.browserTabId === undefined ? found && { url: asked, ...found } : found;
}
