import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { test } from "../testing.js";
import { LostTabs } from "../../../extension/browser/lost_tabs.js";

let tab, record, connected, around, put, connecting, lost;
beforeEach(() => {
  tab = { url: "https://a.example/" };
  record = { connected: true };
  connected = false;
  around = { isHolding: false, state: "connected" };
  put = [];
  connecting = [];
  lost = new LostTabs({
    chrome: { tabs: { get: async () => tab ?? Promise.reject(new Error("No tab with id: 7.")) } },
    panel: around,
    pause: around,
    registry: { has: () => connected },
    records: { of: async () => record, put: async (id, changes) => put.push([id, changes]) },
    connect: async (id) => connecting.push(id),
  });
  lost.add(7);
});

test("a tab that is there and shared is connected again with what it was given", async () => {
  await lost.comeBack(7);
  assert.deepEqual([put, connecting, lost.has(7)], [[[7, { held: true }]], [7], true]);
});

for (const [what, change] of [
  ["has closed", () => (tab = null)],
  ["is shared no more", () => (record.connected = false)],
  ["is connected already", () => (connected = true)],
  ["is held by a pause", () => (around.isHolding = true)],
  ["has no panel to go to", () => (around.state = "connecting")],
])
  test(`a tab that ${what} is lost no more, and not connected`, async () => {
    change();
    await lost.comeBack(7);
    assert.deepEqual([connecting, lost.has(7)], [[], false]);
  });

test("at a page of the browser it waits for the next page", async () => {
  tab.url = "chrome://settings/";
  await lost.comeBack(7);
  assert.deepEqual([connecting, lost.has(7)], [[], true]);
});
