import { KaptureError } from "../basics/errors.js";
import { Grant } from "../wire/grant.js";
import { absolute } from "./navigation.js";
/** @import { BrowserHandler } from "../browser/browser_commands.js" */
/** @import { Handler } from "../tab/executor.js" */

/** @type {Handler} */
async function closeTab(_params, run) {
  run.lifetime.isClosing = true;
  try {
    await run.chromeTab.remove();
  } catch (error) {
    run.lifetime.isClosing = false;
    if (error instanceof KaptureError) throw error;
    throw new KaptureError("EXECUTION_ERROR", `the tab could not be closed: ${error.message}`);
  }
  // Goes out before the answer: whoever hears that the tab is closed finds it gone.
  run.lifetime.tell({ kind: "closed" });
  return { closed: run.tabId };
}

/**
 * Shows the tab in its window; the window itself stays where it is, so nothing takes the focus from another program.
 * @type {Handler}
 */
async function activateTab(_params, run) {
  await run.chromeTab.activate();
  return { activated: run.tabId };
}

/** @type {BrowserHandler} */
async function listBrowserTabs(_params, connections) {
  return { result: { tabs: await connections.listTabs() } };
}

/** @type {BrowserHandler} */
async function connectTab({ browserTabId }, connections, { grant }) {
  return { result: await connections.connectGranted(browserTabId, new Grant(grant)) };
}

/** @type {BrowserHandler} */
async function newTab({ url, background, snapshot }, connections, how) {
  if (url !== "about:blank") new Grant(how.grant).demand(absolute(url));
  return connections.openTab(url, { active: !background, snapshot, ...how });
}

/** @type {Record<string, Handler>} */
export const tabHandlers = { kapturemcp_close_tab: closeTab, kapturemcp_activate_tab: activateTab };
/** @type {Record<string, BrowserHandler>} */
export const browserHandlers = {
  kapturemcp_new_tab: newTab,
  kapturemcp_list_browser_tabs: listBrowserTabs,
  kapturemcp_connect_tab: connectTab,
};
