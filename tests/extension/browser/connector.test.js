import assert from "node:assert/strict";
import { afterEach, beforeEach, mock } from "node:test";
import { Grant } from "../../../extension/wire/grant.js";
import { FakeBrowser, OWN } from "../browser.js";
import { FakeChrome } from "../fake_chrome.js";
import { CONFIG, settle } from "../fakes.js";
import { test } from "../testing.js";

let browser, chrome, panel, connections;
beforeEach(() => void ({ chrome, panel, connections } = browser = new FakeBrowser()));
afterEach(() => browser.end());

test("a tab is connected when a person says so, and only that one", async () => {
  await connections.start(OWN);
  const tabId = await connections.connect(1);
  const link = await panel.tabLink(tabId);
  assert.match(tabId, /^[a-z2-9]{5}$/);
  assert.deepEqual(link.registered, {
    type: "register",
    tabId,
    url: "https://shop.example/",
    title: "Shop",
    favicon: "",
    browser: link.registered.browser,
    memory: connections.sessionOf(1).memory,
  });
  assert.deepEqual([...chrome.attached], [1]);
  assert.deepEqual([connections.stateOf(1), connections.stateOf(2)], ["connected", "idle"]);
  assert.deepEqual([chrome.badges.get(1), chrome.badges.get(2)], ["on", undefined]);
  assert.equal(browser.record(1).connected, true);
});

test("connecting twice, at once or later, is one connection", async () => {
  await connections.start(OWN);
  const ids = await Promise.all([connections.connect(1), connections.connect(1)]);
  ids.push(await connections.connect(1));
  assert.equal(new Set(ids).size, 1);
  assert.equal(panel.tabLinks.length, 1);
});

test("who asks while a tab is being connected gets it when it is there, not before", async () => {
  await connections.start(OWN);
  const { release } = chrome.hold("Log.enable");
  connections.connect(1);
  await chrome.until(() => chrome.methods(1).includes("Log.enable"));
  let there = false;
  const second = connections.connect(1).then(() => (there = true));
  await settle();
  assert.deepEqual([there, connections.stateOf(1)], [false, "connecting"]);
  release({});
  await second;
  assert.equal(connections.stateOf(1), "connected");
});

test("a protected page is refused and leaves nothing behind", async () => {
  chrome.byId.get(1).url = "chrome://settings/";
  await connections.start(OWN);
  await assert.rejects(connections.connect(1), { code: "PROTECTED_PAGE" });
  assert.deepEqual([connections.stateOf(1), chrome.attached.size, browser.record(1)], ["idle", 0, undefined]);
});

test("a panel that refuses a tab leaves no debugger attached", async () => {
  await connections.start(OWN);
  await panel.browserLink();
  panel.answers.hello = (socket) => socket.tell({ type: "refused", code: "DENIED", message: "no more tabs" });
  await assert.rejects(connections.connect(1), /no more tabs/);
  assert.deepEqual([connections.stateOf(1), chrome.attached.size], ["idle", 0]);
});

test("a tab that does not answer keeps back neither the other tabs nor the next dial", async () => {
  for (let id = 3; id <= 8; id += 1) chrome.addTab({ id });
  // What a page with an open dialog or a script without end does: no answer at all.
  const reply = chrome.replies["Runtime.enable"];
  chrome.replies["Runtime.enable"] = (params, target) =>
    target.tabId <= 4 ? new Promise(() => {}) : reply(params, target);
  connections.start(CONFIG);
  await chrome.until(() => chrome.methods().filter((method) => method === "Runtime.enable").length === 4);
  mock.timers.tick(15_000);
  await browser.tabsLinked(4);
  await settle();
  assert.deepEqual([connections.stateOf(1), chrome.attached.size], ["idle", 4]);
  panel.stop();
  panel.running = true;
  mock.timers.tick(30_000);
  await panel.browserLink();
});

test("no more than 200 tabs are connected, however many come at once", async () => {
  for (let id = 3; id <= 230; id += 1) chrome.addTab({ id });
  await connections.start(OWN);
  const outcomes = await Promise.allSettled([...chrome.byId.keys()].map((id) => connections.connect(id)));
  const refused = outcomes.filter(({ status }) => status === "rejected");
  assert.equal(connections.connectedCount, 200);
  assert.equal(refused.length, 30);
  assert.ok(refused.every(({ reason }) => reason.code === "BUSY" && /disconnect one/.test(reason.message)));
});

test("a record that cannot be written once does not spoil the next", async () => {
  await connections.start(OWN);
  const { set } = chrome.storage.session;
  chrome.storage.session.set = () => Promise.reject(new Error("QUOTA_BYTES quota exceeded"));
  await connections.connect(1).catch(() => {});
  chrome.storage.session.set = set;
  await connections.connect(2);
  assert.equal(browser.record(2).connected, true);
});

/** Have tab 2 go right before the call of `chrome` with this number; `isTold`: Chrome tells of it at once. */
function goesBeforeCall(number, isTold) {
  let calls = 0;
  const go = () => {
    chrome.byId.delete(2);
    chrome.attached.delete(2);
    if (isTold) void chrome.tabs.onRemoved.emit(2, {});
  };
  const counted =
    (call) =>
    (...args) => {
      calls += 1;
      if (calls === number) go();
      return call(...args);
    };
  for (const api of [chrome.tabs, chrome.debugger])
    for (const [name, call] of Object.entries(api)) if (typeof call === "function") api[name] = counted(call);
  // After the last call to the tab only Chrome's telling helps.
  if (isTold) chrome.storage.session.set = counted(chrome.storage.session.set);
  return () => calls;
}

for (const isTold of [true, false])
  test(`a tab that goes at any moment of being connected, ${isTold ? "told" : "not told"}, is gone and nothing else`, async () => {
    const grant = new Grant({ origins: ["https://bank.example"] });
    let number = 0;
    for (let isReached = true; isReached;) {
      number += 1;
      ({ chrome, connections } = browser.over(
        new FakeChrome({ tabs: [{ id: 1 }, { id: 2, url: "https://bank.example/" }] }),
      ));
      await browser.paired();
      panel.sockets.length = 0;
      const calls = goesBeforeCall(number, isTold);
      const ended = await connections.connectGranted(2, grant).then(
        () => "connected",
        ({ code }) => code,
      );
      isReached = calls() >= number;
      // It was there to the end; or went after it was registered, of which Chrome is still to tell.
      if (!isReached || (!isTold && panel.tabLinks.length === 1)) assert.equal(ended, "connected");
      else assert.ok(["TAB_DISCONNECTED", "TAB_NOT_FOUND"].includes(ended), `before call ${number}: ${ended}`);
      await connections.start();
    }
    assert.ok(number > 15, `only ${number} moments`);
  });

test("a picture of the extension's own origin is one of its pages", async () => {
  await connections.start(OWN);
  await panel.browserLink();
  chrome.byId.get(1).url = "blob:chrome-extension://extension-id/1";
  await assert.rejects(connections.connect(1), { code: "PROTECTED_PAGE", message: /own pages/ });
});

test("a tab that is at one of its pages by the time it is attached is not connected", async () => {
  await connections.start(OWN);
  await panel.browserLink();
  chrome.replies["Page.getFrameTree"] = () => ({
    frameTree: { frame: { id: "F1", loaderId: "L1", url: "chrome-extension://extension-id/popup/popup.html" } },
  });
  await assert.rejects(connections.connect(1), { code: "PROTECTED_PAGE", message: /own pages/ });
  assert.equal(chrome.attached.has(1), false);
});

for (const [what, come, code] of [
  ["a pause", () => browser.pausing(true), "PAUSED"],
  ["a person's no", () => connections.disconnect(1), "TAB_DISCONNECTED"],
])
  test(`${what} that comes while a tab is looked up is not passed over`, async () => {
    await connections.start(OWN);
    await panel.browserLink();
    const { promise, resolve } = Promise.withResolvers();
    const { get } = chrome.tabs;
    chrome.tabs.get = async (id) => {
      await promise;
      return get(id);
    };
    const connecting = connections.connect(1);
    await come();
    resolve();
    await assert.rejects(connecting, { code });
    assert.deepEqual([[...chrome.attached], connections.sessionOf(1)], [[], null]);
  });
