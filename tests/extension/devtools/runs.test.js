import assert from "node:assert/strict";
import { Runs } from "../../../extension/devtools/runs.js";
import { test } from "../testing.js";

test("a run is sent, ends with its own answer, and can be cancelled until then", async () => {
  const sent = [];
  const runs = new Runs((message) => sent.push(message));
  const first = runs.begin("kapturemcp_click", { ref: "e1" });
  const second = runs.begin("kapturemcp_hover", {});
  runs.cancel(first.id);
  runs.onRan(second.id, { success: true, result: 2 });
  runs.onRan(first.id, { success: true, result: 1 });
  runs.cancel(first.id);
  runs.onRan(99, {});
  assert.deepEqual([(await first.ended).result, (await second.ended).result], [1, 2]);
  assert.deepEqual(sent, [{ run: 1, command: "kapturemcp_click", params: { ref: "e1" } }, { run: 2, command: "kapturemcp_hover", params: {} }, { cancel: 1 }]);
});

test("when the worker is lost every run ends unknown", async () => {
  const runs = new Runs(() => {});
  const { ended } = runs.begin("kapturemcp_click", {});
  runs.failAll();
  assert.equal((await ended).error.code, "OUTCOME_UNKNOWN");
});
