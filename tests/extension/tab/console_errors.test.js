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

test("of very many the newest are told and how many came before, and their texts are cut", () => {
  const errors = new ConsoleErrors();
  for (let number = 0; number < 9; number += 1) errors.add(`${number} ${"x".repeat(300)}`);
  errors.add("new");
  const [first, ...others] = errors.take();
  assert.match(first, /^5 x{198} \(5 more before it\)$/);
  assert.equal(others.length, 4);
  errors.add("later");
  assert.deepEqual(errors.take(), ["later"]);
});

test("a made-up address does not make an error another one", () => {
  const errors = new ConsoleErrors();
  const uuid = (number) => `b09ee7a4-51b7-4f3c-8dd1-00000000000${number}`;
  errors.add(`Error: no at blob:http://127.0.0.1:1/${uuid(1)}:1`);
  assert.equal(errors.take().length, 1);
  errors.add(`Error: no at blob:http://127.0.0.1:1/${uuid(2)}:1`);
  assert.deepEqual(errors.take(), []);
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
