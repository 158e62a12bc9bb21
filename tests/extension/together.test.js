import assert from "node:assert/strict";
import { test } from "./testing.js";
import { byLot } from "./together.js";

const FILES = Array.from({ length: 40 }, (_, number) => `${number}.test.js`);

test("a seed gives one order, whatever order the files are found in, and another seed another", () => {
  const drawn = byLot(FILES, "1");
  assert.deepEqual(byLot(FILES.toReversed(), "1"), drawn);
  assert.notDeepEqual(byLot(FILES, "2"), drawn);
  assert.notDeepEqual(drawn, FILES);
  assert.deepEqual(drawn.toSorted(), FILES.toSorted());
});
