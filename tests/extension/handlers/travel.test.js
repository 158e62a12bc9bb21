import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { connectedTab } from "../tab.js";
import { test } from "../testing.js";

let tab;
beforeEach(async () => (tab = await connectedTab()));

const HISTORY = {
  currentIndex: 1,
  entries: [
    { id: 4, url: "https://shop.example/login" },
    { id: 5, url: "https://shop.example/" },
  ],
};

test("going back to a page that leads to the same address again is over when that is there", async () => {
  tab.chrome.replies["Page.getNavigationHistory"] = () => HISTORY;
  tab.chrome.replies["Page.navigateToHistoryEntry"] = () => {
    tab.starts("L2", "https://shop.example/login");
    setImmediate(() => tab.shows("L2", "https://shop.example/"));
  };
  const { success, effects } = await tab.run("go_back", {}, 5_000);
  assert.deepEqual([success, effects.url], [true, "https://shop.example/"]);
});

test("going back to what is no page any more says so, and the page stays", async () => {
  tab.chrome.replies["Page.getNavigationHistory"] = () => HISTORY;
  tab.chrome.replies["Page.navigateToHistoryEntry"] = () => {
    tab.starts("L2", "https://shop.example/login");
    setImmediate(() => tab.chrome.cdp(7, "Network.responseReceived", { requestId: "L2", response: { status: 204 } }));
  };
  const { error } = await tab.run("go_back", {}, 5_000);
  assert.deepEqual(
    [error.code, error.message],
    ["NAVIGATION_FAILED", "https://shop.example/login could not be loaded: HTTP 204"],
  );
});

test("going back while the page is on its way elsewhere is not taken for failed by what it cuts off", async () => {
  tab.chrome.replies["Page.getNavigationHistory"] = () => HISTORY;
  tab.starts("L2", "https://slow.example/");
  tab.chrome.replies["Page.navigateToHistoryEntry"] = () => {
    tab.chrome.cdp(7, "Network.loadingFailed", { requestId: "L2", errorText: "net::ERR_ABORTED" });
    setImmediate(() => {
      tab.starts("L3", "https://shop.example/login");
      tab.shows("L3", "https://shop.example/login");
    });
  };
  const { success, effects } = await tab.run("go_back", {}, 5_000);
  assert.deepEqual([success, effects?.url], [true, "https://shop.example/login"]);
});

test("going back to what is downloaded says so", async () => {
  tab.chrome.replies["Page.getNavigationHistory"] = () => HISTORY;
  tab.chrome.replies["Page.navigateToHistoryEntry"] = () => {
    tab.starts("L2", "https://shop.example/login");
    setImmediate(() =>
      tab.chrome.cdp(7, "Page.downloadWillBegin", {
        frameId: "F1",
        guid: "g",
        url: "https://a.example/x",
        suggestedFilename: "x",
      }),
    );
  };
  const { result } = await tab.run("go_back", {}, 5_000);
  assert.equal(result.download, "https://shop.example/login");
});
