import { KaptureError } from "../basics/errors.js";
import { lead, reach } from "../tab/inside.js";
import { pressKey } from "../tab/key_press.js";
import { keyOf } from "../tab/keys.js";
import { whenReady } from "../tab/patience.js";
import { pressOn } from "../tab/press.js";
import { startTyping } from "./interaction.js";
/** @import { Found, Spot } from "../tab/inside.js" */
/** @import { Key } from "../tab/keys.js" */
/** @import { Run } from "../tab/run.js" */
/** @import { Target } from "../tab/target.js" */

/**
 * Filling what a page makes of other elements than HTML's fields (page/fields/widget.js), by kind.
 * @type {Record<string, (run: Run, target: Target, value: string) => Promise<{value: string}>>}
 */
export const WIDGETS = {
  tick,
  step,
  choose: async (run, target, value) => ({ value: (await choose(run, target, { options: [value] })).values[0] }),
};

/**
 * A spot of the top viewport, of one a page function found in its own document.
 * @param {Found} found
 * @returns {Promise<Spot>}
 */
export async function spotIn({ value, inside }) {
  const spot = value.points ? await lead(inside, { ...value, moved: true }) : value;
  return { ...spot, element: value.element ?? "the field", world: inside.world };
}

/** A mixed one may go to either state, then to the other. */
const MAX_TICKS = 2;

/**
 * @param {Run} run
 * @param {Target} target
 * @param {string} value
 */
async function tick(run, target, value) {
  for (let ticks = 1; ; ticks += 1) {
    let before = "";
    const spot = await pressOn(run, async (guard) => {
      const found = await reach(run, target, "tickSpot", value, { guard });
      before = found.value.is;
      return found.value.done ? null : spotIn(found);
    });
    if (!spot) return { value: before };
    const now = await whenReady(run, () => run.atOnce(target, "tickedNow", before));
    if (now.value === value.toLowerCase() || ticks === MAX_TICKS) return now;
  }
}

/** At most so many arrow keys are sent before it is looked what they did. */
const MAX_ARROWS = 200;
const MAX_LOOKS = 30;
const DIGITS = /^-?\d+(?:\.\d+)?$/;

/**
 * Bring a slider or spin button to a value by its keys.
 * @param {Run} run
 * @param {Target} target
 * @param {string} value
 */
async function step(run, target, value) {
  const wanted = value.trim();
  await startTyping(run, target, { clear: false });
  let range = await run.atOnce(target, "rangeOf");
  const isThere = () => (DIGITS.test(wanted) && range.now === Number(wanted)) || range.text === wanted;
  const press = async (/** @type {string} */ name, count = 1) => {
    const before = range;
    const key = /** @type {Key} */ (keyOf(name));
    await Promise.all(Array.from({ length: count }, () => pressKey(run, key)));
    range = await whenReady(run, () => run.atOnce(target, "rangeAfter", before));
  };
  demandWithin(range, wanted);
  if (isThere()) return { value: wanted };
  if (range.typed && DIGITS.test(wanted)) {
    range = await typeDigits(run, target, wanted);
    if (isThere()) return { value: wanted };
  }
  if (range.now === null || !DIGITS.test(wanted)) await walk(press, isThere);
  else await approachBy(press, () => range, Number(wanted));
  if (isThere()) return { value: wanted };
  throw new KaptureError(
    "EXECUTION_ERROR",
    `${range.words} does not take ${JSON.stringify(value)}`,
    `its keys brought it to ${JSON.stringify(range.text || String(range.now))}`,
  );
}

/**
 * @param {{min: number|null, max: number|null, words: string}} range
 * @param {string} wanted
 */
function demandWithin({ min, max, words }, wanted) {
  if (!DIGITS.test(wanted)) return;
  if ((min !== null && Number(wanted) < min) || (max !== null && Number(wanted) > max))
    throw new KaptureError(
      "INVALID_PARAMS",
      `${words} takes ${min === null ? "at most" : `${min} to`} ${max ?? "more"}, not ${wanted}`,
      "give one of these",
    );
}

/**
 * Spin buttons of dates take digits; of others they change nothing.
 * @param {Run} run
 * @param {Target} target
 * @param {string} digits
 */
async function typeDigits(run, target, digits) {
  for (const digit of digits) await pressKey(run, /** @type {Key} */ (keyOf(digit)));
  await run.page("twoFrames");
  return run.atOnce(target, "rangeOf");
}

/**
 * Arrow by arrow from the start until it is there, for values that are words.
 * @param {(name: string) => Promise<void>} press
 * @param {() => boolean} isThere
 */
async function walk(press, isThere) {
  await press("Home").catch(unlessUnchanged);
  for (let count = 0; count < MAX_ARROWS && !isThere(); count += 1)
    if (await press("ArrowUp").then(() => false, unlessUnchanged)) return;
}

/**
 * As many arrows as the first one tells, until it is there or comes no nearer.
 * @param {(name: string, count?: number) => Promise<void>} press
 * @param {() => {now: number}} range
 * @param {number} wanted
 */
async function approachBy(press, range, wanted) {
  let up = "ArrowUp";
  let down = "ArrowDown";
  let size = 0;
  for (let look = 0; look < MAX_LOOKS && range().now !== wanted; look += 1) {
    const { now } = range();
    const away = Math.abs(wanted - now);
    const count = size ? Math.min(MAX_ARROWS, Math.floor(away / size + 1e-9)) : 1;
    // What is left is less than a step.
    if (!count) return;
    if (await press(wanted > now ? up : down, count).then(() => false, unlessUnchanged)) {
      if (up === "ArrowRight") return;
      [up, down] = ["ArrowRight", "ArrowLeft"];
      continue;
    }
    const moved = range().now - now;
    if (moved > 0 !== wanted > now) [up, down] = [down, up];
    size = Math.abs(moved) / count;
  }
}

/** @param {any} error */
function unlessUnchanged(error) {
  if (!error.details?.unchanged) throw error;
  return true;
}

const DOWN = /** @type {Key} */ (keyOf("ArrowDown"));
const ESCAPE = /** @type {Key} */ (keyOf("Escape"));
/** A list of so many pages is long enough. */
const MAX_STEPS = 500;

/**
 * Choose options of a list that is not a <select>, opening it first.
 * @param {Run} run
 * @param {Target} target
 * @param {{options: string[], typed?: boolean}} wanted
 * @returns {Promise<{values: string[], options?: string[]}>}
 */
export async function choose(run, target, wanted) {
  /** @type {string[]} */
  const pressed = [];
  let isOpened = false;
  let isAsked = false;
  let isScrolled = false;
  for (let count = 0; count < MAX_STEPS; count += 1) {
    /** @type {any} */
    let found = {};
    try {
      await pressOn(run, async (guard) => {
        const now = await reach(run, target, "choiceStep", wanted, { guard, pressed, isOpened, isAsked, isScrolled });
        found = now.value;
        return found.x === undefined ? null : spotIn(now);
      });
    } catch (error) {
      if (error.code !== "ELEMENT_NOT_FOUND" || !isOpened || isAsked) throw error;
      isAsked = true;
      // The press has closed a list that was open, or it opens for a key alone.
      if (error.details?.closed) isOpened = false;
      else await pressKey(run, DOWN);
      continue;
    }
    if (found.way === "done") {
      // What was opened is closed again: it may lie over all the page.
      if (found.stays && isOpened) await pressKey(run, ESCAPE);
      return { values: found.values };
    }
    if (found.way === "typed") return { values: [] };
    if (found.way === "scrolled") {
      isScrolled = true;
      await run.page("twoFrames");
    }
    if (found.way === "open") isOpened = true;
    if (found.way === "press") pressed.push(found.option);
  }
  throw new KaptureError("EXECUTION_ERROR", "the list has no end", "narrow it by what is typed into its field");
}

/**
 * Choose the option that says what was typed, if such a one is offered and does no more than that.
 * @param {Run} run
 * @param {Target} target
 * @param {string} text
 * @returns {Promise<{chosen?: string, options?: string[]}>} `options`: what is offered instead
 */
export async function chooseTyped(run, target, text) {
  try {
    const { values } = await choose(run, target, { options: [text], typed: true });
    return values.length ? { chosen: values[0] } : {};
  } catch (error) {
    if (error.code !== "ELEMENT_NOT_FOUND") throw error;
    return error.details?.options?.length ? { options: error.details.options } : {};
  }
}
