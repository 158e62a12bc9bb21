/** @import { Chrome } from "../basics/chrome_door.js" */
/** @import { TabState } from "./tab_registry.js" */

/** @typedef {{text: string, color?: string, title: string}} Look */

/**
 * What the toolbar's icon says of a tab. The colours are the theme's accent and driving.
 * @type {Partial<Record<TabState, {text: string, color: string}>>}
 */
const BADGES = {
  connected: { text: "on", color: "#2461e7" },
  executing: { text: "▶", color: "#7a4fd6" },
  paused: { text: "❚❚", color: "#57616c" },
};

/**
 * What Chrome shows over a tab it was told nothing of, or loads again.
 * @type {Look}
 */
const NOTHING = { text: "", title: "Kapture Panel" };

/**
 * Who drives a tab, as a sentence about it.
 * @param {TabState} state
 * @param {string} driver
 */
export function drivenBy(state, driver) {
  const isYou = driver === "you";
  if (state === "executing")
    return !driver ? "it is being driven" : isYou ? "you are driving it" : `${driver} is driving it`;
  if (!driver) return "nobody has driven it yet";
  return isYou ? "you drove it last" : `${driver} drove it last`;
}

/**
 * The icon over a tab.
 * @param {TabState} state
 * @param {string} driver
 * @param {boolean} [isPause] whether the person paused the agents; where they started this browser its tabs stay connected
 * @returns {Look}
 */
export function lookOf(state, driver, isPause = false) {
  const badge = BADGES[isPause && state === "connected" ? "paused" : state];
  if (!badge) return NOTHING;
  if (state === "paused")
    return { ...badge, title: "Kapture Panel: agents are paused, this tab is disconnected until you resume" };
  if (badge === BADGES.paused) return { ...badge, title: "Kapture Panel: agents are paused until you resume" };
  return { ...badge, title: `Kapture Panel: this tab is connected, ${drivenBy(state, driver)}` };
}

/** The icon over each tab; Chrome is told only what changed. */
export class Toolbar {
  /** @type {Map<number, Look>} */
  #shown = new Map();

  /** @param {Chrome} chrome */
  constructor(chrome) {
    this.chrome = chrome;
  }

  /**
   * @param {number} tabId
   * @param {TabState} state
   * @param {string} driver
   * @param {{isPause?: boolean, isNew?: boolean}} how `isPause` as above; `isNew`: whether Chrome has forgotten what was
   *   shown, as it does when a tab loads a page
   */
  show(tabId, state, driver, { isPause = false, isNew = false } = {}) {
    const look = lookOf(state, driver, isPause);
    const before = (!isNew && this.#shown.get(tabId)) || NOTHING;
    if (look === NOTHING) this.#shown.delete(tabId);
    else this.#shown.set(tabId, look);
    const { action } = this.chrome;
    const gone = () => {}; // the tab closed meanwhile
    if (look.text !== before.text) action.setBadgeText({ tabId, text: look.text }).catch(gone);
    if (look.color && look.color !== before.color)
      action.setBadgeBackgroundColor({ tabId, color: look.color }).catch(gone);
    if (look.title !== before.title) action.setTitle({ tabId, title: look.title }).catch(gone);
  }
}
