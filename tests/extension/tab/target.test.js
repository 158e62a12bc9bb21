import assert from "node:assert/strict";
import { test } from "../testing.js";
import { targetOf } from "../../../extension/tab/target.js";

test("only what names an element is taken, and nothing undefined", () => {
  assert.deepEqual(targetOf({ selector: "#a", button: "left", clickCount: 1 }), { selector: "#a" });
  assert.deepEqual(targetOf({ x: 0, y: 0, ref: undefined }), { x: 0, y: 0 });
  assert.deepEqual(targetOf({ value: "v" }), {});
});
