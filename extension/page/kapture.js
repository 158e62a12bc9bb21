// The isolated world's one global: the panel's side calls these by name.

const FUNCTIONS = {
  observe, observed, settled, state, frame, locate, boxOf, startFill, endFill, startType, select, setFiles, demandCaret, scroll, viewport,
  waitFor, watchText, lookAgain, stopWaiting, snapshot, explore, serviceWorkers, placeOfDoor, allDoors, passThrough, uncovered, focusArrived, twoFrames, knowsRef, candidates,
  watchFocus: () => void watchFocus(),
};

/**
 * Call a function by name. @param at where this document is, unless it is the top one
 * @returns {{value}} or {{error}}, or {{ways}} into the frames of another origin where the target is; `target` tells
 *   the history which element was meant
 */
globalThis.kapture = async (name, args, at) => {
  standAt(at);
  const target = targetOfCall(name, args);
  try {
    return { value: (await FUNCTIONS[name](...args)) ?? null, target };
  } catch (error) {
    if (error instanceof Crossing) return { ways: error.ways };
    if (error instanceof Failure) return { error: { code: error.code, message: error.message, details: error.details }, target };
    throw error;
  }
};

/** The frame itself, for the browser to say which it is. */
globalThis.kapture.door = doorElement;
