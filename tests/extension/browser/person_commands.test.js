import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { PersonCommands } from "../../../extension/browser/person_commands.js";
import { test } from "../testing.js";

let sent, link, runs;
beforeEach(() => {
  sent = [];
  link = { send: (frame) => sent.push(frame) };
  runs = new PersonCommands();
});

test("a run goes to the panel and ends with its answer", async () => {
  const one = runs.begin(link, "abcde", "kapturemcp_click", { ref: "e1" });
  const two = runs.begin(link, "abcde", "kapturemcp_hover", {});
  assert.deepEqual(sent[0], {
    type: "run",
    id: sent[0].id,
    tabId: "abcde",
    command: "kapturemcp_click",
    params: { ref: "e1" },
  });
  runs.onRan({ type: "ran", id: sent[1].id, success: false, error: { code: "PAUSED" } });
  runs.onRan({ type: "ran", id: sent[0].id, success: true, result: 5 });
  assert.deepEqual(
    [await one.ended, await two.ended],
    [
      { success: true, result: 5 },
      { success: false, error: { code: "PAUSED" } },
    ],
  );
});

test("it can be cancelled while it runs, not after", () => {
  const one = runs.begin(link, "abcde", "kapturemcp_wait", {});
  one.cancel();
  assert.deepEqual(sent.at(-1), { type: "cancel", id: sent[0].id });
  runs.onRan({ id: sent[0].id, success: true });
  one.cancel();
  assert.equal(sent.length, 2);
});

test("when the link breaks nobody knows how they ended; an answer nobody waits for is dropped", async () => {
  const one = runs.begin(link, "abcde", "kapturemcp_click", {});
  runs.failAll();
  assert.equal((await one.ended).error.code, "OUTCOME_UNKNOWN");
  runs.onRan({ type: "ran", id: "p9", success: true });
});
