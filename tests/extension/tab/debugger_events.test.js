import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { Clock } from "../clock.js";
import { settle } from "../fakes.js";
import { connectedTab } from "../tab.js";
import { test } from "../testing.js";

let chrome, parts, session, events, run;
beforeEach(async () => void ({ chrome, parts, session, events, run } = await connectedTab()));

const click = () => run("click", { ref: "e1", button: "left", clickCount: 1, modifiers: [] });
const logged = (text, level = "log", sessionId) =>
  chrome.cdp(
    7,
    "Runtime.consoleAPICalled",
    { type: level, args: [{ type: "string", value: text }], timestamp: 1 },
    sessionId,
  );

test("a crash ends what runs with TAB_CRASHED; only commands that load the page again still work", async () => {
  chrome.hold("Input.dispatchMouseEvent");
  const answer = click();
  await settle();
  await chrome.cdp(7, "Inspector.targetCrashed");
  assert.equal((await answer).error.code, "TAB_CRASHED");
  assert.deepEqual(events, [{ kind: "crash" }]);
  assert.equal((await click()).error.code, "TAB_CRASHED");
  chrome.replies["Page.reload"] = () => {
    chrome.cdp(7, "Inspector.targetReloadedAfterCrash");
    chrome.cdp(7, "Page.frameNavigated", {
      frame: { id: "F1", loaderId: "L2", url: "https://shop.example/" },
      type: "Navigation",
    });
    for (const name of ["DOMContentLoaded", "load"])
      chrome.cdp(7, "Page.lifecycleEvent", { frameId: "F1", loaderId: "L2", name });
  };
  assert.equal((await run("reload", { ignoreCache: false })).success, true);
  chrome.replies["Input.dispatchMouseEvent"] = () => ({});
  assert.equal((await click()).success, true);
});

test("console lines are kept, told and read newest first", async () => {
  await logged("one");
  await logged("two", "warning");
  await chrome.cdp(7, "Runtime.exceptionThrown", {
    timestamp: 2,
    exceptionDetails: { text: "Uncaught", exception: { subtype: "error", description: "Error: three" } },
  });
  await chrome.cdp(7, "Log.entryAdded", { entry: { level: "error", source: "network", text: "404", timestamp: 3 } });
  const { result } = await run("logs", { max: 10 });
  assert.deepEqual(
    result.logs.map(({ text, level }) => [text, level]),
    [
      ["404", "error"],
      ["Error: three", "error"],
      ["two", "warn"],
      ["one", "log"],
    ],
  );
  assert.deepEqual([result.kept, result.dropped], [4, 0]);
  assert.deepEqual(
    events.map(({ kind, text }) => [kind, text]),
    [
      ["console", "one"],
      ["console", "two"],
      ["console", "Error: three"],
      ["console", "404"],
    ],
  );
  assert.deepEqual((await run("logs", { max: 1 })).result.logs.length, 1);
  assert.deepEqual(
    (await run("logs", { max: 10, level: "warn" })).result.logs.map(({ text }) => text),
    ["two"],
  );
  assert.deepEqual(
    (await run("logs", { max: 10, since: 2 })).result.logs.map(({ text }) => text),
    ["404"],
  );
});

test("ten thousand lines are kept, more are counted", async () => {
  for (let count = 0; count < 10_050; count += 1)
    session.onDebuggerEvent("Runtime.consoleAPICalled", { type: "log", args: [], timestamp: count });
  const { result } = await run("logs", { max: 1 });
  assert.deepEqual([result.kept, result.dropped, result.logs[0].at], [10_000, 50, 10_049]);
});

for (const [type, context] of [
  ["worker", "worker"],
  ["shared_worker", "worker"],
  ["service_worker", "serviceWorker"],
])
  test(`lines of a ${type} are told as ${context}`, async () => {
    await chrome.cdp(7, "Target.attachedToTarget", { sessionId: "child", targetInfo: { type } });
    assert.deepEqual(
      chrome.sent.map(({ method, sessionId }) => [method, sessionId]),
      ["Network.enable", "Runtime.enable", "Log.enable"].map((method) => [method, "child"]),
    );
    await logged("from there", "log", "child");
    assert.deepEqual(
      (await run("logs", { max: 5, context })).result.logs.map(({ text }) => text),
      ["from there"],
    );
    await chrome.cdp(7, "Target.detachedFromTarget", { sessionId: "child" });
    await logged("after its end", "log", "child");
    assert.equal(parts.console.length, 1);
  });

test("a frame of another process is entered like the page: its lines, its own frames, and their end with it", async () => {
  await chrome.cdp(7, "Target.attachedToTarget", {
    sessionId: "child",
    targetInfo: { type: "iframe", targetId: "F2" },
  });
  assert.ok(
    ["Page.enable", "Page.addScriptToEvaluateOnNewDocument", "Runtime.enable", "Target.setAutoAttach"].every((wanted) =>
      chrome.sent.some(({ method, sessionId }) => method === wanted && sessionId === "child"),
    ),
  );
  await chrome.cdp(
    7,
    "Target.attachedToTarget",
    { sessionId: "grandchild", targetInfo: { type: "iframe", targetId: "F3" } },
    "child",
  );
  await logged("from there", "log", "grandchild");
  assert.equal(parts.console.length, 1);
  await chrome.cdp(7, "Target.detachedFromTarget", { sessionId: "child" });
  assert.equal(parts.children.size, 0);
});

test("a call into a frame that ends is over at once", async () => {
  await chrome.cdp(7, "Target.attachedToTarget", {
    sessionId: "child",
    targetInfo: { type: "iframe", targetId: "F2" },
  });
  const { promise } = Promise.withResolvers();
  const called = parts.children.answered("child", promise);
  await chrome.cdp(7, "Target.detachedFromTarget", { sessionId: "child" });
  await assert.rejects(called, /Target closed/);
});

test("events of a child are never taken for those of the tab", async () => {
  await chrome.cdp(7, "Target.attachedToTarget", {
    sessionId: "child",
    targetInfo: { type: "iframe", targetId: "F9" },
  });
  await chrome.cdp(
    7,
    "Page.frameNavigated",
    { frame: { id: "F9", loaderId: "L9", url: "https://evil.example/" } },
    "child",
  );
  await chrome.cdp(7, "Page.javascriptDialogOpening", { type: "alert", message: "x" }, "child");
  await chrome.cdp(
    7,
    "Runtime.executionContextCreated",
    { context: { name: "kapture", uniqueId: "evil", auxData: { frameId: "F1" } } },
    "child",
  );
  await logged("unknown child", "log", "nobody");
  assert.equal(session.url, "https://shop.example/");
  assert.equal(parts.dialogs.open, null);
  assert.equal(parts.console.length, 0);
  await click();
  const called = chrome.sent
    .filter(({ params }) => params.uniqueContextId)
    .map(({ params }) => [params.uniqueContextId, params.arguments[0].value]);
  assert.deepEqual(
    called.filter(([world, name]) => world !== "W1" && !/^(guardOthers|endGuard|observe|changedSince)$/.test(name)),
    [],
  );
});

test("a worker that ended before it could be listened to is forgotten", async () => {
  chrome.replies["Log.enable"] = () => Promise.reject(new Error("No session"));
  await chrome.cdp(7, "Target.attachedToTarget", { sessionId: "child", targetInfo: { type: "worker" } });
  await settle();
  assert.equal(parts.children.size, 0);
});

test("the requests of the tab and its workers are told to the panel", async () => {
  const begin = (requestId) => ({
    requestId,
    timestamp: 1,
    wallTime: 2,
    type: "Fetch",
    request: { url: "https://shop.example/api", method: "GET", headers: {} },
  });
  chrome.cdp(7, "Network.requestWillBeSent", begin("1"));
  chrome.cdp(7, "Target.attachedToTarget", {
    sessionId: "W",
    targetInfo: { type: "worker", targetId: "w" },
    waitingForDebugger: false,
  });
  await settle();
  chrome.cdp(7, "Network.requestWillBeSent", begin("1"), "W");
  const told = events.filter(({ kind }) => kind === "request");
  assert.deepEqual(
    told.map(({ id, context }) => [id, context]),
    [
      ["r1", "page"],
      ["r2", "worker"],
    ],
  );
});

test("a frame of another process that floods its console is slowed in its own session, and let go of with another document", async () => {
  const info = { type: "iframe", targetId: "F2" };
  await chrome.cdp(7, "Target.attachedToTarget", { sessionId: "frame-session", targetInfo: info });
  const rates = () =>
    chrome.sent
      .filter(({ method }) => method === "Emulation.setCPUThrottlingRate")
      .map((one) => [one.params.rate, one.sessionId]);
  for (let line = 0; line < 6001; line += 1) await logged("flood", "log", "frame-session");
  assert.deepEqual(rates(), [[60, "frame-session"]]);
  await chrome.cdp(7, "Page.frameNavigated", { frame: { id: "F3", parentId: "F2" } }, "frame-session");
  assert.equal(rates().length, 1);
  await chrome.cdp(7, "Page.frameNavigated", { frame: { id: "F2", parentId: "F1" } }, "frame-session");
  assert.deepEqual(rates()[1], [1, "frame-session"]);
});

for (const [where, childSession] of [
  ["page", undefined],
  ["frame in another process", "S2"],
])
  test(`a window that a ${where} opens for another program is told as one that nothing held; it is no tab`, async () => {
    if (childSession) {
      await chrome.cdp(7, "Target.attachedToTarget", {
        sessionId: childSession,
        targetInfo: { targetId: "F2", type: "iframe", url: "https://b.example/" },
      });
      await settle();
    }
    chrome.replies["Input.dispatchMouseEvent"] = ({ type }) =>
      void (type === "mouseReleased" && chrome.cdp(7, "Page.windowOpen", { url: "mailto:a@b.example" }, childSession));
    const { effects } = await click();
    assert.deepEqual(effects.programs, [{ url: "mailto:a@b.example", kept: false }]);
    assert.equal(parts.popups.isExpecting, false);
  });

test("who looks gets a picture of another page once it is drawn and once it is whole", async (context) => {
  const clock = new Clock();
  context.after(() => clock.stop());
  ({ chrome, session } = await connectedTab()); // by that clock from its beginning
  const starts = () => chrome.sent.filter(({ method }) => method === "Page.startScreencast").length;
  const happens = async (name, frameId = "F1") => {
    await chrome.cdp(7, "Page.lifecycleEvent", { frameId, loaderId: "L2", name });
    await clock.tick(200);
  };
  await happens("firstPaint");
  assert.equal(starts(), 0, "nobody looks");
  await session.watch({ width: 1280, height: 720, everyMs: 0 });
  assert.equal(starts(), 1);
  await happens("firstPaint");
  assert.equal(starts(), 2);
  await happens("load");
  assert.equal(starts(), 3);
  await happens("networkIdle");
  await happens("load", "F2");
  assert.equal(starts(), 3);
  const frame = { id: "F1", loaderId: "L1", url: "https://shop.example/" };
  await chrome.cdp(7, "Page.frameNavigated", { frame, type: "BackForwardCacheRestore" });
  await clock.tick(200);
  assert.equal(starts(), 4, "a page that comes back whole is neither painted for the first time nor loaded");
});

test("a tab that floods its console and is let go of is not slowed afterwards", async (context) => {
  const clock = new Clock();
  context.after(() => clock.stop());
  const rates = () => chrome.sent.filter(({ method }) => method === "Emulation.setCPUThrottlingRate").slice(before);
  const before = chrome.sent.filter(({ method }) => method === "Emulation.setCPUThrottlingRate").length;
  const { flood } = parts.children;
  for (let index = 0; index < 7000; index += 1) flood.onLine({ at: index / 10, kind: "page", now: index / 10 });
  assert.deepEqual([flood.isOn, rates().length], [true, 1]);
  await session.end(new Error("the tab was closed"));
  await clock.tick(120_000);
  assert.deepEqual([flood.isOn, rates().length], [false, 1]);
});
