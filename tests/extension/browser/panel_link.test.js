import assert from "node:assert/strict";
import { afterEach, beforeEach, mock } from "node:test";
import { FakeBrowser, OWN } from "../browser.js";
import { CONFIG, settle } from "../fakes.js";
import { test } from "../testing.js";

let browser, chrome, panel, connections;
beforeEach(() => void ({ chrome, panel, connections } = browser = new FakeBrowser()));
afterEach(() => browser.end());

test("without a configuration nothing is dialled and a tab cannot be connected", async () => {
  await connections.start(undefined);
  assert.equal(connections.panelState, "idle");
  await assert.rejects(connections.connect(1), { code: "PANEL_DOWN" });
  assert.deepEqual(panel.sockets, []);
});

test("a configuration dials for the browser at the panel's port and sets the alarm that brings a dead worker back", async () => {
  await connections.start(OWN);
  const link = await panel.browserLink();
  assert.equal(link.url, "ws://127.0.0.1:61822");
  assert.equal(link.registered.version, chrome.runtime.getManifest().version);
  assert.equal(link.registered.catalogue, "0123456789abcdef");
  assert.deepEqual(chrome.alarmsMade, [["reconnect", { periodInMinutes: 0.5 }]]);
  await settle();
  assert.equal(panel.sockets.length, 1, "no tab of a person's own browser is connected by itself");
  assert.equal(connections.panelState, "connected");
});

test("the same configuration told twice dials once", async () => {
  await Promise.all([connections.start(OWN), connections.start({ ...OWN })]);
  await panel.browserLink();
  assert.equal(panel.sockets.length, 1);
});

test("after the panel was away the browser dials first, then each tab comes back as the same tab", async () => {
  connections.start(CONFIG);
  await browser.tabsLinked(2);
  const before = panel.tabLinks.map(({ hello }) => hello.tabId).sort();
  panel.stop();
  const dialled = panel.sockets.length;
  for (const wait of [250, 500, 1000]) {
    mock.timers.tick(wait);
    await settle();
  }
  assert.deepEqual(
    panel.sockets.slice(dialled).map(({ hello }) => hello),
    [undefined, undefined, undefined],
    "one dial a try, none by a tab",
  );
  assert.equal(connections.panelState, "connecting");
  assert.equal(connections.stateOf(1), "connecting");
  panel.running = true;
  mock.timers.tick(2000);
  await browser.tabsLinked(2);
  assert.equal(panel.sockets[dialled + 3].hello.role, "browser");
  assert.deepEqual(panel.tabLinks.map(({ hello }) => hello.tabId).sort(), before);
  assert.equal(
    chrome.methods(1).filter((method) => method === "Page.addScriptToEvaluateOnNewDocument").length,
    1,
    "the session went on",
  );
});

test("once the panel was there again the next absence begins with a short wait", async () => {
  await connections.start(OWN);
  await panel.browserLink();
  panel.stop();
  for (const wait of [250, 500, 1000]) {
    mock.timers.tick(wait);
    await settle();
  }
  panel.running = true;
  mock.timers.tick(2000);
  await panel.browserLink();
  await settle();
  const dialled = panel.sockets.length;
  panel.stop();
  panel.running = true;
  mock.timers.tick(250);
  await panel.until(() => panel.sockets.length > dialled);
});

test("200 tabs that lose the panel together do not put the next try off", async () => {
  for (let id = 3; id <= 50; id += 1) chrome.addTab({ id });
  connections.start(CONFIG);
  await browser.tabsLinked(50);
  panel.stop();
  panel.running = true;
  mock.timers.tick(250);
  await panel.browserLink();
});

test("other alarms are none of ours", async () => {
  await connections.start(OWN);
  await panel.browserLink();
  await chrome.alarms.onAlarm.emit({ name: "other" });
  assert.equal(panel.sockets.length, 1);
});

test("what was unpaired in the panel is forgotten: nothing is shared, kept or dialled any more", async () => {
  chrome.kept.pairing = OWN;
  await connections.start(OWN);
  await connections.connect(1);
  const link = await panel.browserLink();
  await link.tell({ type: "unpaired" });
  await panel.until(() => panel.links.length === 0);
  await settle();
  assert.deepEqual([connections.panelState, connections.stateOf(1), chrome.attached.size], ["idle", "idle", 0]);
  assert.deepEqual([chrome.kept.pairing, chrome.alarmsMade, browser.record(1).connected], [undefined, [], false]);
  const dialled = panel.sockets.length;
  mock.timers.tick(600_000);
  await connections.events.onAlarm({ name: "reconnect" });
  await settle();
  assert.equal(panel.sockets.length, dialled);
});

test("a refusal alone makes nothing forgotten: any program on the port could say it", async () => {
  chrome.kept.pairing = OWN;
  panel.answers.hello = (socket) =>
    socket.tell({ type: "refused", code: "DENIED", message: "this browser is not paired with this panel" });
  await connections.start(OWN);
  assert.deepEqual([connections.panelState, chrome.kept.pairing], ["refused", OWN]);
  mock.timers.tick(29_999);
  await settle();
  assert.equal(panel.sockets.length, 1, "it is not asked again and again");
  mock.timers.tick(1);
  await panel.until(() => panel.sockets.length === 2);
});

for (const [code, state, words] of [
  ["OLD_EXTENSION", "outdated", /newer than this extension; reload Kapture Panel on the extensions page/],
  ["OLD_PANEL", "ahead", /older than this extension; update Kapture Panel/],
])
  test(`${code}: this browser stays paired, and says which of the two is to be updated`, async () => {
    chrome.kept.pairing = OWN;
    const { hello } = panel.answers;
    panel.answers.hello = (socket) => socket.tell({ type: "refused", code, message: "two protocols" });
    await connections.start(OWN);
    assert.deepEqual([connections.panelState, chrome.kept.pairing], [state, OWN]);
    assert.equal(chrome.badges.get(undefined), "!");
    await assert.rejects(connections.reach(), { code: "DENIED", message: words });
    panel.answers.hello = hello;
    await connections.reach();
    assert.deepEqual([connections.panelState, chrome.badges.get(undefined)], ["connected", ""]);
  });

test("unpairing here tells a panel that is there, and ends all sharing", async () => {
  chrome.kept.pairing = OWN;
  await connections.start(OWN);
  await connections.connect(1);
  const link = await panel.browserLink();
  await connections.unpair();
  assert.deepEqual(link.frames("unpair"), [{ type: "unpair" }]);
  assert.deepEqual([connections.panelState, connections.stateOf(1), chrome.kept.pairing], ["idle", "idle", undefined]);
  assert.equal(panel.links.length, 0);
});

test("unpairing works while the panel is away", async () => {
  chrome.kept.pairing = OWN;
  panel.running = false;
  await connections.start(OWN);
  await connections.unpair();
  assert.deepEqual([connections.panelState, chrome.kept.pairing], ["idle", undefined]);
  const dialled = panel.sockets.length;
  mock.timers.tick(600_000);
  await settle();
  assert.equal(panel.sockets.length, dialled);
});

test("a browser the panel started is not unpaired from within", async () => {
  await connections.start(CONFIG);
  await assert.rejects(connections.unpair(), { code: "DENIED" });
  await browser.tabsLinked(2);
});

test("paired again with another panel it leaves the one before", async () => {
  await connections.start(OWN);
  await connections.connect(1);
  await connections.start({ ...OWN, install: "install-2" });
  const link = await panel.browserLink();
  assert.equal(link.hello.install, "install-2");
  assert.deepEqual([panel.links.length, connections.stateOf(1)], [1, "idle"]);
});

test("whoever waits for the panel gets it, or what there is to do", async () => {
  await assert.rejects(connections.reach(), { code: "PANEL_DOWN", message: /; pair it first/ });
  panel.running = false;
  await connections.start(OWN);
  await assert.rejects(connections.reach(), {
    code: "PANEL_DOWN",
    message: /does not answer at ws:\/\/127\.0\.0\.1:61822; start it/,
  });
  panel.running = true;
  await connections.reach();
  assert.equal(connections.panelState, "connected");
  await connections.reach();
  assert.equal(panel.links.length, 1);
});

test("a panel that does not know this browser any more is said", async () => {
  panel.answers.hello = (socket) => socket.tell({ type: "refused", code: "DENIED", message: "not paired" });
  await connections.start(OWN);
  await assert.rejects(connections.reach(), { code: "DENIED", message: /; pair it again/ });
});
