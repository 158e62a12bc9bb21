import { openPairPage } from "./pair_page.js";
import { line } from "../basics/plain.js";
import { whyProtected } from "./protected_pages.js";

/**
 * What the popup, the pair page and the panel in DevTools may ask of the worker. Who may ask is the listener's to say.
 */
const ANSWERS = {
  __proto__: null,
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

export async function answerPopup(message, connections) {
  const answer = ANSWERS[message?.ask];
  if (!answer) throw new Error(`the popup asked ${JSON.stringify(message?.ask)}, which is unknown`);
  return answer(message, connections);
}

/**
 * What is shown of the panel and of a tab.
 * @returns {{panel, tab: as `Connections` names states, address: string, managed: boolean, attached: whether the
 *   debugger is at the tab, driver, title, url, protected: why the tab cannot be connected or "", connected: how many
 *   tabs are, paused: whether the person holds the agents}}
 */
export async function status(tabId, connections) {
  const known = tabId === undefined ? null : await connections.chrome.tabs.get(tabId).catch(() => null);
  const { title = "", url = "" } = known ?? {};
  return {
    panel: connections.panelState,
    address: connections.address,
    managed: connections.managed,
    tab: connections.stateOf(tabId),
    attached: connections.tabs.has(tabId) && !connections.connecting.has(tabId),
    driver: connections.driverOf(tabId),
    title: line(title),
    url: line(url, 2000),
    protected: connections.isOurs(url) ? "Kapture Panel's own pages are not shared. Open a web page in the tab, then connect it." : whyProtected(url),
    connected: connections.tabs.size,
    paused: connections.paused,
  };
}
