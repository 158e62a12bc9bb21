import { Results } from "../tab/results.js";
/** @import { ConnectedTab } from "./connected_tab.js" */

/** @typedef {"idle"|"connecting"|"connected"|"executing"|"disconnecting"|"paused"} TabState */

/** The connected tabs, by their number in Chrome. */
export class TabRegistry {
  /** @type {Map<number, ConnectedTab>} */
  #tabs = new Map();
  /**
   * Number → the promise of its connection, while it is being made.
   * @type {Map<number, Promise<string>>}
   */
  connecting = new Map();
  /**
   * What became of a tab's commands, by its number: kept also while it is let go of.
   * @type {Map<number, Results>}
   */
  #results = new Map();

  /** @param {number} chromeTabId */
  get(chromeTabId) {
    return this.#tabs.get(chromeTabId);
  }

  /** @param {number} chromeTabId */
  has(chromeTabId) {
    return this.#tabs.has(chromeTabId);
  }

  /**
   * @param {number} chromeTabId
   * @param {ConnectedTab} tab
   */
  add(chromeTabId, tab) {
    this.#tabs.set(chromeTabId, tab);
  }

  /** @param {number} chromeTabId */
  delete(chromeTabId) {
    this.#tabs.delete(chromeTabId);
  }

  /**
   * @param {number} chromeTabId
   * @param {import("../wire/protocol.js").Response[]} [ended] what is known of them from an earlier worker
   */
  resultsOf(chromeTabId, ended = []) {
    const results = this.#results.get(chromeTabId) ?? new Results(ended);
    this.#results.set(chromeTabId, results);
    return results;
  }

  /**
   * The tab is no more, or not shared with that panel.
   * @param {number} chromeTabId
   */
  forgetResults(chromeTabId) {
    this.#results.delete(chromeTabId);
  }

  /** The numbers of all, as they are now. */
  ids() {
    return [...this.#tabs.keys()];
  }

  get size() {
    return this.#tabs.size;
  }

  /**
   * Its session, or null.
   * @param {number|undefined} chromeTabId
   */
  sessionOf(chromeTabId) {
    return (chromeTabId !== undefined && this.#tabs.get(chromeTabId)?.session) || null;
  }

  /**
   * Whether the debugger is at the tab for good.
   * @param {number} chromeTabId
   */
  isAttached(chromeTabId) {
    return this.#tabs.has(chromeTabId) && !this.connecting.has(chromeTabId);
  }

  /**
   * As it is without a pause.
   * @param {number} chromeTabId
   * @returns {TabState}
   */
  stateOf(chromeTabId) {
    if (this.connecting.has(chromeTabId)) return "connecting";
    return this.#tabs.get(chromeTabId)?.state ?? "idle";
  }

  /**
   * Who used a connected tab last, as the panel says; empty when nobody has.
   * @param {number} chromeTabId
   */
  driverOf(chromeTabId) {
    return this.#tabs.get(chromeTabId)?.driver ?? "";
  }
}
