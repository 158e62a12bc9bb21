import { test as nodeTest } from "node:test";

const TIMEOUT_MS = 10_000;

// The ping of a link that a failed test left open must not keep the run from ending.
const { setInterval } = globalThis;
globalThis.setInterval = (...args) => setInterval(...args).unref();

/** A test is a sentence; one that waits for what never comes fails instead of standing still. */
export const test = (sentence, body) => nodeTest(sentence, { timeout: TIMEOUT_MS }, body);
