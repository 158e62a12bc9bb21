import { KaptureError } from "../basics/errors.js";
/** @import { Chrome } from "../basics/chrome_door.js" */
/** @import { PanelLink } from "./panel_link.js" */
/** @import { TabRecords } from "./tab_records.js" */
/** @import { TabRegistry } from "./tab_registry.js" */

/** A panel that begins anew within this finds the tabs as they were; what ran there is over by then (executor.js). */
const GRACE_MS = 3000;

/**
 * While the panel is away, a person's own browser is let go of: its bar says no more that it is debugged. The tabs stay
 * shared, and come back with the panel. A browser that the panel started ends with it.
 */
export class Absence {
  /** The tabs that were let go of, by their number in Chrome. @type {Set<number>} */
  #held = new Set();
  /** @type {number|undefined} */
  #timer;

  /**
   * @param {{chrome: Chrome, panel: PanelLink, registry: TabRegistry, records: TabRecords,
   *   drop: (chromeTabId: number, error: Error, kind: "held") => Promise<void>,
   *   onChanged: (chromeTabId: number) => void}} parts
   */
  constructor({ chrome, panel, registry, records, drop, onChanged }) {
    this.chrome = chrome;
    this.panel = panel;
    this.registry = registry;
    this.records = records;
    this.drop = drop;
    this.onChanged = onChanged;
  }

  /**
   * Whether a tab was let go of and comes back with the panel.
   * @param {number} chromeTabId
   */
  isHeld(chromeTabId) {
    return this.#held.has(chromeTabId);
  }

  /** The panel may have come or gone. */
  onPanel() {
    if (this.#isAway) this.#timer ??= setTimeout(() => void this.#letGo(), GRACE_MS);
    else {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#held.clear();
    }
  }

  /**
   * A tab that was let go of does not come back.
   * @param {number} chromeTabId
   */
  forget(chromeTabId) {
    this.#held.delete(chromeTabId);
  }

  get #isAway() {
    return this.panel.isConfigured && !this.panel.isManaged && !this.panel.isConnected;
  }

  /** Take the debugger from each tab, also where it outlived the worker that attached it. */
  async #letGo() {
    const known = await this.records.all();
    const shared = Object.keys(known)
      .map(Number)
      .filter((id) => known[id]?.connected);
    await Promise.all(shared.map((id) => this.#letGoOf(id)));
  }

  /** @param {number} id */
  async #letGoOf(id) {
    const session = this.registry.sessionOf(id);
    await this.records.put(id, { held: true });
    // The panel may be back by now, or the person has said no.
    const { connected } = await this.records.of(id);
    if (!this.#isAway || !connected || this.registry.connecting.has(id)) return;
    this.#held.add(id);
    if (session) await this.drop(id, new KaptureError("TAB_DISCONNECTED", "the panel is away"), "held");
    else await this.chrome.debugger.detach({ tabId: id }).catch(() => {}); // let go of already
    this.onChanged(id);
  }
}
