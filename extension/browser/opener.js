import { KaptureError } from "../basics/errors.js";
/** @import { Outcome } from "../tab/executor.js" */
/** @import { Chrome } from "../basics/chrome_door.js" */
/** @import { AgentTabs } from "./agent_tabs.js" */
/** @import { MadeTabs } from "./made_tabs.js" */
/** @import { PanelLink } from "./panel_link.js" */
/** @import { Pause } from "./pause.js" */
/** @import { TabRegistry } from "./tab_registry.js" */
/** @import { CommandFrame } from "../wire/protocol.js" */

/** Opens tabs for agents. */
export class Opener {
  /**
   * @param {{chrome: Chrome, panel: PanelLink, registry: TabRegistry, pause: Pause, agentTabs: AgentTabs,
   *   madeTabs: MadeTabs, connect: (chromeTabId: number) => Promise<string>}} parts
   */
  constructor({ chrome, panel, registry, pause, agentTabs, madeTabs, connect }) {
    this.chrome = chrome;
    this.panel = panel;
    this.registry = registry;
    this.pause = pause;
    this.agentTabs = agentTabs;
    this.madeTabs = madeTabs;
    this.connect = connect;
  }

  /**
   * Open a tab, connect it, then load `url` in it.
   * @param {string} url
   * @param {{active: boolean, snapshot: string, signal: AbortSignal, timeout: number, dialogs?: CommandFrame["dialogs"],
   *   grant?: CommandFrame["grant"]}} how the last three as in a command frame; once `signal` is aborted no address is
   *   loaded any more
   * @returns {Promise<object>} what the response says: {result: {tabId, …}, outcome, effects, snapshot, dialogs}, or {success: false, error, dialogs}
   */
  async open(url, { active, snapshot, signal, timeout, dialogs: rule, grant }) {
    this.pause.demandNone();
    const chromeTabId = await this.#blankTab();
    // In their own browser a person may be typing in the tab that is shown: it stays.
    const tabId = await this.#connected(chromeTabId, active && this.panel.isManaged, signal);
    const session = this.registry.sessionOf(chromeTabId);
    if (session && !this.panel.isManaged) this.agentTabs.opened(chromeTabId);
    if (!session) throw new KaptureError("TAB_DISCONNECTED", "the tab was closed while it was opened");
    if (url === "about:blank" && snapshot === "none")
      return { result: { tabId, url }, outcome: { outcome: "confirmed" }, effects: { url, title: "", changed: true } };
    const id = `open-${tabId}`;
    signal.addEventListener("abort", () => session.cancel(id), { once: true });
    const {
      success,
      result,
      error,
      outcome,
      effects,
      snapshot: text,
      dialogs,
    } = /** @type {Outcome} */ (
      await session.execute({
        id,
        command: "kapturemcp_navigate",
        params: { url, waitUntil: "load", snapshot },
        timeout,
        dialogs: rule,
        grant,
      })
    );
    if (!success)
      return { success, error: { ...error, message: `${error?.message} (the tab ${tabId} is open)`, tabId }, dialogs };
    delete effects?.reloaded; // that a blank page went is not news to whoever asked for a tab
    return { result: { tabId, ...result }, outcome, effects, snapshot: text, dialogs };
  }

  /**
   * Connect a tab that was made; one that cannot be connected, or that nobody wants any more, is closed again.
   * @param {number} chromeTabId
   * @param {boolean} active
   * @param {AbortSignal} signal
   */
  async #connected(chromeTabId, active, signal) {
    try {
      if (active) await this.chrome.tabs.update(chromeTabId, { active });
      const tabId = await this.connect(chromeTabId);
      signal.throwIfAborted();
      return tabId;
    } catch (error) {
      await this.chrome.tabs.remove(chromeTabId).catch(() => {}); // it may be gone, which is why it was not connected
      throw error;
    }
  }

  /**
   * A tab behind the others: one that is made as the active one takes the keyboard from whatever program has it, one
   * that becomes so does not. A browser may go on without a window; then it gets one.
   * @returns {Promise<number>} its number in Chrome
   */
  async #blankTab() {
    const { tabs, windows } = this.chrome;
    const isOpen = (await windows.getAll({ windowTypes: ["normal"] })).length > 0;
    const tab = await this.madeTabs.make(
      isOpen
        ? tabs.create({ url: "about:blank", active: false })
        : windows.create({ url: "about:blank", focused: false }).then((made) => made?.tabs?.[0]),
    );
    if (tab?.id === undefined) throw new KaptureError("EXECUTION_ERROR", "the browser opened no tab");
    return tab.id;
  }
}
