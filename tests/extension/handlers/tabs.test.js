import assert from "node:assert/strict";
import { browserHandlers, tabHandlers } from "../../../extension/handlers/tabs.js";
import { ChromeTab } from "../../../extension/tab/chrome_tab.js";
import { EVERYTHING } from "../fakes.js";
import { connectedTab } from "../tab.js";
import { test } from "../testing.js";

test("new_tab shows the tab unless it is to stay in the background", async () => {
  const opened = [];
  const connections = { openTab: async (...args) => opened.push(args) };
  const how = { timeout: 5000, dialogs: "dismiss", grant: EVERYTHING };
  await browserHandlers.kapturemcp_new_tab(
    { url: "https://a.example/", background: false, snapshot: "none" },
    connections,
    how,
  );
  await browserHandlers.kapturemcp_new_tab(
    { url: "https://a.example/", background: true, snapshot: "full" },
    connections,
    how,
  );
  assert.deepEqual(opened, [
    ["https://a.example/", { active: true, snapshot: "none", ...how }],
    ["https://a.example/", { active: false, snapshot: "full", ...how }],
  ]);
});

test("new_tab opens nothing that leads where it was not allowed to", async () => {
  const connections = { openTab: () => assert.fail("it was opened") };
  const how = { timeout: 5000, grant: { origins: ["https://a.example"], secret: [] } };
  for (const [url, origin] of [
    ["https://b.example/x", "https://b.example"],
    ["b.example", "https://b.example"],
    ["http://a.example/", "http://a.example"],
  ])
    await assert.rejects(
      browserHandlers.kapturemcp_new_tab({ url, background: false }, connections, how),
      (error) => error.code === "NEEDS_APPROVAL" && error.details.origin === origin,
    );
});

test("close_tab closes this tab and no other", async () => {
  const removed = [];
  const chromeTab = new ChromeTab({ chrome: { tabs: { remove: async (id) => removed.push(id) } }, chromeTabId: 7 });
  const lifetime = { isClosing: false, tell: (event) => removed.push(event.kind) };
  assert.deepEqual(await tabHandlers.kapturemcp_close_tab({}, { chromeTab, lifetime, tabId: "abcde" }), {
    closed: "abcde",
  });
  assert.deepEqual([removed, lifetime.isClosing], [[7, "closed"], true]);
});

for (const command of ["close_tab", "activate_tab"])
  test(`${command} in a tab that has just gone tells so`, async () => {
    const tab = await connectedTab();
    const gone = () => Promise.reject(new Error("No tab with id: 7."));
    Object.assign(tab.chrome.tabs, { get: gone, update: gone, remove: gone });
    const { error } = await tab.run(command, {});
    assert.deepEqual([error.code, tab.session.isClosing], ["TAB_DISCONNECTED", false], error.message);
  });
