import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { test } from "../testing.js";
import { Cdp } from "../../../extension/tab/cdp.js";
import { FakeChrome } from "../fake_chrome.js";

let chrome, cdp;
beforeEach(() => {
  chrome = new FakeChrome({ tabs: [{ id: 7 }] });
  cdp = new Cdp({ chrome, chromeTabId: 7 });
});

test("a new attachment says so", async () => {
  assert.equal(await cdp.attach(), true);
  assert.deepEqual([...chrome.attached], [7]);
});

test("an attachment that outlived the worker is taken up again", async () => {
  chrome.attached.add(7);
  assert.equal(await cdp.attach(), false);
});

test("a tab that another program debugs is not ours", async () => {
  chrome.debugger.attach = () =>
    Promise.reject(new Error("Another debugger is already attached to the tab with id: 7."));
  await assert.rejects(cdp.attach(), { code: "TAB_DISCONNECTED", message: /already attached/ });
});

for (const message of [
  "Cannot access a chrome:// URL",
  "Cannot access contents of url",
  "Cannot attach to this target.",
  "Restricted",
])
  test(`"${message}" is PROTECTED_PAGE`, async () => {
    chrome.debugger.attach = () => Promise.reject(new Error(message));
    await assert.rejects(cdp.attach(), { code: "PROTECTED_PAGE", message: /open a web page/ });
  });

test("a tab that is gone is TAB_DISCONNECTED", async () => {
  chrome.byId.delete(7);
  await assert.rejects(cdp.attach(), { code: "TAB_DISCONNECTED" });
});

test("commands go to the tab, or to a child of it", async () => {
  await cdp.attach();
  await cdp.send("Page.enable");
  await cdp.send("Runtime.enable", {}, "child");
  assert.deepEqual(
    chrome.sent.map(({ method, tabId, sessionId }) => [method, tabId, sessionId]),
    [
      ["Page.enable", 7, undefined],
      ["Runtime.enable", 7, "child"],
    ],
  );
});

test("detaching from a tab that is gone is not an error", () => cdp.detach());
