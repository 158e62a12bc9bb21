import { lead, reach } from "../tab/inside.js";
import { approach, move } from "../tab/mouse.js";
import { whenReady } from "../tab/patience.js";
import { targetOf } from "../tab/target.js";
/** @import { Handler } from "../tab/executor.js" */
/** @import { Found, Inside, Point } from "../tab/inside.js" */
/** @import { Run } from "../tab/run.js" */
/** @import { Target } from "../tab/target.js" */

/** @type {Handler} */
async function scroll({ deltaX, deltaY, toX, toY, ...rest }, run) {
  const target = targetOf(rest);
  if (deltaX !== undefined || deltaY !== undefined) return turn(run, target, { x: deltaX ?? 0, y: deltaY ?? 0 });
  const { value, inside } = await whenReady(run, () => reach(run, target, "scroll", { toX, toY }));
  const { points, isThere, ...scrolled } = value;
  run.facts.readBack = isThere;
  if (points) await lead(inside, { points, moved: true }, false);
  return scrolled;
}

/**
 * Turn the wheel over the target. The page's half tells the browser's own scrolling off and scrolls, once the page has
 * had its way: so the box that is meant has moved when the answer goes out.
 * @param {Run} run
 * @param {Target} target
 * @param {Point} by
 */
async function turn(run, target, by) {
  /** @type {Inside|undefined} */
  let inside;
  const find = async () => {
    const found = await reach(run, target, "startWheel", by);
    ({ inside } = found);
    return spotOf(found);
  };
  const spot = await whenReady(run, () => approach(run, find));
  const { world, parent } = /** @type {Inside} */ (/** @type {unknown} */ (inside));
  try {
    if (spot) await wheel(run, spot, by);
    const turned = (await run.call(world, "endWheel", [])).value;
    // Where the page took the wheel, what came of it is its own.
    if (!turned.tookWheel && (turned.movedX || turned.movedY)) run.facts.readBack = true;
    return turned;
  } catch (error) {
    run.callBeside("dropWheel", parent && world);
    throw error;
  }
}

/**
 * Where to turn it, or null when nothing of the target can be met by a mouse.
 * @param {Found} found
 * @returns {Promise<Point|null>}
 */
async function spotOf({ value, inside }) {
  if (!value.points) return value.x === undefined ? null : value;
  try {
    return await lead(inside, value);
  } catch (error) {
    if (error.code !== "ELEMENT_NOT_VISIBLE") throw error;
    return null;
  }
}

/**
 * @param {Run} run
 * @param {Point} spot
 * @param {Point} by
 */
async function wheel(run, { x, y }, { x: deltaX, y: deltaY }) {
  const event = { type: "mouseWheel", x, y, deltaX, deltaY };
  await Promise.all([move(run, { x, y }), run.send("Input.dispatchMouseEvent", event)]);
}

/** @type {Record<string, Handler>} */
export const handlers = { kapturemcp_scroll: scroll };
