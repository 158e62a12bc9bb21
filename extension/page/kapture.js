// The isolated world's one global: the panel's side calls these by name.

const FUNCTIONS = {
  observe, observed, settled, state, frame, locate, boxOf, startFill, endFill, startType, select, setFiles, demandCaret, scroll, viewport,
  waitFor, stopWaiting, snapshot, explore, serviceWorkers,
};

globalThis.kapture = async (name, args) => {
  try {
    return { value: (await FUNCTIONS[name](...args)) ?? null };
  } catch (error) {
    if (error instanceof Failure) return { error: { code: error.code, message: error.message, details: error.details } };
    throw error;
  }
};
