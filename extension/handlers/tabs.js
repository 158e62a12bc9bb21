import { KaptureError } from "../basics/errors.js";
import { Grant } from "../wire/grant.js";
import { absolute } from "./navigation.js";

async function closeTab(_params, run) {
  const { chrome, chromeTabId, id } = run.session;
  run.session.closing = true;
  try {
    await chrome.tabs.remove(chromeTabId);
  } catch (error) {
    run.session.closing = false;
    if (error instanceof KaptureError) throw error;
    throw new KaptureError("EXECUTION_ERROR", `the tab could not be closed: ${error.message}`);
  }
  // Goes out before the answer: whoever hears that the tab is closed finds it gone.
  run.session.onEvent({ kind: "closed" });
  return { closed: id };
}

/** Shows the tab in its window; the window itself stays where it is, so nothing takes the focus from another program. */
async function activateTab(_params, run) {
  const { chrome, chromeTabId, id } = run.session;
  await chrome.tabs.update(chromeTabId, { active: true });
  return { activated: id };
}

async function listBrowserTabs(_params, connections) {
  return { result: { tabs: await connections.listTabs() } };
}

async function connectTab({ browserTabId }, connections, { grant }) {
  return { result: await connections.connectGranted(browserTabId, new Grant(grant)) };
}

async function newTab({ url, background, snapshot }, connections, how) {
  if (url !== "about:blank") new Grant(how.grant).demand(absolute(url));
  return connections.openTab(url, { active: !background, snapshot, ...how });
}

export const tabHandlers = { kapturemcp_close_tab: closeTab, kapturemcp_activate_tab: activateTab };
export const browserHandlers = { kapturemcp_new_tab: newTab, kapturemcp_list_browser_tabs: listBrowserTabs, kapturemcp_connect_tab: connectTab };
