import assert from "node:assert/strict";
import { outcomeOf, tellsOfAny } from "../../../extension/tab/outcome.js";
import { test } from "../testing.js";

/** @type {[string, object, string][]} */
const TABLE = [
  ["what was asked for stands there", { readBack: true }, "confirmed"],
  ["… though the page showed nothing of the event", { readBack: true, arrived: false }, "confirmed"],
  ["a state of the target's own is another one", { isOwn: true, arrived: true, hasEffect: true }, "confirmed"],
  ["it does not stand there, and nothing happened", { readBack: false }, "no_effect"],
  ["it does not stand there, but something happened", { readBack: false, hasEffect: true }, "done"],
  ["another state than the one that was asked for", { readBack: false, isOwn: true, hasEffect: true }, "done"],
  ["it arrived, and something happened", { arrived: true, hasEffect: true }, "done"],
  ["it arrived, and nothing happened", { arrived: true }, "no_effect"],
  ["nobody tells whether it arrived, and nothing happened", {}, "no_effect"],
  ["something happened, and nothing arrived", { arrived: false, hasEffect: true }, "unverifiable"],
  ["nothing arrived", { arrived: false }, "unverifiable"],
  ["what may have happened is not looked at", { arrived: true, unseen: "a canvas" }, "unverifiable"],
  ["something happened beside what is not looked at", { arrived: true, hasEffect: true, unseen: "a canvas" }, "done"],
];

for (const [words, facts, outcome] of TABLE)
  test(`${words}: ${outcome}`, () => assert.equal(outcomeOf(facts).outcome, outcome));

test("what nobody could tell has a reason", () => {
  assert.deepEqual(outcomeOf({ unseen: "a canvas" }), { outcome: "unverifiable", reason: "a canvas" });
  assert.match(/** @type {any} */ (outcomeOf({ arrived: false })).reason, /reached/);
});

for (const [effects, tells] of [
  [{ changed: true }, true],
  [{ changed: false }, false],
  [{ changed: "unknown" }, false],
  [{ url: "https://a.example/" }, true],
  [{ changed: false, requests: 1 }, true],
  [{ pending: ["GET /"] }, true],
  [{ newTabs: [{ url: "" }] }, true],
  [{ changed: false, consoleErrors: ["boom"] }, false],
])
  test(`${JSON.stringify(effects)} tells of ${tells ? "something" : "nothing"}`, () =>
    assert.equal(tellsOfAny(effects), tells));
