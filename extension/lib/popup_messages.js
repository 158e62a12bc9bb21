import { openPairPage } from "./pair_page.js";

/** What the popup and the pair page may ask of the worker. */
const ANSWERS = {
  __proto__: null,
  status: ({ tabId }, connections) => status(tabId, connections),
  async connect({ tabId }, connections) {
    await connections.connect(tabId);
    return status(tabId, connections);
  },
  async disconnect({ tabId }, connections) {
    await connections.disconnect(tabId);
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

function status(tabId, connections) {
  return { panel: connections.panelState, tab: connections.stateOf(tabId), connected: connections.tabs.size };
}
