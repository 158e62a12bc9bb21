import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { Overlay } from "../../../extension/tab/overlay.js";
import { test } from "../testing.js";

let sent, overlay;
beforeEach(() => {
  sent = [];
  overlay = new Overlay({ send: async (method) => void sent.push(method) });
});

test("it is on from the first painter to the last", () => {
  overlay.begin("cursor");
  overlay.begin("frame");
  overlay.end("cursor");
  overlay.end("cursor");
  assert.deepEqual([sent, overlay.isUsed], [["DOM.enable", "Overlay.enable"], true]);
  overlay.end("frame");
  assert.deepEqual([sent.slice(2), overlay.isUsed], [["Overlay.disable", "DOM.disable"], false]);
});

test("a tab that is gone fails nobody", async () => {
  overlay = new Overlay({ send: () => Promise.reject(new Error("Debugger is not attached")) });
  assert.equal(await overlay.send("Overlay.enable"), null);
});
