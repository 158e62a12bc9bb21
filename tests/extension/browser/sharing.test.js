import assert from "node:assert/strict";
import { afterEach, beforeEach, mock } from "node:test";
import { Grant } from "../../../extension/wire/grant.js";
import { FakeBrowser, OWN } from "../browser.js";
import { CONFIG, settle } from "../fakes.js";
import { test } from "../testing.js";

let browser, chrome, panel, connections;
beforeEach(() => void ({ chrome, panel, connections } = browser = new FakeBrowser()));
afterEach(() => browser.end());

test("in a managed browser every tab is connected, at most four dialling at a time", async () => {
  for (let id = 3; id <= 23; id += 1) chrome.addTab({ id });
  chrome.addTab({ id: 24, url: "chrome://newtab/" });
  connections.start(CONFIG);
  await browser.tabsLinked(23);
  assert.ok(panel.mostDialing <= 4, `${panel.mostDialing} at a time`);
  assert.equal(panel.sockets[0].hello.role, "browser");
});

test("a tab a person disconnected stays away, in a managed browser too", async () => {
  connections.start(CONFIG);
  await browser.tabsLinked(2);
  await connections.disconnect(1);
  assert.deepEqual([connections.stateOf(1), [...chrome.attached], chrome.badges.get(1)], ["idle", [2], ""]);
  assert.deepEqual([browser.record(1).connected, browser.record(1).declined], [false, true]);
  await chrome.tabs.onUpdated.emit(1, { url: "https://c.example/" }, chrome.byId.get(1));
  panel.stop();
  panel.running = true;
  mock.timers.tick(30_000);
  await panel.browserLink();
  await browser.tabsLinked(1);
  await settle();
  assert.equal(connections.stateOf(1), "idle");
});

test("cancelling the debugger's bar ends sharing for good, and the panel hears that a person did it", async () => {
  connections.start(CONFIG);
  await browser.tabsLinked(2);
  const link = await panel.tabLink(browser.record(1).id);
  await chrome.detached(1, "canceled_by_user");
  await settle();
  assert.deepEqual(link.events().at(-1), { kind: "closed", byPerson: true });
  assert.equal(browser.record(1).declined, true);
  await chrome.alarms.onAlarm.emit({ name: "reconnect" });
  await settle();
  assert.deepEqual([connections.stateOf(1), panel.tabLinks.length], ["idle", 1]);
});

test("a person who connects a declined tab gets the same tab back", async () => {
  await connections.start(OWN);
  const tabId = await connections.connect(1);
  await connections.disconnect(1);
  assert.equal(await connections.connect(1), tabId);
  assert.equal(browser.record(1).declined, false);
});

test("a tab that could not be dialled for is tried again with the alarm", async () => {
  connections.start(CONFIG);
  await browser.tabsLinked(2);
  const greet = panel.answers.hello;
  panel.answers.hello = (socket, hello) => (hello.role === "tab" ? socket.hangUp("busy") : greet(socket, hello));
  panel.stop();
  panel.running = true;
  mock.timers.tick(250);
  await panel.browserLink();
  await settle();
  assert.equal(panel.tabLinks.length, 0);
  panel.answers.hello = greet;
  await chrome.alarms.onAlarm.emit({ name: "reconnect" });
  await browser.tabsLinked(2);
});

test("after a worker restart tabs are shared as before: same tabId, refs go on, nothing attached twice", async () => {
  await connections.start(OWN);
  const tabId = await connections.connect(1);
  chrome.page.snapshot = (_target, _options, { from }) => ({
    lines: [],
    doors: [],
    nextRef: from + 40,
    title: "",
    url: "",
  });
  await (await panel.tabLink(tabId)).command("c1", "kapturemcp_snapshot", { interactiveOnly: false, diff: false });
  await settle();
  browser.killWorker();
  connections = browser.worker();
  await connections.start(OWN);
  await panel.tabLink(tabId);
  await settle();
  let first = 0;
  chrome.page.snapshot = (_target, _options, { from }) => ({
    lines: [],
    doors: [],
    nextRef: (first = from),
    title: "",
    url: "",
  });
  await (await panel.tabLink(tabId)).command("c2", "kapturemcp_snapshot", { interactiveOnly: false, diff: false });
  assert.deepEqual([connections.sessionOf(1).id, first], [tabId, 41]);
  assert.deepEqual([connections.stateOf(2), chrome.attached.size], ["idle", 1]);
});

test("nothing of a tab that is not shared crosses to the panel", async () => {
  await connections.start(OWN);
  await connections.connect(1);
  chrome.cdp(2, "Runtime.consoleAPICalled", { type: "log", args: [{ type: "string", value: "secret" }], timestamp: 1 });
  await chrome.tabs.onUpdated.emit(2, { title: "My account" }, { url: "https://bank.example/", title: "My account" });
  mock.timers.tick(1000);
  assert.doesNotMatch(panel.sockets.flatMap(({ raw }) => raw).join(), /bank|secret|account/);
});

test("every tab of a window is connected, the others are named with the reason", async () => {
  await connections.start(OWN);
  await panel.browserLink();
  for (const [id, url, title] of [
    [11, "https://a.example/", "A"],
    [12, "chrome://settings/", "Settings"],
    [13, "", ""],
  ])
    chrome.addTab({ id, url, title, windowId: 5, ...(id === 13 && { pendingUrl: "view-source:https://a.example/" }) });
  const { connected, refused } = await connections.connectWindow(5);
  assert.equal(connected, 1);
  assert.deepEqual(refused.map(({ title }) => title).toSorted(), ["Settings", "view-source:https://a.example/"]);
  for (const { why } of refused) assert.match(why, /Chrome lets no extension in/);
  assert.equal(connections.stateOf(2), "idle");
});

test("a tab is told, not connected, as long as no person granted its origin", async () => {
  await browser.paired();
  for (const grant of [[], undefined, ["https://shop.example"], ["https://bank.example:444", "http://bank.example"]])
    await assert.rejects(connections.connectGranted(2, new Grant({ origins: grant })), {
      code: "NEEDS_APPROVAL",
      details: { site: "bank.example", origin: "https://bank.example", url: "https://bank.example/", title: "Shop" },
    });
  assert.equal(connections.connectedCount, 0);
});

test("a granted tab is connected, also when a person disconnected it before", async () => {
  await browser.paired();
  await connections.disconnect(2);
  assert.equal(browser.record(2).declined, true);
  const connecting = connections.connectGranted(2, new Grant({ origins: ["https://bank.example"] }));
  await browser.tabsLinked(1);
  assert.equal((await connecting).tabId, connections.sessionOf(2).id);
  assert.equal(browser.record(2).declined, false);
  await assert.rejects(connections.connectGranted(2, new Grant({ origins: "*" })), { code: "INVALID_PARAMS" });
});

test("a refusal stays as long as nothing was granted", async () => {
  await browser.paired();
  await connections.disconnect(2);
  await assert.rejects(connections.connectGranted(2, new Grant()), { code: "NEEDS_APPROVAL" });
  assert.equal(browser.record(2).declined, true);
});

test("what is not a tab and what nobody may enter is told before anybody is asked", async () => {
  await browser.paired();
  await assert.rejects(connections.connectGranted(77, new Grant()), {
    code: "TAB_NOT_FOUND",
    message: /list_browser_tabs/,
  });
});

test("with another panel nothing is shared that was with the one before, wherever the tab was then", async () => {
  await connections.start(OWN);
  await connections.connect(1);
  await connections.connect(2);
  chrome.byId.get(1).url = "chrome://settings/";
  await chrome.detached(1, "target_closed"); // a page of the browser, where no extension may follow
  await settle();
  await connections.unpair();
  chrome.byId.get(1).url = "https://bank.example/";
  await connections.start({ ...OWN, install: "install-2" });
  await settle();
  assert.deepEqual([connections.stateOf(1), connections.stateOf(2), [...chrome.attached]], ["idle", "idle", []]);
  assert.deepEqual([browser.record(1).connected, browser.record(2).connected], [false, false]);
});

test("cancelling the debugger's bar ends sharing, though the worker that attached it is no more", async () => {
  await connections.start(OWN);
  await connections.connect(1);
  browser.killWorker();
  connections = browser.worker();
  await chrome.detached(1, "canceled_by_user");
  await connections.start(OWN);
  await settle(20);
  assert.deepEqual([connections.stateOf(1), browser.record(1).declined, [...chrome.attached]], ["idle", true, []]);
});

test("a no that comes while other tabs are connected again holds for those that wait for their turn", async () => {
  for (let id = 3; id <= 8; id += 1) chrome.addTab({ id });
  await connections.start(OWN);
  for (let id = 1; id <= 8; id += 1) await connections.connect(id);
  browser.killWorker();
  connections = browser.worker();
  const enabling = chrome.hold("Page.enable");
  await connections.start(OWN);
  await chrome.until(() => connections.stateOf(4) === "connecting");
  await chrome.detached(8, "canceled_by_user");
  await settle();
  enabling.release({});
  await settle(60);
  assert.deepEqual([connections.stateOf(7), connections.stateOf(8)], ["connected", "idle"]);
});
