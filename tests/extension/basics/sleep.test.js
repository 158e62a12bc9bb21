import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { sleep } from "../../../extension/basics/sleep.js";
import { test } from "../testing.js";

test("a sleep ends by itself and leaves nothing on the signal", async () => {
  const { signal } = new AbortController();
  await sleep(1, signal);
  assert.equal(getEventListeners(signal, "abort").length, 0);
});

test("a command that is over ends its sleep at once", async () => {
  const over = new AbortController();
  const sleeping = sleep(9_000, over.signal);
  over.abort(new Error("over"));
  await assert.rejects(sleeping, /over/);
  await assert.rejects(sleep(9_000, over.signal), /over/);
});
