import { KaptureError } from "../basics/errors.js";
/** @import { Chrome } from "../basics/chrome_door.js" */
/** @import { Ending } from "../tab/parts.js" */
/** @import { PanelLink } from "./panel_link.js" */
/** @import { TabRecords } from "./tab_records.js" */
/** @import { TabRegistry } from "./tab_registry.js" */

/** The person's pause: a browser of their own is let go of for that long, one the panel started stays attached. */
export class Pause {
  /**
   * Chrome's tab id → tabId of the tabs that were let go of and come back after the pause.
   * @type {Map<number, string>}
   */
  #held = new Map();
  /** Whether the person paused the agents, as the panel says. */
  isOn = false;
  /** How often that has changed. */
  #changes = 0;

  /**
   * @param {{chrome: Chrome, panel: PanelLink, registry: TabRegistry, records: TabRecords,
   *   drop: (chromeTabId: number, error: Error, told?: Ending) => Promise<void>, connectAll: () => Promise<void>,
   *   onChanged: (chromeTabId?: number) => void}} parts
   */
  constructor({ chrome, panel, registry, records, drop, connectAll, onChanged }) {
    this.chrome = chrome;
    this.panel = panel;
    this.registry = registry;
    this.records = records;
    this.drop = drop;
    this.connectAll = connectAll;
    this.onChanged = onChanged;
  }

  /** Whether the person's own browser is let go of. */
  get isHolding() {
    return this.isOn && !this.panel.isManaged;
  }

  /** @throws {KaptureError} PAUSED while this browser is let go of */
  demandNone() {
    if (this.isHolding) throw paused();
  }

  /**
   * Whether a tab was let go of and comes back after the pause.
   * @param {number} chromeTabId
   */
  isHeld(chromeTabId) {
    return this.#held.has(chromeTabId);
  }

  heldIds() {
    return [...this.#held.keys()];
  }

  /**
   * Have the panel pause the agents, or let them go on, because the person wants it so.
   * @param {boolean} on
   */
  async ask(on) {
    await this.panel.reach();
    this.panel.send({ type: "pause", on });
  }

  /**
   * What the panel says.
   * @param {boolean} isOn
   */
  async set(isOn) {
    if (isOn === this.isOn) return;
    this.isOn = isOn;
    this.#changes += 1;
    this.onChanged();
    for (const id of this.registry.ids()) this.onChanged(id);
    // Stays attached for the person's own commands.
    if (this.panel.isManaged) return isOn ? this.#letGoOfKeys() : undefined;
    if (isOn) await this.#letGo();
    else await this.#takeBack();
  }

  /** No agent holds a key down while the person acts. */
  async #letGoOfKeys() {
    await Promise.all(
      this.registry.ids().map((id) => {
        const session = this.registry.sessionOf(id);
        session?.giveUpOrphans(pausedUnder()); // what else runs the panel cancels itself
        return session?.letGoOfKeys("a person paused the agents");
      }),
    );
  }

  /** Take the debugger from every tab at once, also where it outlived the worker that attached it. */
  async #letGo() {
    await Promise.all(this.registry.ids().map((id) => this.drop(id, pausedUnder(), { kind: "held" })));
    for (const [key, { id: tabId, connected }] of Object.entries(await this.records.all())) {
      if (!connected || !this.isHolding) continue;
      const id = Number(key);
      this.#held.set(id, tabId);
      await this.records.put(id, { held: true });
      await this.chrome.debugger.detach({ tabId: id }).catch(() => {}); // let go of already
      this.onChanged(id);
    }
  }

  async #takeBack() {
    const held = this.heldIds();
    const change = this.#changes;
    this.#held.clear();
    await this.connectAll();
    for (const id of held) this.onChanged(id);
    // The panel then takes the tabs that are still paused for gone: wrong if the person has paused again meanwhile.
    if (change === this.#changes) this.panel.event({ kind: "back" });
  }

  /**
   * A tab that was let go of does not come back.
   * @param {number} chromeTabId
   */
  forget(chromeTabId) {
    const tabId = this.#held.get(chromeTabId);
    if (!this.#held.delete(chromeTabId)) return;
    this.panel.event({ kind: "closed", tabId });
    this.onChanged(chromeTabId);
  }

  /** There is no panel any more that could end it. */
  clear() {
    this.#held.clear();
    this.isOn = false;
  }
}

export function paused() {
  return new KaptureError(
    "PAUSED",
    "the agents are paused, and this browser is disconnected until they are resumed",
    "resume first",
  );
}

/** Whoever waits for it has been told by the panel already. */
function pausedUnder() {
  return new KaptureError(
    "OUTCOME_UNKNOWN",
    "a person paused the agents while it ran",
    "look at the page before trying again",
  );
}
