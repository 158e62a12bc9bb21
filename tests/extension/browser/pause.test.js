import assert from "node:assert/strict";
import { afterEach, beforeEach, mock } from "node:test";
import { FakeBrowser, OWN } from "../browser.js";
import { CONFIG, EVERYTHING, settle } from "../fakes.js";
import { test } from "../testing.js";

let browser, chrome, panel, connections;
beforeEach(() => void ({ chrome, panel, connections } = browser = new FakeBrowser()));
afterEach(() => browser.end());

test("a pause takes the debugger from a person's tabs, and afterwards the same tabs come back as they were", async () => {
  await connections.start(OWN);
  const tabId = await connections.connect(1);
  const link = await panel.tabLink(tabId);
  await link.command("c1", "kapturemcp_inject_script", { source: "1", id: "a", keep: true });
  await link.command("c2", "kapturemcp_set_offline", { offline: true });
  chrome.hold("Page.reload");
  const running = link.command("c3", "kapturemcp_reload", { ignoreCache: false });
  await chrome.until(() => chrome.methods(1).includes("Page.reload"));
  await browser.pausing(true);
  assert.equal((await running).error.code, "OUTCOME_UNKNOWN");
  assert.deepEqual(link.events().at(-1), { kind: "held" });
  assert.deepEqual([[...chrome.attached], connections.stateOf(1), chrome.badges.get(1)], [[], "paused", "❚❚"]);
  await assert.rejects(connections.connect(2), { code: "PAUSED" });
  await chrome.tabs.onUpdated.emit(1, { url: "https://a.example/" }, chrome.byId.get(1));
  await chrome.alarms.onAlarm.emit({ name: "reconnect" });
  await settle();
  assert.deepEqual([...chrome.attached], []);
  chrome.sent.length = 0;
  await browser.pausing(false);
  await panel.tabLink(tabId);
  await connections.connect(1); // has come to its end
  await settle(20);
  assert.deepEqual([[...chrome.attached], connections.stateOf(1)], [[1], "connected"]);
  assert.equal(
    chrome.sent.findLast(({ method }) => method === "Network.emulateNetworkConditions").params.offline,
    true,
  );
  const added = chrome.sent
    .filter(({ method }) => method === "Page.addScriptToEvaluateOnNewDocument")
    .map(({ params }) => params.source);
  assert.ok(
    added.some((source) => source.startsWith("1")),
    added.join(),
  );
  mock.timers.tick(50);
  assert.deepEqual((await panel.browserLink()).events(), [{ kind: "back" }]);
});

test("a tab on its way to a silent server comes back from a pause when that server has answered", async () => {
  await connections.start(OWN);
  const tabId = await connections.connect(1);
  const size = { width: 500, height: 400, deviceScaleFactor: 1, mobile: false };
  await browser.resize(tabId, size);
  await browser.pausing(true);
  const page = chrome.hold("Page.enable");
  await browser.pausing(false);
  mock.timers.tick(10_000);
  await settle(20);
  assert.deepEqual([[...chrome.attached], connections.stateOf(1)], [[], "idle"]);
  page.release();
  chrome.sent.length = 0;
  await chrome.tabs.onUpdated.emit(1, { status: "complete" }, chrome.byId.get(1));
  await settle(20);
  assert.deepEqual([connections.stateOf(1), connections.sessionOf(1).id], ["connected", tabId]);
  assert.deepEqual(
    chrome.sent.filter(({ method }) => method === "Emulation.setDeviceMetricsOverride").map(({ params }) => params),
    [size],
  );
});

test("a pause that begins before all tabs of the last one are back loses none of them", async () => {
  await connections.start(OWN);
  const tabId = await connections.connect(1);
  await browser.pausing(true);
  const page = chrome.hold("Page.enable");
  await browser.pausing(false);
  await browser.pausing(true);
  page.release();
  await settle(20);
  mock.timers.tick(50);
  assert.deepEqual((await panel.browserLink()).events(), [], "what is paused comes back");
  await browser.pausing(false);
  await panel.tabLink(tabId);
  await settle(20);
  mock.timers.tick(50);
  assert.deepEqual((await panel.browserLink()).events(), [{ kind: "back" }]);
});

test("a managed browser stays attached while agents are paused", async () => {
  connections.start(CONFIG);
  await browser.tabsLinked(2);
  await browser.pausing(true);
  assert.deepEqual([connections.paused, connections.stateOf(1), chrome.attached.size], [true, "connected", 2]);
  assert.deepEqual([chrome.badges.get(1), chrome.badges.get(2)], ["❚❚", "❚❚"], "agents can do nothing there");
  await browser.pausing(false);
  assert.deepEqual([chrome.badges.get(1), chrome.badges.get(2)], ["on", "on"]);
});

test("an action whose link broke under it ends with a pause, also where the browser stays attached", async () => {
  connections.start(CONFIG);
  await browser.tabsLinked(2);
  chrome.hold("Page.reload");
  const session = connections.sessionOf(1);
  const link = await panel.tabLink(session.id);
  link.tell({
    type: "command",
    id: "c1",
    command: "kapturemcp_reload",
    params: { ignoreCache: false },
    timeout: 60_000,
    grant: EVERYTHING,
  });
  await chrome.until(() => chrome.methods(1).includes("Page.reload"));
  link.hangUp();
  await settle();
  assert.equal(session.isExecuting, true);
  await browser.pausing(true);
  assert.equal(session.isExecuting, false);
});

test("no agent holds a key down under a pause, also where the browser stays attached", async () => {
  connections.start(CONFIG);
  await browser.tabsLinked(2);
  const link = await panel.tabLink(connections.sessionOf(1).id);
  await link.command("c1", "kapturemcp_press_key", { key: "Shift", count: 1, action: "down" });
  chrome.sent.length = 0;
  await browser.pausing(true);
  const sent = chrome.sent.filter(({ method }) => method === "Input.dispatchKeyEvent");
  assert.deepEqual(
    sent.map(({ tabId, params }) => [tabId, params.type, params.key]),
    [[1, "keyUp", "Shift"]],
  );
});

test("a worker that starts under a pause lets go of what the one before had attached", async () => {
  await connections.start(OWN);
  const tabId = await connections.connect(1);
  await settle();
  browser.killWorker();
  connections = browser.worker();
  panel.answers.register = (socket, register) => {
    socket.registered = register;
    socket.greeted();
    socket.tell({ type: "registered", tabId: socket.hello.tabId, paused: true });
  };
  await connections.start(OWN);
  await settle(20);
  assert.deepEqual([connections.stateOf(1), chrome.attached.size, panel.tabLinks.length], ["paused", 0, 0]);
  await browser.pausing(false);
  assert.ok(await panel.tabLink(tabId));
});

test("a tab closed or disconnected under a pause is told and does not come back", async () => {
  await connections.start(OWN);
  const ids = [await connections.connect(1), await connections.connect(2)];
  await browser.pausing(true);
  await chrome.removeTab(1);
  await connections.disconnect(2);
  mock.timers.tick(50);
  assert.deepEqual(
    (await panel.browserLink()).events(),
    ids.map((tabId) => ({ kind: "closed", tabId })),
  );
  await browser.pausing(false);
  assert.deepEqual([connections.stateOf(2), panel.tabLinks.length], ["idle", 0]);
});

test("the person's pause goes to the panel over the browser's link", async () => {
  await connections.start(OWN);
  await connections.askPause(true);
  await connections.askPause(false);
  assert.deepEqual((await panel.browserLink()).frames("pause"), [
    { type: "pause", on: true },
    { type: "pause", on: false },
  ]);
});

test("a script that ended with its tab's connection does not come back with a pause", async () => {
  await connections.start(OWN);
  const link = await panel.tabLink(await connections.connect(1));
  await link.command("c1", "kapturemcp_inject_script", { source: "globalThis.spy = 1", id: "a", keep: true });
  await connections.disconnect(1);
  await connections.connect(1);
  await browser.pausing(true);
  chrome.sent.length = 0;
  await browser.pausing(false);
  await settle(20);
  const added = chrome.sent.filter(({ method }) => method === "Page.addScriptToEvaluateOnNewDocument");
  assert.equal(connections.stateOf(1), "connected");
  assert.equal(added.filter(({ params }) => params.source.includes("spy")).length, 0);
});

test("a key that is held down on a page that hangs keeps no tab from being let go of", async () => {
  await connections.start(OWN);
  const link = await panel.tabLink(await connections.connect(1));
  await connections.connect(2);
  await link.command("c1", "kapturemcp_press_key", { key: "Shift", action: "down", count: 1 });
  chrome.hold("Input.dispatchKeyEvent");
  await browser.pausing(true);
  assert.deepEqual([[...chrome.attached], connections.stateOf(1), connections.stateOf(2)], [[], "paused", "paused"]);
});

test("a tab that takes nothing back after a pause is given up, and keeps back no other", async () => {
  await connections.start(OWN);
  const tabId = await connections.connect(1);
  await connections.connect(2);
  const link = await panel.tabLink(tabId);
  await link.command("c1", "kapturemcp_set_offline", { offline: true });
  await browser.pausing(true);
  const cutOff = chrome.hold("Network.emulateNetworkConditions");
  await browser.pausing(false);
  for (let round = 0; round < 3; round += 1) {
    await settle(20);
    mock.timers.tick(10_000);
  }
  await settle(20);
  assert.deepEqual([connections.stateOf(1), connections.stateOf(2)], ["idle", "connected"]);
  cutOff.release({});
});
