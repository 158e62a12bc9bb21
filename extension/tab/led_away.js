import { outcomeOf } from "./outcome.js";
import { withSoFar } from "./so_far.js";
/** @import { KaptureError } from "../basics/errors.js" */
/** @import { TabParts } from "./parts.js" */
/** @import { Run } from "./run.js" */

/**
 * @typedef {{run: Run, isAction: boolean}} Acting a command that may change something and runs; not each is an action: it
 *   may wait for what code says
 * @typedef {{lateEffects?: Record<string, any>}} Late
 * @typedef {{success: boolean, result?: object, error?: import("../basics/errors.js").WireError,
 *   outcome?: import("./outcome.js").Outcome, effects?: Record<string, any>} & Late} Answer
 */

/** The browser's own pages, and what it shows without help of another program. */
const OF_BROWSER =
  /^(https?|about|blob|data|file|filesystem|javascript|chrome|chrome-[a-z]+|devtools|edge|brave|view-source):/i;

/** What is told of an address that nobody saw. */
export const UNKNOWN = "unknown";

/** Whether `url` is that of another program, such as mailto:. @param {string} url */
export const isOfProgram = (url) => url !== "" && !OF_BROWSER.test(url);

/** A call that Chrome cuts off may fail before Chrome tells of the tab: so long that is waited for. */
const TOLD_MS = 1000;
/** Why nobody knows what came of an action. */
const UNSEEN = "the page led to another program, and Chrome took the debugger from the tab before anything was seen";

/**
 * The answer of an action under which Chrome took the debugger from its tab, though the tab stays and shows what it
 * showed: something in the page led to another program where nothing could hold it, such as a frame or a redirect. That
 * may be of the page's own accord: only what had done something, and was not in the middle of it, counts as done.
 * @param {TabParts} tab
 * @param {Acting} acting
 * @param {KaptureError} error
 * @param {Late} late what is told late anyway
 * @returns {Promise<Answer|null>} null when the tab was not lost in this way
 */
export async function ledAway(tab, { run, isAction }, error, late) {
  const isCutOff = error.code === "TAB_DISCONNECTED";
  if (isCutOff) await letGo(tab.lifetime);
  const address = await whereTo(tab);
  if (!address) return null;
  const { effects, navigation } = tab;
  effects.ledAway(address);
  const said = withSoFar(error, run);
  if (isCutOff && isAction && run.acted && said === error)
    return {
      success: true,
      result: { url: navigation.url },
      outcome: outcomeOf({ arrived: run.facts.arrived, unseen: UNSEEN }),
      effects: await effects.take(),
      ...late,
    };
  effects.giveBack(late.lateEffects ?? {});
  const { requests, ...told } = await effects.take();
  const isTold = "filled" in error.details;
  return { success: false, error: (isTold ? error : said).asWire(), lateEffects: told };
}

/**
 * Resolves once the tab is let go of, or after a moment.
 * @param {import("./lifetime.js").Lifetime} lifetime
 */
async function letGo({ over }) {
  /** @type {number|undefined} */
  let timer;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, TOLD_MS)));
  await Promise.race([over, late]);
  clearTimeout(timer);
}

/**
 * The address of the program that a tab was lost for; empty when it was not.
 * @param {TabParts} tab
 */
async function whereTo({ lifetime, chromeTab, navigation }) {
  if (!lifetime.isTaken) return "";
  await lifetime.over;
  const shown = await chromeTab.get().catch(() => null);
  if (!shown) return ""; // it was closed
  const { url, pendingUrl = "" } = shown;
  const leads = isOfProgram(pendingUrl);
  if (url !== navigation.url || (pendingUrl && pendingUrl !== url && !leads)) return "";
  return leads ? pendingUrl : UNKNOWN;
}
