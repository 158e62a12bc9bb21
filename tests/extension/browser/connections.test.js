import assert from "node:assert/strict";
import { Grant } from "../../../extension/wire/grant.js";
import { afterEach, beforeEach, mock } from "node:test";
import { BROWSER_HANDLERS, TAB_HANDLERS } from "../../../extension/handlers/index.js";
import { throughDoor } from "../../../extension/basics/chrome_door.js";
import { Connections } from "../../../extension/browser/connections.js";
import { KaptureError } from "../../../extension/basics/errors.js";
import { CONFIG, EVERYTHING, FakeChrome, FakePanel, catalogue, settle } from "../fakes.js";
import { test } from "../testing.js";

const OWN = { ...CONFIG, managed: false };
let chrome, panel, connections;

/** A worker that has just started. */
function worker() {
  connections = new Connections({
    chrome: throughDoor(chrome), pageSource: { worldName: "kapture", source: "0" }, catalogue: catalogue(), tabHandlers: TAB_HANDLERS, browserHandlers: BROWSER_HANDLERS,
  });
  chrome.wire(connections);
  return connections;
}

/** The worker is killed: its sockets close, its listeners are gone. */
function killWorker() {
  chrome.killWorker();
  for (const socket of panel.sockets) socket.onclose = null;
  for (const socket of panel.sockets) socket.hangUp();
}

beforeEach(() => {
  mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  chrome = new FakeChrome({ tabs: [{ id: 1 }, { id: 2, url: "https://bank.example/" }] });
  panel = new FakePanel();
  globalThis.WebSocket = panel.WebSocket;
  worker();
});
afterEach(() => mock.timers.reset());

/** So many tabs are linked, and the extension has heard that they are. */
const tabsLinked = async (count) => {
  await panel.until(() => panel.tabLinks.length === count);
  await settle();
};
const record = (id) => chrome.stored.tabs?.[id];

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

test("a tab is connected when a person says so, and only that one", async () => {
  await connections.start(OWN);
  const tabId = await connections.connect(1);
  const link = await panel.tabLink(tabId);
  assert.match(tabId, /^[a-z2-9]{5}$/);
  assert.deepEqual(link.registered, { type: "register", tabId, url: "https://shop.example/", title: "Shop", favicon: "", browser: link.registered.browser });
  assert.deepEqual([...chrome.attached], [1]);
  assert.deepEqual([connections.stateOf(1), connections.stateOf(2)], ["connected", "idle"]);
  assert.deepEqual([chrome.badges.get(1), chrome.badges.get(2)], ["on", undefined]);
  assert.equal(record(1).connected, true);
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
  assert.deepEqual([connections.stateOf(1), chrome.attached.size, record(1)], ["idle", 0, undefined]);
});

test("a page of the extension itself is never shared, however the tab comes to it", async () => {
  const own = "chrome-extension://extension-id/popup/popup.html";
  connections.start(CONFIG);
  await tabsLinked(2);
  for (const tab of [{ url: own }, { url: "about:blank", pendingUrl: own }, { url: own, pendingUrl: "https://a.example/" }])
    await assert.rejects(connections.connect(chrome.addTab(tab).id), { code: "PROTECTED_PAGE" });
  await chrome.tabs.onUpdated.emit(1, { url: own }, chrome.byId.get(1));
  assert.deepEqual([connections.stateOf(1), [...chrome.attached]], ["idle", [2]]);
});

test("a panel that refuses a tab leaves no debugger attached", async () => {
  await connections.start(OWN);
  await panel.browserLink();
  panel.answers.hello = (socket) => socket.tell({ type: "refused", code: "DENIED", message: "no more tabs" });
  await assert.rejects(connections.connect(1), /no more tabs/);
  assert.deepEqual([connections.stateOf(1), chrome.attached.size], ["idle", 0]);
});

test("in a managed browser every tab is connected, at most four dialling at a time", async () => {
  for (let id = 3; id <= 23; id += 1) chrome.addTab({ id });
  chrome.addTab({ id: 24, url: "chrome://newtab/" });
  connections.start(CONFIG);
  await tabsLinked(23);
  assert.ok(panel.mostDialing <= 4, `${panel.mostDialing} at a time`);
  assert.equal(panel.sockets[0].hello.role, "browser");
});

test("in a managed browser a new tab is connected and told to the tab that opened it", async () => {
  connections.start(CONFIG);
  await tabsLinked(2);
  const [opener] = panel.tabLinks;
  const tab = chrome.addTab({ id: 9, url: "https://popup.example/", openerTabId: 1 });
  chrome.tabs.onCreated.emit(tab);
  await tabsLinked(3);
  await settle();
  const { lateEffects } = await opener.command("c1", "kapturemcp_logs", { max: 1 });
  assert.deepEqual(lateEffects.newTabs, [{ tabId: connections.tabs.get(9).session.id, url: "https://popup.example/" }]);
});

test("a tab of a managed browser that leaves a protected page is connected then", async () => {
  chrome.addTab({ id: 9, url: "chrome://newtab/" });
  connections.start(CONFIG);
  await tabsLinked(2);
  chrome.byId.get(9).url = "https://a.example/";
  await chrome.tabs.onUpdated.emit(9, { url: "https://a.example/" }, chrome.byId.get(9));
  await tabsLinked(3);
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
  await connections.tabs.get(1).session.resized(size);
  chrome.sent.length = 0;
  await chrome.detached(1, "target_closed");
  await settle(50);
  assert.equal(connections.stateOf(1), "connected");
  assert.equal(connections.tabs.get(1).session.id, tabId);
  assert.deepEqual(chrome.sent.filter(({ method }) => method === "Emulation.setDeviceMetricsOverride").map(({ params }) => params), [size]);
});

test("a tab a person disconnected stays away, in a managed browser too", async () => {
  connections.start(CONFIG);
  await tabsLinked(2);
  await connections.disconnect(1);
  assert.deepEqual([connections.stateOf(1), [...chrome.attached], chrome.badges.get(1)], ["idle", [2], ""]);
  assert.deepEqual([record(1).connected, record(1).declined], [false, true]);
  await chrome.tabs.onUpdated.emit(1, { url: "https://c.example/" }, chrome.byId.get(1));
  panel.stop();
  panel.running = true;
  mock.timers.tick(30_000);
  await panel.browserLink();
  await tabsLinked(1);
  await settle();
  assert.equal(connections.stateOf(1), "idle");
});

test("cancelling the debugger's bar ends sharing for good", async () => {
  connections.start(CONFIG);
  await tabsLinked(2);
  await chrome.detached(1, "canceled_by_user");
  await settle();
  assert.equal(record(1).declined, true);
  await chrome.alarms.onAlarm.emit({ name: "reconnect" });
  await settle();
  assert.deepEqual([connections.stateOf(1), panel.tabLinks.length], ["idle", 1]);
});

test("a person who connects a declined tab gets the same tab back", async () => {
  await connections.start(OWN);
  const tabId = await connections.connect(1);
  await connections.disconnect(1);
  assert.equal(await connections.connect(1), tabId);
  assert.equal(record(1).declined, false);
});

test("a tab closed under a command ends it at once and its record is forgotten", async () => {
  connections.start(CONFIG);
  await tabsLinked(2);
  const link = await panel.tabLink(connections.tabs.get(1).session.id);
  chrome.hold("Page.reload");
  const answer = link.command("c1", "kapturemcp_reload", { ignoreCache: false });
  await chrome.until(() => chrome.methods(1).includes("Page.reload"));
  await chrome.removeTab(1);
  assert.equal((await answer).error.code, "TAB_DISCONNECTED");
  await settle();
  assert.equal(link.readyState, 3);
  assert.equal(record(1), undefined);
});

test("close_tab is answered before its link closes, however late the answer is", async () => {
  connections.start(CONFIG);
  await tabsLinked(2);
  const link = await panel.tabLink(connections.tabs.get(1).session.id);
  const { promise, resolve } = Promise.withResolvers();
  chrome.tabs.remove = async (id) => {
    chrome.removeTab(id);
    await promise;
  };
  const answer = link.command("c1", "kapturemcp_close_tab");
  await settle();
  assert.equal(connections.tabs.has(1), false);
  assert.equal(link.readyState, 1);
  resolve();
  assert.equal((await answer).success, true);
  await panel.until(() => link.readyState === 3);
});

test("after the panel was away the browser dials first, then each tab comes back as the same tab", async () => {
  connections.start(CONFIG);
  await tabsLinked(2);
  const before = panel.tabLinks.map(({ hello }) => hello.tabId).sort();
  panel.stop();
  const dialled = panel.sockets.length;
  for (const wait of [250, 500, 1000]) {
    mock.timers.tick(wait);
    await settle();
  }
  assert.deepEqual(panel.sockets.slice(dialled).map(({ hello }) => hello), [undefined, undefined, undefined], "one dial a try, none by a tab");
  assert.equal(connections.panelState, "connecting");
  assert.equal(connections.stateOf(1), "connecting");
  panel.running = true;
  mock.timers.tick(2000);
  await tabsLinked(2);
  assert.equal(panel.sockets[dialled + 3].hello.role, "browser");
  assert.deepEqual(panel.tabLinks.map(({ hello }) => hello.tabId).sort(), before);
  assert.equal(chrome.methods(1).filter((method) => method === "Page.addScriptToEvaluateOnNewDocument").length, 1, "the session went on");
});

test("200 tabs that lose the panel together do not put the next try off", async () => {
  for (let id = 3; id <= 50; id += 1) chrome.addTab({ id });
  connections.start(CONFIG);
  await tabsLinked(50);
  panel.stop();
  panel.running = true;
  mock.timers.tick(250);
  await panel.browserLink();
});

test("a command that runs when the panel goes away ends; its answer goes nowhere", async () => {
  connections.start(CONFIG);
  await tabsLinked(2);
  chrome.hold("Page.reload");
  const link = await panel.tabLink(connections.tabs.get(1).session.id);
  link.tell({ type: "command", id: "c1", command: "kapturemcp_reload", params: { ignoreCache: false }, timeout: 60_000, grant: EVERYTHING });
  await chrome.until(() => chrome.methods(1).includes("Page.reload"));
  panel.stop();
  await settle();
  assert.equal(connections.tabs.get(1).session.executing, false);
});

test("a tab whose link alone broke is dialled for again", async () => {
  connections.start(CONFIG);
  await tabsLinked(2);
  const { id } = connections.tabs.get(1).session;
  (await panel.tabLink(id)).hangUp("a frame was too large");
  assert.equal(connections.stateOf(1), "connecting");
  mock.timers.tick(250);
  await panel.tabLink(id);
  await settle();
  assert.equal(connections.stateOf(1), "connected");
});

test("a tab that could not be dialled for is tried again with the alarm", async () => {
  connections.start(CONFIG);
  await tabsLinked(2);
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
  await tabsLinked(2);
});

test("a tab that does not answer keeps back neither the other tabs nor the next dial", async () => {
  for (let id = 3; id <= 8; id += 1) chrome.addTab({ id });
  // What a page with an open dialog or a script without end does: no answer at all.
  const reply = chrome.replies["Runtime.enable"];
  chrome.replies["Runtime.enable"] = (params, target) => (target.tabId <= 4 ? new Promise(() => {}) : reply(params, target));
  connections.start(CONFIG);
  await chrome.until(() => chrome.methods().filter((method) => method === "Runtime.enable").length === 4);
  mock.timers.tick(15_000);
  await tabsLinked(4);
  await settle();
  assert.deepEqual([connections.stateOf(1), chrome.attached.size], ["idle", 4]);
  panel.stop();
  panel.running = true;
  mock.timers.tick(30_000);
  await panel.browserLink();
});

test("after a worker restart tabs are shared as before: same tabId, refs go on, nothing attached twice", async () => {
  await connections.start(OWN);
  const tabId = await connections.connect(1);
  chrome.page.snapshot = (_target, _options, { from }) => ({ lines: [], doors: [], nextRef: from + 40, title: "", url: "" });
  await (await panel.tabLink(tabId)).command("c1", "kapturemcp_snapshot", { interactiveOnly: false, diff: false });
  await settle();
  killWorker();
  worker();
  await connections.start(OWN);
  await panel.tabLink(tabId);
  await settle();
  const { session } = connections.tabs.get(1);
  assert.deepEqual([session.id, session.snapshots.nextRef], [tabId, 41]);
  assert.deepEqual([connections.stateOf(2), chrome.attached.size], ["idle", 1]);
});

test("no more than 200 tabs are connected, however many come at once", async () => {
  for (let id = 3; id <= 230; id += 1) chrome.addTab({ id });
  await connections.start(OWN);
  const outcomes = await Promise.allSettled([...chrome.byId.keys()].map((id) => connections.connect(id)));
  const refused = outcomes.filter(({ status }) => status === "rejected");
  assert.equal(connections.tabs.size, 200);
  assert.equal(refused.length, 30);
  assert.ok(refused.every(({ reason }) => reason.code === "BUSY" && /disconnect one/.test(reason.message)));
});

test("a change of address, title or icon is told by the tab's own link", async () => {
  await connections.start(OWN);
  const link = await panel.tabLink(await connections.connect(1));
  await chrome.tabs.onUpdated.emit(1, { title: "New" }, { url: "https://a.example/", title: "New", favIconUrl: "x".repeat(9000) });
  await chrome.tabs.onUpdated.emit(2, { title: "Other" }, { url: "https://bank.example/", title: "Other" });
  await chrome.tabs.onUpdated.emit(1, { status: "loading" }, { url: "https://a.example/" });
  mock.timers.tick(50);
  assert.deepEqual(link.events(), [{ kind: "tab", url: "https://a.example/", title: "New", favicon: "x".repeat(2000) }]);
});

test("nothing of a tab that is not shared crosses to the panel", async () => {
  await connections.start(OWN);
  await connections.connect(1);
  chrome.cdp(2, "Runtime.consoleAPICalled", { type: "log", args: [{ type: "string", value: "secret" }], timestamp: 1 });
  await chrome.tabs.onUpdated.emit(2, { title: "My account" }, { url: "https://bank.example/", title: "My account" });
  mock.timers.tick(1000);
  assert.doesNotMatch(panel.sockets.flatMap(({ raw }) => raw).join(), /bank|secret|account/);
});

const newTab = async (params, id = "c1") => (await panel.browserLink()).command(id, "kapturemcp_new_tab", { url: "about:blank", background: false, snapshot: "none", ...params }, 5000);

test("new_tab opens a tab, connects it and answers its tabId", async () => {
  await connections.start(OWN);
  const { success, result, effects } = await newTab({ background: true });
  assert.equal(success, true);
  assert.deepEqual(effects, { url: "about:blank", title: "", changed: true });
  await panel.tabLink(result.tabId);
  const tab = [...chrome.byId.values()].at(-1);
  assert.deepEqual([tab.url, tab.active, result.url], ["about:blank", false, "about:blank"]);
});

test("new_tab opens a window in a browser that has none", async () => {
  await connections.start(OWN);
  for (const id of [...chrome.byId.keys()]) await chrome.removeTab(id);
  const { success, result } = await newTab({});
  assert.equal(success, true);
  await panel.tabLink(result.tabId);
});

test("new_tab makes no tab the active one that has just been made: such a one takes the keyboard", async () => {
  const made = [];
  const { create } = chrome.tabs;
  chrome.tabs.create = async (how) => (made.push(how.active), create(how));
  await connections.start(CONFIG);
  const shown = [];
  for (const background of [false, true]) {
    await newTab({ background }, `c${background}`);
    shown.push(Boolean([...chrome.byId.values()].at(-1).active));
  }
  assert.deepEqual([made, shown], [[false, false], [true, false]]);
});

test("new_tab loads the address once the tab is connected; a failure names the tab that is open", async () => {
  await connections.start(CONFIG);
  chrome.replies["Page.navigate"] = () => ({ loaderId: "L2", errorText: "net::ERR_NAME_NOT_RESOLVED" });
  const { success, error } = await newTab({ url: "https://nowhere.example/" });
  assert.equal(success, false);
  assert.equal(error.code, "NAVIGATION_FAILED");
  assert.ok(error.message.includes(`the tab ${error.tabId} is open`));
});

test("new_tab answers what loading the address did, with the snapshot and the dialogs of that", async () => {
  await connections.start(CONFIG);
  const asked = [];
  const { connect } = connections;
  connections.connect = async (id) => {
    const tabId = await connect.call(connections, id);
    connections.tabs.get(id).session.execute = async (frame) => {
      asked.push(frame);
      const effects = { url: "https://a.example/", title: "A", reloaded: true, changed: true };
      return { success: true, result: { url: "https://a.example/" }, effects, snapshot: "# A", dialogs: [{ type: "alert" }] };
    };
    return tabId;
  };
  const link = await panel.browserLink();
  link.tell({ type: "command", id: "c1", command: "kapturemcp_new_tab", params: { url: "https://a.example/", background: false, snapshot: "full" }, timeout: 5000, dialogs: "accept", grant: EVERYTHING });
  const { effects, snapshot, dialogs, result } = await link.response("c1");
  assert.deepEqual([effects, snapshot, dialogs], [{ url: "https://a.example/", title: "A", changed: true }, "# A", [{ type: "alert" }]]);
  assert.equal(result.url, "https://a.example/");
  assert.deepEqual(asked.map(({ params, dialogs: rule, grant }) => [params, rule, grant]), [[{ url: "https://a.example/", waitUntil: "load", snapshot: "full" }, "accept", EVERYTHING]]);
});

test("a tab that was opened and cannot be connected is closed again", async () => {
  await connections.start(OWN);
  connections.connect = () => Promise.reject(new KaptureError("TAB_DISCONNECTED", "the tab does not answer"));
  const before = [...chrome.byId.keys()];
  assert.equal((await newTab()).error.message, "the tab does not answer");
  assert.deepEqual([...chrome.byId.keys()], before);
});

test("a tab that was closed while it was opened is TAB_DISCONNECTED", async () => {
  await connections.start(OWN);
  const { connect } = connections;
  connections.connect = async (id) => {
    const tabId = await connect.call(connections, id);
    await chrome.removeTab(id);
    return tabId;
  };
  assert.equal((await newTab({ url: "https://a.example/" })).error.code, "TAB_DISCONNECTED");
});

for (const command of ["kapturemcp_click", "kapturemcp_nothing", "constructor"])
  test(`${command} is no command of the browser`, async () => {
    await connections.start(OWN);
    const { error } = await (await panel.browserLink()).command("c1", command);
    assert.equal(error.code, "INVALID_PARAMS");
  });

test("a record that cannot be written once does not spoil the next", async () => {
  await connections.start(OWN);
  const { set } = chrome.storage.session;
  chrome.storage.session.set = () => Promise.reject(new Error("QUOTA_BYTES quota exceeded"));
  await connections.connect(1).catch(() => {});
  chrome.storage.session.set = set;
  await connections.connect(2);
  assert.equal(record(2).connected, true);
});

test("other alarms are none of ours", async () => {
  await connections.start(OWN);
  await panel.browserLink();
  await chrome.alarms.onAlarm.emit({ name: "other" });
  assert.equal(panel.sockets.length, 1);
});

// connectGranted

async function ownBrowser() {
  await connections.start(OWN);
  await panel.browserLink();
}

test("a tab is told, not connected, as long as no person granted its origin", async () => {
  await ownBrowser();
  for (const grant of [[], undefined, ["https://shop.example"], ["https://bank.example:444", "http://bank.example"]])
    await assert.rejects(connections.connectGranted(2, new Grant({ origins: grant })), {
      code: "NEEDS_APPROVAL",
      details: { site: "bank.example", origin: "https://bank.example", url: "https://bank.example/", title: "Shop" },
    });
  assert.equal(connections.tabs.size, 0);
});

test("a granted tab is connected, also when a person disconnected it before", async () => {
  await ownBrowser();
  await connections.disconnect(2);
  assert.equal(record(2).declined, true);
  const connecting = connections.connectGranted(2, new Grant({ origins: ["https://bank.example"] }));
  await tabsLinked(1);
  assert.equal((await connecting).tabId, connections.tabs.get(2).session.id);
  assert.equal(record(2).declined, false);
  await assert.rejects(connections.connectGranted(2, new Grant({ origins: "*" })), { code: "INVALID_PARAMS" });
});

test("a refusal stays as long as nothing was granted", async () => {
  await ownBrowser();
  await connections.disconnect(2);
  await assert.rejects(connections.connectGranted(2, new Grant()), { code: "NEEDS_APPROVAL" });
  assert.equal(record(2).declined, true);
});

test("what is no tab and what nobody may enter is told before anybody is asked", async () => {
  await ownBrowser();
  await assert.rejects(connections.connectGranted(77, new Grant()), { code: "TAB_NOT_FOUND", message: /list_browser_tabs/ });
});

/** Have tab 2 go right before the call of `chrome` with this number; `isTold`: Chrome tells of it at once. */
function goesBeforeCall(number, isTold) {
  let calls = 0;
  const go = () => {
    chrome.byId.delete(2);
    chrome.attached.delete(2);
    if (isTold) void chrome.tabs.onRemoved.emit(2, {});
  };
  const counted = (call) => (...args) => {
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
      chrome = new FakeChrome({ tabs: [{ id: 1 }, { id: 2, url: "https://bank.example/" }] });
      worker();
      await ownBrowser();
      panel.sockets.length = 0;
      const calls = goesBeforeCall(number, isTold);
      const ended = await connections.connectGranted(2, grant).then(() => "connected", ({ code }) => code);
      isReached = calls() >= number;
      // It was there to the end; or went after it was registered, of which Chrome is still to tell.
      if (!isReached || (!isTold && panel.tabLinks.length === 1)) assert.equal(ended, "connected");
      else assert.ok(["TAB_DISCONNECTED", "TAB_NOT_FOUND"].includes(ended), `before call ${number}: ${ended}`);
      await connections.start();
    }
    assert.ok(number > 15, `only ${number} moments`);
  });

for (const [config, natural] of [[OWN, true], [CONFIG, false]])
  test(`a tab of a ${config.managed ? "managed" : "person's own"} browser has ${natural ? "a" : "no"} natural mouse unless a person says otherwise`, async () => {
    await connections.start(config);
    await connections.connect(1);
    const { session } = connections.tabs.get(1);
    assert.equal(session.naturalMouse, natural);
    const link = await panel.tabLink(session.id);
    await link.tell({ type: "settings", naturalMouse: natural ? "off" : "on", showCursor: "on" });
    assert.equal(session.naturalMouse, !natural);
    session.cursor.at({ x: 1, y: 1 });
    assert.ok(chrome.methods(1).includes("Overlay.highlightQuad"));
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
  assert.deepEqual([chrome.kept.pairing, chrome.alarmsMade, record(1).connected], [undefined, [], false]);
  const dialled = panel.sockets.length;
  mock.timers.tick(600_000);
  await connections.onAlarm({ name: "reconnect" });
  await settle();
  assert.equal(panel.sockets.length, dialled);
});

test("a refusal alone makes nothing forgotten: any program on the port could say it", async () => {
  chrome.kept.pairing = OWN;
  panel.answers.hello = (socket) => socket.tell({ type: "refused", code: "DENIED", message: "this browser is not paired with this panel" });
  await connections.start(OWN);
  assert.deepEqual([connections.panelState, chrome.kept.pairing], ["refused", OWN]);
  mock.timers.tick(29_999);
  await settle();
  assert.equal(panel.sockets.length, 1, "it is not asked again and again");
  mock.timers.tick(1);
  await panel.until(() => panel.sockets.length === 2);
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
  await tabsLinked(2);
});

test("paired anew with another panel it leaves the one before", async () => {
  await connections.start(OWN);
  await connections.connect(1);
  await connections.start({ ...OWN, install: "install-2" });
  const link = await panel.browserLink();
  assert.equal(link.hello.install, "install-2");
  assert.deepEqual([panel.links.length, connections.stateOf(1)], [1, "idle"]);
});

test("the icon tells who drives a tab, while a command runs and a moment longer", async () => {
  connections.start(CONFIG);
  await tabsLinked(2);
  await settle();
  const link = await panel.tabLink(connections.tabs.get(1).session.id);
  assert.deepEqual([chrome.badges.get(1), chrome.titles.get(1)], ["on", "Kapture Panel: this tab is connected, nobody has driven it yet"]);
  const { release } = chrome.hold("Page.reload");
  link.tell({ type: "settings", driver: "claude\u202e-code" });
  link.tell({ type: "command", id: "c1", command: "kapturemcp_reload", params: { ignoreCache: false }, timeout: 60_000, grant: EVERYTHING });
  await chrome.until(() => chrome.methods(1).includes("Page.reload"));
  assert.deepEqual([chrome.badges.get(1), connections.driverOf(1)], ["▶", "claude -code"]);
  assert.match(chrome.titles.get(1), /claude -code is driving it$/);
  release({});
  link.tell({ type: "cancel", id: "c1" });
  await link.response("c1");
  await settle();
  assert.equal(connections.stateOf(1), "executing");
  mock.timers.tick(1000);
  assert.deepEqual([connections.stateOf(1), chrome.badges.get(1)], ["connected", "on"]);
  assert.match(chrome.titles.get(1), /claude -code drove it last$/);
  await connections.disconnect(1);
  assert.deepEqual([chrome.badges.get(1), chrome.titles.get(1), connections.driverOf(1)], ["", "Kapture Panel", ""]);
});

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

test("whoever waits for the panel gets it, or what there is to do", async () => {
  await assert.rejects(connections.reach(), { code: "PANEL_DOWN", message: /Pair it first/ });
  panel.running = false;
  await connections.start(OWN);
  await assert.rejects(connections.reach(), { code: "PANEL_DOWN", message: /does not answer at ws:\/\/127\.0\.0\.1:61822\. Start it/ });
  panel.running = true;
  await connections.reach();
  assert.equal(connections.panelState, "connected");
  await connections.reach();
  assert.equal(panel.links.length, 1);
});

test("a panel that does not know this browser any more is said", async () => {
  panel.answers.hello = (socket) => socket.tell({ type: "refused", code: "DENIED", message: "not paired" });
  await connections.start(OWN);
  await assert.rejects(connections.reach(), { code: "DENIED", message: /Pair it anew/ });
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

test("every tab of a window is connected, the others are named with the reason", async () => {
  await connections.start(OWN);
  await panel.browserLink();
  for (const [id, url, title] of [[11, "https://a.example/", "A"], [12, "chrome://settings/", "Settings"], [13, "", ""]]) chrome.addTab({ id, url, title, windowId: 5, ...(id === 13 && { pendingUrl: "view-source:https://a.example/" }) });
  const { connected, refused } = await connections.connectWindow(5);
  assert.equal(connected, 1);
  assert.deepEqual(refused.map(({ title }) => title).toSorted(), ["Settings", "view-source:https://a.example/"]);
  for (const { why } of refused) assert.match(why, /Chrome lets no extension in/);
  assert.equal(connections.stateOf(2), "idle");
});

test("a picture of the extension's own origin is one of its pages", async () => {
  await connections.start(OWN);
  await panel.browserLink();
  chrome.byId.get(1).url = "blob:chrome-extension://extension-id/1";
  await assert.rejects(connections.connect(1), { code: "PROTECTED_PAGE", message: /own pages/ });
});

test("a tab that comes to one of its pages is let go of at once, before Chrome tells its address", async () => {
  await connections.start(OWN);
  const tabId = await connections.connect(1);
  const link = await panel.tabLink(tabId);
  const running = link.command("c1", "kapturemcp_evaluate", { code: "1" });
  chrome.cdp(1, "Page.frameNavigated", { frame: { id: "F2", parentId: "F1", loaderId: "L9", url: "chrome-extension://extension-id/popup/popup.html" } });
  assert.equal(connections.stateOf(1), "executing", "a frame that a page holds is not the tab");
  chrome.cdp(1, "Page.frameNavigated", { frame: { id: "F1", loaderId: "L2", url: "chrome-extension://extension-id/popup/popup.html" } });
  assert.equal(connections.stateOf(1), "idle");
  assert.equal((await running).error.code, "PROTECTED_PAGE");
  assert.doesNotMatch(JSON.stringify(link.events()), /popup/);
});

test("a tab that is at one of its pages by the time it is attached is not connected", async () => {
  await connections.start(OWN);
  await panel.browserLink();
  chrome.replies["Page.getFrameTree"] = () => ({ frameTree: { frame: { id: "F1", loaderId: "L1", url: "chrome-extension://extension-id/popup/popup.html" } } });
  await assert.rejects(connections.connect(1), { code: "PROTECTED_PAGE", message: /own pages/ });
  assert.equal(chrome.attached.has(1), false);
});

const pausing = async (isPaused) => {
  (await panel.browserLink()).tell({ type: "settings", paused: isPaused });
  await settle(60);
};

test("a pause takes the debugger from a person's tabs, and afterwards the same tabs come back as they were", async () => {
  await connections.start(OWN);
  const tabId = await connections.connect(1);
  const link = await panel.tabLink(tabId);
  await link.command("c1", "kapturemcp_inject_script", { source: "1", id: "a", keep: true });
  await link.command("c2", "kapturemcp_set_offline", { offline: true });
  chrome.hold("Page.reload");
  const running = link.command("c3", "kapturemcp_reload", { ignoreCache: false });
  await chrome.until(() => chrome.methods(1).includes("Page.reload"));
  await pausing(true);
  assert.equal((await running).error.code, "OUTCOME_UNKNOWN");
  assert.deepEqual(link.events().at(-1), { kind: "held" });
  assert.deepEqual([[...chrome.attached], connections.stateOf(1), chrome.badges.get(1)], [[], "paused", "❚❚"]);
  await assert.rejects(connections.connect(2), { code: "PAUSED" });
  await chrome.tabs.onUpdated.emit(1, { url: "https://a.example/" }, chrome.byId.get(1));
  await chrome.alarms.onAlarm.emit({ name: "reconnect" });
  await settle();
  assert.deepEqual([...chrome.attached], []);
  chrome.sent.length = 0;
  await pausing(false);
  await panel.tabLink(tabId);
  await connections.connect(1); // has come to its end
  await settle(20);
  assert.deepEqual([[...chrome.attached], connections.stateOf(1), connections.tabs.get(1).session.offline], [[1], "connected", true]);
  const added = chrome.sent.filter(({ method }) => method === "Page.addScriptToEvaluateOnNewDocument").map(({ params }) => params.source);
  assert.ok(added.some((source) => source.startsWith("1")), added.join());
  mock.timers.tick(50);
  assert.deepEqual((await panel.browserLink()).events(), [{ kind: "back" }]);
});

test("a tab on its way to a silent server comes back from a pause when that server has answered", async () => {
  await connections.start(OWN);
  const tabId = await connections.connect(1);
  const size = { width: 500, height: 400, deviceScaleFactor: 1, mobile: false };
  await connections.tabs.get(1).session.resized(size);
  await pausing(true);
  const page = chrome.hold("Page.enable");
  await pausing(false);
  mock.timers.tick(10_000);
  await settle(20);
  assert.deepEqual([[...chrome.attached], connections.stateOf(1)], [[], "idle"]);
  page.release();
  chrome.sent.length = 0;
  await chrome.tabs.onUpdated.emit(1, { status: "complete" }, chrome.byId.get(1));
  await settle(20);
  assert.deepEqual([connections.stateOf(1), connections.tabs.get(1).session.id], ["connected", tabId]);
  assert.deepEqual(chrome.sent.filter(({ method }) => method === "Emulation.setDeviceMetricsOverride").map(({ params }) => params), [size]);
});

test("a managed browser stays attached while agents are paused", async () => {
  connections.start(CONFIG);
  await tabsLinked(2);
  await pausing(true);
  assert.deepEqual([connections.paused, connections.stateOf(1), chrome.attached.size], [true, "connected", 2]);
});

test("a worker that starts under a pause lets go of what the one before had attached", async () => {
  await connections.start(OWN);
  const tabId = await connections.connect(1);
  await settle();
  killWorker();
  worker();
  panel.answers.register = (socket, register) => {
    socket.registered = register;
    socket.greeted();
    socket.tell({ type: "registered", tabId: socket.hello.tabId, paused: true });
  };
  await connections.start(OWN);
  await settle(20);
  assert.deepEqual([connections.stateOf(1), chrome.attached.size, panel.tabLinks.length], ["paused", 0, 0]);
  await pausing(false);
  assert.ok(await panel.tabLink(tabId));
});

test("a tab closed or disconnected under a pause is told and does not come back", async () => {
  await connections.start(OWN);
  const ids = [await connections.connect(1), await connections.connect(2)];
  await pausing(true);
  await chrome.removeTab(1);
  await connections.disconnect(2);
  mock.timers.tick(50);
  assert.deepEqual((await panel.browserLink()).events(), ids.map((tabId) => ({ kind: "closed", tabId })));
  await pausing(false);
  assert.deepEqual([connections.stateOf(2), panel.tabLinks.length], ["idle", 0]);
});

test("the person's pause goes to the panel over the browser's link", async () => {
  await connections.start(OWN);
  await connections.askPause(true);
  await connections.askPause(false);
  assert.deepEqual((await panel.browserLink()).frames("pause"), [{ type: "pause", on: true }, { type: "pause", on: false }]);
});

test("a tab an agent opened in a person's browser is in its group, and out of it when the person takes it out", async () => {
  const grouped = [];
  chrome.tabs.group = async ({ tabIds: [id] }) => (grouped.push(id), 5);
  chrome.tabs.ungroup = async () => {};
  chrome.tabGroups = { get: async () => ({}), update: async (group, { title }) => void grouped.push(title) };
  await connections.start(OWN);
  const { result } = await newTab({});
  const link = await panel.tabLink(result.tabId);
  link.tell({ type: "settings", driver: "codex" });
  await settle(20);
  const id = [...chrome.byId.keys()].at(-1);
  assert.deepEqual(grouped, [id, "codex"]);
  await chrome.tabs.onUpdated.emit(id, { groupId: 5 }, chrome.byId.get(id));
  assert.equal(connections.stateOf(id), "connected");
  await chrome.tabs.onUpdated.emit(id, { groupId: -1 }, chrome.byId.get(id));
  await settle();
  assert.deepEqual([connections.stateOf(id), record(id).declined], ["idle", true]);
});
