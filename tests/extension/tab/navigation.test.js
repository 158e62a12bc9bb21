/** The event sequences are those Chromium 156 sent for each case, shortened to what the machine reads. */
import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { test } from "../testing.js";
import { Navigation } from "../../../extension/tab/navigation.js";
import { Clock } from "../clock.js";
import { settle } from "../fakes.js";

const URL_A = "https://shop.example/";
const URL_B = "https://shop.example/next";
let navigation, over;

beforeEach(() => {
  over = new AbortController();
  navigation = new Navigation();
  navigation.adopt({ id: "F1", loaderId: "L1", url: URL_A });
  milestones("L1");
});

const tell = (method, params) => navigation.onEvent(method, { frameId: "F1", ...params });
const requested = (url) =>
  tell("Page.frameRequestedNavigation", { url, disposition: "currentTab", reason: "scriptInitiated" });
const starting = (loaderId, url = URL_B, navigationType = "differentDocument") =>
  tell("Page.frameStartedNavigating", { url, loaderId, navigationType });
const committed = (loaderId, url = URL_B, more = {}, type = "Navigation") =>
  navigation.onEvent("Page.frameNavigated", { frame: { id: "F1", loaderId, url, ...more }, type });
const aborted = (loaderId, errorText = "net::ERR_ABORTED") =>
  navigation.onEvent("Network.loadingFailed", { requestId: loaderId, errorText });
function milestones(loaderId, names = ["init", "DOMContentLoaded", "load"]) {
  for (const name of names) tell("Page.lifecycleEvent", { loaderId, name });
}

/** Whether and how `settled` has ended so far. */
function settling(from) {
  const state = { over: false };
  navigation.settled(over.signal, from).then(
    (navigated) => Object.assign(state, { over: true, navigated }),
    (error) => Object.assign(state, { over: true, error }),
  );
  return state;
}

test("a tab that was open before is taken as it is, fragment and error page included", () => {
  navigation.adopt({ id: "F2", loaderId: "L9", url: URL_A, urlFragment: "#top", unreachableUrl: URL_A });
  assert.deepEqual(
    [navigation.frameId, navigation.loaderId, navigation.url, navigation.unreachable],
    ["F2", "L9", `${URL_A}#top`, true],
  );
});

test("when nothing was started there is nothing to wait for", async () => {
  assert.equal(await navigation.settled(over.signal, "L1"), false);
});

test("a page that goes on loading by itself is not waited for", async () => {
  committed("L2");
  const state = settling("L2");
  await settle();
  assert.deepEqual(state, { over: true, navigated: false });
});

test("a link that was clicked: asked, started, committed, loaded", async () => {
  requested(URL_B);
  const state = settling("L1");
  starting("L2");
  assert.deepEqual(navigation.pending, { url: URL_B, loaderId: "L2" });
  committed("L2");
  assert.equal(navigation.pending, null);
  assert.equal(navigation.url, URL_B);
  milestones("L2", ["DOMContentLoaded"]);
  await settle();
  assert.equal(state.over, false);
  milestones("L2", ["load"]);
  await settle();
  assert.deepEqual(state, { over: true, navigated: true });
});

test("an action whose page has already committed is waited for until it is loaded", async () => {
  starting("L2");
  committed("L2");
  const state = settling("L1");
  await settle();
  assert.equal(state.over, false);
  milestones("L2");
  await settle();
  assert.equal(state.navigated, true);
});

test("a chain of redirects is one navigation: the address is that of its end", async () => {
  starting("L2", "https://shop.example/1");
  const state = settling("L1");
  navigation.onEvent("Network.responseReceived", { requestId: "other", response: { status: 204 } });
  committed("L2", "https://shop.example/3");
  milestones("L2");
  await settle();
  assert.deepEqual([state.navigated, navigation.url], [true, "https://shop.example/3"]);
});

test("within the same document only the address changes", async () => {
  starting("L1", `${URL_A}#part`, "sameDocument");
  assert.equal(navigation.pending, null);
  tell("Page.navigatedWithinDocument", { url: `${URL_A}#part`, navigationType: "fragment" });
  assert.deepEqual([navigation.url, navigation.loaderId], [`${URL_A}#part`, "L1"]);
  assert.equal(await navigation.settled(over.signal, "L1"), false);
});

test("a request that stays within the document is over with it", async () => {
  requested(`${URL_A}#part`);
  const state = settling("L1");
  tell("Page.navigatedWithinDocument", { url: `${URL_A}#part` });
  await settle();
  assert.equal(state.over, true);
  assert.equal(navigation.pending, null);
});

test("pushState while another navigation runs does not end that one", () => {
  starting("L2");
  tell("Page.navigatedWithinDocument", { url: `${URL_A}pushed` });
  assert.equal(navigation.pending.loaderId, "L2");
});

for (const [what, end, error] of [
  ["an address no page comes of (mailto:, 204, window.stop)", () => aborted("L2"), "net::ERR_ABORTED"],
  [
    "a 204 seen by its status",
    () => navigation.onEvent("Network.responseReceived", { requestId: "L2", response: { status: 204 } }),
    "HTTP 204",
  ],
  ["a download", () => tell("Page.downloadWillBegin", { url: URL_B }), "download"],
])
  test(`${what} leaves the page where it was, with the reason`, async () => {
    starting("L2");
    const state = settling("L1");
    end();
    await settle();
    assert.equal(state.over, true);
    assert.deepEqual(navigation.failure, { loaderId: "L2", error });
    assert.deepEqual([navigation.url, navigation.loaderId, navigation.pending], [URL_A, "L1", null]);
  });

for (const [what, begin] of [
  ["that was asked for", () => requested(URL_B)],
  ["that has started", () => starting("L2")],
])
  test(`a navigation ${what} is over when the page asks not to be left and is not`, async () => {
    begin();
    const state = settling("L1");
    tell("Page.javascriptDialogOpening", { type: "beforeunload", message: "" });
    await settle();
    assert.equal(state.over, false);
    tell("Page.javascriptDialogClosed", { result: false });
    await settle();
    assert.deepEqual(state, { over: true, navigated: false });
    assert.deepEqual([navigation.pending, navigation.asking], [null, false]);
  });

for (const [what, type, result] of [
  ["a page that lets go", "beforeunload", true],
  ["an alert that is dismissed", "alert", false],
])
  test(`${what} ends no navigation`, () => {
    starting("L2");
    tell("Page.javascriptDialogOpening", { type, message: "" });
    tell("Page.javascriptDialogClosed", { result });
    assert.equal(navigation.pending.loaderId, "L2");
  });

test("a page that cannot be reached commits as an error page", async () => {
  starting("L2", "https://nowhere.example/");
  aborted("L2", "net::ERR_NAME_NOT_RESOLVED");
  assert.equal(navigation.pending.loaderId, "L2");
  committed("L2", "chrome-error://chromewebdata/", { unreachableUrl: "https://nowhere.example/" });
  milestones("L2");
  assert.equal(navigation.unreachable, true);
  assert.equal(navigation.pending, null);
});

test("a page from the back/forward cache is loaded at once, whatever was started", async () => {
  starting("L5");
  committed("L0", URL_A, {}, "BackForwardCacheRestore");
  assert.equal(navigation.pending, null);
  assert.equal(await navigation.settled(over.signal, "L0"), false);
  assert.deepEqual([...navigation.reached], ["DOMContentLoaded", "load"]);
});

test("a navigation replaced by another is waited for to the end of the other", async () => {
  requested("https://shop.example/slow");
  starting("L2", "https://shop.example/slow");
  const state = settling("L1");
  requested(URL_B);
  aborted("L2");
  await settle();
  assert.equal(state.over, false, "it ended between the two");
  starting("L3");
  committed("L3");
  milestones("L3");
  await settle();
  assert.deepEqual([state.navigated, navigation.url], [true, URL_B]);
});

test("the commit of a navigation that was replaced does not end the one that replaced it", () => {
  starting("L2");
  starting("L3");
  committed("L2");
  assert.equal(navigation.pending.loaderId, "L3");
});

test("a request that never starts is waited for half a second", async (t) => {
  const clock = new Clock();
  t.after(() => clock.stop());
  requested("https://blocked.example/");
  const state = settling("L1");
  await clock.tick(499);
  assert.equal(state.over, false);
  await clock.tick(1);
  assert.deepEqual([state.over, navigation.pending], [true, null]);
});

test("requests of javascript:, new windows and other frames are none of the tab's", () => {
  requested("javascript:void 0");
  requested("JavaScript:void 0");
  tell("Page.frameRequestedNavigation", { url: URL_B, disposition: "newTab" });
  tell("Page.frameRequestedNavigation", { frameId: "F9", url: URL_B, disposition: "currentTab" });
  tell("Page.frameStartedNavigating", {
    frameId: "F9",
    url: URL_B,
    loaderId: "L9",
    navigationType: "differentDocument",
  });
  navigation.onEvent("Page.frameNavigated", { frame: { id: "F9", parentId: "F1", loaderId: "L9", url: URL_B } });
  tell("Page.navigatedWithinDocument", { frameId: "F9", url: "https://frame.example/" });
  assert.deepEqual([navigation.pending, navigation.url], [null, URL_A]);
});

test("milestones of an older document or another frame do not count", () => {
  starting("L2");
  committed("L2");
  milestones("L1");
  tell("Page.lifecycleEvent", { frameId: "F9", loaderId: "L2", name: "load" });
  assert.deepEqual([...navigation.reached], []);
});

test("waiting ends with the command and leaves nothing behind", async () => {
  starting("L2");
  const state = settling("L1");
  over.abort(new Error("over"));
  await settle();
  assert.match(state.error.message, /over/);
  let looked = 0;
  const never = () => (looked += 1) < 0;
  await assert.rejects(navigation.until(never, over.signal), /over/);
  looked = 0;
  milestones("L1");
  assert.equal(looked, 0);
});

test("events nobody needs change nothing", () => {
  tell("Page.frameStoppedLoading", {});
  tell("constructor", {});
  assert.equal(navigation.url, URL_A);
});
