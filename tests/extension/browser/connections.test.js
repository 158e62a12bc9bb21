import assert from "node:assert/strict";
import { afterEach, beforeEach } from "node:test";
import { FakeBrowser, OWN } from "../browser.js";
import { test } from "../testing.js";

let browser, chrome, panel, connections;
beforeEach(() => void ({ chrome, panel, connections } = browser = new FakeBrowser()));
afterEach(() => browser.end());

test("what changes is told to the pages that show it", async () => {
  const changed = [];
  connections.onChanged = (tabId) => changed.push(tabId);
  await connections.start(OWN);
  await panel.browserLink();
  assert.ok(changed.includes(undefined));
  await connections.connect(1);
  assert.ok(changed.includes(1));
  changed.length = 0;
  await chrome.tabs.onUpdated.emit(2, { title: "New" }, chrome.byId.get(2));
  assert.deepEqual(changed, [2]);
});

test("what the person runs in a tab goes over the browser's link and comes back", async () => {
  await connections.start(OWN);
  const tabId = await connections.connect(1);
  const browser = await panel.browserLink();
  const run = connections.run(1, "kapturemcp_click", { ref: "e1" });
  const frame = await browser.next("run");
  assert.deepEqual(frame, { type: "run", id: frame.id, tabId, command: "kapturemcp_click", params: { ref: "e1" } });
  run.cancel();
  assert.equal((await browser.next("cancel")).id, frame.id);
  browser.tell({ type: "ran", id: frame.id, success: true, result: 4 });
  assert.deepEqual(await run.ended, { success: true, result: 4 });
  const lost = connections.run(1, "kapturemcp_click", {});
  browser.hangUp();
  assert.equal((await lost.ended).error.code, "OUTCOME_UNKNOWN");
});

test("nothing is run in a tab that is not connected", async () => {
  await connections.start(OWN);
  await panel.browserLink();
  assert.equal((await connections.run(2, "kapturemcp_click", {}).ended).error.code, "TAB_DISCONNECTED");
});
