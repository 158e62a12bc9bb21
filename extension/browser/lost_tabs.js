import { OF_PAGES } from "../basics/addresses.js";
/** @import { Chrome } from "../basics/chrome_door.js" */
/** @import { PanelLink } from "./panel_link.js" */
/** @import { Pause } from "./pause.js" */
/** @import { TabRecords } from "./tab_records.js" */
/** @import { TabRegistry } from "./tab_registry.js" */

/** Tabs that were lost though a person shares them, by their number in Chrome, until they are connected again. */
export class LostTabs {
  /** @type {Set<number>} */
  #lost = new Set();

  /**
   * @param {{chrome: Chrome, panel: PanelLink, registry: TabRegistry, records: TabRecords, pause: Pause,
   *   connect: (chromeTabId: number) => Promise<string>}} parts
   */
  constructor({ chrome, panel, registry, records, pause, connect }) {
    this.chrome = chrome;
    this.panel = panel;
    this.registry = registry;
    this.records = records;
    this.pause = pause;
    this.connect = connect;
  }

  /** @param {number} chromeTabId */
  add(chromeTabId) {
    this.#lost.add(chromeTabId);
  }

  /** @param {number} chromeTabId */
  has(chromeTabId) {
    return this.#lost.has(chromeTabId);
  }

  /** @param {number} chromeTabId */
  delete(chromeTabId) {
    this.#lost.delete(chromeTabId);
  }

  /**
   * Chrome takes the debugger from a tab that leads to another program, though the page stays: connect it again as it
   * was. Until Chrome has given up that navigation nothing may attach; then it tells that the tab has loaded.
   * @param {number} chromeTabId
   */
  async comeBack(chromeTabId) {
    const tab = await this.chrome.tabs.get(chromeTabId).catch(() => null);
    const { connected } = await this.records.of(chromeTabId);
    if (
      !tab ||
      !connected ||
      this.registry.has(chromeTabId) ||
      this.pause.isHolding ||
      this.panel.state !== "connected"
    ) {
      this.#lost.delete(chromeTabId);
      return;
    }
    if (!OF_PAGES.test(tab.url ?? "")) return;
    await this.records.put(chromeTabId, { held: true }); // what it was given comes with it
    await this.connect(chromeTabId).catch(() => {}); // the next page it comes to, or the alarm, tries again
  }
}
