import { KaptureError } from "../basics/errors.js";

/** How long a command waits for a frame that shows no document yet. */
const ENTER_DEADLINE_MS = 1000;
/** Page functions that give out refs. */
const NUMBERED = new Set(["snapshot", "explore"]);

/** The page's half in one document of a tab: the top one, or that of a frame it cannot read. */
export class Inside {
  /** @param {{frameId, world: {id, session}, parent: Inside|null, door: number, place}} about `place`: see page/frames.js */
  constructor(run, { frameId, world, parent = null, door = 0, place = undefined }) {
    Object.assign(this, { run, frameId, world, parent, door, place });
  }

  static async top(run) {
    return new Inside(run, { frameId: run.session.navigation.frameId, world: { id: await run.topWorld() } });
  }

  /** Call a page function whose first argument is its target. @returns {{value}}, or {{ways}} to go on */
  async reply(name, target, ...args) {
    if (!NUMBERED.has(name)) return this.#call(name, [target, ...args]);
    const { frames, snapshots } = this.run.session;
    const numbers = frames.numbers(this.world.id, snapshots.nextRef);
    const reply = await this.#call(name, [target, ...args, numbers]);
    if (reply.value) {
      // So late that others have got these numbers meanwhile: the document is told next time that it lost them.
      if (snapshots.nextRef !== numbers.from) throw new KaptureError("ELEMENT_NOT_FOUND", "the frame answered too late; ask again");
      frames.told(this.world.id, { from: numbers.from, to: reply.value.nextRef, inFrame: this.parent !== null });
      snapshots.count(reply.value.nextRef);
    }
    return reply;
  }

  /** Call any page function. */
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

  /** Go through a door; `deadlineMs` is for a frame that shows no document yet. */
  async enter({ door, place }, deadlineMs = ENTER_DEADLINE_MS) {
    const { run, world: around } = this;
    const { frames } = run.session;
    const frameId = frames.behind(around.id, door, around.session) ?? (await this.#behind(door));
    const world = frameId && (await frames.worldWithin(deadlineMs, frameId, around.session, run.signal));
    if (!world) throw new KaptureError("ELEMENT_NOT_FOUND", "the frame the target lies in shows no document yet; wait for it");
    const inside = new Inside(run, { frameId, world, parent: this, door, place });
    frames.entered(inside);
    run.watch(inside);
    return inside;
  }

  /** The browser's id of the frame behind a door. */
  async #behind(door) {
    try {
      const { result } = await this.run.send("Runtime.callFunctionOn", {
        functionDeclaration: "function (door) { return globalThis.kapture.door(door); }",
        uniqueContextId: this.world.id, arguments: [{ value: door }],
      }, this.world.session);
      if (!result.objectId) return null;
      const { node } = await this.run.send("DOM.describeNode", { objectId: result.objectId }, this.world.session);
      await this.run.send("Runtime.releaseObject", { objectId: result.objectId }, this.world.session);
      return node.frameId;
    } catch (error) {
      throw error.contextGone && this.parent ? frameGone() : error;
    }
  }

  /** This document and those around it, up to before the top one. */
  get chain() {
    return this.parent ? [this, ...this.parent.chain] : [];
  }
}

function frameGone() {
  const error = new KaptureError("ELEMENT_NOT_FOUND", "the frame the target lies in was removed or shows another document now; take a new snapshot");
  error.frameGone = true;
  return error;
}

/**
 * Call a page function in the document its target lies in.
 * @returns {{value, inside: Inside}}
 */
export async function reach(run, target, name, ...args) {
  const owner = target.ref && run.session.frames.ownerOf(target.ref);
  if (owner) return inFrame(target, async () => follow(await wayBack(run, owner, target.ref), { target, name, args }));
  const top = await Inside.top(run);
  try {
    return await inFrame(target, () => follow(top, { target, name, args }));
  } catch (error) {
    // A worker that was started again knows its frames' refs no more; the frames do.
    const holder = error.code === "STALE_REF" && target.ref && run.session.frames.any ? await holderOf(top, target.ref) : null;
    if (!holder) throw error;
    return inFrame(target, () => follow(holder, { target, name, args }));
  }
}

/** A frame that goes away under a ref makes it stale. */
async function inFrame({ ref }, work) {
  try {
    return await work();
  } catch (error) {
    throw error.frameGone && ref ? stale(ref) : error;
  }
}

const stale = (ref) => new KaptureError("STALE_REF", `the frame ${ref} was in is gone or shows another document; take a new snapshot`);

async function follow(inside, { target, name, args }) {
  if (name === "waitFor") attend(inside, inside.run.signal);
  const { value, ways } = await inside.reply(name, target, ...args);
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

/** Until `signal` aborts a wait in a document looks again when any frame shows another one; nothing of it stays behind. */
export function attend({ run, parent, world }, signal) {
  const { frames } = run.session;
  const tell = (name) => run.session.callPage(name, parent && world);
  const lookAgain = () => tell("lookAgain");
  frames.listeners.add(lookAgain);
  const leave = () => {
    frames.listeners.delete(lookAgain);
    tell("stopWaiting");
  };
  signal.addEventListener("abort", leave, { once: true });
}

async function waitInAll(inside, ways, { target, name, args }) {
  const all = ways.map(async (way) => follow(await inside.enter(way), { target: merged(target, way.rest), name, args }));
  if (args[0].state === "hidden") return (await Promise.all(all))[0];
  return Promise.any(all).catch(({ errors }) => {
    throw errors[0];
  });
}

/** The target without what led into the frame. */
export function merged(target, rest) {
  return Object.fromEntries(Object.entries({ ...target, ...rest }).filter(([, value]) => value !== null));
}

/** Into the world that gave out a ref, if it is still there. */
async function wayBack(run, world, ref) {
  let inside = await Inside.top(run);
  const way = run.session.frames.wayTo(world);
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

/** The frame whose document gave out a ref, or null. */
async function holderOf(inside, ref) {
  for (const way of await inside.call("allDoors")) {
    const within = await inTime(inside.run, inside.enter(way).then(async (frame) => ((await frame.call("knowsRef", ref)) ? frame : holderOf(frame, ref))));
    if (within) return within;
  }
  return null;
}

/** How long one frame may hold up an answer about the whole page. */
const FRAME_DEADLINE_MS = 1000;

/** What `asking` resolves to, or null when the frame goes away, loads, or does not answer in time. */
export async function inTime(run, asking) {
  let timer;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, FRAME_DEADLINE_MS, null)));
  const absent = asking.catch((error) => {
    if (error.code === "ELEMENT_NOT_FOUND") return null;
    throw error;
  });
  try {
    return await Promise.race([absent, late]);
  } finally {
    clearTimeout(timer);
    absent.catch(() => {}); // too late to be of interest
    run.signal.throwIfAborted();
  }
}

/**
 * From points of a frame's document out to the top viewport: scrolls the frames around into view.
 * @param strict whether it is an error that a frame is covered there
 */
export async function lead(inside, { points, moved = false }, strict = true) {
  let out = { points, moved };
  for (const frame of inside.chain) {
    const passed = await frame.parent.call("passThrough", frame.door, out.points, strict);
    out = { points: passed.points, moved: out.moved || passed.moved };
  }
  if (out.moved) await shown(inside);
  return out.points[0];
}

/** What covers all these points of a frame's document in the documents around it, or undefined. */
export async function coverAround(inside, points) {
  let open = points;
  for (const frame of inside.chain) {
    const passed = await frame.parent.call("uncovered", frame.door, open);
    if (!passed.points.length) return passed.cover ?? undefined;
    open = passed.points;
  }
  return undefined;
}

/** After scrolling: a frame of another process draws once the page has told it that it is in view, and is shown after that. */
async function shown(inside) {
  await inside.run.page("twoFrames");
  for (const frame of inside.chain.toReversed()) await frame.call("twoFrames");
  await inside.run.page("twoFrames");
}

/** Where to click the target, in the top viewport. @returns {{x, y, element}} */
export async function locate(run, target, options = {}) {
  const { value, inside } = await reach(run, target, "locate", options);
  if (!value.points) return value;
  return { element: value.element, ...(await lead(inside, value)) };
}

/** Resolves once the keyboard goes to the frame. */
export async function focusArrived(inside) {
  for (const frame of inside.chain.toReversed()) await frame.parent.call("focusArrived", frame.door);
}
