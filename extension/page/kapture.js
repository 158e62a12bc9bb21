// The isolated world's one global: the panel's side calls these by name.

const FUNCTIONS = {
  observe, observed, settled, state, frame, locate, pointsWithin, boxOf, startFill, endFill, startType, typedInto, focusBeside, select, setFiles, demandCaret, demandGranted, scroll, viewport,
  waitFor, watchText, lookAgain, stopWaiting, snapshot, explore, serviceWorkers, placeOfDoor, allDoors, passThrough, uncovered, focusArrived, twoFrames, knowsRef, candidates,
  watchFocus: () => void watchFocus(),
};

/** What answers differently once closed shadow roots are handed in, and may be called again. */
const LOOKS = new Set(["snapshot", "explore"]);

/**
 * Call a function by name. @param at where this document is, unless it is the top one
 * @param grant what the command may touch (grant.js); without one, everything
 * @returns {{value}} or {{error}}, or {{ways}} into the frames of another origin where the target is; `target` tells
 *   the history which element was meant, `opaque` that there is something to hand in (closed.js) and to call again for
 */
globalThis.kapture = async (name, args, at, grant) => {
  standAt(at);
  opaque.clear();
  const target = targetOfCall(name, args);
  try {
    demandGrant(name, args, grant);
    const value = (await FUNCTIONS[name](...args)) ?? null;
    return { value, target, opaque: (LOOKS.has(name) && opaque.size > 0) || undefined };
  } catch (error) {
    // Targets are looked for before anything is done.
    if (error instanceof Opaque || (opaque.size && error.code === "ELEMENT_NOT_FOUND")) return { opaque: true };
    if (error instanceof Crossing) return { ways: error.ways };
    if (error instanceof Failure) return { error: { code: error.code, message: error.message, details: error.details }, target };
    throw error;
  }
};

/** The frame itself, for the browser to say which it is. */
globalThis.kapture.door = doorElement;
Object.assign(globalThis.kapture, { takeOpaque, handIn });
