import { KaptureError } from "../basics/errors.js";
import { inTime } from "./frame_answers.js";
import { withCandidates } from "./stale_refs.js";
import { withStandIn } from "./stand_ins.js";
/** @import { World } from "./worlds.js" */
/** @import { Run } from "./run.js" */
/** @import { Target } from "./target.js" */

/** How long a command waits for a frame that shows no document yet. */
const ENTER_DEADLINE_MS = 1000;
/** Page functions that give out refs. */
const NUMBERED = new Set(["snapshot", "explore"]);

/**
 * @typedef {Record<string, any>} Place where the document of a frame is, see page/place.js
 * @typedef {{door: number, place: Place, rest: Record<string, any>}} Way into a frame, and what the target is without it
 * @typedef {{value: any, inside: Inside}} Found what a page function said, and where
 * @typedef {{x: number, y: number}} Point in CSS pixels
 * @typedef {Point & {element: string, world: World, over?: boolean}} Spot where an element is, in words, the world it was
 *   found in, and whether the mouse was over it
 */

/** The page's half in one document of a tab: the top one, or that of a frame it cannot read. */
export class Inside {
  /**
   * @param {Run} run
   * @param {{frameId: string|null, world: World, parent?: Inside|null, door?: number, place?: Place}} about
   */
  constructor(run, { frameId, world, parent = null, door = 0, place = undefined }) {
    this.run = run;
    this.frameId = frameId;
    this.world = world;
    this.parent = parent;
    this.door = door;
    this.place = place;
  }

  /** @param {Run} run */
  static async top(run) {
    return new Inside(run, { frameId: run.navigation.frameId, world: { id: await run.topWorld() } });
  }

  /**
   * Call a page function whose first argument is its target.
   * @param {string} name
   * @param {Target} target
   * @param {any[]} args
   * @returns {Promise<{value?: any, ways?: Way[]}>} the second: to go on
   */
  async reply(name, target, ...args) {
    if (!NUMBERED.has(name)) return this.#call(name, [target, ...args]);
    return this.numbered((numbers) => this.#call(name, [target, ...args, numbers]));
  }

  /**
   * Ask the document for what has refs.
   * @template {{value?: any}} Reply
   * @param {(numbers: object) => Promise<Reply>} ask gets the numbers its refs may have, and tells the next free one
   * @returns {Promise<Reply>}
   */
  async numbered(ask) {
    const { frames, snapshots } = this.run;
    const numbers = frames.numbers(this.world.id, snapshots.nextRef);
    const reply = await ask(numbers);
    if (reply.value) {
      // So late that others have got these numbers meanwhile: the document is told next time that it lost them.
      if (snapshots.nextRef !== numbers.from)
        throw new KaptureError("ELEMENT_NOT_FOUND", "the frame answered too late", "ask again");
      frames.told(this.world.id, { from: numbers.from, to: reply.value.nextRef, inFrame: this.parent !== null });
      snapshots.count(reply.value.nextRef);
    }
    return reply;
  }

  /**
   * Call any page function.
   * @param {string} name
   * @param {any[]} args
   */
  async call(name, ...args) {
    return (await this.#call(name, args)).value;
  }

  async #call(name, args) {
    try {
      return await this.run.call(this.world, name, args, this.place);
    } catch (error) {
      throw error.contextGone && this.parent ? frameGone() : error;
    }
  }

  /**
   * Go through a door; `deadlineMs` is for a frame that shows no document yet.
   * @param {Pick<Way, "door"|"place">} way
   * @returns {Promise<Inside>}
   */
  async enter({ door, place }, deadlineMs = ENTER_DEADLINE_MS) {
    const { run, world: around } = this;
    const { frames } = run;
    const frameId = frames.behind(around.id, door, around.session) ?? (await this.#behind(door));
    const world = frameId && (await frames.worldWithin(deadlineMs, frameId, around.session, run.signal));
    if (!world)
      throw Object.assign(
        new KaptureError("ELEMENT_NOT_FOUND", "the frame the target lies in shows no document yet", "wait for it"),
        { waits: true },
      );
    const inside = new Inside(run, { frameId, world, parent: this, door, place });
    frames.entered(inside);
    run.watch(inside);
    return inside;
  }

  /**
   * The browser's id of the frame behind a door.
   * @param {number} door
   * @returns {Promise<string|null>}
   */
  async #behind(door) {
    try {
      const { result } = await this.run.send(
        "Runtime.callFunctionOn",
        {
          functionDeclaration: "function (door) { return globalThis.kapture.door(door); }",
          uniqueContextId: this.world.id,
          arguments: [{ value: door }],
        },
        this.world.session,
      );
      if (!result.objectId) return null;
      const { node } = await this.run.send("DOM.describeNode", { objectId: result.objectId }, this.world.session);
      await this.run.send("Runtime.releaseObject", { objectId: result.objectId }, this.world.session);
      return node.frameId;
    } catch (error) {
      throw error.contextGone && this.parent ? frameGone() : error;
    }
  }

  /**
   * This document and those around it, up to before the top one, each with the one around it.
   * @returns {{frame: Inside, around: Inside}[]}
   */
  get chain() {
    return this.parent ? [{ frame: this, around: this.parent }, ...this.parent.chain] : [];
  }
}

function frameGone() {
  const error = new KaptureError(
    "ELEMENT_NOT_FOUND",
    "the frame the target lies in was removed or shows another document now",
    "take a new snapshot",
  );
  error.frameGone = true;
  return error;
}

/**
 * Call a page function in the document its target lies in.
 * @param {Run} run
 * @param {Target} target
 * @param {string} name
 * @param {any[]} args
 * @returns {Promise<Found>}
 */
export async function reach(run, target, name, ...args) {
  const { ref } = target;
  const owner = ref && run.frames.ownerOf(ref);
  if (owner) return inFrame(target, async () => follow(await wayBack(run, owner, ref), { target, name, args }));
  const top = await Inside.top(run);
  try {
    return await inFrame(target, () => follow(top, { target, name, args }));
  } catch (error) {
    // A worker that was started again knows its frames' refs no more; the frames do.
    const holder = error.code === "STALE_REF" && target.ref && run.frames.any ? await holderOf(top, target.ref) : null;
    if (!holder) throw error;
    return inFrame(target, () => follow(holder, { target, name, args }));
  }
}

/**
 * A frame that goes away under a ref makes it stale.
 * @param {Target} target
 * @param {() => Promise<Found>} work
 */
async function inFrame({ ref }, work) {
  try {
    return await work();
  } catch (error) {
    throw error.frameGone && ref ? stale(ref) : error;
  }
}

const stale = (ref) =>
  new KaptureError("STALE_REF", `the frame ${ref} was in is gone or shows another document`, "take a new snapshot");

/**
 * @param {Inside} inside
 * @param {{target: Target & {stay?: boolean}, name: string, args: any[]}} call
 * @returns {Promise<Found>}
 */
async function follow(inside, { target, name, args }) {
  if (name === "waitFor") attend(inside, inside.run.signal);
  const { value, ways } = await inside.reply(name, target, ...args).catch(async (error) => {
    const { ref } = target;
    if (error.details?.standsIn) error.whole = () => withStandIn(inside, target, error);
    throw ref && error.details?.was ? await withCandidates(inside, ref, error) : error;
  });
  if (!ways) return { value, inside };
  if (name === "waitFor" && ways.length > 1) return waitInAll(inside, ways, { target, name, args });
  let missing;
  for (const way of ways) {
    try {
      const next = merged(target, way.rest);
      return await follow(await inside.enter(way), { target: next, name, args });
    } catch (error) {
      if (error.code !== "ELEMENT_NOT_FOUND") throw error;
      missing = error;
    }
  }
  // A point on a frame that cannot be entered, such as a plug-in, is a point on the frame itself.
  if (target.x !== undefined && !target.stay) return follow(inside, { target: { ...target, stay: true }, name, args });
  throw missing;
}

/**
 * Until `signal` aborts a wait in a document looks again when any frame shows another one; nothing of it stays behind.
 * @param {Inside} inside
 * @param {AbortSignal} signal
 */
export function attend({ run, parent, world }, signal) {
  const { frames } = run;
  const tell = (/** @type {string} */ name) => run.callBeside(name, parent && world);
  const lookAgain = () => tell("lookAgain");
  frames.listeners.add(lookAgain);
  const leave = () => {
    frames.listeners.delete(lookAgain);
    tell("stopWaiting");
  };
  signal.addEventListener("abort", leave, { once: true });
}

/**
 * @param {Inside} inside
 * @param {Way[]} ways
 * @param {{target: Target, name: string, args: any[]}} call
 */
async function waitInAll(inside, ways, { target, name, args }) {
  const all = ways.map(async (way) =>
    follow(await inside.enter(way), { target: merged(target, way.rest), name, args }),
  );
  if (args[0].state === "hidden") return (await Promise.all(all))[0];
  return Promise.any(all).catch(({ errors }) => {
    throw errors[0];
  });
}

/**
 * The target without what led into the frame.
 * @param {Target} target
 * @param {Record<string, any>} rest
 * @returns {Target}
 */
export function merged(target, rest) {
  return Object.fromEntries(Object.entries({ ...target, ...rest }).filter(([, value]) => value !== null));
}

/**
 * Into the world that gave out a ref, if it is still there.
 * @param {Run} run
 * @param {string} world
 * @param {string} ref
 */
async function wayBack(run, world, ref) {
  let inside = await Inside.top(run);
  const way = run.frames.wayTo(world);
  if (!way.length) throw stale(ref);
  for (const { door, world: known } of way) {
    const place = await inside.call("placeOfDoor", door);
    if (!place) throw stale(ref);
    inside = await inside.enter({ door, place }, 0).catch((error) => {
      throw error.code === "ELEMENT_NOT_FOUND" ? stale(ref) : error;
    });
    if (inside.world.id !== known) throw stale(ref);
  }
  return inside;
}

/**
 * The frame whose document gave out a ref, or null.
 * @param {Inside} inside
 * @param {string} ref
 * @returns {Promise<Inside|null>}
 */
async function holderOf(inside, ref) {
  for (const way of await inside.call("allDoors")) {
    const within = await inTime(
      inside.run,
      inside.enter(way).then(async (frame) => ((await frame.call("knowsRef", ref)) ? frame : holderOf(frame, ref))),
    );
    if (within) return within;
  }
  return null;
}

/**
 * From points of a frame's document out to the top viewport: scrolls the frames around into view.
 * @param {Inside} inside
 * @param {{points: Point[], moved?: boolean}} found
 * @param {boolean} strict whether it is an error that a frame is covered there
 * @returns {Promise<Point>}
 */
export async function lead(inside, found, strict = true) {
  const out = await passOut(inside, found, strict);
  if (out.moved) await shown(inside);
  return out.points[0];
}

/**
 * The same, without waiting for the browser to have drawn it: where the points are, and whether anything was scrolled.
 * @param {Inside} inside
 * @param {{points: Point[], moved?: boolean}} found
 * @param {boolean} strict
 * @returns {Promise<{points: Point[], moved: boolean}>}
 */
export async function passOut(inside, { points, moved = false }, strict) {
  let out = { points, moved };
  for (const { frame, around } of inside.chain) {
    const passed = await around.call("passThrough", frame.door, out.points, strict);
    out = { points: passed.points, moved: out.moved || passed.moved };
  }
  return out;
}

/**
 * What covers all these points of a frame's document in the documents around it, or undefined.
 * @param {Inside} inside
 * @param {Point[]} points
 */
export async function coverAround(inside, points) {
  let open = points;
  for (const { frame, around } of inside.chain) {
    const passed = await around.call("uncovered", frame.door, open);
    if (!passed.points.length) return passed.cover ?? undefined;
    open = passed.points;
  }
  return undefined;
}

/** After scrolling: a frame of another process draws once the page has told it that it is in view, and is shown after that. */
async function shown(inside) {
  await inside.run.page("twoFrames");
  for (const { frame } of inside.chain.toReversed()) await frame.call("twoFrames");
  await inside.run.page("twoFrames");
}

/**
 * Where to click the target, in the top viewport.
 * @param {Run} run
 * @param {Target} target
 * @param {{enabled?: boolean, guard?: number, capture?: boolean, way?: Point, drop?: number, hover?: boolean}} options as of the page's own
 * @returns {Promise<Spot>}
 */
export async function locate(run, target, options = {}) {
  const { value, inside } = await reach(run, target, "locate", options);
  const spot = value.points ? { element: value.element, ...(await lead(inside, value)) } : value;
  return { ...spot, world: inside.world };
}

/**
 * Resolves once the keyboard goes to the frame.
 * @param {Inside} inside
 */
export async function focusArrived(inside) {
  for (const { frame, around } of inside.chain.toReversed()) await around.call("focusArrived", frame.door);
}
