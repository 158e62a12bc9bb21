import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { answerPopup } from "../../../extension/lib/popup_messages.js";
import { FakeChrome } from "../fakes.js";
import { test } from "../testing.js";

let connections, done;
beforeEach(() => {
  done = [];
  connections = {
    panelState: "connected", tabs: new Map([[7, {}]]), stateOf: (id) => (id === 7 ? "connected" : "idle"),
    connect: async (id) => done.push(["connect", id]), disconnect: async (id) => done.push(["disconnect", id]), unpair: async () => done.push(["unpair"]),
    chrome: new FakeChrome(),
  };
});

for (const [ask, wanted] of [["status", []], ["connect", [["connect", 7]]], ["disconnect", [["disconnect", 7]]], ["unpair", [["unpair"]]], ["pair", []]])
  test(`the popup may ask: ${ask}`, async () => {
    assert.deepEqual(await answerPopup({ ask, tabId: 7 }, connections), { panel: "connected", tab: "connected", connected: 1 });
    assert.deepEqual(done, wanted);
  });

test("why a tab cannot be connected reaches the popup", async () => {
  connections.connect = () => Promise.reject(new Error("Chrome lets no extension into this page"));
  await assert.rejects(answerPopup({ ask: "connect", tabId: 7 }, connections), /lets no extension/);
});

for (const message of [{ ask: "evaluate" }, {}, null, "status", { ask: "constructor" }, { ask: "__proto__" }])
  test(`${JSON.stringify(message)} is nothing the popup may ask`, async () => {
    await assert.rejects(answerPopup(message, connections), /unknown/);
    assert.deepEqual(done, []);
  });
