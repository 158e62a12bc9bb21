import assert from "node:assert/strict";
import { afterEach, beforeEach, mock } from "node:test";
import { FakeBrowser, OWN } from "../browser.js";
import { CONFIG, settle } from "../fakes.js";
import { test } from "../testing.js";

let browser, chrome, panel, connections;
beforeEach(() => void ({ chrome, panel, connections } = browser = new FakeBrowser()));
afterEach(() => browser.end());

test("a page of the extension itself is never shared, however the tab comes to it", async () => {
  const own = "chrome-extension://extension-id/popup/popup.html";
  connections.start(CONFIG);
  await browser.tabsLinked(2);
  for (const tab of [
    { url: own },
    { url: "about:blank", pendingUrl: own },
    { url: own, pendingUrl: "https://a.example/" },
  ])
    await assert.rejects(connections.connect(chrome.addTab(tab).id), { code: "PROTECTED_PAGE" });
  await chrome.tabs.onUpdated.emit(1, { url: own }, chrome.byId.get(1));
  assert.deepEqual([connections.stateOf(1), [...chrome.attached]], ["idle", [2]]);
});

test("in a managed browser a new tab is connected and told to the tab that opened it", async () => {
  connections.start(CONFIG);
  await browser.tabsLinked(2);
  const [opener] = panel.tabLinks;
  const tab = chrome.addTab({ id: 9, url: "https://popup.example/", openerTabId: 1 });
  chrome.tabs.onCreated.emit(tab);
  await browser.tabsLinked(3);
  await settle();
  const { lateEffects } = await opener.command("c1", "kapturemcp_logs", { max: 1 });
  assert.deepEqual(lateEffects.newTabs, [{ tabId: connections.sessionOf(9).id, url: "https://popup.example/" }]);
});

test("a new tab that Chrome tells of before its page asked belongs to the tab in which a command runs", async () => {
  connections.start(CONFIG);
  await browser.tabsLinked(2);
  const [front, behind] = panel.tabLinks;
  let end;
  chrome.replies["Runtime.evaluate"] = () => new Promise((resolve) => (end = resolve));
  const running = behind.command("c1", "kapturemcp_evaluate", { code: "1" });
  await settle();
  const tab = chrome.addTab({ id: 9, url: "https://popup.example/", openerTabId: 1 });
  chrome.tabs.onCreated.emit(tab);
  await browser.tabsLinked(3);
  await settle();
  end({ result: { type: "number", value: 1 } });
  const { effects } = await running;
  assert.deepEqual(effects.newTabs, [{ tabId: connections.sessionOf(9).id, url: "https://popup.example/" }]);
  assert.equal((await front.command("c2", "kapturemcp_logs", { max: 1 })).lateEffects, undefined);
});

for (const [words, isToldFirst] of [
  ["before it says which it made", true],
  ["after it said which it made", false],
])
  test(`a tab made for an agent is not told to another in whose tab a command runs: Chrome tells of it ${words}`, async () => {
    connections.start(CONFIG);
    await browser.tabsLinked(2);
    const [, behind] = panel.tabLinks;
    let end;
    chrome.replies["Runtime.evaluate"] = () => new Promise((resolve) => (end = resolve));
    const running = behind.command("c1", "kapturemcp_evaluate", { code: "1" });
    await settle();
    const create = chrome.tabs.create;
    chrome.tabs.create = async (how) => {
      const tab = await create(how);
      if (isToldFirst) chrome.tabs.onCreated.emit(tab);
      else setImmediate(() => chrome.tabs.onCreated.emit(tab));
      return tab;
    };
    const { signal } = new AbortController();
    await connections.openTab("about:blank", { active: false, snapshot: "none", timeout: 1000, signal });
    await settle();
    end({ result: { type: "number", value: 1 } });
    assert.equal((await running).effects?.newTabs, undefined);
  });

test("a tab that a page opens in a person's browser is told by its host, with how to ask for it", async () => {
  await connections.start(OWN);
  const tabId = await connections.connect(1);
  const tab = chrome.addTab({ id: 9, url: "https://popup.example/secret?token=1", openerTabId: 1 });
  chrome.tabs.onCreated.emit(tab);
  await chrome.tabs.onUpdated.emit(9, { url: tab.url }, tab);
  await settle();
  const opener = await panel.tabLink(tabId);
  const { lateEffects } = await opener.command("c1", "kapturemcp_logs", { max: 1 });
  const next = "not connected: ask for it with kapturemcp_connect_tab";
  assert.deepEqual(lateEffects.newTabs, [{ browserTabId: 9, host: "popup.example", next }]);
  assert.equal(connections.stateOf(9), "idle");
});

test("an empty tab that a page opens and leads somewhere later is told again with its host", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  await connections.start(OWN);
  const tabId = await connections.connect(1);
  const opener = await panel.tabLink(tabId);
  const tab = chrome.addTab({ id: 9, url: "about:blank", openerTabId: 1 });
  const next = "not connected: ask for it with kapturemcp_connect_tab";
  const told = async (id) => (await opener.command(id, "kapturemcp_logs", { max: 1 })).lateEffects?.newTabs;
  chrome.tabs.onCreated.emit(tab);
  await chrome.tabs.onUpdated.emit(9, { url: "about:blank" }, tab);
  t.mock.timers.tick(800);
  t.mock.timers.reset();
  await settle();
  assert.deepEqual(await told("c1"), [{ browserTabId: 9, host: "about:", next }]);
  for (const [id, path, host] of [
    ["c2", "/pay", "pay.example"],
    ["c3", "/done", undefined],
  ]) {
    tab.url = `https://pay.example${path}`;
    await chrome.tabs.onUpdated.emit(9, { url: tab.url }, tab);
    await settle();
    assert.deepEqual(await told(id), host && [{ browserTabId: 9, host, next }]);
  }
});

test("a tab of a managed browser that leaves a protected page is connected then", async () => {
  chrome.addTab({ id: 9, url: "chrome://newtab/" });
  connections.start(CONFIG);
  await browser.tabsLinked(2);
  chrome.byId.get(9).url = "https://a.example/";
  await chrome.tabs.onUpdated.emit(9, { url: "https://a.example/" }, chrome.byId.get(9));
  await browser.tabsLinked(3);
});

test("a shared tab of a person that comes back from a protected page is shared again", async () => {
  await connections.start(OWN);
  const tabId = await connections.connect(1);
  chrome.byId.get(1).url = "chrome://settings/";
  await chrome.detached(1, "target_closed");
  await settle();
  assert.equal(connections.stateOf(1), "idle");
  chrome.byId.get(1).url = "https://a.example/";
  chrome.tabs.onUpdated.emit(1, { url: "https://a.example/" }, chrome.byId.get(1));
  assert.ok(await panel.tabLink(tabId));
  chrome.tabs.onUpdated.emit(2, { url: "https://b.example/" }, chrome.byId.get(2));
  await settle();
  assert.equal(connections.stateOf(2), "idle");
});

test("a tab that is still there when the debugger was taken from it is shared again at once, with its size", async () => {
  await connections.start(OWN);
  const tabId = await connections.connect(1);
  const size = { width: 500, height: 400, deviceScaleFactor: 1, mobile: false };
  await browser.resize(tabId, size);
  chrome.sent.length = 0;
  await chrome.detached(1, "target_closed");
  await settle(50);
  assert.equal(connections.stateOf(1), "connected");
  assert.equal(connections.sessionOf(1).id, tabId);
  assert.deepEqual(
    chrome.sent.filter(({ method }) => method === "Emulation.setDeviceMetricsOverride").map(({ params }) => params),
    [size],
  );
});

test("a tab closed under a command ends it at once and its record is forgotten", async () => {
  connections.start(CONFIG);
  await browser.tabsLinked(2);
  const link = await panel.tabLink(connections.sessionOf(1).id);
  chrome.hold("Page.reload");
  const answer = link.command("c1", "kapturemcp_reload", { ignoreCache: false });
  await chrome.until(() => chrome.methods(1).includes("Page.reload"));
  await chrome.removeTab(1);
  assert.equal((await answer).error.code, "TAB_DISCONNECTED");
  await settle();
  assert.equal(link.readyState, 3);
  assert.equal(browser.record(1), undefined);
});

test("close_tab is answered before its link closes, however late the answer is", async () => {
  connections.start(CONFIG);
  await browser.tabsLinked(2);
  const link = await panel.tabLink(connections.sessionOf(1).id);
  const { promise, resolve } = Promise.withResolvers();
  chrome.tabs.remove = async (id) => {
    chrome.removeTab(id);
    await promise;
  };
  const answer = link.command("c1", "kapturemcp_close_tab");
  await settle();
  assert.equal(connections.sessionOf(1), null);
  assert.equal(link.readyState, 1);
  resolve();
  assert.equal((await answer).success, true);
  await panel.until(() => link.readyState === 3);
});

test("a change of address, title or icon is told by the tab's own link", async () => {
  await connections.start(OWN);
  const link = await panel.tabLink(await connections.connect(1));
  await chrome.tabs.onUpdated.emit(
    1,
    { title: "New" },
    { url: "https://a.example/", title: "New", favIconUrl: "x".repeat(9000) },
  );
  await chrome.tabs.onUpdated.emit(2, { title: "Other" }, { url: "https://bank.example/", title: "Other" });
  await chrome.tabs.onUpdated.emit(1, { status: "loading" }, { url: "https://a.example/" });
  mock.timers.tick(50);
  assert.deepEqual(link.events(), [
    { kind: "tab", url: "https://a.example/", title: "New", favicon: "x".repeat(2000) },
  ]);
});

test("a tab that comes to one of its pages is let go of at once, before Chrome tells its address", async () => {
  await connections.start(OWN);
  const tabId = await connections.connect(1);
  const link = await panel.tabLink(tabId);
  const running = link.command("c1", "kapturemcp_evaluate", { code: "1" });
  chrome.cdp(1, "Page.frameNavigated", {
    frame: { id: "F2", parentId: "F1", loaderId: "L9", url: "chrome-extension://extension-id/popup/popup.html" },
  });
  assert.equal(connections.stateOf(1), "executing", "a frame that a page holds is not the tab");
  chrome.cdp(1, "Page.frameNavigated", {
    frame: { id: "F1", loaderId: "L2", url: "chrome-extension://extension-id/popup/popup.html" },
  });
  assert.equal(connections.stateOf(1), "idle");
  assert.equal((await running).error.code, "PROTECTED_PAGE");
  assert.doesNotMatch(JSON.stringify(link.events()), /popup/);
});
