import assert from "node:assert/strict";
import { difference } from "../../../extension/tab/difference.js";
import { test } from "../testing.js";

test("equal lines are counted, not only known", () => {
  assert.deepEqual(difference(["a", "a", "b"], ["a", "b", "b"]), ["− a", "+ b"]);
});

test("what stands elsewhere among the others has moved, and no more than that", () => {
  assert.deepEqual(difference(["- a", "- b", "- c", "- d"], ["- d", "- a", "- b", "- c"]), ["~ moved - d"]);
  assert.deepEqual(difference(["- a", "- b", "- c"], ["- b", "- a", "- c"]).length, 1);
  assert.deepEqual(difference(["- a", "- b", "- c"], ["- c", "- n", "- b"]), ["− - a", "~ moved - c", "+ - n"]);
  assert.deepEqual(difference(["- a", "- a", "- b"], ["- a", "- b", "- a"]), ["~ moved - b"]);
  assert.deepEqual(difference(["- a offscreen", "- b"], ["- a", "- b offscreen"]), []);
});
