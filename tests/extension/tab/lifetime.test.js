import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { test } from "../testing.js";
import { Lifetime } from "../../../extension/tab/lifetime.js";

let order, lifetime;
beforeEach(() => {
  order = [];
  lifetime = new Lifetime({
    cdp: { detach: async () => order.push("detached") },
    heldKeys: { letGo: async (why) => order.push(`keys up: ${why}`) },
    queues: { failAll: (error) => order.push(error.message) },
    tell: ({ kind }) => order.push(kind),
  });
});

test("the panel is told first, then what runs fails, then the debugger is let go", async () => {
  await lifetime.end(new Error("closed by the person"));
  assert.deepEqual(order, ["closed", "closed by the person", "keys up: the browser let go of the tab", "detached"]);
  assert.equal(lifetime.ended.message, "closed by the person");
  await lifetime.over;
});

test("what closes the tab is not failed by its end", async () => {
  lifetime.isClosing = true;
  await lifetime.end(new Error("gone"), { kind: "held" });
  assert.deepEqual(order, ["held", "keys up: the browser let go of the tab", "detached"]);
});
