import assert from "node:assert/strict";
import { test } from "../testing.js";
import { KaptureError } from "../../../extension/basics/errors.js";

test("an error of ours crosses the wire with its code, words and details", () => {
  const error = new KaptureError("NAVIGATION_FAILED", "no", "wait", { netError: "net::X" });
  assert.deepEqual(KaptureError.wire(error), {
    code: "NAVIGATION_FAILED",
    message: "no",
    nextStep: "wait",
    netError: "net::X",
  });
});

test("anything else thrown crosses as INTERNAL", () => {
  assert.deepEqual(KaptureError.wire(new TypeError("x is undefined")), {
    code: "INTERNAL",
    message: "unexpected: x is undefined",
  });
  assert.deepEqual(KaptureError.wire("text"), { code: "INTERNAL", message: "unexpected: text" });
  assert.deepEqual(KaptureError.wire(undefined), { code: "INTERNAL", message: "unexpected: undefined" });
});
