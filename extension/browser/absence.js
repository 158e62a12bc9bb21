import { KaptureError } from "../basics/errors.js";
/** @import { Chrome } from "../basics/chrome_door.js" */
/** @import { Ending } from "../tab/parts.js" */
/** @import { PanelLink } from "./panel_link.js" */
/** @import { TabRecords } from "./tab_records.js" */
/** @import { TabRegistry } from "./tab_registry.js" */

/**
 * So long the tabs stay as they are. What ran there when the panel went is over by then (executor.js), and the panel was
 * dialled three times, at last after 1.75 s (panel_link.js).
 */
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
   *   drop: (chromeTabId: number, error: Error, told?: Ending) => Promise<void>,
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
    if (!this.#isAway) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#held.clear();
    } else if (this.#timer === undefined) {
      this.#timer = setTimeout(() => void this.#letGo(), GRACE_MS);
      void this.#remember();
    }
  }

  /** Those that an earlier worker let go of. */
  async #remember() {
    for (const [id, { connected, held }] of Object.entries(await this.records.all()))
      if (connected && held && this.#isAway && !this.registry.has(Number(id))) this.#hold(Number(id));
  }

  /**
   * A tab that was let go of does not come back.
   * @param {number} chromeTabId
   */
  forget(chromeTabId) {
    if (this.#held.delete(chromeTabId)) this.onChanged(chromeTabId);
  }

  /** @param {number} id */
  #hold(id) {
    this.#held.add(id);
    this.onChanged(id);
  }

  get #isAway() {
    return this.panel.isConfigured && !this.panel.isManaged && !this.panel.isConnected;
  }

  /** Take the debugger from each tab, also where it outlived the worker that attached it. */
  async #letGo() {
    const absence = this.#timer;
    const isOver = () => this.#timer !== absence;
    await Promise.all(Object.keys(await this.records.all()).map((key) => this.#letGoOf(Number(key), isOver)));
  }

  /**
   * @param {number} id
   * @param {() => boolean} isOver whether the panel has been there meanwhile
   */
  async #letGoOf(id, isOver) {
    await this.registry.connecting.get(id)?.catch(() => {}); // it was on its way to the panel that is gone
    const { connected } = await this.records.of(id);
    if (!connected || isOver()) return;
    await this.records.put(id, { held: true }); // known before anything connects it again
    if (isOver()) return this.records.put(id, { held: false });
    const session = this.registry.sessionOf(id);
    const error = new KaptureError("TAB_DISCONNECTED", "the panel is away");
    const gone = session ? this.drop(id, error, { kind: "held" }) : this.chrome.debugger.detach({ tabId: id });
    this.#hold(id);
    await gone.catch(() => {}); // let go of already
    // The browser keeps 10 MB: without room the next worker says that it does not know.
    if (session) await this.records.put(id, { ended: session.lastResults() }).catch(() => {});
  }
}
