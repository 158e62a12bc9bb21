/** @import { Effects, OpenedTab } from "./effects.js" */

/** A window the page asked for may be blocked: after this long it is not waited for. */
const TAB_DEADLINE_MS = 1000;

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
   */
  expect(url) {
    /** @type {PromiseWithResolvers<OpenedTab|null>} */
    const { promise, resolve } = Promise.withResolvers();
    const come = (/** @type {Promise<Found|null>} */ opened) => {
      clearTimeout(timer);
      resolve(told(opened, url));
    };
    const timer = setTimeout(() => {
      this.#expected.splice(this.#expected.indexOf(expected), 1);
      resolve(null);
    }, TAB_DEADLINE_MS);
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
