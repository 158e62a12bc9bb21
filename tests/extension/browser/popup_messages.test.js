import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { answerPopup, status } from "../../../extension/browser/popup_messages.js";
import { FakeChrome } from "../fake_chrome.js";
import { test } from "../testing.js";

const STATUS = {
  panel: "connected",
  address: "ws://127.0.0.1:61822",
  managed: false,
  tab: "connected",
  attached: true,
  driver: "codex",
  title: "Shop",
  url: "https://shop.example/",
  protected: "",
  connected: 1,
  paused: false,
};
let connections, done;
beforeEach(() => {
  done = [];
  const note =
    (name) =>
    async (...args) =>
      void done.push([name, ...args]);
  connections = {
    panelState: "connected",
    address: "ws://127.0.0.1:61822",
    managed: false,
    paused: false,
    connectedCount: 1,
    attached: new Set([7]),
    isAttached: (id) => connections.attached.has(id),
    stateOf: (id) => (id === 7 ? "connected" : "idle"),
    driverOf: (id) => (id === 7 ? "codex" : ""),
    isOfExtension: (url) => url.startsWith("chrome-extension://extension-id/"),
    reach: note("reach"),
    connect: note("connect"),
    disconnect: note("disconnect"),
    unpair: note("unpair"),
    askPause: note("askPause"),
    connectWindow: async (windowId) => (done.push(["connectWindow", windowId]), { connected: 1, refused: [] }),
    chrome: new FakeChrome({
      tabs: [
        { id: 7, windowId: 3 },
        { id: 8, url: "chrome://settings/", title: "Set\ntings" },
        { id: 9, url: "chrome-extension://extension-id/pair/pair.html" },
      ],
    }),
  };
});

for (const [ask, wanted] of [
  ["status", []],
  ["connect", [["reach"], ["connect", 7]]],
  ["disconnect", [["disconnect", 7]]],
  ["unpair", [["unpair"]]],
  ["pair", []],
  ["pause", [["askPause", true]]],
  ["resume", [["askPause", false]]],
])
  test(`a page of ours may ask: ${ask}`, async () => {
    assert.deepEqual(await answerPopup({ ask, tabId: 7 }, connections), STATUS);
    assert.deepEqual(done, wanted);
  });

test("every tab of the window of a tab can be connected at once", async () => {
  assert.deepEqual(await answerPopup({ ask: "connectWindow", tabId: 7 }, connections), {
    ...STATUS,
    all: { connected: 1, refused: [] },
  });
  assert.deepEqual(done, [["reach"], ["connectWindow", 3]]);
});

test("a protected page is explained before anybody tries", async () => {
  const { title, attached, protected: why } = await status(8, connections);
  assert.deepEqual([title, attached], ["Set tings", false]);
  assert.match(why, /browser itself/);
  assert.match((await status(9, connections)).protected, /own pages/);
});

test("without a tab the panel is told of", async () => {
  assert.deepEqual(
    { ...(await status(undefined, connections)), tab: "" },
    { ...STATUS, tab: "", attached: false, driver: "", title: "", url: "" },
  );
});

test("a tab that is being connected has no debugger yet", async () => {
  connections.attached.delete(7);
  assert.equal((await status(7, connections)).attached, false);
});

test("why a tab cannot be connected reaches the popup", async () => {
  connections.connect = () => Promise.reject(new Error("Chrome lets no extension into this page"));
  await assert.rejects(answerPopup({ ask: "connect", tabId: 7 }, connections), /lets no extension/);
  connections.reach = () => Promise.reject(new Error("the panel does not answer"));
  await assert.rejects(answerPopup({ ask: "connect", tabId: 7 }, connections), /does not answer/);
});

for (const message of [
  { ask: "evaluate" },
  { ask: "run" },
  {},
  null,
  "status",
  { ask: "constructor" },
  { ask: "__proto__" },
])
  test(`${JSON.stringify(message)} is nothing a page may ask`, async () => {
    await assert.rejects(answerPopup(message, connections), /unknown/);
    assert.deepEqual(done, []);
  });
