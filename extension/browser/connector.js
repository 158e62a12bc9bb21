import { KaptureError } from "../basics/errors.js";
import { partsOf } from "../tab/parts.js";
import { Session } from "../tab/session.js";
import { Turns } from "../basics/turns.js";
import { ConnectedTab } from "./connected_tab.js";
import { demandOpen, isOfExtension, extensionPage, refusedPage } from "./protected_pages.js";
/** @import { Chrome } from "../basics/chrome_door.js" */
/** @import { Catalogue } from "../wire/catalogue.js" */
/** @import { AgentTabs } from "./agent_tabs.js" */
/** @import { LostTabs } from "./lost_tabs.js" */
/** @import { PanelLink } from "./panel_link.js" */
/** @import { Pause } from "./pause.js" */
/** @import { TabRegistry } from "./tab_registry.js" */
/** @import { Handler } from "../tab/executor.js" */
/** @import { Ending, PageSource, TabEvent } from "../tab/parts.js" */
/** @import { TabRecord, TabRecords } from "./tab_records.js" */

/** A tab with an open dialog or a script without end answers nothing; it is tried again with the alarm. */
const ATTACH_DEADLINE_MS = 10_000;
/** Chrome allows 255 sockets per profile; near that, pages lose theirs. */
const MAX_TABS = 200;
/** The panel greets a few at a time. */
const DIALS_AT_A_TIME = 4;

/** Connects tabs, a session and a link for each, and lets go of them. */
export class Connector {
  #dials = new Turns(DIALS_AT_A_TIME);
  /**
   * Why a tab is not to be connected after all, of those that are looked up for it.
   * @type {Map<number, Error>}
   */
  #givenUp = new Map();

  /**
   * @param {{chrome: Chrome, panel: PanelLink, registry: TabRegistry, records: TabRecords, pause: Pause, lost: LostTabs,
   *   agentTabs: AgentTabs, pageSource: PageSource, catalogue: Catalogue, tabHandlers: Record<string, Handler>, onChanged: (chromeTabId: number) => void,
   *   onShown: (chromeTabId: number) => void, onHeard: (chromeTabId: number, event: TabEvent) => void,
   *   onDisconnect: (chromeTabId: number) => void}} parts `onChanged` hears
   *   that a tab's state is another, `onShown` that our pages alone are to show it again, `onHeard` the events of a tab
   */
  constructor({
    chrome,
    panel,
    registry,
    records,
    pause,
    lost,
    agentTabs,
    pageSource,
    catalogue,
    tabHandlers,
    onChanged,
    onShown,
    onHeard,
    onDisconnect,
  }) {
    this.chrome = chrome;
    this.panel = panel;
    this.registry = registry;
    this.records = records;
    this.pause = pause;
    this.lost = lost;
    this.agentTabs = agentTabs;
    this.pageSource = pageSource;
    this.catalogue = catalogue;
    this.tabHandlers = tabHandlers;
    this.onChanged = onChanged;
    this.onShown = onShown;
    this.onHeard = onHeard;
    this.onDisconnect = onDisconnect;
  }

  /**
   * Connect a tab, or its link again, and return its tabId; a tab that is connected already stays as it is.
   * @param {number} chromeTabId
   * @returns {Promise<string>}
   */
  connect(chromeTabId) {
    const { registry } = this;
    const known = registry.get(chromeTabId);
    if (known?.isLinked) return Promise.resolve(known.session.id);
    const underWay = registry.connecting.get(chromeTabId);
    if (underWay) return underWay;
    const connecting = this.#connect(chromeTabId).finally(() => {
      registry.connecting.delete(chromeTabId);
      this.#givenUp.delete(chromeTabId);
      this.onChanged(chromeTabId);
    });
    registry.connecting.set(chromeTabId, connecting);
    this.onShown(chromeTabId);
    return connecting;
  }

  /**
   * @param {number} chromeTabId
   * @returns {Promise<string>}
   */
  async #connect(chromeTabId) {
    const { registry, records } = this;
    this.#demandPanel();
    this.pause.demandNone();
    const known = registry.get(chromeTabId);
    if (known) {
      await this.#dials.take(() => known.dial());
      return known.session.id;
    }
    const address = demandOpen(this.chrome, await this.chrome.tabs.get(chromeTabId));
    const record = await records.of(chromeTabId);
    this.pause.demandNone(); // which may have come meanwhile, as may the person's no
    const givenUp = this.#givenUp.get(chromeTabId);
    if (givenUp) throw givenUp;
    if (registry.size >= MAX_TABS)
      throw new KaptureError(
        "BUSY",
        `${MAX_TABS} tabs are connected, more would starve the browser's own pages`,
        "disconnect one",
      );
    this.#demandPanel(); // it may have been unpaired meanwhile
    const tab = this.#made(chromeTabId, record);
    const { session } = tab;
    registry.add(chromeTabId, tab);
    try {
      await this.#begin(tab, record);
    } catch (failure) {
      const error = session.ended ?? failure; // what became of the tab says more than what then failed
      // A tab that is on its way to a page answers nothing until that has come, or does not.
      if (record.connected) this.lost.add(chromeTabId);
      registry.delete(chromeTabId);
      await session.end(error);
      if (error.code === "PROTECTED_PAGE" && !isOfExtension(this.chrome, session.url)) throw refusedPage(address);
      throw error;
    }
    this.lost.delete(chromeTabId);
    await records.put(chromeTabId, { connected: true, declined: false, held: false, ended: [] });
    if (session.ended) throw session.ended;
    return session.id;
  }

  #demandPanel() {
    if (!this.panel.isConfigured)
      throw new KaptureError("PANEL_DOWN", "this browser is not paired with a panel yet", "pair it first");
  }

  /**
   * @param {number} chromeTabId
   * @param {TabRecord} record
   * @returns {ConnectedTab}
   */
  #made(chromeTabId, record) {
    const { chrome, panel, records, catalogue } = this;
    const tell = (/** @type {TabEvent} */ event) => {
      tab.event(event);
      this.onHeard(chromeTabId, event);
    };
    const parts = partsOf({
      chrome,
      chromeTabId,
      id: record.id,
      pageSource: panel.isManaged
        ? { ...this.pageSource, source: `globalThis.keepsFromPrograms = true;\n${this.pageSource.source}` }
        : this.pageSource,
      viewport: panel.viewport,
      typedSecrets: panel.typedSecrets,
      results: this.registry.resultsOf(chromeTabId, record.ended),
      tell,
      remember: (changes) => records.put(chromeTabId, changes),
      rememberSource: (id, source) => records.putSource(chromeTabId, id, source),
      readFile: (token, start, size) => tab.readFile(token, start, size),
      sendPicture: (picture) => tab.picture(picture),
    });
    const tab = new ConnectedTab({
      chrome,
      panel,
      session: new Session(parts, { catalogue, handlers: this.tabHandlers }),
      onDriver: (name) => this.agentTabs.onDriver(chromeTabId, name),
      onChanged: () => this.onChanged(chromeTabId),
      onRetry: () => void this.connect(chromeTabId).catch(() => {}), // a tab that is still away tries again by itself
      onDisconnect: () => this.onDisconnect(chromeTabId),
    });
    return tab;
  }

  /**
   * Attach to the tab, give it what it had, and dial for it.
   * @param {ConnectedTab} tab
   * @param {TabRecord} record
   */
  async #begin(tab, record) {
    const { session } = tab;
    const { chromeTabId } = session;
    const isNew = await answered(session.start(record));
    if (isOfExtension(this.chrome, session.url)) throw extensionPage(); // it went there meanwhile
    if (isNew && record.held)
      await answered(session.giveBack({ ...record, scripts: await this.records.sources(chromeTabId) }));
    else if (isNew) {
      if (Object.keys(record.kept ?? {}).length) await this.records.forgetSources(chromeTabId); // a pause would give them back
      await this.records.put(chromeTabId, { size: null, offline: false, kept: {} });
    }
    await this.#dials.take(() => tab.dial());
    if (session.ended) throw session.ended; // a person disconnected it meanwhile
  }

  /**
   * Let go of a tab, if it is connected.
   * @param {number} chromeTabId
   * @param {Error} error
   * @param {Ending} [told] what the panel is told, if it is there
   */
  async drop(chromeTabId, error, told) {
    const tab = this.registry.get(chromeTabId);
    if (!tab) {
      if (this.registry.connecting.has(chromeTabId)) this.#givenUp.set(chromeTabId, error);
      return;
    }
    this.registry.delete(chromeTabId);
    this.agentTabs.forget(chromeTabId);
    await tab.end(error, told);
    this.onChanged(chromeTabId);
  }
}

/**
 * What `promise` resolves to; rejects when the tab answers nothing.
 * @template T
 * @param {Promise<T>} promise
 * @returns {Promise<T>}
 */
async function answered(promise) {
  /** @type {number|undefined} */
  let timer;
  const late = new Promise((_, reject) => {
    const error = new KaptureError(
      "TAB_DISCONNECTED",
      "the tab does not answer",
      "close its dialog, stop its loading or load its page again, then connect it",
    );
    timer = setTimeout(reject, ATTACH_DEADLINE_MS, error);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
