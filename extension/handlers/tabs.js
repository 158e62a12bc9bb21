import { KaptureError } from "../lib/errors.js";

async function closeTab(_params, run) {
  const { chrome, chromeTabId, id } = run.session;
  run.session.closing = true;
  try {
    await chrome.tabs.remove(chromeTabId);
  } catch (error) {
    run.session.closing = false;
    throw new KaptureError("EXECUTION_ERROR", `the tab could not be closed: ${error.message}`);
  }
  // Goes out before the answer: whoever hears that the tab is closed finds it gone.
  run.session.onEvent({ kind: "closed" });
  return { closed: id };
}

async function newTab({ url, background }, connections, timeout) {
  return connections.openTab(url, { active: !background, timeout });
}

export const tabHandlers = { kapturemcp_close_tab: closeTab };
export const browserHandlers = { kapturemcp_new_tab: newTab };
