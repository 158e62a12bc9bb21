import { inSentences } from "../basics/errors.js";
import { oneLine } from "../basics/one_line.js";
import { openPairPage } from "./pair_page.js";
import { extensionPage, whyProtected } from "./protected_pages.js";
/** @import { Connections } from "./connections.js" */
/** @import { PanelState } from "./panel_link.js" */
/** @import { TabState } from "./tab_registry.js" */

/**
 * @typedef {{panel: PanelState, tab: TabState, address: string, managed: boolean, attached: boolean, driver: string,
 *   title: string, url: string, protected: string, connected: number, paused: boolean}} Status `attached`: whether the
 *   debugger is at the tab; `protected`: why the tab cannot be connected, or ""; `connected`: how many tabs are
 */

/**
 * What the popup, the pair page and the panel in DevTools may ask of the worker. Who may ask is the listener's to say.
 */
/** @type {Record<string, (message: {tabId: number}, connections: Connections) => Promise<object>>} */
const ANSWERS = {
  status: ({ tabId }, connections) => status(tabId, connections),
  async connect({ tabId }, connections) {
    await connections.reach();
    await connections.connect(tabId);
    return status(tabId, connections);
  },
  async connectWindow({ tabId }, connections) {
    await connections.reach();
    const { windowId } = await connections.chrome.tabs.get(tabId);
    const all = await connections.connectWindow(windowId);
    return { ...(await status(tabId, connections)), all };
  },
  async disconnect({ tabId }, connections) {
    await connections.disconnect(tabId);
    return status(tabId, connections);
  },
  async pause({ tabId }, connections) {
    await connections.askPause(true);
    return status(tabId, connections);
  },
  async resume({ tabId }, connections) {
    await connections.askPause(false);
    return status(tabId, connections);
  },
  async pair({ tabId }, connections) {
    await openPairPage(connections.chrome);
    return status(tabId, connections);
  },
  async unpair({ tabId }, connections) {
    await connections.unpair();
    return status(tabId, connections);
  },
};

/**
 * @param {any} message
 * @param {Connections} connections
 */
export async function answerPopup(message, connections) {
  const answer = Object.hasOwn(ANSWERS, message?.ask ?? "") && ANSWERS[message.ask];
  if (!answer) throw new Error(`the popup asked ${JSON.stringify(message?.ask)}, which is unknown`);
  return answer(message, connections);
}

/**
 * What is shown of the panel and of a tab.
 * @param {number} tabId -1, or none, for a page that is about no tab
 * @param {Connections} connections
 * @returns {Promise<Status>}
 */
export async function status(tabId, connections) {
  const known = tabId >= 0 ? await connections.chrome.tabs.get(tabId).catch(() => null) : null;
  const { title = "", url = "" } = known ?? {};
  return {
    panel: connections.panelState,
    address: connections.address,
    managed: connections.managed,
    tab: connections.stateOf(tabId),
    attached: connections.isAttached(tabId),
    driver: connections.driverOf(tabId),
    title: oneLine(title),
    url: oneLine(url, 2000),
    protected: connections.isOfExtension(url) ? inSentences(extensionPage()) : whyProtected(url),
    connected: connections.connectedCount,
    paused: connections.paused,
  };
}
