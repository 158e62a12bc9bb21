import assert from "node:assert/strict";
import { ConsoleErrors } from "../../../extension/tab/console_errors.js";
import { test } from "../testing.js";

test("an error that comes again is told once, with how often it came, and never again", () => {
  const errors = new ConsoleErrors();
  assert.equal(errors.hasAny, false);
  for (const text of ["boom", "other", "boom", "boom"]) errors.add(text);
  assert.equal(errors.hasAny, true);
  assert.deepEqual(errors.take(), ["boom (3 times)", "other"]);
  errors.add("boom");
  assert.equal(errors.hasAny, false);
  errors.add("new");
  assert.deepEqual([errors.take(), errors.take()], [["new"], []]);
});

test("of very many the newest are told, and their texts are cut", () => {
  const errors = new ConsoleErrors();
  for (let number = 0; number < 9; number += 1) errors.add(`${number} ${"x".repeat(300)}`);
  const told = errors.take();
  assert.deepEqual([told.length, told[0][0], told[0].length], [5, "4", 200]);
});

test("what was told very long ago may be told again", () => {
  const errors = new ConsoleErrors();
  for (let number = 0; number < 600; number += 1) {
    errors.add(String(number));
    errors.take();
  }
  errors.add("0");
  errors.add("599");
  assert.deepEqual(errors.take(), ["0"]);
});
