import assert from "node:assert/strict";
import { KaptureError } from "../../../extension/basics/errors.js";
import { inTime } from "../../../extension/tab/frame_answers.js";
import { test } from "../testing.js";

const run = { signal: new AbortController().signal };

test("a frame that is gone has no part in an answer about the page, any other error is told", async () => {
  assert.equal(await inTime(run, Promise.reject(new KaptureError("ELEMENT_NOT_FOUND", "gone"))), null);
  await assert.rejects(inTime(run, Promise.reject(new KaptureError("INTERNAL", "broken"))), { code: "INTERNAL" });
  assert.equal(await inTime(run, Promise.resolve(4)), 4);
});
