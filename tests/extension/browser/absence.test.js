import assert from "node:assert/strict";
import { afterEach, beforeEach, mock } from "node:test";
import { FakeBrowser, OWN } from "../browser.js";
import { CONFIG, EVERYTHING, settle } from "../fakes.js";
import { test } from "../testing.js";

let browser, chrome, panel, connections;
beforeEach(() => void ({ chrome, panel, connections } = browser = new FakeBrowser()));
afterEach(() => browser.end());

/** Let time pass, with what it brings. */
async function pass(ms) {
  mock.timers.tick(ms);
  await settle(20);
}

/** The panel starts again, and the browser dials it. */
async function back() {
  panel.running = true;
  await connections.reach();
  await settle(20);
}

test("a person's browser is let go of while the panel is away, and its tabs come back as they were", async () => {
  await connections.start(OWN);
  const tabId = await connections.connect(1);
  const link = await panel.tabLink(tabId);
  await link.command("c1", "kapturemcp_set_offline", { offline: true });
  panel.stop();
  await pass(2999);
  assert.deepEqual([...chrome.attached], [1], "a panel that begins anew finds it as it was");
  await pass(1);
  assert.deepEqual([[...chrome.attached], connections.stateOf(1)], [[], "connecting"]);
  chrome.sent.length = 0;
  await back();
  assert.equal((await panel.tabLink(tabId)).hello.tabId, tabId);
  assert.deepEqual([[...chrome.attached], connections.stateOf(1)], [[1], "connected"]);
  const offline = chrome.sent.findLast(({ method }) => method === "Network.emulateNetworkConditions");
  assert.equal(offline.params.offline, true);
});

test("each absence has its own three seconds", async () => {
  await connections.start(OWN);
  await connections.connect(1);
  panel.stop();
  await pass(2000);
  await back();
  panel.stop();
  await pass(2000);
  assert.deepEqual([...chrome.attached], [1]);
  await pass(1000);
  assert.deepEqual([...chrome.attached], []);
});

test("a panel that is back when it is dialled for the third time finds the tabs as they were", async () => {
  await connections.start(OWN);
  const link = await panel.tabLink(await connections.connect(1));
  panel.stop();
  for (const wait of [250, 500]) await pass(wait);
  panel.running = true;
  await pass(1000);
  await pass(2000);
  assert.notEqual(await panel.tabLink(), link);
  assert.deepEqual([[...chrome.attached], connections.stateOf(1)], [[1], "connected"]);
  assert.equal(chrome.methods(1).filter((method) => method === "Page.enable").length, 1, "its session went on");
});

for (const isAnotherWorker of [false, true])
  test(`what became of an action that ran when the panel ended is told to the next panel, ${isAnotherWorker ? "by the next worker" : "by the same worker"}`, async () => {
    await connections.start(OWN);
    const tabId = await connections.connect(1);
    const { memory } = connections.sessionOf(1);
    const link = await panel.tabLink(tabId);
    const reload = chrome.hold("Page.reload");
    link.tell({
      type: "command",
      id: "c1",
      command: "kapturemcp_reload",
      params: { ignoreCache: false },
      timeout: 60_000,
      grant: EVERYTHING,
    });
    await chrome.until(() => chrome.methods(1).includes("Page.reload"));
    panel.stop();
    await pass(2000);
    reload.fail(new Error("No page to reload"));
    await settle(20);
    await pass(1000);
    assert.deepEqual([...chrome.attached], []);
    if (isAnotherWorker) {
      browser.killWorker();
      connections = browser.worker();
      await connections.start(OWN);
      await settle();
      assert.equal(connections.stateOf(1), "connecting");
    }
    panel.open = ["c1", `${memory}.never`];
    await back();
    const again = await panel.tabLink(tabId);
    assert.match((await again.response("c1")).error.message, /No page to reload/);
    // Another memory cannot say that something never began.
    const { error } = await again.response(`${memory}.never`);
    assert.equal(error.code, isAnotherWorker ? "OUTCOME_UNKNOWN" : "NOT_SENT");
  });

test("a tab that the person disconnects meanwhile, or closes, does not come back", async () => {
  await connections.start(OWN);
  await connections.connect(1);
  await connections.connect(2);
  const shown = [];
  connections.onChanged = (chromeTabId) => shown.push(chromeTabId);
  panel.stop();
  await pass(3000);
  shown.length = 0;
  await connections.disconnect(1);
  assert.ok(shown.includes(1), "who shows it hears of it");
  await chrome.tabs.onRemoved.emit(2);
  await settle(20);
  assert.deepEqual([connections.stateOf(1), connections.stateOf(2)], ["idle", "idle"]);
  await back();
  assert.deepEqual([[...chrome.attached], panel.tabLinks.length], [[], 0]);
});

test("what outlived the worker that attached it is let go of, too", async () => {
  await connections.start(OWN);
  await connections.connect(1);
  panel.stop();
  browser.killWorker();
  connections = browser.worker();
  await connections.start(OWN);
  assert.deepEqual([...chrome.attached], [1]);
  await pass(3000);
  assert.deepEqual([[...chrome.attached], connections.stateOf(1)], [[], "connecting"]);
  await back();
  assert.deepEqual([...chrome.attached], [1]);
});

test("a browser that does not know this one any more lets go of its tabs", async () => {
  await connections.start(OWN);
  await connections.connect(1);
  panel.stop();
  panel.key = "55".repeat(32);
  panel.running = true;
  await pass(3000);
  assert.deepEqual([...chrome.attached], []);
});

test("a browser that the panel started is left alone: it ends with its panel", async () => {
  connections.start(CONFIG);
  await browser.tabsLinked(2);
  panel.stop();
  await pass(3000);
  assert.equal(chrome.attached.size, 2);
});
