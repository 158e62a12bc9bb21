/** The popup's own script over a document made of its page. */
import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { click, emit, showDocument } from "../dom.js";
import { extensionFile, fakePort, settle } from "../fakes.js";
import { test } from "../testing.js";

const STATUS = {
  panel: "connected",
  tab: "idle",
  address: "ws://127.0.0.1:61822",
  managed: false,
  attached: false,
  driver: "",
  title: "Shop",
  url: "https://shop.example/",
  protected: "",
  connected: 0,
};
const PANEL_STATES = ["idle", "refused", "outdated", "ahead", "connecting", "connected"];
const TAB_STATES = ["idle", "connecting", "connected", "executing", "disconnecting"];
let asked,
  answers,
  port,
  isClosed,
  serial = 0;
const element = (id) => document.getElementById(id);
const words = (id) => element(id).textContent;

/** Open the popup over tab 7. */
async function open(status = {}) {
  answers = { status: { ...STATUS, ...status }, ...answers };
  await import(`../../../extension/popup/popup.js?opened=${(serial += 1)}`);
}

beforeEach(() => {
  [asked, answers, isClosed] = [[], {}, false];
  globalThis.location = { search: "" };
  globalThis.window = { close: () => (isClosed = true) };
  showDocument(extensionFile("popup/popup.html"));
  port = fakePort("popup");
  globalThis.chrome = {
    tabs: { query: async () => [{ id: 7 }] },
    runtime: {
      id: "extension-id",
      sendMessage: async (message) => (asked.push(message), answers[message.ask]),
      connect: () => port.page,
    },
  };
});

for (const panel of PANEL_STATES)
  for (const tab of TAB_STATES)
    test(`panel ${panel}, tab ${tab}: both are said in words`, async () => {
      await open({ panel, tab });
      for (const id of ["panel", "tab", "server", "debugger", "pairing", "toggle"])
        assert.doesNotMatch(words(id), /^$|undefined|^…/);
      assert.deepEqual([element("panel").dataset.state, element("tab").dataset.state], [panel, tab]);
      assert.equal(words("hint") === "", panel === "connected");
      assert.deepEqual(asked, [{ ask: "status", tabId: 7 }]);
      assert.deepEqual(port.worker.got, [{ follow: 7 }]);
    });

test("the server's address, the debugger, the tab and who drives it are told", async () => {
  await open({ tab: "executing", attached: true, driver: "claude-code", connected: 3 });
  assert.deepEqual(["server", "debugger", "title", "url", "driver", "connected"].map(words), [
    "ws://127.0.0.1:61822",
    "attached to this tab",
    "Shop",
    "https://shop.example/",
    "by claude-code",
    "3",
  ]);
  assert.deepEqual([element("driver").hidden, element("driver").dataset.tone], [false, "driving"]);
});

test("what changes is shown while it is open", async () => {
  await open();
  port.worker.postMessage({ state: { ...STATUS, tab: "executing", driver: "codex" } });
  assert.deepEqual(
    [words("tab"), words("driver"), words("toggle")],
    ["being driven", "by codex", "Disconnect this tab"],
  );
});

for (const [tab, ask, said] of [
  ["idle", "connect", "Connect this tab"],
  ["connected", "disconnect", "Disconnect this tab"],
  ["executing", "disconnect", "Disconnect this tab"],
])
  test(`a tab that is ${tab} can be told to ${ask}`, async () => {
    answers[ask] = { ...STATUS, tab: ask === "connect" ? "connected" : "idle" };
    await open({ tab });
    assert.deepEqual([words("toggle"), element("toggle").disabled], [said, false]);
    await click(element("toggle"));
    await settle();
    assert.deepEqual(asked.at(-1), { ask, tabId: 7 });
    assert.equal(element("tab").dataset.state, ask === "connect" ? "connected" : "idle");
  });

test("a refusal is shown as text, stays through what is told of the tab, and can be tried again", async () => {
  answers.connect = { error: "<b>Chrome lets no extension into this page</b>" };
  await open();
  await click(element("toggle"));
  port.worker.postMessage({ state: { ...STATUS, title: "Shop (2)" } });
  assert.equal(words("hint"), "<b>Chrome lets no extension into this page</b>");
  assert.ok(element("hint").classList.contains("error"));
  assert.deepEqual([element("toggle").disabled, words("title")], [false, "Shop (2)"]);
});

test("a protected page says why, and its button cannot be pressed", async () => {
  await open({ protected: "This is a page of the browser itself" });
  assert.deepEqual(
    [words("hint"), element("toggle").disabled, element("all").disabled],
    ["This is a page of the browser itself", true, false],
  );
  assert.equal(element("toggle").getAttribute("aria-describedby"), "hint");
});

for (const panel of ["idle", "refused"])
  test(`a browser that is ${panel} is led to its pair page`, async () => {
    answers.pair = { ...STATUS, panel };
    await open({ panel });
    assert.deepEqual(
      [words("toggle"), element("toggle").disabled, element("all").hidden],
      ["Pair with Kapture Panel", false, true],
    );
    await click(element("toggle"));
    assert.deepEqual([asked.at(-1), isClosed], [{ ask: "pair", tabId: 7 }, true]);
  });

for (const [panel, hint] of [
  ["outdated", /^Reload Kapture Panel on the extensions page/],
  ["ahead", /^Update Kapture Panel/],
])
  test(`${panel}: it says what to update, and does not lead to the pair page`, async () => {
    await open({ panel });
    assert.match(words("hint"), hint);
    assert.deepEqual([words("toggle"), element("toggle").disabled], ["Connect this tab", true]);
    assert.equal(words("pairing"), "Paired with the panel");
  });

test("a panel that is nowhere to be found may have another port: the way there is told, and can be gone", async () => {
  await open({ panel: "connecting" });
  assert.match(words("hint"), /^Start Kapture Panel; .* If its port has changed: unpair, then pair again\.$/);
  assert.deepEqual([element("unpair").hidden, words("unpair")], [false, "Unpair"]);
});

test("all tabs of the window are connected, those that cannot be are named with the reason", async () => {
  answers.connectWindow = {
    ...STATUS,
    tab: "connected",
    all: { connected: 1, refused: [{ title: "<i>Settings</i>", why: "This is a page of the browser itself" }] },
  };
  await open();
  await click(element("all"));
  assert.deepEqual(asked.at(-1), { ask: "connectWindow", tabId: 7 });
  assert.equal(words("hint"), "1 tab is connected, 1 could not be:");
  assert.deepEqual(
    [words("refused"), element("refused").hidden],
    ["<i>Settings</i>: This is a page of the browser itself", false],
  );
});

test("unpairing takes two presses; going elsewhere takes the first back", async () => {
  answers.unpair = { ...STATUS, panel: "idle" };
  await open();
  await click(element("unpair"));
  assert.deepEqual([words("unpair"), asked.length], ["Press again to unpair", 1]);
  await emit(element("unpair"), "blur");
  await click(element("unpair"));
  await click(element("unpair"));
  assert.deepEqual(asked.at(-1), { ask: "unpair", tabId: 7 });
  assert.deepEqual([words("pairing"), element("unpair").hidden], ["Not paired", true]);
});

test("the panel's own browser is not unpaired", async () => {
  await open({ managed: true });
  assert.deepEqual([words("pairing"), element("unpair").hidden], ["This browser belongs to the panel", true]);
});
