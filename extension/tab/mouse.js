import { sleep } from "../basics/sleep.js";
/** @import { Point } from "./inside.js" */
/** @import { Run } from "./run.js" */

/** No path has more moves or takes longer: an agent does not wait half a second for a click. */
export const MAX_MOVES = 40;
export const MAX_PATH_MS = 400;
const MOVE_INTERVAL_MS = 10;
/** A target that runs away is followed this often, then clicked where it was last, as without a path. */
const MAX_APPROACHES = 3;
/** So near, in CSS pixels, a target counts as where it was. */
const SAME_SPOT_PX = 0.5;

/**
 * Whether a person's choice holds for this browser: "auto" means a person's own, not one the panel started.
 * @param {string} [choice]
 * @param {boolean} [managed]
 */
export function applies(choice = "auto", managed = false) {
  return choice === "on" || (choice === "auto" && !managed);
}

/**
 * Send one move; what is shown of the mouse follows it.
 * @param {Run} run
 * @param {Point} to
 * @param {object} event
 */
export async function move(run, { x, y }, event = {}) {
  run.signal.throwIfAborted();
  run.pointer.at({ x, y });
  await run.send("Input.dispatchMouseEvent", { type: "mouseMoved", x, y, ...event });
}

/**
 * Go near what `find` finds, where the mouse moves like a person's; the last move there is the caller's.
 * @template {Point|null} T
 * @param {Run} run
 * @param {() => Promise<T>} find where it is now, looked up again after the way; null when there is
 *   nothing to go to any more
 * @param {Promise<T>} found
 * @returns {Promise<T>} what `find` said last
 */
export async function approach(run, find, found = find()) {
  let spot = await found;
  if (!run.pointer.isNatural) return spot;
  for (let tries = 0; spot && tries < MAX_APPROACHES; tries += 1) {
    await travel(run, spot);
    const now = await find();
    if (now && isSameSpot(now, spot)) return now;
    spot = now;
  }
  return spot;
}

/**
 * Move along a path up to the move before the last. A page that takes long over a move gets fewer, not a longer way.
 * @param {Run} run
 * @param {Point} to
 * @param {object} event what else each move says, such as a held button
 * @param {() => boolean} isOver looked at before each move
 */
export async function travel(run, to, event = {}, isOver = () => false) {
  const { pointer, signal } = run;
  const points = path(pointer.point, to, await run.page("viewport"), pointer.random);
  const started = performance.now();
  const elapsed = () => performance.now() - started;
  for (const [index, point] of points.slice(0, -1).entries()) {
    if (points[index + 1].atMs <= elapsed()) continue;
    await sleep(Math.max(0, point.atMs - elapsed()), signal);
    if (isOver()) return;
    await move(run, point, event);
  }
}

/**
 * A way a hand might take: slow, fast, slow again along a track that wind and a pull towards the target make.
 * @param {Point} from not part of the path
 * @param {Point} to its last point, exactly
 * @param {{width: number, height: number}} view the path stays inside, in CSS pixels
 * @param {() => number} random as Math.random
 * @returns {(Point & {atMs: number})[]} MAX_MOVES at most; atMs counts from the start and grows to MAX_PATH_MS at most
 */
export function path(from, to, { width, height }, random = Math.random) {
  const far = distance(from, to);
  if (far < 1) return [{ x: to.x, y: to.y, atMs: 0 }];
  // Fitts' law: the time grows with the logarithm of the distance.
  const totalMs = Math.min(MAX_PATH_MS, 60 + 55 * Math.log2(1 + far / 10));
  const count = Math.min(MAX_MOVES, Math.ceil(totalMs / MOVE_INTERVAL_MS));
  const line = track(from, to, random);
  const inside = ({ x, y }) => ({ x: clamp(x, width - 1), y: clamp(y, height - 1) });
  const points = [];
  for (let step = 1; step < count; step += 1)
    points.push({ ...inside(along(line, eased(step / count))), atMs: (totalMs * step) / count });
  return [...points, { x: to.x, y: to.y, atMs: totalMs }];
}

const GRAVITY = 9;
const WIND = 3;
const MAX_STEP_PX = 15;
const NEAR_PX = 12;
const MAX_STEPS = 2000;

/** The WindMouse algorithm (B. J. Land, 2005): a body pulled to the target through gusts that calm down near it. */
function track(from, to, random) {
  const line = [{ x: from.x, y: from.y }];
  let { x, y } = from;
  let [windX, windY, speedX, speedY, maxStep] = [0, 0, 0, 0, MAX_STEP_PX];
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const left = distance({ x, y }, to);
    if (left < 1) break;
    const gust = left >= NEAR_PX ? Math.min(WIND, left) / Math.sqrt(5) : 0;
    windX = windX / Math.sqrt(3) + (random() * 2 - 1) * gust;
    windY = windY / Math.sqrt(3) + (random() * 2 - 1) * gust;
    if (left < NEAR_PX) maxStep = maxStep < 3 ? 3 + random() * 3 : maxStep / Math.sqrt(5);
    speedX += windX + (GRAVITY * (to.x - x)) / left;
    speedY += windY + (GRAVITY * (to.y - y)) / left;
    const speed = Math.hypot(speedX, speedY);
    if (speed > maxStep) {
      const slower = (maxStep / 2 + (random() * maxStep) / 2) / speed;
      speedX *= slower;
      speedY *= slower;
    }
    x += speedX;
    y += speedY;
    line.push({ x, y });
  }
  line.push({ x: to.x, y: to.y });
  return line;
}

/** The point after a `part` of the line's length. */
function along(line, part) {
  const lengths = line.slice(1).map((point, index) => distance(line[index], point));
  let left = part * lengths.reduce((sum, length) => sum + length, 0);
  for (const [index, length] of lengths.entries()) {
    if (left <= length) return between(line[index], line[index + 1], length ? left / length : 0);
    left -= length;
  }
  return line.at(-1);
}

/** Where a hand is after a `part` of its time: the minimum jerk profile (Flash and Hogan, 1985). */
const eased = (part) => part ** 3 * (10 - 15 * part + 6 * part ** 2);

const clamp = (value, most) => Math.max(0, Math.min(value, most));
export const isSameSpot = (one, other) => distance(one, other) <= SAME_SPOT_PX;
const distance = (one, other) => Math.hypot(one.x - other.x, one.y - other.y);
export const between = (from, to, part) => ({ x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part });
