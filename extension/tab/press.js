import { KaptureError } from "../basics/errors.js";
import { sleep } from "../basics/sleep.js";
import { Conditions } from "./conditions.js";
import { approach, move } from "./mouse.js";
import { whenReady } from "./patience.js";
/** @import { Spot } from "./inside.js" */
/** @import { Run } from "./run.js" */
/** @import { World } from "./worlds.js" */

/**
 * @typedef {{id: number, passed: number, held: string|null, hit: string|null}} Seen what a guard has seen of a press: how
 *   often it was let through and to what, and what would have got the one that was held back, in words
 * @typedef {{button?: "left"|"right"|"middle", clickCount?: number, modifiers?: number, holdMs?: number}} How
 * @typedef {Spot & {hit: string|null}} Pressed `hit`: what got the press, in words, or null where the page's half does
 *   not see it
 */

/** With this the page's half tells what its guard has seen of a press. */
export const PRESS_BINDING = "kapturePress";

/** A target that is somewhere else each time it is pressed is given up. */
const MAX_PRESSES = 5;
const BUTTONS = { left: 1, right: 2, middle: 4 };

/**
 * Press and release the mouse on what `find` finds, and on nothing else.
 * @param {Run} run
 * @template {Spot|null} Found
 * @param {(guard: number) => Promise<Found>} find arms the guard; null: there is nothing to press
 * @param {How} how
 * @returns {Promise<Found extends null ? null : Pressed>}
 */
export function pressOn(run, find, how = {}) {
  return guarded(run, find, { act: (spot) => press(run, spot, how), count: how.clickCount });
}

/**
 * Do `act`, which presses, on what `find` finds: a press that would reach another element is held back by the page's
 * guard (page/press_guard.js), and the target is looked for again.
 * @param {Run} run
 * @template {Spot|null} Found
 * @param {(guard: number) => Promise<Found>} find
 * @param {{act: (spot: Spot) => Promise<void>, count?: number, release?: () => Promise<void>}} how how many presses `act`
 *   makes, and what ends one that it leaves held
 * @returns {Promise<Found extends null ? null : Pressed>}
 */
export async function guarded(run, find, { act, count = 1, release = undefined }) {
  for (let tries = 1; ; tries += 1) {
    const id = run.presses.begin();
    let isLeft = false;
    try {
      // `find` measures and arms in one turn of the page: nothing can move unseen between the two.
      const spot = await whenReady(run, () => approach(run, () => find(id)));
      if (!spot) return /** @type {any} */ (null);
      await guardOtherFrames(run, id);
      await act(spot);
      const seen = await run.presses.seen(run, { id, world: spot.world, count, isHeld: release !== undefined });
      if (!seen?.held) {
        isLeft = run.code.leaveGuard(id);
        return /** @type {any} */ ({ ...spot, hit: seen?.hit ?? null });
      }
      // Of a double click one press went through: to press again would be a third.
      if (seen.passed) throw partly(seen, count);
      // The guard still holds back what the release leads to.
      await release?.();
      if (tries === MAX_PRESSES) throw evasive(spot, seen.held);
    } finally {
      run.presses.end(id);
      if (!isLeft) endGuards(run, id);
    }
  }
}

/**
 * Only the document the target is in lets this press through.
 * @param {Run} run
 * @param {number} id
 */
async function guardOtherFrames(run, id) {
  if (!run.frames.any) return;
  await Promise.all(
    run.frames.everyWorld.map((world) =>
      run.call(world, "guardOthers", [id]).catch((error) => {
        if (!error.contextGone) throw error;
      }),
    ),
  );
}

/**
 * Whatever comes now is a person's.
 * @param {Run} run
 * @param {number} id
 */
function endGuards(run, id) {
  for (const world of run.frames.any ? run.frames.everyWorld : [null]) run.callBeside("endGuard", world, [id]);
}

/**
 * Moved, then pressed and released `clickCount` times: sent without awaiting each, since Chromium keeps their
 * order; the release answers once the page's handlers have run.
 * @param {Run} run
 * @param {Spot} spot
 * @param {How} how
 */
async function press(run, { x, y }, { button = "left", clickCount = 1, modifiers = 0, holdMs = 0 }) {
  const event = (type, extra = {}) => run.send("Input.dispatchMouseEvent", { type, x, y, modifiers, ...extra });
  const sent = [move(run, { x, y }, { modifiers })];
  run.pointer.pressed();
  for (let count = 1; count <= clickCount; count += 1) {
    sent.push(event("mousePressed", { button, clickCount: count, buttons: BUTTONS[button] }));
    if (holdMs) await hold(run, sent, holdMs, { type: "mouseReleased", x, y, modifiers, button, clickCount: count });
    sent.push(event("mouseReleased", { button, clickCount: count }));
  }
  await Promise.all(sent);
}

/**
 * Once what was sent is done, a while passes; a command that is given up leaves no button down.
 * @param {Run} run
 * @param {Promise<any>[]} sent
 * @param {number} holdMs
 * @param {Record<string, any>} release
 */
async function hold(run, sent, holdMs, release) {
  await Promise.all(sent.splice(0));
  try {
    await sleep(holdMs, run.signal);
  } catch (error) {
    await run.undo("Input.dispatchMouseEvent", release).catch(() => {}); // gone with its page
    throw error;
  }
}

/**
 * @param {Seen} seen
 * @param {number} count
 */
function partly({ passed, held, hit }, count) {
  return new KaptureError(
    "EXECUTION_ERROR",
    `${hit} was pressed ${passed} of ${count} times, then ${held} was in its place and was not pressed`,
    "look at the page before you go on",
  );
}

/**
 * @param {Spot} spot
 * @param {string} held
 */
function evasive({ element }, held) {
  return new KaptureError(
    "ELEMENT_NOT_VISIBLE",
    `${element} moved away before each of ${MAX_PRESSES} presses, and the last one would have reached ${held}`,
    "nothing was pressed, wait until the page stands still",
  );
}

/**
 * @param {Run} run
 * @param {World} world whose guard ends
 * @param {[id: number, isHeld: boolean]} press
 * @returns {Promise<Omit<Seen, "id">|null>} null where the document saw nothing of it, or goes meanwhile
 */
async function guardSaw(run, world, press) {
  try {
    return (await run.call(world, "endGuard", press)).value ?? null;
  } catch (error) {
    if (!error.contextGone && !run.signal.aborted) throw error;
    return null;
  }
}

/** What the guards of a tab's documents tell of each press. */
export class Presses {
  #last = 0;
  /** What all documents have told of each press that is not over; null: nothing yet. @type {Map<number, Seen|null>} */
  #told = new Map();
  #conditions = new Conditions();

  /** A number that nothing else in the tab's documents has. */
  next() {
    this.#last += 1;
    return this.#last;
  }

  /** From now on until `end` it counts what is told of the press with the number that this returns. */
  begin() {
    const id = this.next();
    this.#told.set(id, null);
    return id;
  }

  /** How many fields the page's half has set by itself, without a press or a key. */
  sets = 0;

  /**
   * A guard has seen a press, or a field is set.
   * @param {string} payload what the page's half made: {id, passed, held, hit} or {isSet} as JSON
   */
  onReport(payload) {
    const report = JSON.parse(payload);
    if (report.isSet) this.sets += 1;
    else this.#note(report);
  }

  /**
   * One document lets presses through; what another one held back takes nothing from that.
   * @param {Seen} seen
   */
  #note({ id, passed, held, hit }) {
    if (!this.#told.has(id)) return; // of a press that is over, from a page that was slow to tell
    const before = this.#told.get(id);
    this.#told.set(id, {
      id,
      passed: Math.max(passed, before?.passed ?? 0),
      held: held ?? before?.held ?? null,
      hit: hit ?? before?.hit ?? null,
    });
    this.#conditions.look();
  }

  /**
   * What was seen of `count` presses, or null where no guard can see it. The guards that are asked end, but one that has
   * held back a press that `isHeld` still.
   * @param {Run} run
   * @param {{id: number, world: World, count: number, isHeld: boolean}} press
   * @returns {Promise<Seen|null>}
   */
  async seen(run, { id, world, count, isHeld }) {
    const told = () => this.#told.get(id) ?? null;
    const isTold = () => Boolean(told()?.held) || told()?.passed === count;
    if (isTold() && !isHeld) return told();
    // Where a page leads to one that is slow to come, it tells and then answers nothing; the guard ends by itself.
    const telling = this.#conditions.until(isTold, run.signal);
    telling.catch(() => {}); // over with the command
    await Promise.race([this.#ask(run, [world], { id, isHeld }), telling]);
    // What another document held back may not be told yet: Chrome's events can come later than the answers to calls.
    if (!isTold() && run.frames.any)
      await Promise.race([this.#ask(run, run.frames.everyWorld, { id, isHeld }), telling]);
    return told();
  }

  /**
   * @param {Run} run
   * @param {World[]} worlds whose guards end
   * @param {{id: number, isHeld: boolean}} press
   */
  async #ask(run, worlds, { id, isHeld }) {
    const asking = worlds.map(async (world) => {
      const seen = await guardSaw(run, world, [id, isHeld]);
      if (seen) this.#note({ id, ...seen });
    });
    await Promise.all(asking);
  }

  /**
   * What got all `count` presses, in words, or null as long as not all of them were let through.
   * @param {number} id
   * @param {number} count
   */
  through(id, count) {
    const seen = this.#told.get(id);
    return seen?.passed === count && !seen.held ? seen.hit : null;
  }

  /** @param {number} id */
  end(id) {
    this.#told.delete(id);
  }
}
