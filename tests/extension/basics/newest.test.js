import assert from "node:assert/strict";
import { Newest } from "../../../extension/basics/newest.js";
import { test } from "../testing.js";

test("only the newest are kept", () => {
  const names = new Newest(2);
  for (const name of ["a", "b", "b", "c"]) names.add(name);
  assert.deepEqual(
    ["a", "b", "c"].map((name) => names.has(name)),
    [false, true, true],
  );
});

test("one that is taken out makes room", () => {
  const names = new Newest(2);
  for (const name of ["a", "b"]) names.add(name);
  names.delete("b");
  names.add("c");
  assert.deepEqual(
    ["a", "b", "c"].map((name) => names.has(name)),
    [true, false, true],
  );
});
