import { hostOf } from "../basics/addresses.js";
import { KaptureError } from "../basics/errors.js";
import { isOfExtension, extensionPage } from "./protected_pages.js";
/** @import { Chrome } from "../basics/chrome_door.js" */
/** @import { Absence } from "./absence.js" */
/** @import { AgentTabs } from "./agent_tabs.js" */
/** @import { Connector } from "./connector.js" */
/** @import { LostTabs } from "./lost_tabs.js" */
/** @import { MadeTabs } from "./made_tabs.js" */
/** @import { PanelLink } from "./panel_link.js" */
/** @import { Pause } from "./pause.js" */
/** @import { Sharing } from "./sharing.js" */
/** @import { TabRecords } from "./tab_records.js" */
/** @import { Session } from "../tab/session.js" */
/** @import { Found } from "../tab/popups.js" */
/** @import { TabRegistry } from "./tab_registry.js" */

/** A debugger may be at something that is not a tab. */
const NO_TAB = -1;

/** So long a new tab of a person's browser is waited for to show something: one that becomes a download closes. */
const SHOWN_DEADLINE_MS = 800;
/** One whose page is slow to come answers nothing before: after so long it is told without being entered. */
const ENTER_DEADLINE_MS = 3000;

/** What an agent can do about a tab that is not connected. */
const ASK_FOR_IT = "not connected: ask for it with kapturemcp_connect_tab";

/**
 * @typedef {{opener: Session, url: string, isDownload: boolean, isTold: boolean, isGone: boolean}} Newborn a tab that a
 *   page opened: which, with what address, and what became of it
 */

/** What Chrome tells about tabs and debuggers. */
export class TabEvents {
  /** The tabs that pages have opened and that have shown nothing yet. @type {Map<number, Newborn>} */
  #newborn = new Map();
  /** @type {Map<number, (found: Found) => void>} */
  #waiting = new Map();

  /**
   * @param {{chrome: Chrome, panel: PanelLink, registry: TabRegistry, records: TabRecords, pause: Pause, absence: Absence,
   *   lost: LostTabs, connector: Connector, sharing: Sharing, agentTabs: AgentTabs, madeTabs: MadeTabs,
   *   onChanged: (chromeTabId: number, how?: {isNew: boolean}) => void, onShown: (chromeTabId: number) => void}} parts
   *   the last two as the connector's
   */
  constructor({
    chrome,
    panel,
    registry,
    records,
    pause,
    absence,
    lost,
    connector,
    sharing,
    agentTabs,
    madeTabs,
    onChanged,
    onShown,
  }) {
    this.chrome = chrome;
    this.panel = panel;
    this.registry = registry;
    this.records = records;
    this.pause = pause;
    this.absence = absence;
    this.lost = lost;
    this.connector = connector;
    this.sharing = sharing;
    this.agentTabs = agentTabs;
    this.madeTabs = madeTabs;
    this.onChanged = onChanged;
    this.onShown = onShown;
  }

  /**
   * @param {chrome.debugger.DebuggerSession} source
   * @param {string} method
   * @param {any} params
   */
  onDebuggerEvent({ tabId = NO_TAB, sessionId }, method, params) {
    // Before anything else can be done there: Chrome tells of the address only later (onTabUpdated).
    if (
      method === "Page.frameNavigated" &&
      !sessionId &&
      !params.frame.parentId &&
      isOfExtension(this.chrome, params.frame.url)
    )
      return this.connector.drop(tabId, extensionPage());
    const born = this.#newborn.get(tabId);
    if (born && !sessionId && method === "Page.frameNavigated") this.#newborn.delete(tabId);
    if (born && !sessionId && method === "Page.downloadWillBegin") {
      // The tab closes now, or stays empty: it is its opener that led to the download.
      born.isDownload = true;
      return born.opener.onDebuggerEvent(method, params, undefined);
    }
    this.registry.sessionOf(tabId)?.onDebuggerEvent(method, params, sessionId);
  }

  /**
   * @param {chrome.debugger.Debuggee} source
   * @param {string} reason
   */
  onDebuggerDetach({ tabId = NO_TAB }, reason) {
    // Also of a tab that a worker before this one attached to.
    if (reason === "canceled_by_user" && tabId !== NO_TAB) return this.sharing.disconnect(tabId);
    const session = this.registry.sessionOf(tabId);
    if (!session || session.ended) return;
    const why =
      "the tab was closed, or led where no extension may follow: to a page of the browser, or to another program (such as mailto:)";
    session.taken();
    const dropped = this.connector.drop(tabId, new KaptureError("TAB_DISCONNECTED", why));
    this.lost.add(tabId);
    dropped.then(() => this.lost.comeBack(tabId));
    return dropped;
  }

  /** @param {number} chromeTabId */
  async onTabRemoved(chromeTabId) {
    this.#onGone(chromeTabId);
    this.lost.delete(chromeTabId);
    this.pause.forget(chromeTabId);
    this.absence.forget(chromeTabId);
    this.registry.forgetResults(chromeTabId);
    await this.connector.drop(chromeTabId, new KaptureError("TAB_DISCONNECTED", "the tab was closed"));
    await this.records.forget(chromeTabId);
  }

  /**
   * What a tab opens is told to it; in a person's browser only that it did, for the new tab is theirs to share.
   * @param {chrome.tabs.Tab} tab
   */
  async onTabCreated({ id, openerTabId }) {
    if (id === undefined) return;
    const isOurs = this.madeTabs.takes(id);
    // As a rule at once: what Chrome tells of the tab next is told to its opener.
    if (isOurs === false || !(await isOurs)) this.#onBorn(id, openerTabId);
  }

  /**
   * @param {number} id
   * @param {number|undefined} openerTabId
   */
  #onBorn(id, openerTabId) {
    const opener = this.#openerOf(openerTabId);
    if (!opener) return void (this.panel.isManaged && this.#enter(id, null));
    /** @type {Newborn} */
    const born = { opener, url: "", isDownload: false, isTold: false, isGone: false };
    this.#newborn.set(id, born);
    const opened = this.panel.isManaged ? unlessSlow(this.#enter(id, born)) : this.#unshared(id, born);
    born.url = opener.tabOpened(opened.finally(() => (born.isTold = true)));
  }

  /**
   * The tab that asked for a window: of a tab behind others Chrome names the one in front as the opener. Where Chrome
   * tells of the new tab before it tells who asked, it is one in which a command runs.
   * @param {number|undefined} openerTabId
   */
  #openerOf(openerTabId) {
    const named = this.registry.sessionOf(openerTabId);
    const sessions = [named, ...this.registry.ids().map((id) => this.registry.sessionOf(id))];
    return sessions.find((one) => one?.isExpectingTab) ?? sessions.find((one) => one?.isExecuting) ?? named;
  }

  /**
   * @param {number} id
   * @param {Newborn|null} born
   * @returns {Promise<Found|null>}
   */
  async #enter(id, born) {
    try {
      const tabId = await this.connector.connect(id);
      const { pendingUrl, url } = await this.chrome.tabs.get(id);
      const shown = pendingUrl || url;
      return { tabId, ...(shown && { url: shown }) };
    } catch {
      // A page no extension may enter, or one that is slow to come: onTabUpdated tries again.
      if (born?.isDownload) return null; // which is told
      return born?.isGone ? { closed: true } : {};
    }
  }

  /**
   * A tab of a person's browser, which is theirs to share: where it is, and how to ask for it.
   * @param {number} id
   * @param {Newborn} born
   * @returns {Promise<Found>}
   */
  async #unshared(id, born) {
    const found = await this.#shown(id);
    const tab = found.closed ? null : await this.chrome.tabs.get(id).catch(() => null);
    if (!tab) return { closed: true };
    const host = hostOf(tab.pendingUrl || (tab.url === "about:blank" && born.url) || tab.url);
    return { browserTabId: id, host, next: ASK_FOR_IT };
  }

  /**
   * Until it shows something or is gone.
   * @param {number} id
   * @returns {Promise<Found>}
   */
  #shown(id) {
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      setTimeout(() => this.#settle(id, {}), SHOWN_DEADLINE_MS);
    });
  }

  /**
   * A tab of a person's browser that was told while it was still empty is told again once it leads anywhere.
   * @param {number} id
   * @param {string} url
   */
  #onShown(id, url) {
    if (url === "about:blank") return;
    const born = this.#newborn.get(id);
    this.#newborn.delete(id);
    this.#settle(id, {});
    if (born?.isTold && !this.panel.isManaged)
      born.opener.tabOpened(Promise.resolve({ browserTabId: id, host: hostOf(url), next: ASK_FOR_IT }));
  }

  /**
   * A tab is gone; one that has shown nothing, and was told as new before, is told again.
   * @param {number} id
   */
  #onGone(id) {
    const born = this.#newborn.get(id);
    this.#newborn.delete(id);
    if (born) born.isGone = true;
    this.#settle(id, { closed: true });
    if (born?.isTold && !born.isDownload) born.opener.tabOpened(Promise.resolve({ url: born.url, closed: true }));
  }

  /**
   * @param {number} id
   * @param {Found} found
   */
  #settle(id, found) {
    this.#waiting.get(id)?.(found);
    this.#waiting.delete(id);
  }

  /**
   * @param {number} chromeTabId
   * @param {chrome.tabs.OnUpdatedInfo} change
   * @param {chrome.tabs.Tab} tab
   */
  async onTabUpdated(chromeTabId, change, tab) {
    if (change.url) this.#onShown(chromeTabId, change.url);
    const known = this.registry.get(chromeTabId);
    if (known && isOfExtension(this.chrome, change.url)) return this.connector.drop(chromeTabId, extensionPage());
    if (known && (change.url || change.title || change.favIconUrl))
      known.event({
        kind: "tab",
        url: tab.url ?? "",
        title: tab.title ?? "",
        favicon: (tab.favIconUrl ?? "").slice(0, 2000),
      });
    if (change.status) this.onChanged(chromeTabId, { isNew: true });
    else if (change.url || change.title) this.onShown(chromeTabId);
    if (change.groupId !== undefined && (await this.agentTabs.isTakenOut(chromeTabId, change.groupId)))
      return this.sharing.disconnect(chromeTabId);
    if (!known && change.status === "complete" && this.lost.has(chromeTabId)) return this.lost.comeBack(chromeTabId);
    if (known || !change.url || this.panel.state !== "connected") return;
    const { connected, declined } = await this.records.of(chromeTabId);
    if (connected || (this.panel.isManaged && !declined)) await this.connector.connect(chromeTabId).catch(() => {}); // still a protected page
  }

  /** @param {{name: string}} alarm */
  onAlarm(alarm) {
    return this.panel.onAlarm(alarm);
  }
}

/**
 * @param {Promise<Found|null>} entering
 * @returns {Promise<Found|null>}
 */
function unlessSlow(entering) {
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  const slow = new Promise((/** @type {(found: Found) => void} */ resolve) => {
    timer = setTimeout(resolve, ENTER_DEADLINE_MS, {});
  });
  return Promise.race([entering, slow]).finally(() => clearTimeout(timer));
}
