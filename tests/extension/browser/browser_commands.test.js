import assert from "node:assert/strict";
import { afterEach, beforeEach } from "node:test";
import { FakeBrowser, OWN } from "../browser.js";
import { CONFIG, EVERYTHING, settle } from "../fakes.js";
import { test } from "../testing.js";

let browser, chrome, panel, connections;
beforeEach(() => void ({ chrome, panel, connections } = browser = new FakeBrowser()));
afterEach(() => browser.end());

test("new_tab opens a tab, connects it and answers its tabId", async () => {
  await connections.start(OWN);
  const { success, result, effects } = await browser.newTab({ background: true });
  assert.equal(success, true);
  assert.deepEqual(effects, { url: "about:blank", title: "", changed: true });
  await panel.tabLink(result.tabId);
  const tab = [...chrome.byId.values()].at(-1);
  assert.deepEqual([tab.url, tab.active, result.url], ["about:blank", false, "about:blank"]);
});

test("a frame that comes twice opens one tab", async () => {
  await connections.start(OWN);
  await browser.newTab({}, "c7");
  const count = chrome.byId.size;
  const link = await panel.browserLink();
  link.tell({
    type: "command",
    id: "c7",
    command: "kapturemcp_new_tab",
    params: { url: "about:blank" },
    timeout: 5000,
  });
  await browser.newTab({}, "c8");
  assert.equal(chrome.byId.size, count + 1);
});

test("new_tab opens a window in a browser that has none", async () => {
  await connections.start(OWN);
  for (const id of [...chrome.byId.keys()]) await chrome.removeTab(id);
  const { success, result } = await browser.newTab({});
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
    await browser.newTab({ background }, `c${background}`);
    shown.push(Boolean([...chrome.byId.values()].at(-1).active));
  }
  assert.deepEqual(
    [made, shown],
    [
      [false, false],
      [true, false],
    ],
  );
});

test("new_tab loads the address once the tab is connected; a failure names the tab that is open", async () => {
  await connections.start(CONFIG);
  chrome.replies["Page.navigate"] = () => ({ loaderId: "L2", errorText: "net::ERR_NAME_NOT_RESOLVED" });
  const { success, error } = await browser.newTab({ url: "https://nowhere.example/" });
  assert.equal(success, false);
  assert.equal(error.code, "NAVIGATION_FAILED");
  assert.ok(error.message.includes(`the tab ${error.tabId} is open`));
});

for (const command of ["kapturemcp_click", "kapturemcp_nothing", "constructor"])
  test(`${command} is no command of the browser`, async () => {
    await connections.start(OWN);
    const { error } = await (await panel.browserLink()).command("c1", command);
    assert.equal(error.code, "INVALID_PARAMS");
  });

/** The panel gives up a new tab for an address as soon as `method` was sent to it; what is answered. */
async function givenUpAt(method) {
  await connections.start(CONFIG);
  const held = chrome.hold(method);
  const opening = browser.newTab({ url: "https://a.example/", grant: EVERYTHING });
  await chrome.until(() => chrome.sent.some((sent) => sent.method === method));
  (await panel.browserLink()).tell({ type: "cancel", id: "c1" });
  await settle();
  held.release({});
  return opening;
}

test("a new tab that the panel gives up before it is connected goes, and its address is never asked for", async () => {
  const count = chrome.byId.size;
  const { error } = await givenUpAt("Page.enable");
  assert.equal(error.code, "NOT_SENT");
  assert.equal(chrome.byId.size, count);
  assert.ok(!chrome.sent.some(({ method }) => method === "Page.navigate"));
});

test("one whose address is being loaded is given up at once", async () => {
  const { error } = await givenUpAt("Page.navigate");
  assert.equal(error.code, "OUTCOME_UNKNOWN");
  assert.match(error.message, /cancelled by its caller/);
});
