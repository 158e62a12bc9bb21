import assert from "node:assert/strict";
import { afterEach, beforeEach } from "node:test";
import { AgentTabs } from "../../../extension/browser/agent_tabs.js";
import { FakeBrowser, OWN } from "../browser.js";
import { settle } from "../fakes.js";
import { test } from "../testing.js";

let browser, chrome, panel, connections;
beforeEach(() => void ({ chrome, panel, connections } = browser = new FakeBrowser()));
afterEach(() => browser.end());

test("a tab an agent opened in a person's browser is in its group, and out of it when the person takes it out", async () => {
  const grouped = [];
  chrome.tabs.group = async ({ tabIds: [id] }) => (grouped.push(id), 5);
  chrome.tabs.ungroup = async () => {};
  chrome.tabGroups = { get: async () => ({}), update: async (group, { title }) => void grouped.push(title) };
  await connections.start(OWN);
  const { result } = await browser.newTab({});
  const link = await panel.tabLink(result.tabId);
  link.tell({ type: "settings", driver: "codex" });
  await settle(20);
  const id = [...chrome.byId.keys()].at(-1);
  assert.deepEqual(grouped, [id, "codex"]);
  await chrome.tabs.onUpdated.emit(id, { groupId: 5 }, chrome.byId.get(id));
  assert.equal(connections.stateOf(id), "connected");
  await chrome.tabs.onUpdated.emit(id, { groupId: -1 }, chrome.byId.get(id));
  await settle();
  assert.deepEqual([connections.stateOf(id), browser.record(id).declined], ["idle", true]);
});

/** Over records alone; joins group 5, and notes who. */
function agentTabs() {
  const joined = [];
  const records = {
    all: async () => ({}),
    of: async () => ({ group: 5 }),
    put: async (id, changes) => joined.push([id, changes]),
  };
  const tabs = new AgentTabs({ chrome: {}, records });
  tabs.groups = { join: async (id, name) => (joined.push([id, name]), 5) };
  return { tabs, joined };
}

test("a tab is put under the first name the panel says, once", async () => {
  const { tabs, joined } = agentTabs();
  await tabs.onDriver(7, "nobody opened it");
  tabs.opened(7);
  await tabs.onDriver(7, "");
  await tabs.onDriver(7, "codex");
  await tabs.onDriver(7, "another");
  assert.deepEqual(joined, [
    [7, "codex"],
    [7, { group: 5, groupName: "codex" }],
  ]);
});

test("a tab that was let go of before that is in nobody's group", async () => {
  const { tabs, joined } = agentTabs();
  tabs.opened(7);
  tabs.forget(7);
  await tabs.onDriver(7, "codex");
  assert.deepEqual(joined, []);
});

test("it was taken out when it is in another group or in none", async () => {
  const { tabs } = agentTabs();
  assert.deepEqual(
    [await tabs.isTakenOut(7, 5), await tabs.isTakenOut(7, 6), await tabs.isTakenOut(7, -1)],
    [false, true, true],
  );
});
