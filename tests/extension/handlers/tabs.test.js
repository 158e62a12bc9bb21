import assert from "node:assert/strict";
import { browserHandlers, tabHandlers } from "../../../extension/handlers/tabs.js";
import { test } from "../testing.js";

test("new_tab shows the tab unless it is to stay in the background", async () => {
  const opened = [];
  const connections = { openTab: async (...args) => opened.push(args) };
  const how = { timeout: 5000, dialogs: "dismiss" };
  await browserHandlers.kapturemcp_new_tab({ url: "https://a.example/", background: false, snapshot: "none" }, connections, how);
  await browserHandlers.kapturemcp_new_tab({ url: "https://a.example/", background: true, snapshot: "full" }, connections, how);
  assert.deepEqual(opened, [
    ["https://a.example/", { active: true, snapshot: "none", ...how }],
    ["https://a.example/", { active: false, snapshot: "full", ...how }],
  ]);
});

test("close_tab closes this tab and no other", async () => {
  const removed = [];
  const session = { chrome: { tabs: { remove: async (id) => removed.push(id) } }, chromeTabId: 7, id: "abcde", closing: false, onEvent: (event) => removed.push(event.kind) };
  assert.deepEqual(await tabHandlers.kapturemcp_close_tab({}, { session }), { closed: "abcde" });
  assert.deepEqual([removed, session.closing], [[7, "closed"], true]);
});
