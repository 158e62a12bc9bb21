/** @import { Chrome } from "../basics/chrome_door.js" */
/** @import { PanelState } from "./panel_link.js" */
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
 * What it says over every other tab while panel and extension do not understand each other. The colour is the theme's
 * error.
 * @type {Partial<Record<PanelState, Look>>}
 */
const OF_PANEL = {
  outdated: { color: "#c4242e", text: "!", title: "Kapture Panel: reload it on the extensions page" },
  ahead: { color: "#c4242e", text: "!", title: "Kapture Panel: the panel is older than this extension, update it" },
};

/**
 * What the icon shows over a tab there is nothing to say of.
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
  /**
   * Over the tabs Chrome was told something of.
   * @type {Map<number, Look>}
   */
  #shown = new Map();
  /**
   * What Chrome shows over all others, and over a tab that loads again; null before it was told.
   * @type {Look|null}
   */
  #usual = null;

  /** @param {Chrome} chrome */
  constructor(chrome) {
    this.chrome = chrome;
  }

  /**
   * How it stands with the panel.
   * @param {PanelState} panel
   */
  showPanel(panel) {
    const before = this.#usual;
    const look = OF_PANEL[panel] ?? NOTHING;
    if (look === before) return;
    this.#usual = look;
    // Chrome keeps it over its own end, so what is not known is told as well.
    this.#tell(undefined, look, before);
    for (const [tabId, shown] of this.#shown) if (shown === (before ?? NOTHING)) this.#put(tabId, look, shown);
  }

  /**
   * @param {number} tabId
   * @param {TabState} state
   * @param {string} driver
   * @param {{isPause?: boolean, isNew?: boolean}} how `isPause` as above; `isNew`: whether Chrome has forgotten what was
   *   shown, as it does when a tab loads a page
   */
  show(tabId, state, driver, { isPause = false, isNew = false } = {}) {
    const usual = this.#usual ?? NOTHING;
    const own = lookOf(state, driver, isPause);
    const look = own === NOTHING ? usual : own;
    if (isNew) this.#shown.delete(tabId);
    const before = this.#shown.get(tabId) ?? usual;
    if (look !== before) this.#put(tabId, look, before);
  }

  /**
   * @param {number} tabId
   * @param {Look} look
   * @param {Look} before
   */
  #put(tabId, look, before) {
    this.#shown.set(tabId, look);
    this.#tell(tabId, look, before);
  }

  /**
   * @param {number|undefined} tabId none: over every tab that has no look of its own
   * @param {Look} look
   * @param {Look|null} before
   */
  #tell(tabId, look, before) {
    const { action } = this.chrome;
    const gone = () => void (tabId !== undefined && this.#shown.delete(tabId)); // the tab closed meanwhile
    if (look.text !== before?.text) action.setBadgeText({ tabId, text: look.text }).catch(gone);
    if (look.color && look.color !== before?.color)
      action.setBadgeBackgroundColor({ tabId, color: look.color }).catch(gone);
    if (look.title !== before?.title) action.setTitle({ tabId, title: look.title }).catch(gone);
  }
}
