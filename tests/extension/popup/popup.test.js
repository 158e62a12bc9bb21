/** The popup's own script over a document of four elements. */
import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { extensionFile, settle } from "../fakes.js";
import { test } from "../testing.js";

const PANEL_STATES = ["idle", "refused", "connecting", "connected"];
const TAB_STATES = ["idle", "connecting", "connected", "executing", "disconnecting"];
let elements, asked, answers, serial = 0;

function fakeElement() {
  const classes = new Set();
  return {
    dataset: {}, textContent: "…", disabled: true, classes,
    classList: { toggle: (name, on) => (on ? classes.add(name) : classes.delete(name)) },
    addEventListener(_kind, listener) {
      this.click = listener;
    },
  };
}

/** Open the popup over tab 7. */
async function open(status) {
  answers = { status, ...answers };
  await import(`../../../extension/popup/popup.js?opened=${(serial += 1)}`);
}

beforeEach(() => {
  elements = Object.fromEntries(["panel", "tab", "hint", "toggle"].map((id) => [id, fakeElement()]));
  asked = [];
  answers = {};
  globalThis.location = { search: "" };
  globalThis.document = { getElementById: (id) => elements[id] };
  globalThis.chrome = {
    tabs: { query: async () => [{ id: 7 }] },
    runtime: { sendMessage: async (message) => (asked.push(message), answers[message.ask]) },
  };
});

test("the script finds every element it needs in the page", () => {
  const page = extensionFile("popup/popup.html");
  for (const id of ["panel", "tab", "hint", "toggle"]) assert.match(page, new RegExp(`id="${id}"`));
});

for (const panel of PANEL_STATES)
  for (const tab of TAB_STATES)
    test(`panel ${panel}, tab ${tab}: both are said in words`, async () => {
      await open({ panel, tab });
      for (const id of ["panel", "tab"]) {
        assert.ok(elements[id].textContent, `${id} has words`);
        assert.doesNotMatch(elements[id].textContent, /undefined|…$(?<!ing…)/);
      }
      assert.deepEqual([elements.panel.dataset.state, elements.tab.dataset.state], [panel, tab]);
      assert.equal(elements.hint.textContent === "", panel === "connected");
      assert.deepEqual(asked, [{ ask: "status", tabId: 7 }]);
    });

for (const [tab, ask, words] of [["idle", "connect", "Connect this tab"], ["connected", "disconnect", "Disconnect this tab"], ["executing", "disconnect", "Disconnect this tab"]])
  test(`a tab that is ${tab} can be told to ${ask}`, async () => {
    answers[ask] = { panel: "connected", tab: ask === "connect" ? "connected" : "idle" };
    await open({ panel: "connected", tab });
    assert.deepEqual([elements.toggle.textContent, elements.toggle.disabled], [words, false]);
    await elements.toggle.click();
    await settle();
    assert.deepEqual(asked.at(-1), { ask, tabId: 7 });
    assert.equal(elements.tab.dataset.state, ask === "connect" ? "connected" : "idle");
  });

test("a refusal is shown as text and can be tried again", async () => {
  answers.connect = { error: "<b>Chrome lets no extension into this page</b>" };
  await open({ panel: "connected", tab: "idle" });
  await elements.toggle.click();
  assert.equal(elements.hint.textContent, "<b>Chrome lets no extension into this page</b>");
  assert.ok(elements.hint.classes.has("error"));
  assert.equal(elements.toggle.disabled, false);
});

for (const panel of ["idle", "refused"])
  test(`a browser that is ${panel} is led to its pair page`, async () => {
    let isClosed = false;
    globalThis.window = { close: () => (isClosed = true) };
    await open({ panel, tab: "idle" });
    assert.deepEqual([elements.toggle.textContent, elements.toggle.disabled], ["Connect to Kapture Panel", false]);
    await elements.toggle.click();
    assert.deepEqual([asked.at(-1), isClosed], [{ ask: "pair", tabId: 7 }, true]);
  });

test("without a panel nothing can be connected", async () => {
  await open({ panel: "connecting", tab: "idle" });
  assert.equal(elements.toggle.disabled, true);
});
