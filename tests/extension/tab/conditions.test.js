import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { test } from "../testing.js";
import { Conditions } from "../../../extension/tab/conditions.js";

let conditions, over, holds;
beforeEach(() => {
  conditions = new Conditions();
  over = new AbortController();
  holds = false;
});

test("what holds already is not waited for", async () => {
  await conditions.until(() => true, AbortSignal.abort(new Error("over")));
  assert.equal(await conditions.within(0, () => true, over.signal), true);
});

test("a condition is looked at when something happened", async () => {
  const waiting = conditions.until(() => holds, over.signal);
  holds = true;
  conditions.look();
  await waiting;
});

test("waiting ends with the command", async () => {
  const waiting = [conditions.until(() => holds, over.signal), conditions.within(5000, () => holds, over.signal)];
  over.abort(new Error("over"));
  for (const one of waiting) await assert.rejects(one, /over/);
  await assert.rejects(
    conditions.until(() => holds, over.signal),
    /over/,
  );
});

test("a deadline is not an error: it says that the condition does not hold", async () => {
  assert.equal(await conditions.within(1, () => holds, over.signal), false);
});
