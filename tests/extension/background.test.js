/** The worker's own file over a fake browser: what it listens to, from whom it takes messages. */
import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { FakeChrome } from "./fake_chrome.js";
import { CONFIG, FakePanel, fakePort, settle } from "./fakes.js";
import { test } from "./testing.js";

let chrome,
  panel,
  serial = 0;
beforeEach(() => {
  chrome = new FakeChrome({ tabs: [{ id: 1 }] });
  panel = new FakePanel();
  globalThis.chrome = chrome;
  globalThis.WebSocket = panel.WebSocket;
});

const wake = () => import(`../../extension/background.js?woken=${(serial += 1)}`);
const POPUP = { id: "extension-id", url: "chrome-extension://extension-id/popup/popup.html" };

/** What a sender gets for a message, or undefined when nobody answers. */
function send(message, sender) {
  return new Promise((resolve) => {
    const answers = chrome.runtime.onMessage.listeners.map((listener) => listener(message, sender, resolve));
    if (!answers.includes(true)) resolve(undefined);
  });
}

test("every listener is there at once, so that a sleeping worker is woken for it", async () => {
  await wake();
  for (const event of [
    chrome.debugger.onEvent,
    chrome.debugger.onDetach,
    chrome.tabs.onRemoved,
    chrome.tabs.onCreated,
    chrome.tabs.onUpdated,
    chrome.alarms.onAlarm,
    chrome.storage.session.onChanged,
    chrome.storage.local.onChanged,
    chrome.runtime.onInstalled,
    chrome.runtime.onMessage,
    chrome.runtime.onConnect,
  ])
    assert.equal(event.listeners.length, 1);
});

test("a configuration of before is taken up at the start, one that comes later when it comes", async () => {
  chrome.stored.config = { ...CONFIG, managed: false };
  await wake();
  await panel.browserLink();
  panel.sockets.length = 0;
  chrome = globalThis.chrome = new FakeChrome({ tabs: [{ id: 1 }] });
  await wake();
  await settle();
  assert.equal(panel.sockets.length, 0);
  await chrome.storage.session.onChanged.emit({ tabs: { newValue: {} } });
  chrome.stored.config = CONFIG;
  await chrome.storage.session.onChanged.emit({ config: { newValue: CONFIG } });
  await panel.tabLink();
});

test("what was agreed on the pair page is taken up, survives the worker, and ends with it", async () => {
  await wake();
  await chrome.storage.local.set({ pairing: { ...CONFIG, managed: false } });
  await panel.browserLink();
  panel.sockets.length = 0;
  chrome.killWorker();
  chrome.storage.local.onChanged.listeners.length = 0;
  await wake();
  const link = await panel.browserLink();
  await chrome.storage.local.remove("pairing");
  await panel.until(() => link.readyState === 3);
  await settle();
  assert.equal(chrome.alarmsMade.length, 0);
});

test("a browser the panel started is the panel's, whatever was agreed on a pair page", async () => {
  chrome.kept.pairing = { ...CONFIG, install: "install-2", port: 7000, managed: false };
  chrome.stored.config = CONFIG;
  await wake();
  assert.equal((await panel.browserLink()).url, "ws://127.0.0.1:61822");
});

for (const [introduces, reason, config, tabs] of [
  [true, "install", undefined, 1],
  [false, "install", undefined, 0],
  [true, "update", undefined, 0],
  [true, "install", CONFIG, 0],
])
  test(`a copy that ${introduces ? "introduces itself" : "does not introduce itself"} shows, after ${reason}${config ? " in a managed browser" : ""}, ${tabs} pair pages`, async (t) => {
    const { fetch } = globalThis;
    t.after(() => (globalThis.fetch = fetch));
    globalThis.fetch = async (url) =>
      url.endsWith("panel.json") ? { json: async () => ({ introduces }) } : fetch(url);
    const getURL = chrome.runtime.getURL;
    chrome.runtime.getURL = (path) =>
      /panel.json|pair/.test(path) ? `chrome-extension://extension-id/${path}` : getURL(path);
    if (config) chrome.stored.config = config;
    await wake();
    await chrome.runtime.onInstalled.emit({ reason });
    await settle();
    const pages = [...chrome.byId.values()].filter(({ url }) => url.endsWith("pair/pair.html"));
    assert.equal(pages.length, tabs);
    assert.equal(
      panel.sockets.some(({ received }) => received.some(({ type }) => type === "pair")),
      false,
      "the worker itself never asks",
    );
  });

test("the popup is answered, a failure too", async () => {
  await wake();
  const { panel: state, tab, connected, title } = await send({ ask: "status", tabId: 1 }, POPUP);
  assert.deepEqual([state, tab, connected, title], ["idle", "idle", 0, "Shop"]);
  assert.match((await send({ ask: "connect", tabId: 1 }, POPUP)).error, /not paired/);
});

const STRANGERS = [
  ["another extension", { id: "other", url: "chrome-extension://other/x.html" }],
  ["a web page", { id: undefined, url: "https://evil.example/", tab: { id: 1 } }],
  ["a content script", { id: "extension-id", url: "https://evil.example/", tab: { id: 1 } }],
  ["an address that begins alike", { id: "extension-id", url: "https://chrome-extension://extension-id/" }],
  ["nobody", {}],
];
for (const [who, sender] of STRANGERS) {
  test(`${who} is never answered`, async () => {
    await wake();
    assert.equal(await send({ ask: "connect", tabId: 1 }, sender), undefined);
  });

  test(`${who} gets no port, whatever it calls it`, async () => {
    await wake();
    const { page, worker } = fakePort("devtools", sender);
    await chrome.runtime.onConnect.emit(worker);
    assert.ok(page.isClosed);
    assert.equal(worker.onMessage.listeners.length, 0);
  });
}

test("a page of ours that comes before the worker is ready is heard", async () => {
  const waking = wake();
  await settle(1);
  const { page, worker } = fakePort("popup", POPUP);
  await waking;
  await chrome.runtime.onConnect.emit(worker);
  page.postMessage({ follow: 1 });
  await settle();
  assert.equal(page.got[0].state.tab, "idle");
});

test("what a command does to its tab is told to the pages that follow it", async () => {
  chrome.stored.config = CONFIG;
  await wake();
  const link = await panel.tabLink();
  await settle();
  const { page, worker } = fakePort("devtools", {
    ...POPUP,
    url: "chrome-extension://extension-id/devtools/panel.html",
  });
  await chrome.runtime.onConnect.emit(worker);
  page.postMessage({ follow: 1 });
  await settle();
  assert.deepEqual([page.got[0].state.tab, page.got[1].isWhole], ["connected", true]);
  const told = new Promise((resolve) => page.onMessage.addListener(({ lines }) => lines?.length && resolve(lines)));
  await link.tell({ type: "settings", driver: "codex" });
  await chrome.cdp(1, "Runtime.consoleAPICalled", {
    type: "log",
    args: [{ type: "string", value: "hello" }],
    timestamp: 1,
  });
  assert.equal((await told)[0].text, "hello");
  assert.equal(page.got.findLast(({ state }) => state).state.driver, "codex");
});
