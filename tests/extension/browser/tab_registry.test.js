import assert from "node:assert/strict";
import { test } from "../testing.js";
import { TabRegistry } from "../../../extension/browser/tab_registry.js";

test("a tab is idle, is being connected, then as it says itself", () => {
  const registry = new TabRegistry();
  const session = { id: "abcde" };
  assert.deepEqual([registry.stateOf(7), registry.driverOf(7), registry.sessionOf(7)], ["idle", "", null]);
  registry.add(7, { session, state: "executing", driver: "codex" });
  registry.connecting.set(7, Promise.resolve("abcde"));
  assert.deepEqual([registry.stateOf(7), registry.isAttached(7)], ["connecting", false]);
  registry.connecting.delete(7);
  assert.deepEqual(
    [registry.stateOf(7), registry.isAttached(7), registry.driverOf(7), registry.sessionOf(7)],
    ["executing", true, "codex", session],
  );
  assert.deepEqual([registry.ids(), registry.size, registry.has(7)], [[7], 1, true]);
  registry.delete(7);
  assert.deepEqual([registry.ids(), registry.has(7)], [[], false]);
});
