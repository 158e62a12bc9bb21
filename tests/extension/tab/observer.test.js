import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { settle } from "../fakes.js";
import { connectedTab } from "../tab.js";
import { test } from "../testing.js";

let chrome, session, remembered, run;
beforeEach(async () => void ({ chrome, session, remembered, run } = await connectedTab()));

const click = () => run("click", { ref: "e1", button: "left", clickCount: 1, modifiers: [] });
const openDialog = (more = {}) =>
  chrome.cdp(7, "Page.javascriptDialogOpening", { type: "confirm", message: "Sure?", ...more });
const logged = (text, level = "log", sessionId) =>
  chrome.cdp(
    7,
    "Runtime.consoleAPICalled",
    { type: level, args: [{ type: "string", value: text }], timestamp: 1 },
    sessionId,
  );

test("an action waits for the page it led to and says where that is", async () => {
  chrome.page.settled = async () => {
    chrome.cdp(7, "Page.frameStartedNavigating", {
      frameId: "F1",
      url: "https://shop.example/cart",
      loaderId: "L2",
      navigationType: "differentDocument",
    });
    return { changed: true, url: "https://shop.example/", title: "Shop" };
  };
  chrome.page.state = () => ({ url: "https://shop.example/cart", title: "Cart" });
  const answer = click();
  await settle();
  chrome.cdp(7, "Page.frameNavigated", {
    frame: { id: "F1", loaderId: "L2", url: "https://shop.example/cart" },
    type: "Navigation",
  });
  for (const name of ["DOMContentLoaded", "load"])
    chrome.cdp(7, "Page.lifecycleEvent", { frameId: "F1", loaderId: "L2", name });
  const { effects } = await answer;
  assert.deepEqual(effects, { url: "https://shop.example/cart", title: "Cart", changed: true });
});

test("an action on a page that has not finished loading does not wait for that page", async () => {
  chrome.cdp(7, "Page.frameNavigated", {
    frame: { id: "F1", loaderId: "L2", url: "https://slow.example/" },
    type: "Navigation",
  });
  assert.equal((await click()).success, true);
});

test("an action whose navigation came to nothing still says that the page changed", async () => {
  chrome.page.settled = async () => {
    chrome.cdp(7, "Page.frameStartedNavigating", {
      frameId: "F1",
      url: "mailto:a@b.example",
      loaderId: "L2",
      navigationType: "differentDocument",
    });
    chrome.cdp(7, "Network.loadingFailed", { requestId: "L2", errorText: "net::ERR_ABORTED" });
    return { changed: true, ...chrome.pageState() };
  };
  assert.deepEqual((await click()).effects, { changed: true });
});

test("what an action did is among its effects", async () => {
  chrome.replies["Input.dispatchMouseEvent"] = ({ type }) => {
    if (type !== "mouseReleased") return;
    chrome.cdp(7, "Network.requestWillBeSent", {
      requestId: "1",
      type: "Fetch",
      request: { url: "https://shop.example/api", method: "GET", headers: {} },
      wallTime: 1,
      timestamp: 1,
    });
    chrome.cdp(7, "Network.loadingFinished", { requestId: "1", timestamp: 2, encodedDataLength: 0 });
    logged("boom", "error");
    logged("fine");
    chrome.cdp(7, "Page.downloadWillBegin", {
      frameId: "F2",
      guid: "g",
      url: "https://a.example/f.zip",
      suggestedFilename: "f.zip",
    });
  };
  const { effects } = await click();
  assert.deepEqual(effects, {
    downloads: [{ guid: "g", fileName: "f.zip", url: "https://a.example/f.zip" }],
    consoleErrors: ["boom"],
    requests: 1,
  });
});

test("what happened since the last answer rides on the next one as lateEffects", async () => {
  await logged("late", "error");
  const { lateEffects, effects } = await click();
  assert.deepEqual(lateEffects, { consoleErrors: ["late"] });
  assert.deepEqual(effects, { changed: false });
  assert.equal((await run("logs", { max: 5 })).lateEffects, undefined);
});

test("a command that fails brings the lateEffects, too: they are told once and never lost", async () => {
  await logged("late", "error");
  const failed = await run("handle_dialog", { accept: true });
  assert.equal(failed.success, false);
  assert.deepEqual(failed.lateEffects, { consoleErrors: ["late"] });
  assert.equal((await run("logs", { max: 5 })).lateEffects, undefined);
});

const look = (quiet) =>
  session.execute({
    id: quiet ? "quiet" : "heard",
    command: "kapturemcp_logs",
    params: { max: 5 },
    timeout: 30_000,
    quiet,
  });

test("a look of the panel's own leaves what happened since the last answer to the next one", async () => {
  await logged("late", "error");
  assert.equal((await look(true)).lateEffects, undefined);
  assert.deepEqual((await look(false)).lateEffects, { consoleErrors: ["late"] });
});

/** The page asks back about what a click is to press, until it `isAllowed`. */
function askBack() {
  const asking = { isAllowed: false };
  const call = chrome.replies["Runtime.callFunctionOn"];
  const error = { code: "NEEDS_APPROVAL", message: "a person is asked first", nextStep: "", details: {} };
  chrome.replies["Runtime.callFunctionOn"] = (params, where) =>
    params.arguments[0].value === "locate" && !asking.isAllowed
      ? { result: { value: { error } } }
      : call(params, where);
  return asking;
}

test("what happened since the last answer is told with the one that a person is asked about first", async () => {
  await click();
  const asking = askBack();
  await logged("late", "error");
  chrome.cdp(7, "Page.downloadWillBegin", { guid: "g", url: "https://a.example/f", suggestedFilename: "f" });
  chrome.page.changedSince = () => true;
  const asked = await click();
  assert.deepEqual([asked.error.code, asked.lateEffects], ["NEEDS_APPROVAL", undefined]);
  chrome.page.changedSince = () => false;
  await logged("later", "error");
  assert.equal((await click()).lateEffects, undefined);
  asking.isAllowed = true;
  const { lateEffects, effects } = await click();
  assert.deepEqual(lateEffects, {
    downloads: [{ guid: "g", fileName: "f", url: "https://a.example/f" }],
    consoleErrors: ["late", "later"],
    changed: true,
  });
  assert.deepEqual(effects, { changed: false });
  assert.equal((await look(false)).lateEffects, undefined);
});

test("a window the page asked for is part of the action that asked", async () => {
  chrome.replies["Input.dispatchMouseEvent"] = ({ type }) => {
    if (type !== "mouseReleased") return;
    chrome.cdp(7, "Page.windowOpen", { url: "https://b.example/", userGesture: true });
    setImmediate(() => session.tabOpened(Promise.resolve({ tabId: "zzzzz", url: "https://b.example/" })));
  };
  assert.deepEqual((await click()).effects.newTabs, [{ tabId: "zzzzz", url: "https://b.example/" }]);
});

test("an action can bring a snapshot along, refs are told for the tab's record", async () => {
  chrome.page.snapshot = (_target, _options, { from }) => ({
    lines: [`- button "Buy" [ref=e${from}]`],
    doors: [],
    nextRef: from + 1,
    title: "Shop",
    url: "https://shop.example/",
  });
  const { snapshot } = await run("click", {
    ref: "e1",
    button: "left",
    clickCount: 1,
    modifiers: [],
    snapshot: "full",
  });
  assert.equal(snapshot, '# Shop — https://shop.example/\n- button "Buy" [ref=e1]');
  assert.deepEqual(remembered, [{ nextRef: 2 }]);
});

for (const [how, url] of [
  ["the same address", "https://shop.example/"],
  ["another one", "https://shop.example/cart"],
])
  test(`a document that was loaded again is a change: ${how}`, async () => {
    chrome.replies["Page.reload"] = () => {
      chrome.cdp(7, "Page.frameNavigated", { frame: { id: "F1", loaderId: "L2", url }, type: "Navigation" });
      for (const name of ["DOMContentLoaded", "load"])
        chrome.cdp(7, "Page.lifecycleEvent", { frameId: "F1", loaderId: "L2", name });
    };
    const { effects } = await run("reload", { ignoreCache: false });
    const again = url === "https://shop.example/" ? { reloaded: true } : {};
    assert.deepEqual(effects, { url, title: "Shop", ...again, changed: true });
  });

test("what the dialog kept back is among the effects of handle_dialog, the dialog itself is not", async () => {
  chrome.hold("Input.dispatchMouseEvent");
  const interrupted = click();
  await settle();
  await openDialog();
  await interrupted;
  chrome.replies["Page.handleJavaScriptDialog"] = () => chrome.cdp(7, "Page.javascriptDialogClosed", { result: true });
  chrome.page.settled = () => ({ changed: true, ...chrome.pageState() });
  const { effects, lateEffects } = await run("handle_dialog", { accept: true });
  assert.deepEqual([effects, lateEffects], [{ changed: true }, undefined]);
});

test("what a dialog kept the page from telling is told with the answer to it", async () => {
  const { promise, resolve } = Promise.withResolvers();
  chrome.page.settled = () => promise;
  const interrupted = click();
  await settle();
  await openDialog();
  await interrupted;
  chrome.page.settled = () => ({ changed: false, ...chrome.pageState() });
  chrome.replies["Page.handleJavaScriptDialog"] = () => {
    chrome.cdp(7, "Page.javascriptDialogClosed", { result: true });
    setImmediate(() => resolve({ changed: true, ...chrome.pageState() }));
  };
  assert.deepEqual((await run("handle_dialog", { accept: true })).effects, { changed: true });
});
