import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { test } from "../testing.js";
import { Worlds } from "../../../extension/tab/worlds.js";

let worlds, signal;
beforeEach(() => {
  worlds = new Worlds();
  signal = new AbortController().signal;
});

const created = (frameId, uniqueId, name = "kapture") =>
  worlds.onEvent("Runtime.executionContextCreated", { context: { name, uniqueId, auxData: { frameId } } });

test("the world of a frame is found by the unique id of its context", async () => {
  created("F1", "W1");
  created("F2", "W2");
  assert.equal(await worlds.of("F1", signal), "W1");
  assert.equal(await worlds.of("F2", signal), "W2");
});

test("a world that is there is known at once, one that is not is unknown", () => {
  created("F1", "W1");
  assert.deepEqual([worlds.known("F1"), worlds.known("F2")], ["W1", undefined]);
});

test("contexts of the page itself and of others are never taken", async () => {
  const asked = worlds.of("F1", signal);
  created("F1", "page", "");
  created("F1", "other", "someone else");
  worlds.onEvent("Runtime.executionContextCreated", { context: { name: "kapture", uniqueId: "worker" } });
  created("F1", "W1");
  assert.equal(await asked, "W1");
});

test("a world that is not there yet is waited for, by as many as want it", async () => {
  const asked = [worlds.of("F1", signal), worlds.of("F1", signal)];
  created("F1", "W1");
  assert.deepEqual(await Promise.all(asked), ["W1", "W1"]);
});

test("a new document's world replaces the old one, whose late end changes nothing", async () => {
  created("F1", "W1");
  created("F1", "W2");
  worlds.onEvent("Runtime.executionContextDestroyed", { executionContextUniqueId: "W1" });
  assert.equal(await worlds.of("F1", signal), "W2");
});

for (const [what, end] of [
  ["destroyed", () => worlds.onEvent("Runtime.executionContextDestroyed", { executionContextUniqueId: "W1" })],
  ["cleared", () => worlds.onEvent("Runtime.executionContextsCleared", {})],
  ["forgotten", () => worlds.forget("W1")],
])
  test(`after its context was ${what} the next one is waited for`, async () => {
    created("F1", "W1");
    end();
    const asked = worlds.of("F1", signal);
    created("F1", "W2");
    assert.equal(await asked, "W2");
  });

test("waiting ends with the command", async () => {
  const over = new AbortController();
  const asked = worlds.of("F1", over.signal);
  over.abort(new Error("over"));
  await assert.rejects(asked, /over/);
  await assert.rejects(worlds.of("F1", over.signal), /over/);
});

test("every context is told with its number, until it is gone", () => {
  const context = (id) => ({ id, name: "kapture", uniqueId: `W${id}`, auxData: { frameId: `F${id}` } });
  for (const id of [1, 2]) worlds.onEvent("Runtime.executionContextCreated", { context: context(id) });
  worlds.onEvent("Runtime.executionContextDestroyed", { executionContextUniqueId: "W1" });
  assert.deepEqual(worlds.all(), [{ id: "W2", number: 2 }]);
  worlds.onEvent("Runtime.executionContextsCleared");
  assert.deepEqual(worlds.all(), []);
});

test("a context is known by its number, too, until it is gone", () => {
  worlds.onEvent("Runtime.executionContextCreated", {
    context: { id: 3, name: "kapture", uniqueId: "W1", auxData: { frameId: "F1" } },
  });
  assert.equal(worlds.numberOf("W1"), 3);
  worlds.forget("W1");
  assert.equal(worlds.numberOf("W1"), undefined);
});

test("the page's own world of a frame is known by its unique id and origin, as long as it is there", () => {
  const worlds = new Worlds();
  const made = (uniqueId, origin) =>
    worlds.onEvent("Runtime.executionContextCreated", {
      context: { name: "", uniqueId, origin, auxData: { frameId: "F1", isDefault: true } },
    });
  made("P1", "https://a.example");
  assert.deepEqual(worlds.pageOf("F1"), { id: "P1", origin: "https://a.example" });
  assert.equal(worlds.known("F1"), undefined);
  worlds.onEvent("Runtime.executionContextsCleared", {});
  assert.equal(worlds.pageOf("F1"), undefined);
  made("P2", "https://b.example");
  worlds.onEvent("Runtime.executionContextDestroyed", { executionContextUniqueId: "P1" });
  assert.equal(worlds.pageOf("F1").id, "P2");
  worlds.onEvent("Runtime.executionContextDestroyed", { executionContextUniqueId: "P2" });
  assert.equal(worlds.pageOf("F1"), undefined);
});
