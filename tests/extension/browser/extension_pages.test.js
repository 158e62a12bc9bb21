import assert from "node:assert/strict";
import { afterEach, beforeEach, mock } from "node:test";
import { ExtensionPages } from "../../../extension/browser/extension_pages.js";
import { Ring } from "../../../extension/basics/ring.js";
import { FakeChrome } from "../fake_chrome.js";
import { fakePort, settle } from "../fakes.js";
import { test } from "../testing.js";

let connections, pages, runs;
const line = (text) => ({ kind: "console", level: "log", text });

beforeEach(() => {
  mock.timers.enable({ apis: ["setTimeout"] });
  runs = [];
  connections = {
    panelState: "connected",
    address: "ws://127.0.0.1:61822",
    managed: false,
    state: "idle",
    sessions: new Map(),
    sessionOf: (id) => connections.sessions.get(id) ?? null,
    connectedCount: 0,
    isAttached: () => false,
    chrome: new FakeChrome({ tabs: [{ id: 7 }, { id: 8 }] }),
    stateOf: () => connections.state,
    driverOf: () => "",
    isOfExtension: () => false,
    run(tabId, command, params) {
      const run = { tabId, command, params, ...Promise.withResolvers(), cancelled: 0 };
      runs.push(run);
      return { ended: run.promise, cancel: () => (run.cancelled += 1) };
    },
  };
  pages = new ExtensionPages(Promise.resolve(connections));
});
afterEach(() => mock.timers.reset());

async function open(name, tabId = 7) {
  const { page, worker } = fakePort(name);
  pages.take(worker);
  page.postMessage({ follow: tabId });
  await settle();
  return page;
}
const states = (page) => page.got.filter(({ state }) => state).map(({ state }) => state.tab);
const texts = (page) =>
  page.got.filter(({ lines }) => lines).map(({ lines, isWhole }) => [isWhole, ...lines.map(({ text }) => text)]);
async function later() {
  mock.timers.tick(100);
  await settle();
}

test("a page that follows no tab is told of the panel", async () => {
  const page = await open("pair", -1);
  connections.panelState = "refused";
  pages.changed();
  await later();
  assert.deepEqual(
    page.got.map(({ state }) => state.panel),
    ["connected", "refused"],
  );
});

test("a page is told the state at once and whenever it changes, ten times a second at most", async () => {
  const page = await open("popup");
  assert.deepEqual(states(page), ["idle"]);
  for (const state of ["connecting", "connected", "executing"]) {
    connections.state = state;
    pages.changed(7);
  }
  await settle();
  assert.deepEqual(states(page), ["idle"]);
  await later();
  assert.deepEqual(states(page), ["idle", "executing"]);
  await later();
  connections.state = "connected";
  pages.changed();
  await settle();
  assert.deepEqual(states(page), ["idle", "executing", "connected"]);
});

test("it hears of no other tab", async () => {
  const page = await open("devtools");
  await later();
  pages.changed(8);
  pages.heard(8, line("secret"));
  await later();
  assert.deepEqual([states(page), texts(page)], [["idle"], []]);
});

test("a panel in DevTools gets the lines there are, then the new ones, and all again of another session", async () => {
  const console = new Ring(10);
  for (const text of ["one", "two"]) console.push(line(text));
  connections.sessions.set(7, { consoleLines: () => console.newestFirst() });
  const page = await open("devtools");
  assert.deepEqual(texts(page), [[true, "one", "two"]]);
  for (const text of ["three", "four"]) pages.heard(7, line(text));
  pages.heard(7, { kind: "request" });
  await later();
  assert.deepEqual(texts(page).slice(1), [[false, "three", "four"]]);
  connections.sessions.delete(7);
  pages.changed(7);
  await later();
  assert.deepEqual(texts(page).at(-1), [true]);
});

test("lines that were cleared are gone here, too", async () => {
  connections.sessions.set(7, { consoleLines: () => new Ring(10).newestFirst() });
  const page = await open("devtools");
  pages.heard(7, line("old"));
  pages.heard(7, { kind: "cleared" });
  pages.heard(7, line("new"));
  await later();
  assert.deepEqual([page.got.filter(({ isCleared }) => isCleared).length, texts(page).at(-1)], [1, [false, "new"]]);
});

test("a command is run in the followed tab, whatever else is said, and answered", async () => {
  const page = await open("devtools");
  page.postMessage({ run: 1, command: "kapturemcp_click", params: { ref: "e1" }, tabId: 8 });
  await settle();
  assert.deepEqual([runs[0].tabId, runs[0].command, runs[0].params], [7, "kapturemcp_click", { ref: "e1" }]);
  page.postMessage({ cancel: 1 });
  assert.equal(runs[0].cancelled, 1);
  runs[0].resolve({ success: true, result: 3 });
  await settle();
  assert.deepEqual(page.got.at(-1), { ran: 1, success: true, result: 3 });
});

test("the popup runs nothing", async () => {
  const page = await open("popup");
  page.postMessage({ run: 1, command: "kapturemcp_click", params: {} });
  pages.heard(7, line("x"));
  await later();
  assert.deepEqual([runs, texts(page)], [[], []]);
});

test("a page that closes cancels what it ran and is told nothing more", async () => {
  const page = await open("devtools");
  page.postMessage({ run: 1, command: "kapturemcp_wait", params: {} });
  await settle();
  page.disconnect();
  assert.equal(runs[0].cancelled, 1);
  runs[0].resolve({ success: false });
  pages.changed(7);
  await later();
});
