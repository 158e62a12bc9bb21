import { OF_PAGES } from "../basics/addresses.js";
import { KaptureError } from "../basics/errors.js";
import { sleep } from "../basics/sleep.js";
import { targetOf } from "../tab/target.js";
import { waitForText } from "../tab/text_wait.js";
/** @import { Handler } from "../tab/executor.js" */

const DOWNLOAD_DEADLINE_MS = 500;
const MILESTONES = { load: "load", domcontentloaded: "DOMContentLoaded" };

/** @type {Handler} */
async function navigate({ url, waitUntil }, run) {
  const { navigation } = run;
  const address = absolute(url, navigation.url);
  run.grant.demand(address);
  if (!OF_PAGES.test(address)) return handOver(address, run);
  if (isFragmentOfBlank(address, navigation.url)) await leaveFirstBlank(run);
  navigation.failure = null;
  run.done = arrived(run);
  const failure = () => navigation.failure; // as it is by then
  const { loaderId, errorText, isDownload } = await run.send("Page.navigate", { url: address });
  if (isDownload) await downloadBegun(run);
  if (isDownload || failure()?.error === "download") return { url: navigation.url, download: address };
  if (errorText) throw failed(address, errorText);
  // Without a loader the address differs by its fragment only: nothing is loaded.
  if (loaderId && waitUntil !== "none") {
    const over = () => navigation.loaderId !== loaderId && failure()?.loaderId === loaderId;
    const there = () => navigation.loaderId === loaderId && navigation.reached.has(MILESTONES[waitUntil]);
    const replaced = () =>
      navigation.loaderId !== loaderId && !navigation.pending && navigation.reached.has(MILESTONES[waitUntil]);
    await navigation.until(() => over() || there() || replaced(), run.signal);
    const why = over() && failure()?.error;
    if (why === "download") return { url: navigation.url, download: address };
    if (why) throw failed(address, why);
  }
  return where(run, waitUntil);
}

/**
 * Hand an address (such as mailto:) to the program that opens it. The page stays, yet Chrome takes the debugger from
 * its tab, which is then connected again. So that it was taken is what tells that the address was handed over.
 */
async function handOver(address, run) {
  const { lifetime } = run;
  lifetime.isClosing = true; // till it is over: what runs is not failed by it
  try {
    const { errorText } = await run.send("Page.navigate", { url: address });
    throw failed(address, errorText ?? "no program was asked for");
  } catch (error) {
    if (error.code !== "TAB_DISCONNECTED") throw error;
    await lifetime.over;
    if (!lifetime.isTaken) throw lifetime.ended; // a pause, or the person
    await run.chromeTab.get(); // one that was closed says so
  } finally {
    lifetime.isClosing = false;
  }
  run.effects.program(address, false);
  return { url: run.navigation.url };
}

/** Whether `address` differs from the blank page a tab shows by its fragment only. */
function isFragmentOfBlank(address, shown) {
  const [page, before] = [address, shown].map((url) => url.replace(/#.*/s, ""));
  return page === before && address.includes("#") && BLANK.test(page);
}

/**
 * Load the blank page again. Chromium ends, with every tab, when the first page of a new tab is navigated to a fragment
 * of itself; one that was loaded takes it like any other page.
 */
async function leaveFirstBlank(run) {
  const { navigation } = run;
  const { loaderId } = await run.send("Page.navigate", { url: navigation.url.replace(/#.*/s, "") });
  await navigation.until(() => navigation.loaderId === loaderId && navigation.reached.has("load"), run.signal);
}

/** The answer overtakes the event with the file's name, which belongs to the effects; a refused download has none. */
async function downloadBegun({ navigation, signal }) {
  const ended = AbortSignal.any([signal, AbortSignal.timeout(DOWNLOAD_DEADLINE_MS)]);
  await navigation
    .until(() => navigation.failure?.error === "download", ended)
    .catch((error) => {
      if (signal.aborted) throw error;
    });
}

/** A host without a scheme: programs of this machine rarely speak TLS. */
const HOST = /^[\w.-]+(:\d+)?([/?#]|$)/;
const LOCAL_HOST = /^(localhost|127\.[\d.]+)(:\d+)?([/?#]|$)/i;
/** Chromium ends when it is sent to one in capitals with a fragment; there is only this one. */
const BLANK = /^about:blank(?=[?#]|$)/i;
const HOST_AND_PORT = /^[\w.-]+:\d+([/?#]|$)/;

/** The address a person or an agent means. @param {string} base the page's, for one relative to it */
export function absolute(url, base = "") {
  if (LOCAL_HOST.test(url)) return `http://${url}`;
  if (HOST_AND_PORT.test(url)) return `https://${url}`; // "example.com:8443" would pass for a scheme
  try {
    return new URL(url, /^[/?#.]/.test(url) && /^https?:/.test(base) ? base : undefined).href.replace(
      BLANK,
      "about:blank",
    );
  } catch {
    if (HOST.test(url)) return `https://${url}`;
    throw new KaptureError(
      "INVALID_PARAMS",
      `navigate: ${JSON.stringify(url)} is not an address`,
      "give one like https://example.com/",
    );
  }
}

/** What Chrome says of an answer 401 that asks for a password. */
const LOG_IN =
  "the server wants a user and a password (401): give them in the address, as in https://user:password@host/";

function failed(url, netError) {
  return new KaptureError(
    "NAVIGATION_FAILED",
    `${url} could not be loaded: ${netError}`,
    netError === "net::ERR_INVALID_AUTH_CREDENTIALS" ? LOG_IN : "check the address and that its server runs",
    { netError },
  );
}

/**
 * What a command that goes somewhere has done, once another document is there: where it is.
 * @param {import("../tab/run.js").Run} run
 */
function arrived({ navigation }) {
  const before = navigation.loaderId;
  return () => (navigation.loaderId === before ? null : { url: navigation.url });
}

async function where(run, waitUntil) {
  if (waitUntil === "none" && run.navigation.pending) return { url: run.navigation.pending.url };
  const { loaderId } = run.navigation;
  const shown = await run.page("state");
  if (loaderId === run.navigation.loaderId) run.shown = { loaderId, ...shown };
  // What a script leads to meanwhile is told by the effects.
  run.facts.readBack = true;
  return shown;
}

/** Move through the tab's history by `step`. */
async function travel(step, words, run) {
  const { navigation } = run;
  const { currentIndex, entries } = await run.send("Page.getNavigationHistory");
  const entry = entries[currentIndex + step];
  if (!entry)
    throw new KaptureError(
      "NAVIGATION_FAILED",
      `there is no ${words} page in this tab's history`,
      "kapturemcp_navigate goes to an address",
    );
  run.grant.demand(entry.url);
  const { url: before, loaderId } = navigation;
  // An entry may lead back to the same address, as a log-in page does.
  const hasMoved = () => navigation.loaderId !== loaderId || navigation.url !== before || navigation.url === entry.url;
  // What was under way before is aborted by this.
  const earlier = navigation.pending?.loaderId;
  const failure = () => (earlier && navigation.failure?.loaderId === earlier ? null : navigation.failure);
  navigation.failure = null;
  run.done = arrived(run);
  await run.send("Page.navigateToHistoryEntry", { entryId: entry.id });
  await navigation.until(
    () => !navigation.pending && (hasMoved() ? navigation.reached.has("load") : Boolean(failure())),
    run.signal,
  );
  if (!hasMoved() && failure()?.error === "download") return { url: navigation.url, download: entry.url };
  if (!hasMoved()) throw failed(entry.url, failure()?.error);
  if (navigation.unreachable) throw failed(entry.url, "the page of the history is not reachable");
  return where(run);
}

/** @type {Handler} */
async function reload({ ignoreCache }, run) {
  const { navigation } = run;
  run.grant.demand(navigation.url);
  const before = navigation.loaderId;
  run.done = arrived(run);
  await run.send("Page.reload", { ignoreCache });
  await navigation.until(() => navigation.loaderId !== before && navigation.reached.has("load"), run.signal);
  if (navigation.unreachable) throw failed(navigation.url, "the server does not answer");
  return where(run);
}

/** @type {Handler} */
async function wait(params, run) {
  const started = performance.now();
  const condition = await waitFor(params, run);
  return { ...condition, waited: Math.round(performance.now() - started) };
}

async function waitFor({ time, text, urlContains, expression, state, ...rest }, run) {
  const { navigation } = run;
  // Clients that fill in every default give "visible" with anything.
  if (state && state !== "visible" && text === undefined && !Object.keys(targetOf(rest)).length)
    throw new KaptureError("INVALID_PARAMS", `wait: only an element or text is ${state}`, "leave out state");
  if (time !== undefined) {
    await sleep(time, run.signal);
    return {};
  }
  if (urlContains !== undefined) {
    await navigation.until(() => navigation.url.includes(urlContains), run.signal);
    return { url: navigation.url };
  }
  if (expression !== undefined) return untilTrue(expression, run);
  const look =
    text === undefined ? () => run.at(targetOf(rest), "waitFor", { state }) : () => waitForText(run, { text, state });
  for (;;) {
    try {
      return await look();
    } catch (error) {
      if (!error.frameGone && !error.contextGone) throw error; // a document it waited in is gone: look again from the top
    }
  }
}

/** One look at the expression, and at what it promises; a page on its way to another has nothing to say yet. */
async function evaluated(expression, run) {
  const code = expression.replace(/[;\s]+$/, ""); // which `evaluate` takes, too
  try {
    return await run.code.evaluate({
      expression: `(async () => !!(await (\n${code}\n)))()`,
      awaitPromise: true,
      returnByValue: true,
      silent: true,
      timeout: run.timeoutMs,
    });
  } catch (error) {
    if (!error.contextGone) throw error;
    return { result: { value: false } };
  }
}

/** Look at the expression once per frame, in the page's own world. */
async function untilTrue(expression, run) {
  for (;;) {
    const { result, exceptionDetails } = await evaluated(expression, run);
    if (exceptionDetails)
      throw new KaptureError(
        "EXECUTION_ERROR",
        `wait: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`,
      );
    if (result.value === true) return { expression: true };
    await run.frame();
  }
}

/** @type {Record<string, Handler>} */
export const handlers = {
  kapturemcp_navigate: navigate,
  kapturemcp_go_back: (_params, run) => travel(-1, "earlier", run),
  kapturemcp_go_forward: (_params, run) => travel(1, "later", run),
  kapturemcp_reload: reload,
  kapturemcp_wait: wait,
};
