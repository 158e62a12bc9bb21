import assert from "node:assert/strict";
import { RunningCommands } from "../../../extension/devtools/running_commands.js";
import { test } from "../testing.js";

test("a run is sent, ends with its own answer, and can be cancelled until then", async () => {
  const sent = [];
  const running = new RunningCommands((message) => sent.push(message));
  const first = running.begin("kapturemcp_click", { ref: "e1" });
  const second = running.begin("kapturemcp_hover", {});
  running.cancel(first.id);
  running.onRan(second.id, { success: true, result: 2 });
  running.onRan(first.id, { success: true, result: 1 });
  running.cancel(first.id);
  running.onRan(99, {});
  assert.deepEqual([(await first.ended).result, (await second.ended).result], [1, 2]);
  assert.deepEqual(sent, [
    { run: 1, command: "kapturemcp_click", params: { ref: "e1" } },
    { run: 2, command: "kapturemcp_hover", params: {} },
    { cancel: 1 },
  ]);
});

test("when the worker is lost every run ends unknown", async () => {
  const running = new RunningCommands(() => {});
  const { ended } = running.begin("kapturemcp_click", {});
  running.failAll();
  assert.equal((await ended).error.code, "OUTCOME_UNKNOWN");
});
