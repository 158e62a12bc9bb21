/** @import { Cdp } from "./cdp.js" */
/** @import { ConsoleLog } from "./console_log.js" */
/** @import { Dialogs } from "./dialogs.js" */
/** @import { Outcome } from "./executor.js" */
/** @import { Renderer } from "./renderer.js" */

/** A page that takes longer than this to answer is stuck. */
const DEADLINE_MS = 2000;

/**
 * Try the debugger and the page, beside the queue and without a trace in either.
 * @param {{cdp: Cdp, dialogs: Dialogs, renderer: Renderer, console: ConsoleLog}} tab
 * @param {{id: string}} frame the panel's request
 * @returns {Promise<Outcome>} the response: {debuggerMs, pageMs} or what is wrong as debuggerError, pageError; `slowed`
 *   because it floods its console
 */
export async function check({ cdp, dialogs, renderer, console: log }, { id }) {
  /** @type {Record<string, number|string|boolean>} */
  const result = {};
  // The browser answers the first by itself, the second only a page that runs.
  await tryIt(cdp, "debugger", "Page.getNavigationHistory", {}, result);
  if (renderer.isCrashed) result.pageError = "its page crashed";
  else if (dialogs.open) result.pageError = "its page shows a dialog";
  else if (!result.debuggerError) await tryIt(cdp, "page", "Runtime.evaluate", { expression: "0" }, result);
  if (log.flood.isOn) result.slowed = true;
  return { type: "response", id, success: true, result };
}

/**
 * @param {Cdp} cdp
 * @param {string} what
 * @param {string} method
 * @param {Record<string, any>} params
 * @param {Record<string, number|string|boolean>} result
 */
async function tryIt(cdp, what, method, params, result) {
  const started = performance.now();
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(reject, DEADLINE_MS, new Error(`it did not answer within ${DEADLINE_MS / 1000} s`));
  });
  try {
    await Promise.race([cdp.send(method, params), late]);
    result[`${what}Ms`] = performance.now() - started;
  } catch (error) {
    result[`${what}Error`] = String(error.message ?? error).slice(0, 300);
  } finally {
    clearTimeout(timer);
  }
}
