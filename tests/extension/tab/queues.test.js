import assert from "node:assert/strict";
import { test } from "../testing.js";
import { Queues } from "../../../extension/tab/queues.js";

const waiting = (queue, id) => queue.run(id, 1000, () => new Promise(() => {}));

test("what is at once does not wait behind a command, and both count", async () => {
  const queues = new Queues();
  const command = waiting(queues.commands, "c1");
  assert.equal(await queues.immediate.run("i1", 1000, async () => "at once"), "at once");
  assert.equal(queues.size, 1);
  queues.cancel("c1");
  await assert.rejects(command, { code: "OUTCOME_UNKNOWN" });
});

test("all of both queues can be given up on", async () => {
  const queues = new Queues();
  const all = [waiting(queues.commands, "c1"), waiting(queues.commands, "c2"), waiting(queues.immediate, "i1")];
  queues.failAll(new Error("the tab is gone"));
  for (const one of all) await assert.rejects(one, /the tab is gone/);
  assert.equal(queues.size, 0);
});

test("what runs or waits in either queue is known by its id", async () => {
  const queues = new Queues();
  const all = [waiting(queues.commands, "c1"), waiting(queues.commands, "c2"), waiting(queues.immediate, "i1")];
  assert.deepEqual(queues.ids(), ["c1", "c2", "i1"]);
  assert.deepEqual(
    ["c1", "c2", "i1", "c3"].map((id) => queues.has(id)),
    [true, true, true, false],
  );
  queues.cancel("c2", new Error("given up"));
  queues.cancel("i1", new Error("given up"));
  queues.cancel("c1");
  await assert.rejects(all[0], { code: "OUTCOME_UNKNOWN" });
  await assert.rejects(all[1], /given up/);
  await assert.rejects(all[2], /given up/);
});
