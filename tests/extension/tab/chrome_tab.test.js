import assert from "node:assert/strict";
import { test } from "../testing.js";
import { ChromeTab } from "../../../extension/tab/chrome_tab.js";
import { FakeChrome } from "../fake_chrome.js";

test("a tab is shown in its window, which comes in front only when it is to", async () => {
  const chrome = new FakeChrome({ tabs: [{ id: 7, active: false, windowId: 3 }] });
  const tab = new ChromeTab({ chrome, chromeTabId: 7 });
  await tab.activate();
  assert.deepEqual([(await tab.get()).active, chrome.focusedWindows], [true, []]);
  await tab.bringForward();
  assert.deepEqual(chrome.focusedWindows, [3]);
  await tab.remove();
  assert.equal(chrome.byId.size, 0);
});
