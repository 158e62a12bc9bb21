import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { Results } from "../../../extension/tab/results.js";
import { test } from "../testing.js";

let results;
beforeEach(() => (results = new Results()));

const idOf = (name) => `${results.memory}.${name}`;
const ended = (name, more = {}) => {
  results.begin(idOf(name));
  results.end({ type: "response", id: idOf(name), success: true, ms: 1, ...more });
};
const codeOf = (name, { isRunning = false, lost = 1 } = {}) => results.of(idOf(name), isRunning, lost)?.error?.code;

test("what a command did is kept, what it read or returned is not", () => {
  const effects = { url: "https://shop.example/", changed: true };
  const outcome = { outcome: "done" };
  const error = undefined;
  ended("click", { result: { value: "a secret" }, snapshot: "- page", outcome, effects, error, lateEffects: {} });
  assert.deepEqual(JSON.parse(JSON.stringify(results.of(idOf("click"), false, 1))), {
    type: "response",
    id: idOf("click"),
    success: true,
    outcome,
    effects,
    ms: 1,
  });
});

test("one that runs has no result yet", () => {
  results.begin(idOf("click"));
  assert.equal(results.of(idOf("click"), true, 1), null);
});

test("what never began was not done; nobody can say so of a command that another memory would know", () => {
  assert.equal(codeOf("never"), "NOT_SENT");
  const { error } = results.of("another.1", false, 1);
  assert.equal(error.code, "OUTCOME_UNKNOWN");
});

test("when more answers were lost than are kept, one that is not known may have been forgotten", () => {
  assert.equal(codeOf("never", { lost: 256 }), "NOT_SENT");
  assert.equal(codeOf("never", { lost: 257 }), "OUTCOME_UNKNOWN");
});

test("the last 256 are kept, and of those before them that they began", () => {
  for (let number = 0; number < 300; number += 1) ended(`n${number}`);
  assert.equal(codeOf("n43"), "OUTCOME_UNKNOWN");
  assert.equal(results.of(idOf("n44"), false, 1).success, true);
  assert.equal(results.of(idOf("n299"), false, 1).success, true);
});

test("however many begin, the memory is bounded", () => {
  for (let number = 0; number < 1100; number += 1) results.begin(idOf(`n${number}`));
  assert.deepEqual([codeOf("n75"), codeOf("n76")], ["NOT_SENT", "OUTCOME_UNKNOWN"]);
});

test("all answers of a tab together take a bounded room, and one that is large is kept without its words", () => {
  const consoleErrors = ["x".repeat(7000)];
  for (let number = 0; number < 50; number += 1) ended(`n${number}`, { effects: { consoleErrors, changed: true } });
  assert.equal(codeOf("n12"), "OUTCOME_UNKNOWN");
  assert.deepEqual(results.of(idOf("n49"), false, 1).effects, { consoleErrors, changed: true });
  const error = { code: "EXECUTION_ERROR", message: "y".repeat(9000) };
  ended("large", { success: false, error, effects: { consoleErrors, requests: 2, changed: true } });
  const kept = results.of(idOf("large"), false, 1);
  assert.deepEqual([kept.error, kept.effects], [{ code: "EXECUTION_ERROR" }, { requests: 2, changed: true }]);
});

test("one that asks back has done nothing, and may begin again", () => {
  assert.equal(results.give(idOf("click")), true);
  ended("click", { success: false, error: { code: "NEEDS_APPROVAL" } });
  assert.equal(codeOf("click"), "NOT_SENT");
  assert.equal(results.give(idOf("click")), true);
  ended("click");
  assert.equal(results.of(idOf("click"), false, 1).success, true);
  assert.equal(results.give(idOf("click")), false);
});

test("one that ended before it began is none of them", () => {
  results.end({ type: "response", id: idOf("waited"), success: false, error: { code: "TAB_DISCONNECTED" }, ms: 0 });
  assert.equal(codeOf("waited"), "NOT_SENT");
});

test("the last sixteen are known to another memory, which cannot say of others that they never began", () => {
  for (let number = 1; number <= 20; number += 1) ended(`click${number}`, { effects: { changed: true } });
  const before = results;
  results = new Results(JSON.parse(JSON.stringify(before.last())));
  const told = (name) => results.of(`${before.memory}.${name}`, false, 1);
  assert.deepEqual([told("click5").effects, told("click20").success], [{ changed: true }, true]);
  assert.equal(told("click4").error.code, "OUTCOME_UNKNOWN");
  assert.equal(told("never").error.code, "OUTCOME_UNKNOWN");
});
