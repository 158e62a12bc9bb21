import { KaptureError } from "../basics/errors.js";
import { sleep } from "../basics/sleep.js";
import { UNREAD } from "../tab/dialogs.js";
import { locate } from "../tab/inside.js";
import { between, isSameSpot, move, travel } from "../tab/mouse.js";
import { whenReady } from "../tab/patience.js";
import { guarded } from "../tab/press.js";
import { withSoFar } from "../tab/so_far.js";
import { targetOf } from "../tab/target.js";
/** @import { Handler } from "../tab/executor.js" */
/** @import { Point, Spot } from "../tab/inside.js" */
/** @import { Run } from "../tab/run.js" */
/** @import { Target } from "../tab/target.js" */
/** @import { World } from "../tab/worlds.js" */

/** So far the pointer moves before anything scrolls: what begins a drag begins it there, at its source. */
const NUDGE_PX = 10;
/** Over a destination that moves, on a page that moves, it comes to rest this often. */
const MAX_VISITS = 5;
/** So long a page may take to answer a pointer that has come to rest, as those do that look where it is on a clock. */
const REST_MS = 100;
/** Errors whose answer says by itself how far a command has come, or that something was done. */
const TOLD_ELSEWHERE = ["NEEDS_APPROVAL", "TAB_DISCONNECTED"];
/** A page that makes room does so in less; one that never stands still is not waited for. */
const MAX_REST_MS = 400;

/**
 * Press on the target, move, release. When the page starts an HTML5 drag, Chrome hands it over instead of moving
 * a picture, and it is finished with drag events; otherwise the page has followed the pointer itself.
 * @type {Handler}
 */
async function drag({ steps, holdMs, ...params }, run) {
  const goal = endOf(params);
  if (!run.grant.isFull) await run.atOnce(goal, "demandGranted", { enabled: false });
  // Who drags has nowhere to go with what is pressed when there is no such place.
  const drop = run.presses.next();
  const far = await whenReady(run, () => run.atOnce(goal, "startDrop", drop));
  const hand = new Hand(run);
  await run.send("Input.setInterceptDrags", { enabled: true });
  try {
    run.pointer.drag = null;
    const start = await guarded(run, (guard) => locate(run, targetOf(params), { guard, capture: false }), {
      act: (spot) => hand.press(spot),
      release: () => hand.release(),
    });
    const dragged = start.hit ?? start.element;
    run.partly = () => letGo(dragged, hand.kind);
    if (holdMs) await sleep(holdMs, run.signal);
    const way = { x: far.x - start.x, y: far.y - start.y };
    await nudge(run, hand, start, way);
    const end = await pullTo(run, hand, { goal, way, steps, drop }).catch((error) => {
      throw error instanceof KaptureError && !TOLD_ELSEWHERE.includes(error.code) ? withSoFar(error, run) : error;
    });
    const kind = hand.kind;
    run.done = () => ({ dragged, to: end.element, kind, note: UNREAD });
    await hand.drop();
    const landed = await landing(run, drop, end);
    run.facts.arrived = start.hit !== null;
    const dropped = kind === "html5" ? landed?.isDropped : undefined;
    return {
      dragged,
      to: end.element,
      ...(landed?.beside && { beside: landed.beside }),
      kind,
      ...(dropped !== undefined && { dropped }),
    };
  } finally {
    // Whatever went wrong, the mouse button does not stay down and drags are the page's again.
    await hand.undo();
    await run.undo("Input.setInterceptDrags", { enabled: false }).catch(() => {});
  }
}

const HELD = { button: "left", buttons: 1 };

/** What holds the thing: the left button and, once the page has begun an HTML5 drag, what Chrome handed over of it. */
class Hand {
  #isDown = false;
  #hasEntered = false;

  /** @param {Run} run */
  constructor(run) {
    this.run = run;
  }

  get #data() {
    return this.run.pointer.drag;
  }

  /** @returns {"html5"|"pointer"} */
  get kind() {
    return this.#data ? "html5" : "pointer";
  }

  /** @param {Point} spot */
  async press(spot) {
    await move(this.run, spot, { button: "none" });
    this.run.pointer.pressed();
    this.#isDown = true;
    await this.#send("mousePressed", pointOf(spot), { buttons: 1 });
  }

  /** @param {Point} to */
  async move(to) {
    if (!this.#data) return move(this.run, pointOf(to), HELD);
    this.run.signal.throwIfAborted();
    this.run.pointer.at(pointOf(to));
    // A frame of another process takes no drag that has not entered it.
    if (!this.#hasEntered || this.run.frames.any) await this.#drag("dragEnter");
    this.#hasEntered = true;
    await this.#drag("dragOver");
  }

  /** Let go where it is; the release ends an HTML5 drag at its source, too. */
  async drop() {
    if (this.#data) await this.#drag("drop");
    await this.release();
  }

  async release() {
    await this.#send("mouseReleased", this.run.pointer.point);
    this.#isDown = false;
  }

  /** @param {string} type */
  #drag(type) {
    return this.run.send("Input.dispatchDragEvent", { type, ...this.run.pointer.point, data: this.#data });
  }

  /**
   * @param {string} type
   * @param {Point} point
   * @param {Record<string, any>} extra
   */
  #send(type, point, extra = {}) {
    return this.run.send("Input.dispatchMouseEvent", { type, ...point, button: "left", clickCount: 1, ...extra });
  }

  async undo() {
    if (this.#isDown && this.#data)
      await this.run
        .undo("Input.dispatchDragEvent", { type: "dragCancel", ...this.run.pointer.point, data: this.#data })
        .catch(() => {});
    if (this.#isDown)
      await this.run
        .undo("Input.dispatchMouseEvent", {
          type: "mouseReleased",
          ...this.run.pointer.point,
          button: "left",
          clickCount: 1,
        })
        .catch(() => {});
  }
}

/**
 * A little way towards the destination, wherever that is; by the next frame the page has begun its drag.
 * @param {Run} run
 * @param {Hand} hand
 * @param {Point} start
 * @param {Point} way from there to the destination
 */
async function nudge(run, hand, start, way) {
  const length = Math.hypot(way.x, way.y);
  if (length <= NUDGE_PX) return;
  const { width, height } = await run.page("viewport");
  const far = { x: start.x + way.x, y: start.y + way.y };
  for (const part of [0.5, 1]) {
    const { x, y } = between(start, far, (part * NUDGE_PX) / length);
    await hand.move({ x: Math.min(width - 1, Math.max(0, x)), y: Math.min(height - 1, Math.max(0, y)) });
  }
  await run.frame();
}

/**
 * To the destination, which is brought into view and followed where it moves by itself. A page that makes room for what
 * is dragged moves its elements, too: that is waited for, and then it stays where it is.
 * @param {Run} run
 * @param {Hand} hand
 * @param {{goal: Target, way: Point, steps: number, drop: number}} to
 * @returns where it is
 */
async function pullTo(run, hand, { goal, way, steps, drop }) {
  const find = () => locate(run, goal, { enabled: false, way, drop });
  let end = await whenReady(run, find);
  await pull(run, hand, { to: restingAt(end, 0), steps });
  for (let visit = 1; visit <= MAX_VISITS; visit += 1) {
    const hasMoved = await ask(run, end.world, "comeToRest", REST_MS, MAX_REST_MS);
    const isOver = await ask(run, end.world, "isOverDrop", drop);
    if (isOver && (!hasMoved || goal.x !== undefined)) break;
    // What is dragged may lie over it.
    const now = isOver ? end : await find().catch(unlessCovered);
    if (!now || (isOver === null && isSameSpot(now, end))) break;
    end = now;
    await hand.move(restingAt(end, visit));
  }
  await hand.move(end);
  if (hand.kind === "html5") await run.frame();
  // Nothing comes between this look and the release.
  for (let tries = 0; tries < MAX_VISITS; tries += 1) {
    if ((await ask(run, end.world, "isOverDrop", drop)) !== false) break;
    const now = await find().catch(unlessCovered);
    if (!now) break;
    end = now;
    await hand.move(end);
    // A list that looks where the pointer is on a clock has not looked yet.
    await ask(run, end.world, "comeToRest", REST_MS, MAX_REST_MS);
  }
  return end;
}

/**
 * A hand is never quite still, and rests on no exact middle: there some lists put nothing, neither before what lies there
 * nor behind it. Some pages look again only when the pointer has moved.
 * @param {Point} spot
 * @param {number} visit
 * @returns {Point}
 */
const restingAt = ({ x, y }, visit) => ({ x: x + 1 + (visit % 2), y });

/**
 * What becomes of a drag that comes to no end, in words: the button does not stay down.
 * @param {string} dragged
 * @param {"html5"|"pointer"} kind
 */
const letGo = (dragged, kind) =>
  kind === "html5" ? `the drag of ${dragged} was cancelled` : `${dragged} was dragged, and let go of on the way`;

function unlessCovered(error) {
  if (!error.waits) throw error;
  return null;
}

/**
 * What a document says that may have been left meanwhile: then nothing.
 * @param {Run} run
 * @param {World} world
 * @param {string} name
 * @param {any[]} args
 */
async function ask(run, world, name, ...args) {
  const reply = await run.call(world, name, args).catch((error) => {
    if (!error.contextGone && !error.frameGone) throw error;
    return null;
  });
  return reply?.value ?? null;
}

/**
 * What is known of where it came down; an error where that is not what was meant.
 * @param {Run} run
 * @param {number} drop
 * @param {Spot} end
 * @returns {Promise<{hit: string, isRight: boolean, isDropped: boolean, beside?: string}|null>} null: it was not seen
 */
async function landing(run, drop, { element, world }) {
  const seen = await ask(run, world, "endDrop", drop);
  if (!seen || seen.isRight) return seen;
  throw new KaptureError(
    "EXECUTION_ERROR",
    `it was dropped on ${seen.hit}, which had come to where ${element} was`,
    "look at the page before you go on",
  );
}

/**
 * From here to there.
 * @param {Run} run
 * @param {Hand} hand
 * @param {{to: Point, steps: number}} way
 */
async function pull(run, hand, { to, steps }) {
  const from = run.pointer.point;
  if (run.pointer.isNatural) await travel(run, to, HELD, () => hand.kind === "html5");
  else for (let step = 1; step < steps; step += 1) await hand.move(between(from, to, step / steps));
  await hand.move(to);
}

/**
 * @param {{toSelector?: string, toXpath?: string, toRef?: string, toX?: number, toY?: number}} params
 * @returns {Target}
 */
function endOf({ toSelector, toXpath, toRef, toX, toY }) {
  if ((toX === undefined) !== (toY === undefined))
    throw new KaptureError("INVALID_PARAMS", "drag: toX and toY are given together or not at all", "give both");
  const end = targetOf({ selector: toSelector, xpath: toXpath, ref: toRef, x: toX, y: toY });
  if (Object.keys(end).length === 0)
    throw new KaptureError(
      "INVALID_PARAMS",
      "drag: the destination is missing",
      "give toSelector, toXpath, toRef, or toX with toY",
    );
  return end;
}

/** @param {Point} spot */
const pointOf = ({ x, y }) => ({ x, y });

/** @type {Record<string, Handler>} */
export const handlers = { kapturemcp_drag: drag };
