import { TAB_HANDLERS } from "../../extension/handlers/index.js";
import { throughDoor } from "../../extension/basics/chrome_door.js";
import { partsOf } from "../../extension/tab/parts.js";
import { Results } from "../../extension/tab/results.js";
import { TypedSecrets } from "../../extension/tab/typed_secrets.js";
import { Session } from "../../extension/tab/session.js";
import { FakeChrome } from "./fake_chrome.js";
import { catalogue, EVERYTHING } from "./fakes.js";

/** A tab with the real handlers over a fake browser; its session is not started yet. */
export function tabOver(chrome, { viewport = null } = {}) {
  const events = [];
  const remembered = [];
  const parts = partsOf({
    chrome: throughDoor(chrome),
    chromeTabId: 7,
    id: "abcde",
    pageSource: { worldName: "kapture", source: "0" },
    viewport,
    typedSecrets: new TypedSecrets(),
    results: new Results(),
    tell: (event) => events.push(event),
    remember: async (changes) => void remembered.push(changes),
    async rememberSource() {},
  });
  const session = new Session(parts, { catalogue: catalogue(), handlers: TAB_HANDLERS });
  chrome.debugger.onEvent.addListener(({ sessionId }, method, params) =>
    session.onDebuggerEvent(method, params, sessionId),
  );
  let serial = 0;
  return {
    chrome,
    parts,
    session,
    /** What the panel was told. */
    events,
    remembered,
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
      chrome.cdp(7, "Page.frameStartedNavigating", {
        frameId: "F1",
        url,
        loaderId,
        navigationType: "differentDocument",
      });
    },
  };
}

/** The same, connected. */
export async function connectedTab(how) {
  const tab = tabOver(new FakeChrome({ tabs: [{ id: 7 }] }), how);
  await tab.session.start();
  tab.chrome.sent.length = 0;
  return tab;
}
