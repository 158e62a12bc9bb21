import assert from "node:assert/strict";
import { beforeEach, mock } from "node:test";
import { handlers } from "../../../extension/handlers/navigation.js";
import { KaptureError } from "../../../extension/basics/errors.js";
import { settle } from "../fakes.js";
import { connectedTab } from "../tab.js";
import { test } from "../testing.js";

const NEXT = "https://shop.example/next";
let tab;
beforeEach(async () => (tab = await connectedTab()));

const navigate = (url, waitUntil = "load") => tab.run("navigate", { url, waitUntil });

/** Page.navigate answers once the browser knows what comes of it. */
function browserAnswers(answer, events = () => {}) {
  tab.chrome.replies["Page.navigate"] = () => {
    events();
    return answer;
  };
}

for (const [given, wanted] of [
  ["https://a.example/x", "https://a.example/x"],
  ["/cart?x=1", "https://shop.example/cart?x=1"],
  ["?page=2", "https://shop.example/?page=2"],
  ["#top", "https://shop.example/#top"],
  ["./a", "https://shop.example/a"],
  ["example.com", "https://example.com"],
  ["example.com/path", "https://example.com/path"],
  ["example.com:8443/x", "https://example.com:8443/x"],
  ["localhost", "http://localhost"],
  ["localhost:5173", "http://localhost:5173"],
  ["localhost:3000/app#/x", "http://localhost:3000/app#/x"],
  ["127.0.0.1:8000", "http://127.0.0.1:8000"],
  ["about:blank", "about:blank"],
  ["About:BLANK#x", "about:blank#x"],
  ["about:blankets", "about:blankets"],
])
  test(`navigate takes ${given} for ${wanted}`, async () => {
    browserAnswers({ errorText: "net::ERR_ABORTED" });
    await navigate(given);
    assert.deepEqual(tab.sent("Page.navigate"), [{ url: wanted }]);
  });

test("a blank tab is loaded again before it is sent to a fragment of its page: the first page of a tab does not outlive that", async () => {
  const blank = await connectedTab();
  blank.shows("L1", "about:blank");
  let loads = 1;
  blank.chrome.replies["Page.navigate"] = ({ url }) => {
    if (url.includes("#")) return {};
    loads += 1;
    blank.shows(`L${loads}`, url);
    return { loaderId: `L${loads}` };
  };
  for (const url of ["about:blank#x", "about:blank#"])
    assert.equal((await blank.run("navigate", { url, waitUntil: "load" })).success, true);
  assert.deepEqual(
    blank.sent("Page.navigate").map(({ url }) => url),
    ["about:blank", "about:blank#x", "about:blank", "about:blank#"],
  );
});

for (const given of ["not an address", "http://", "https://a b/"])
  test(`navigate refuses ${JSON.stringify(given)} and sends nothing`, async () => {
    const { error } = await navigate(given);
    assert.equal(error.code, "INVALID_PARAMS");
    assert.deepEqual(tab.sent("Page.navigate"), []);
  });

test("navigate answers once the page has loaded, with where it is", async () => {
  let looks = 0;
  tab.chrome.page.state = () => ((looks += 1), { url: NEXT, title: "Next" });
  browserAnswers({ loaderId: "L2" }, () => tab.starts("L2", NEXT));
  const answer = navigate(NEXT);
  await settle();
  tab.shows("L2", NEXT, ["DOMContentLoaded"]);
  await settle();
  assert.equal(tab.session.isExecuting, true);
  tab.chrome.cdp(7, "Page.lifecycleEvent", { frameId: "F1", loaderId: "L2", name: "load" });
  const { result, effects } = await answer;
  assert.deepEqual(result, { url: NEXT, title: "Next" });
  assert.deepEqual(effects, { url: NEXT, title: "Next", changed: true });
  assert.equal(looks, 1);
});

test("navigate until domcontentloaded does not wait for the pictures", async () => {
  browserAnswers({ loaderId: "L2" }, () => tab.shows("L2", NEXT, ["DOMContentLoaded"]));
  assert.equal((await navigate(NEXT, "domcontentloaded")).success, true);
});

test("navigate until none does not wait at all", async () => {
  browserAnswers({ loaderId: "L2" }, () => tab.starts("L2", NEXT));
  assert.deepEqual((await navigate(NEXT, "none")).result, { url: NEXT });
});

test("a change of the fragment loads nothing", async () => {
  browserAnswers({}, () =>
    tab.chrome.cdp(7, "Page.navigatedWithinDocument", { frameId: "F1", url: "https://shop.example/#x" }),
  );
  assert.equal((await navigate("#x")).success, true);
});

test("an address that cannot be loaded says why", async () => {
  browserAnswers({ loaderId: "L2", errorText: "net::ERR_NAME_NOT_RESOLVED" });
  const { error } = await navigate("https://nowhere.example/");
  assert.deepEqual([error.code, error.netError], ["NAVIGATION_FAILED", "net::ERR_NAME_NOT_RESOLVED"]);
});

for (const [what, answer] of [
  ["told by the answer", { loaderId: "L2", isDownload: true, errorText: "net::ERR_ABORTED" }],
  ["told by the event", { loaderId: "L2" }],
])
  test(`a download (${what}) is not a failure: the page stays`, async () => {
    browserAnswers(answer, () => {
      tab.starts("L2", NEXT);
      tab.chrome.cdp(7, "Page.downloadWillBegin", { frameId: "F1", url: NEXT, suggestedFilename: "f.zip" });
    });
    const { result, effects } = await navigate(NEXT);
    assert.deepEqual(result, { url: "https://shop.example/", download: NEXT });
    assert.equal(effects.downloads[0].fileName, "f.zip");
  });

test("a page that leads on while it loads is followed", async () => {
  tab.chrome.page.state = () => ({ url: "https://shop.example/3", title: "" });
  browserAnswers({ loaderId: "L2" }, () => tab.starts("L2", NEXT));
  const answer = navigate(NEXT);
  await settle();
  tab.shows("L2", NEXT, ["DOMContentLoaded"]);
  tab.starts("L3", "https://shop.example/3");
  tab.shows("L3", "https://shop.example/3");
  assert.equal((await answer).effects.url, "https://shop.example/3");
});

test("there is nowhere to go back to in a new tab", async () => {
  tab.chrome.replies["Page.getNavigationHistory"] = () => ({
    currentIndex: 0,
    entries: [{ id: 1, url: "https://shop.example/" }],
  });
  const { error } = await tab.run("go_back");
  assert.deepEqual(
    [error.code, error.message],
    ["NAVIGATION_FAILED", "there is no earlier page in this tab's history"],
  );
  assert.match((await tab.run("go_forward")).error.message, /no later page/);
});

test("going back takes the entry before and waits for it", async () => {
  tab.chrome.replies["Page.getNavigationHistory"] = () => ({
    currentIndex: 1,
    entries: [
      { id: 4, url: "https://shop.example/before" },
      { id: 5, url: "https://shop.example/" },
    ],
  });
  tab.chrome.replies["Page.navigateToHistoryEntry"] = () => {
    setImmediate(() =>
      tab.chrome.cdp(7, "Page.frameNavigated", {
        frame: { id: "F1", loaderId: "L0", url: "https://shop.example/before" },
        type: "BackForwardCacheRestore",
      }),
    );
  };
  const { success, effects } = await tab.run("go_back");
  assert.deepEqual([success, effects.url], [true, "https://shop.example/before"]);
  assert.deepEqual(tab.sent("Page.navigateToHistoryEntry"), [{ entryId: 4 }]);
});

test("reload waits for the new document, not for the one that is there", async () => {
  const answer = tab.run("reload", { ignoreCache: true });
  await settle();
  assert.equal(tab.session.isExecuting, true);
  tab.shows("L2", "https://shop.example/");
  assert.equal((await answer).success, true);
  assert.deepEqual(tab.sent("Page.reload"), [{ ignoreCache: true }]);
});

test("wait lets no time pass for a command that is over", async () => {
  const over = AbortSignal.abort(new Error("over"));
  await assert.rejects(handlers.kapturemcp_wait({ time: 9_000 }, { signal: over }), /over/);
});

test("wait lets time pass", async (t) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.timers.reset());
  const answer = tab.run("wait", { time: 500, state: "visible" });
  await settle();
  mock.timers.tick(499);
  await settle();
  assert.equal(tab.session.isExecuting, true);
  mock.timers.tick(1);
  assert.equal((await answer).success, true);
});

test("wait for an address ends with the navigation that brings it", async () => {
  const answer = tab.run("wait", { urlContains: "/done", state: "visible" });
  await settle();
  tab.chrome.cdp(7, "Page.navigatedWithinDocument", { frameId: "F1", url: "https://shop.example/done" });
  assert.equal((await answer).result.url, "https://shop.example/done");
});

test("wait for an expression looks once per frame, in the page's own world, over a navigation too", async () => {
  const replies = [
    { result: { value: false } },
    new Error("Cannot find default execution context"),
    new Error("Inspected target navigated or closed"),
    { result: { value: true } },
  ];
  tab.chrome.replies["Runtime.evaluate"] = () => {
    const reply = replies.shift();
    if (reply instanceof Error) throw reply;
    return reply;
  };
  const { success, result } = await tab.run("wait", { expression: "window.ready", state: "visible" });
  assert.deepEqual([success, result.expression], [true, true]);
  const [{ expression, awaitPromise }] = tab.sent("Runtime.evaluate");
  assert.deepEqual([expression, awaitPromise], ["(async () => !!(await (\nwindow.ready\n)))()", true]);
});

test("wait for an expression that throws says what", async () => {
  tab.chrome.replies["Runtime.evaluate"] = () => ({
    result: {},
    exceptionDetails: { text: "Uncaught", exception: { description: "ReferenceError: x is not defined" } },
  });
  assert.match((await tab.run("wait", { expression: "x", state: "visible" })).error.message, /ReferenceError: x/);
});

test("a wait that ends, well or not, leaves nothing behind in the page", async () => {
  const called = [];
  tab.chrome.page.waitFor = (...args) => (called.push(["waitFor", ...args]), new Promise(() => {}));
  tab.chrome.page.stopWaiting = () => void called.push(["stopWaiting"]);
  const answer = tab.run("wait", { selector: "#late", state: "visible" }, 30_000, "w1");
  await settle();
  tab.session.cancel("w1");
  assert.equal((await answer).error.code, "OUTCOME_UNKNOWN");
  await settle();
  assert.deepEqual(called, [["waitFor", { selector: "#late" }, { state: "visible" }], ["stopWaiting"]]);
});

test("an address of a program ends with the debugger's going, unless the tab itself went", async () => {
  browserAnswers({}, () => {
    tab.session.taken();
    tab.session.end(new KaptureError("TAB_DISCONNECTED", "taken"));
    throw new KaptureError("TAB_DISCONNECTED", "the tab was closed or disconnected");
  });
  const answer = await navigate("foo:bar");
  assert.deepEqual(
    [answer.success, answer.effects],
    [true, { programs: [{ url: "foo:bar", kept: false }], changed: false }],
  );
});

test("an address of a program that took the tab with it is an error", async () => {
  browserAnswers({}, () => {
    tab.chrome.byId.delete(7);
    tab.session.taken();
    tab.session.end(new KaptureError("TAB_DISCONNECTED", "taken"));
    throw new KaptureError("TAB_DISCONNECTED", "the tab was closed or disconnected");
  });
  assert.equal((await navigate("foo:bar")).success, false);
});

test("a pause while an address of a program is handed over is not success", async () => {
  browserAnswers({}, () => {
    tab.session.end(new KaptureError("PAUSED", "agents are paused"), { kind: "held" });
    throw new KaptureError("TAB_DISCONNECTED", "the tab was closed or disconnected");
  });
  const { success, error } = await navigate("foo:bar");
  assert.deepEqual([success, error.code], [false, "PAUSED"]);
});

test("an address that no program was asked for is not success", async () => {
  browserAnswers({ errorText: "net::ERR_ABORTED" });
  const { error } = await navigate("foo:bar");
  assert.equal(error.code, "NAVIGATION_FAILED");
});

test("an answer 401 says how to give a user and a password", async () => {
  tab.chrome.replies["Page.navigate"] = () => ({ loaderId: "L2", errorText: "net::ERR_INVALID_AUTH_CREDENTIALS" });
  const { error } = await tab.run("navigate", { url: "https://a.example/", waitUntil: "load" });
  assert.match(error.nextStep, /\(401\): give them in the address, as in https:\/\/user:password@host\/$/);
});
