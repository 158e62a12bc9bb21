import assert from "node:assert/strict";
import { openPairPage } from "../../../extension/browser/pair_page.js";
import { FakeChrome } from "../fake_chrome.js";
import { test } from "../testing.js";

const URL = "chrome-extension://extension-id/pair/pair.html";

function browser(tabs) {
  const chrome = new FakeChrome({ tabs });
  chrome.runtime.getURL = (path) => `chrome-extension://extension-id/${path}`;
  return chrome;
}

test("the pair page gets a tab", async () => {
  const chrome = browser([{ id: 1 }]);
  await openPairPage(chrome);
  assert.deepEqual(
    [...chrome.byId.values()].map(({ url }) => url),
    ["https://shop.example/", URL],
  );
});

for (const [where, tab] of [
  ["there", { url: URL }],
  ["on its way", { url: "about:blank", pendingUrl: URL }],
])
  test(`one that is ${where} is shown instead of a second one`, async () => {
    const chrome = browser([{ id: 1, windowId: 5, active: false, ...tab }]);
    await openPairPage(chrome);
    assert.equal(chrome.byId.size, 1);
    assert.equal(chrome.byId.get(1).active, true);
    assert.deepEqual(chrome.focusedWindows, [5], "it may be behind the window that was pressed in");
  });
