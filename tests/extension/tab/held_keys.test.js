import assert from "node:assert/strict";
import { HeldKeys } from "../../../extension/tab/held_keys.js";
import { keysOf } from "../../../extension/tab/keys.js";
import { test } from "../testing.js";

const holding = (chord, cdp = {}) => {
  const held = new HeldKeys(/** @type {any} */ (cdp));
  for (const pressed of keysOf(chord)) held.add(pressed);
  return held;
};

test("keys are called as they are asked for, letters without regard to case", () => {
  assert.deepEqual(holding("Ctrl+Shift+W").names, ["Control", "Shift", "w"]);
  assert.deepEqual(holding("Space").names, ["Space"]);
  assert.deepEqual(holding("Numpad5").names, ["Numpad5"]);
});

test("only modifiers among them change what else is done", () => {
  assert.equal(holding("w").modifiers, 0);
  assert.equal(holding("Control+Shift+w").modifiers, 10);
  holding("w").demandNoModifier();
  assert.throws(
    () => holding("Alt+Shift+w").demandNoModifier(),
    /^KaptureError: Alt and Shift is held down|Alt and Shift/,
  );
});

test("a tab that is gone takes its keys along", async () => {
  const held = holding("Control+w", { send: () => Promise.reject(new Error("Target closed")) });
  await held.letGo("the tab was closed");
  assert.deepEqual(held.names, []);
  assert.throws(() => held.demand(["w"]), /nothing is any more: the tab was closed/);
});
