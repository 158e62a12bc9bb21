import { TAB_HANDLERS } from "../../extension/handlers/index.js";
import { throughDoor } from "../../extension/basics/chrome_door.js";
import { Session } from "../../extension/tab/session.js";
import { catalogue, EVERYTHING, FakeChrome } from "./fakes.js";

/** A connected tab with the real handlers over a fake browser. */
export async function connectedTab() {
  const chrome = new FakeChrome({ tabs: [{ id: 7 }] });
  const session = new Session({
    chrome: throughDoor(chrome), chromeTabId: 7, id: "abcde", pageSource: { worldName: "kapture", source: "0" }, catalogue: catalogue(), handlers: TAB_HANDLERS,
    onEvent() {}, onRefs() {},
  });
  chrome.debugger.onEvent.addListener(({ sessionId }, method, params) => session.onDebuggerEvent(method, params, sessionId));
  await session.start();
  chrome.sent.length = 0;
  let serial = 0;
  return {
    chrome,
    session,
    run: (command, params = {}, timeout = 30_000, id = `c${(serial += 1)}`, grant = EVERYTHING) =>
      session.execute({ id, command: `kapturemcp_${command}`, params, timeout, grant }),
    /** What was sent of one CDP method. */
    sent: (method) => chrome.sent.filter((one) => one.method === method).map(({ params }) => params),
    /** The main frame shows another document. */
    shows(loaderId, url, names = ["DOMContentLoaded", "load"]) {
      chrome.cdp(7, "Page.frameNavigated", { frame: { id: "F1", loaderId, url }, type: "Navigation" });
      for (const name of names) chrome.cdp(7, "Page.lifecycleEvent", { frameId: "F1", loaderId, name });
    },
    starts(loaderId, url) {
      chrome.cdp(7, "Page.frameStartedNavigating", { frameId: "F1", url, loaderId, navigationType: "differentDocument" });
    },
  };
}
