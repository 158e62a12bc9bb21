import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { Aftermath } from "../../../extension/tab/aftermath.js";
import { Clock } from "../clock.js";
import { settle } from "../fakes.js";
import { connectedTab } from "../tab.js";
import { test } from "../testing.js";

let tab, chrome, looks, asked;

beforeEach(async () => {
  tab = await connectedTab();
  ({ chrome } = tab);
  looks = [];
  asked = [];
  chrome.page.settled = () => {
    asked.push("settled");
    return { changed: looks.shift() ?? false, ...chrome.pageState() };
  };
  chrome.page.firstSign = () => void asked.push("firstSign");
});

const click = () => tab.run("click", { selector: "button", button: "left", clickCount: 1, modifiers: [] });
const begins = (requestId, type = "Fetch", method = "GET", initiator = undefined) =>
  chrome.cdp(7, "Network.requestWillBeSent", {
    requestId,
    type,
    initiator,
    request: { url: `https://shop.example/${requestId}`, method, headers: {} },
    wallTime: Date.now() / 1000,
    timestamp: 1,
  });
const ends = (requestId) => chrome.cdp(7, "Network.loadingFinished", { requestId, timestamp: 2, encodedDataLength: 0 });
/** However slow the machine is, no wait for the page ends by itself. */
function stopClock(t) {
  const clock = new Clock();
  t.after(() => clock.stop());
  return clock;
}

/** What the page does when the mouse is released on it. */
const onRelease = (work) => {
  chrome.replies["Input.dispatchMouseEvent"] = ({ type }) => type === "mouseReleased" && work();
};

/** Whether an answer is there once all is done that needs no time. */
async function isAnswered(answer) {
  let done = false;
  answer.then(() => (done = true));
  await settle();
  return done;
}

test("an effect in the first frame is told at once", async () => {
  looks = [true];
  assert.deepEqual((await click()).effects, { changed: true });
  assert.deepEqual(asked, ["settled"]);
});

test("with no sign at all a first one is waited for, and the page asked again", async (t) => {
  // The wait for a sign never ends by itself here, however slow the machine is.
  t.mock.method(AbortSignal, "timeout", () => new AbortController().signal);
  looks = [false, true];
  let sign;
  chrome.page.firstSign = () => new Promise((resolve) => (sign = resolve));
  const answer = click();
  assert.equal(await isAnswered(answer), false);
  sign(null);
  assert.deepEqual((await answer).effects, { changed: true });
});

test("a request that the action began is waited for, and the page asked again after it", async (t) => {
  stopClock(t);
  looks = [false, true];
  onRelease(() => begins("save", "Fetch", "POST"));
  const answer = click();
  assert.equal(await isAnswered(answer), false);
  ends("save");
  assert.deepEqual((await answer).effects, { changed: true, requests: 1 });
  assert.deepEqual(asked, ["settled", "settled"], "a request is a sign");
});

test("a request that follows another is waited for, too", async (t) => {
  stopClock(t);
  onRelease(() => begins("first"));
  chrome.page.settled = () => {
    asked.push("settled");
    if (asked.length === 2) begins("second");
    return { changed: asked.length === 3, ...chrome.pageState() };
  };
  const answer = click();
  await settle();
  ends("first");
  assert.equal(await isAnswered(answer), false);
  ends("second");
  assert.deepEqual((await answer).effects, { changed: true, requests: 2 });
});

test("a change that was seen before the end of a request stays told", async (t) => {
  stopClock(t);
  looks = [true, false];
  onRelease(() => begins("more"));
  const answer = click();
  await settle();
  ends("more");
  assert.equal((await answer).effects.changed, true);
});

test("what is still under way after two seconds is named", async (t) => {
  const clock = stopClock(t);
  onRelease(() => begins("slow", "XHR", "POST"));
  const { effects } = await clock.during(click());
  assert.deepEqual(effects, { changed: false, requests: 1, pending: ["POST https://shop.example/slow"] });
});

for (const type of ["Image", "Media", "Font", "EventSource", "Ping", "WebSocket"])
  test(`a request of type ${type} is not waited for`, async () => {
    looks = [true];
    onRelease(() => begins("other", type));
    assert.deepEqual((await click()).effects, { changed: true, requests: 1 });
  });

test("the icon of a page, for which the browser asks by itself, is neither waited for nor told", async () => {
  looks = [true];
  onRelease(() => begins("favicon.ico", "Other"));
  assert.deepEqual((await click()).effects, { changed: true });
});

test("the script of a worker, of which Chrome tells no kind but who began it, is waited for and told", async (t) => {
  stopClock(t);
  looks = [true];
  onRelease(() => begins("worker.js", "Other", "GET", { type: "other", url: "https://shop.example/" }));
  const answer = click();
  assert.equal(await isAnswered(answer), false);
  ends("worker.js");
  assert.deepEqual((await answer).effects, { changed: true, requests: 1 });
});

test("a request from before the action is not waited for", async () => {
  looks = [true];
  begins("poll");
  assert.deepEqual((await click()).effects, { changed: true });
});

test("what came after an answer that told of no change is told with the next one, once", async () => {
  assert.equal((await click()).effects.changed, false);
  chrome.page.changedSince = () => true;
  assert.deepEqual((await tab.run("clear_logs")).lateEffects, { changed: true });
  assert.equal((await tab.run("clear_logs")).lateEffects, undefined);
});

test("where a page goes by itself after an answer is told with the next one, whatever that answer had seen", async () => {
  looks = [true];
  assert.equal((await click()).effects.changed, true);
  tab.shows("L2", "https://shop.example/thanks");
  const { lateEffects } = await tab.run("clear_logs");
  assert.deepEqual(lateEffects, { url: "https://shop.example/thanks", changed: true });
  assert.equal((await tab.run("clear_logs")).lateEffects, undefined);
});

test("an action that was given up while the page was looked at waits for no sign", async () => {
  const over = new AbortController();
  const why = new Error("given up");
  const never = () => new Promise(() => {});
  const asked = [];
  const run = { signal: over.signal, pageOnce: (name) => (asked.push(name), never()) };
  const aftermath = new Aftermath({
    navigation: { pending: null, loaderId: "L1", until: never },
    effects: { hasSign: false },
    networkLog: { mark: 0, openSince: () => [], onlyRepeated: () => false, begun: never },
  });
  const look = async () => {
    over.abort(why);
    return { changed: false };
  };
  await assert.rejects(aftermath.settled(run, { loaderId: "L1", mark: 0 }, look), why);
  assert.deepEqual(asked, []);
});
