import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { pause } from "../../../extension/basics/pause.js";
import { test } from "../testing.js";

test("a pause ends by itself and leaves nothing on the signal", async () => {
  const { signal } = new AbortController();
  await pause(1, signal);
  assert.equal(getEventListeners(signal, "abort").length, 0);
});

test("a command that is over ends its pause at once", async () => {
  const over = new AbortController();
  const pausing = pause(9_000, over.signal);
  over.abort(new Error("over"));
  await assert.rejects(pausing, /over/);
  await assert.rejects(pause(9_000, over.signal), /over/);
});
