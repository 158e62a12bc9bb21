import { hostOf, OF_PAGES, originOf } from "../basics/addresses.js";
import { inSentences, KaptureError, NeedsApproval } from "../basics/errors.js";
import { oneLine } from "../basics/one_line.js";
import { isOfExtension, extensionPage } from "./protected_pages.js";
/** @import { Chrome } from "../basics/chrome_door.js" */
/** @import { Grant } from "../wire/grant.js" */
/** @import { Absence } from "./absence.js" */
/** @import { AgentTabs } from "./agent_tabs.js" */
/** @import { Connector } from "./connector.js" */
/** @import { PanelLink } from "./panel_link.js" */
/** @import { Pause } from "./pause.js" */
/** @import { TabRecords } from "./tab_records.js" */
/** @import { TabRegistry } from "./tab_registry.js" */

const DIALS_AT_A_TIME = 4;
/** What Chrome says of what is not a tab, such as a window of developer tools. */
const NO_TAB = -1;

/** Which tabs are shared with the panel: those of before, those a person connects, in a managed browser all. */
export class Sharing {
  #connectingAll = Promise.resolve();

  /**
   * @param {{chrome: Chrome, panel: PanelLink, registry: TabRegistry, records: TabRecords, pause: Pause, absence: Absence,
   *   connector: Connector, agentTabs: AgentTabs}} parts
   */
  constructor({ chrome, panel, registry, records, pause, absence, connector, agentTabs }) {
    this.chrome = chrome;
    this.panel = panel;
    this.registry = registry;
    this.records = records;
    this.pause = pause;
    this.absence = absence;
    this.connector = connector;
    this.agentTabs = agentTabs;
  }

  /** Dial for every tab that is to be connected: those of before, and in a managed browser all. */
  connectAll() {
    this.#connectingAll = this.#connectingAll.then(() => this.#connectWanted()).catch(() => {}); // the alarm tries again
    return this.#connectingAll;
  }

  async #connectWanted() {
    if (this.pause.isHolding) return;
    const open = await this.chrome.tabs.query({});
    // Asked of each in its turn: the person may have said no meanwhile, or there is another panel.
    await eachFew(idsOf(open), async (id) => {
      if (await this.#isWanted(id)) await this.connector.connect(id);
    });
  }

  /** @param {number} id */
  async #isWanted(id) {
    const { connected, declined } = (await this.records.all())[id] ?? {};
    return this.registry.has(id) || connected || (this.panel.isManaged && !declined);
  }

  /**
   * Connect every tab of a window.
   * @param {number} windowId
   * @returns {Promise<{connected: number, refused: {title: string, why: string}[]}>} how many are, and which are not
   */
  async connectWindow(windowId) {
    const open = await this.chrome.tabs.query({ windowId });
    /** @type {{title: string, why: string}[]} */
    const refused = [];
    await eachFew(open, async ({ id = NO_TAB, title, url, pendingUrl }) => {
      await this.connector
        .connect(id)
        .catch((error) => refused.push({ title: oneLine(title || url || pendingUrl, 80), why: inSentences(error) }));
    });
    return { connected: open.length - refused.length, refused };
  }

  /**
   * Connect a tab for an agent, also one a person disconnected before, but only on a person's word.
   * @param {number} chromeTabId
   * @param {Grant} grant the origin a person allowed it for
   */
  async connectGranted(chromeTabId, grant) {
    const tab = await this.chrome.tabs.get(chromeTabId).catch(() => null);
    if (!tab)
      throw new KaptureError(
        "TAB_NOT_FOUND",
        `the browser has no tab ${chromeTabId}`,
        "kapturemcp_list_browser_tabs lists those it has",
      );
    const known = this.registry.sessionOf(chromeTabId);
    if (known) throw new KaptureError("INVALID_PARAMS", "the tab is connected already", `its tabId is ${known.id}`);
    const { title = "" } = tab;
    const url = tab.url || tab.pendingUrl || "about:blank";
    if (isOfExtension(this.chrome, url)) throw extensionPage();
    if (!OF_PAGES.test(url))
      throw new KaptureError(
        "PROTECTED_PAGE",
        `Chrome lets no extension into ${hostOf(url)}`,
        "only web pages can be connected",
      );
    if (!grant.covers(originOf(url))) throw new NeedsApproval({ url, title });
    return { tabId: await this.connector.connect(chromeTabId), url, title };
  }

  /**
   * Stop sharing a tab because a person wants it so: it is not connected again by itself.
   * @param {number} chromeTabId
   */
  async disconnect(chromeTabId) {
    const dropped = this.connector.drop(
      chromeTabId,
      new KaptureError("TAB_DISCONNECTED", "a person disconnected the tab"),
      { kind: "closed", byPerson: true },
    );
    this.pause.forget(chromeTabId);
    const { group } = await this.records.of(chromeTabId);
    await this.records.put(chromeTabId, { connected: false, declined: true, held: false, group: null, ended: [] });
    this.absence.forget(chromeTabId);
    if (group) await this.agentTabs.leave(chromeTabId);
    await dropped;
  }

  /** Stop sharing every tab with the panel there was. */
  async end() {
    const tabs = new Set([...this.registry.ids(), ...this.registry.connecting.keys()]);
    const error = new KaptureError("TAB_DISCONNECTED", "the browser is not paired any more");
    await Promise.all([...tabs].map((id) => this.connector.drop(id, error)));
    // Also one that is away for now, such as at a page of the browser, or that a worker before this one attached to.
    for (const [key, { connected, held }] of Object.entries(await this.records.all())) {
      if (!connected && !held) continue;
      const tabId = Number(key);
      this.absence.forget(tabId);
      this.registry.forgetResults(tabId);
      await this.records.put(tabId, { connected: false, held: false, ended: [] });
      await this.chrome.debugger.detach({ tabId }).catch(() => {}); // let go of already
    }
    this.pause.clear();
  }

  /** Every open tab; of one that is not connected only where it is, never its title or address. */
  async list() {
    const open = await this.chrome.tabs.query({});
    return open.map(({ id, url, title, active }) => {
      const session = this.registry.sessionOf(id);
      const shown = session ? session.masked({ tabId: session.id, url, title }) : { host: hostOf(url) };
      return { browserTabId: id, connected: Boolean(session), active, ...shown };
    });
  }
}

/** @param {chrome.tabs.Tab[]} tabs */
function idsOf(tabs) {
  return tabs.flatMap(({ id }) => (id === undefined ? [] : [id]));
}

/**
 * @template T
 * @param {T[]} items
 * @param {(item: T) => Promise<unknown>} work
 */
async function eachFew(items, work) {
  const waiting = [...items];
  const one = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift())
      await Promise.resolve(work(item)).catch(() => {}); // one tab that cannot connect must not keep back the rest
  };
  await Promise.all(Array.from({ length: DIALS_AT_A_TIME }, one));
}
