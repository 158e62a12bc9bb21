import { test as nodeTest } from "node:test";

const TIMEOUT_MS = 120_000;
/** What waits for this long waits for what no test brings about. */
const LONG_MS = 5_000;

// What a test leaves behind, the ping of a link or the time-out of a stuck command, must not keep the run from ending.
const { setInterval, setTimeout } = globalThis;
globalThis.setInterval = (...args) => setInterval(...args).unref();
globalThis.setTimeout = (work, ms, ...args) => {
  const timer = setTimeout(work, ms, ...args);
  return ms < LONG_MS ? timer : timer.unref();
};

/** A test is a sentence; one that waits for what never comes fails instead of standing still. */
export const test = (sentence, body) => nodeTest(sentence, { timeout: TIMEOUT_MS }, body);
