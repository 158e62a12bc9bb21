import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { Session } from "../../../extension/tab/session.js";
import { TAB_HANDLERS } from "../../../extension/handlers/index.js";
import { catalogue, EVERYTHING, FakeChrome, settle } from "../fakes.js";
import { test } from "../testing.js";

let chrome, session, events, refs;

function newSession(handlers = TAB_HANDLERS) {
  events = [];
  refs = [];
  const made = new Session({
    chrome, chromeTabId: 7, id: "abcde", pageSource: { worldName: "kapture", source: "0" }, catalogue: catalogue(), handlers,
    onEvent: (event) => events.push(event), onRefs: (nextRef) => refs.push(nextRef),
  });
  chrome.debugger.onEvent.listeners.length = 0;
  chrome.debugger.onEvent.addListener(({ sessionId }, method, params) => made.onDebuggerEvent(method, params, sessionId));
  return made;
}

beforeEach(async () => {
  chrome = new FakeChrome({ tabs: [{ id: 7 }] });
  session = newSession();
  await session.start();
  chrome.sent.length = 0;
});

let serial = 0;
const run = (command, params = {}, timeout = 30_000, id = `c${(serial += 1)}`) =>
  session.execute({ id, command: `kapturemcp_${command}`, params, timeout, grant: EVERYTHING });
const click = () => run("click", { ref: "e1", button: "left", clickCount: 1, modifiers: [] });
const sentTypes = () => chrome.sent.filter(({ method }) => method === "Input.dispatchMouseEvent").map(({ params }) => params.type);
const openDialog = (more = {}) => chrome.cdp(7, "Page.javascriptDialogOpening", { type: "confirm", message: "Sure?", ...more });
const logged = (text, level = "log", sessionId) =>
  chrome.cdp(7, "Runtime.consoleAPICalled", { type: level, args: [{ type: "string", value: text }], timestamp: 1 }, sessionId);

test("connecting attaches, learns where the tab is and switches on what it listens to", async () => {
  chrome = new FakeChrome({ tabs: [{ id: 7 }] });
  session = newSession();
  await session.start();
  assert.deepEqual(chrome.methods().slice(0, 2), ["Page.enable", "Page.getFrameTree"], "what happens after the look must be heard");
  assert.deepEqual(new Set(chrome.methods().slice(2)), new Set([
    "Page.setLifecycleEventsEnabled", "Page.addScriptToEvaluateOnNewDocument", "Runtime.enable", "Log.enable", "Network.enable",
    "Inspector.enable", "Emulation.setFocusEmulationEnabled", "Target.setAutoAttach", "Runtime.addBinding",
  ]));
  const script = chrome.sent.find(({ method }) => method === "Page.addScriptToEvaluateOnNewDocument").params;
  assert.deepEqual(script, { worldName: "kapture", source: "0", runImmediately: true });
  assert.deepEqual([session.navigation.url, session.navigation.loaderId, [...session.navigation.reached]], ["https://shop.example/", "L1", ["DOMContentLoaded", "load"]]);
});

test("a protected page is refused in words", async () => {
  chrome.addTab({ id: 8, url: "chrome://settings/" });
  const other = new Session({ chrome, chromeTabId: 8, id: "x", pageSource: {}, catalogue: catalogue(), handlers: {}, onEvent() {}, onRefs() {} });
  await assert.rejects(other.start(), { code: "PROTECTED_PAGE" });
});

test("after a worker restart the attachment is taken up and the contexts are announced again", async () => {
  session = newSession();
  await session.start();
  assert.ok(chrome.methods().indexOf("Runtime.disable") < chrome.methods().indexOf("Runtime.enable"));
  assert.ok(chrome.methods().includes("Runtime.disable"));
  assert.equal((await click()).success, true);
});

test("a command is answered under its id with its result, effects and time", async () => {
  const { ms, ...response } = await session.execute({ id: "c77", command: "kapturemcp_click", params: { ref: "e1", button: "left", clickCount: 1, modifiers: [] }, timeout: 1000 });
  assert.deepEqual(response, { type: "response", id: "c77", success: true, result: { clicked: "<button>", x: 10, y: 20 }, effects: { changed: false } });
  assert.ok(ms >= 0);
});

for (const command of ["something_new", "new_tab", "list_tabs", "constructor"])
  test(`${command} is no command of a tab`, async () => {
    const { success, error } = await run(command);
    assert.deepEqual([success, error.code], [false, "INVALID_PARAMS"]);
  });

for (const [command, params] of [
  ["click", { ref: "e1", button: "left", clickCount: 1, modifiers: [] }],
  ["press_key", { key: "Enter", count: 1 }],
  ["type", { text: "a", clear: false, delay: 0, submit: false }],
  ["evaluate", { code: "1", awaitPromise: true }],
])
  test(`${command}: the page is watched before anything is done to it`, async () => {
    chrome.replies["Runtime.evaluate"] = () => ({ result: { type: "number", value: 1 } });
    assert.equal((await run(command, params)).success, true);
    const [first] = chrome.sent;
    assert.deepEqual([first.method, first.params.arguments?.[0].value], ["Runtime.callFunctionOn", "observe"]);
  });

test("an action waits for the page it led to and says where that is", async () => {
  chrome.page.settled = async () => {
    chrome.cdp(7, "Page.frameStartedNavigating", { frameId: "F1", url: "https://shop.example/cart", loaderId: "L2", navigationType: "differentDocument" });
    return { changed: true, url: "https://shop.example/", title: "Shop" };
  };
  chrome.page.state = () => ({ url: "https://shop.example/cart", title: "Cart" });
  const answer = click();
  await settle();
  chrome.cdp(7, "Page.frameNavigated", { frame: { id: "F1", loaderId: "L2", url: "https://shop.example/cart" }, type: "Navigation" });
  for (const name of ["DOMContentLoaded", "load"]) chrome.cdp(7, "Page.lifecycleEvent", { frameId: "F1", loaderId: "L2", name });
  const { effects } = await answer;
  assert.deepEqual(effects, { url: "https://shop.example/cart", title: "Cart", changed: true });
});

test("an action on a page that has not finished loading does not wait for that page", async () => {
  chrome.cdp(7, "Page.frameNavigated", { frame: { id: "F1", loaderId: "L2", url: "https://slow.example/" }, type: "Navigation" });
  assert.equal((await click()).success, true);
});

test("an action whose navigation came to nothing still says that the page changed", async () => {
  chrome.page.settled = async () => {
    chrome.cdp(7, "Page.frameStartedNavigating", { frameId: "F1", url: "mailto:a@b.example", loaderId: "L2", navigationType: "differentDocument" });
    chrome.cdp(7, "Network.loadingFailed", { requestId: "L2", errorText: "net::ERR_ABORTED" });
    return { changed: true, ...chrome.pageState() };
  };
  assert.deepEqual((await click()).effects, { changed: true });
});

test("what an action did is among its effects", async () => {
  chrome.replies["Input.dispatchMouseEvent"] = ({ type }) => {
    if (type !== "mouseReleased") return;
    chrome.cdp(7, "Network.requestWillBeSent", { requestId: "1", request: { url: "https://shop.example/api", method: "GET", headers: {} }, wallTime: 1, timestamp: 1 });
    logged("boom", "error");
    logged("fine");
    chrome.cdp(7, "Page.downloadWillBegin", { frameId: "F2", guid: "g", url: "https://a.example/f.zip", suggestedFilename: "f.zip" });
  };
  const { effects } = await click();
  assert.deepEqual(effects, { downloads: [{ guid: "g", fileName: "f.zip", url: "https://a.example/f.zip" }], consoleErrors: ["boom"], requests: 1, changed: false });
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

test("a window the page asked for is part of the action that asked", async () => {
  chrome.replies["Input.dispatchMouseEvent"] = ({ type }) => {
    if (type !== "mouseReleased") return;
    chrome.cdp(7, "Page.windowOpen", { url: "https://b.example/" });
    setImmediate(() => session.tabOpened(Promise.resolve({ tabId: "zzzzz", url: "https://b.example/" })));
  };
  assert.deepEqual((await click()).effects.newTabs, [{ tabId: "zzzzz", url: "https://b.example/" }]);
});

test("an action can bring a snapshot along, refs are told for the tab's record", async () => {
  chrome.page.snapshot = (_target, _options, { from }) => ({ lines: [`- button "Buy" [ref=e${from}]`], doors: [], nextRef: from + 1, title: "Shop", url: "https://shop.example/" });
  const { snapshot } = await run("click", { ref: "e1", button: "left", clickCount: 1, modifiers: [], snapshot: "full" });
  assert.equal(snapshot, '# Shop — https://shop.example/\n- button "Buy" [ref=e1]');
  assert.deepEqual(refs, [2]);
});

test("commands run one at a time", async () => {
  const { release } = chrome.hold("Input.dispatchMouseEvent");
  const first = click();
  await settle();
  assert.deepEqual(sentTypes(), ["mouseMoved", "mousePressed", "mouseReleased"]);
  const second = click();
  await settle();
  assert.equal(sentTypes().length, 3);
  release({});
  await Promise.all([first, second]);
  assert.equal(sentTypes().length, 6);
});

test("a cancelled command sends nothing more", async () => {
  const { promise, resolve } = Promise.withResolvers();
  chrome.page.locate = () => promise;
  const answer = run("click", { ref: "e1", button: "left", clickCount: 1, modifiers: [] }, 1000, "c9");
  await settle();
  session.cancel("c9");
  assert.equal((await answer).error.code, "OUTCOME_UNKNOWN");
  resolve({ x: 1, y: 2, element: "<a>" });
  await settle();
  assert.deepEqual(sentTypes(), []);
});

test("a dialog that opens ends the running and the waiting commands with DIALOG_OPEN", async () => {
  chrome.hold("Input.dispatchMouseEvent");
  const answers = [click(), click()];
  await settle();
  await openDialog();
  for (const { error } of await Promise.all(answers)) {
    assert.equal(error.code, "DIALOG_OPEN");
    assert.match(error.message, /confirm dialog: "Sure\?"; answer it with kapturemcp_handle_dialog/);
    assert.deepEqual(error.dialog, { type: "confirm", message: "Sure?" });
  }
  assert.deepEqual(events, [{ kind: "dialog", open: true, type: "confirm", message: "Sure?" }]);
});

test("while a dialog is open other commands say so and handle_dialog does not wait behind them", async () => {
  await openDialog();
  assert.equal((await click()).error.code, "DIALOG_OPEN");
  chrome.replies["Page.handleJavaScriptDialog"] = () => chrome.cdp(7, "Page.javascriptDialogClosed", { result: true });
  const { success, result } = await run("handle_dialog", { accept: true, promptText: "x" });
  assert.deepEqual([success, result], [true, { handled: "confirm", accepted: true, message: "Sure?" }]);
  assert.deepEqual(chrome.sent.find(({ method }) => method === "Page.handleJavaScriptDialog").params, { accept: true, promptText: "x" });
  assert.deepEqual(events.at(-1), { kind: "dialog", open: false });
  assert.equal((await click()).success, true);
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

test("a dialog the person answered is told with the next answer", async () => {
  await openDialog();
  await chrome.cdp(7, "Page.javascriptDialogClosed", { result: true });
  assert.deepEqual((await click()).lateEffects, { dialogs: [{ type: "confirm", message: "Sure?", accepted: true }] });
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

test("a dialog behind a dialog is told by the answer to the first, which does not wait for it", async () => {
  await openDialog();
  chrome.replies["Page.handleJavaScriptDialog"] = async () => {
    await chrome.cdp(7, "Page.javascriptDialogClosed", { result: true });
    chrome.page.settled = () => new Promise(() => {});
    setImmediate(() => openDialog({ message: "Really?" }));
  };
  assert.deepEqual((await run("handle_dialog", { accept: true })).effects, { dialogs: [{ type: "confirm", message: "Really?", open: true }], changed: true });
  assert.equal((await click()).error.code, "DIALOG_OPEN");
});

test("a command that comes while a dialog is answered waits for all that leads to", async () => {
  await openDialog();
  chrome.replies["Page.handleJavaScriptDialog"] = () => chrome.cdp(7, "Page.javascriptDialogClosed", { result: true });
  const { promise, resolve } = Promise.withResolvers();
  chrome.page.settled = () => promise;
  const handled = run("handle_dialog", { accept: true });
  const clicked = click();
  await settle();
  assert.deepEqual(sentTypes(), []);
  resolve({ changed: false, ...chrome.pageState() });
  await handled;
  assert.equal((await clicked).success, true);
});

const ruled = (command, params, dialogs = "dismiss") => session.execute({ id: `r${(serial += 1)}`, command: `kapturemcp_${command}`, params, timeout: 30_000, dialogs });
const ruledClick = () => ruled("click", { ref: "e1", button: "left", clickCount: 1, modifiers: [] });
const answers = () => chrome.sent.filter(({ method }) => method === "Page.handleJavaScriptDialog").map(({ params }) => params);

for (const [type, rule, accepted, more] of [
  ["alert", "dismiss", false], ["confirm", "dismiss", false], ["confirm", "accept", true], ["beforeunload", "dismiss", true],
  ["prompt", "accept", true, { defaultPrompt: "Bo" }],
])
  test(`a rule to ${rule} answers the ${type} of a command at once and says so`, async () => {
    chrome.replies["Page.handleJavaScriptDialog"] = ({ accept }) => chrome.cdp(7, "Page.javascriptDialogClosed", { result: accept });
    chrome.replies["Input.dispatchMouseEvent"] = ({ type: kind }) => kind === "mouseReleased" && openDialog({ type, ...more });
    const { success, effects, dialogs } = await ruled("click", { ref: "e1", button: "left", clickCount: 1, modifiers: [] }, rule);
    const answered = { type, message: "Sure?", accepted };
    assert.deepEqual([success, effects.dialogs, dialogs], [true, [answered], [answered]]);
    assert.deepEqual(answers(), [{ accept: accepted, promptText: accepted ? (more?.defaultPrompt ?? "") : undefined }]);
    assert.deepEqual(events, [], "the panel shows no dialog that is gone at once");
  });

test("a dialog that stands before a command with a rule is answered first", async () => {
  await openDialog();
  chrome.replies["Page.handleJavaScriptDialog"] = () => chrome.cdp(7, "Page.javascriptDialogClosed", { result: false });
  const { success, dialogs, lateEffects } = await ruled("logs", { max: 5 });
  assert.deepEqual([success, dialogs, lateEffects], [true, [{ type: "confirm", message: "Sure?", accepted: false }], undefined]);
  assert.deepEqual(events.at(-1), { kind: "dialog", open: false });
});

test("the rule ends with its command, and is of no other one", async () => {
  await ruledClick();
  await openDialog();
  assert.deepEqual([answers(), session.dialog.type], [[], "confirm"]);
  assert.equal((await click()).error.code, "DIALOG_OPEN");
});

test("a command with a rule that waits is not failed by the dialog of another one", async () => {
  chrome.hold("Input.dispatchMouseEvent");
  const first = click();
  const second = ruled("logs", { max: 5 });
  await settle();
  chrome.replies["Page.handleJavaScriptDialog"] = () => chrome.cdp(7, "Page.javascriptDialogClosed", { result: false });
  await openDialog();
  assert.equal((await first).error.code, "DIALOG_OPEN");
  assert.equal((await second).success, true);
});

test("a rule whose answer fails leaves the dialog open and says so", async () => {
  chrome.hold("Input.dispatchMouseEvent");
  chrome.replies["Page.handleJavaScriptDialog"] = () => {
    throw new Error("not now");
  };
  const answer = ruledClick();
  await settle();
  await openDialog();
  assert.equal((await answer).error.code, "DIALOG_OPEN");
});

test("of very many dialogs the first ten are told and how many more there were", async () => {
  chrome.replies["Page.handleJavaScriptDialog"] = () => chrome.cdp(7, "Page.javascriptDialogClosed", { result: false });
  chrome.replies["Input.dispatchMouseEvent"] = async ({ type }) => {
    if (type === "mouseReleased") for (let count = 0; count < 15; count += 1) await openDialog().then(settle);
  };
  const { dialogs } = await ruledClick();
  assert.deepEqual([dialogs.length, dialogs.at(-1).more], [10, 5]);
});

for (const [how, url] of [["the same address", "https://shop.example/"], ["another one", "https://shop.example/cart"]])
  test(`a document that was loaded anew is a change: ${how}`, async () => {
    chrome.replies["Page.reload"] = () => {
      chrome.cdp(7, "Page.frameNavigated", { frame: { id: "F1", loaderId: "L2", url }, type: "Navigation" });
      for (const name of ["DOMContentLoaded", "load"]) chrome.cdp(7, "Page.lifecycleEvent", { frameId: "F1", loaderId: "L2", name });
    };
    const { effects } = await run("reload", { ignoreCache: false });
    const anew = url === "https://shop.example/" ? { reloaded: true } : {};
    assert.deepEqual(effects, { url, title: "Shop", ...anew, changed: true });
  });

test("handle_dialog passes a command that is stuck", async () => {
  chrome.hold("Page.reload");
  run("reload", { ignoreCache: false });
  await settle();
  assert.equal((await run("handle_dialog", { accept: true })).error.message, "no dialog is open in this tab");
});

test("the text of a dialog is bounded", async () => {
  await openDialog({ message: "x".repeat(100_000) });
  const { error } = await click();
  assert.ok(error.message.length < 500 && error.dialog.message.length === 2000);
  assert.equal(events[0].message.length, 2000);
});

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
    chrome.cdp(7, "Page.frameNavigated", { frame: { id: "F1", loaderId: "L2", url: "https://shop.example/" }, type: "Navigation" });
    for (const name of ["DOMContentLoaded", "load"]) chrome.cdp(7, "Page.lifecycleEvent", { frameId: "F1", loaderId: "L2", name });
  };
  assert.equal((await run("reload", { ignoreCache: false })).success, true);
  chrome.replies["Input.dispatchMouseEvent"] = () => ({});
  assert.equal((await click()).success, true);
});

test("letting go of the tab fails what runs and all that comes, and detaches", async () => {
  chrome.hold("Input.dispatchMouseEvent");
  const answer = click();
  await settle();
  await session.end(Object.assign(new Error("closed"), { asWire: null }));
  assert.equal((await answer).success, false);
  assert.deepEqual([...chrome.attached], []);
  assert.equal((await click()).success, false);
});

test("close_tab still answers although its tab is gone", async () => {
  chrome.tabs.onRemoved.addListener(() => session.end(new Error("the tab was closed")));
  const { success, result } = await run("close_tab");
  assert.deepEqual([success, result], [true, { closed: "abcde" }]);
});

test("a tab that does not close is not taken for one that does", async () => {
  chrome.tabs.remove = () => Promise.reject(new Error("Tabs cannot be edited right now"));
  assert.equal((await run("close_tab")).success, false);
  assert.equal(session.closing, false);
});

test("a page that asks before it is left keeps its tab: what runs later still ends with the tab", async () => {
  chrome.tabs.remove = async () => {
    openDialog({ type: "beforeunload", message: "" });
  };
  await run("close_tab");
  assert.equal(session.closing, false);
});

test("a navigation that takes too long is given up with COMMAND_TIMEOUT, whatever the browser says to stopping it", async () => {
  chrome.replies["Page.navigate"] = () => {
    chrome.cdp(7, "Page.frameStartedNavigating", { frameId: "F1", url: "https://slow.example/", loaderId: "L2", navigationType: "differentDocument" });
    return { loaderId: "L2" };
  };
  chrome.replies["Page.stopLoading"] = () => Promise.reject(new Error("Internal error"));
  const { error } = await run("navigate", { url: "https://slow.example/", waitUntil: "load" }, 20);
  assert.equal(error.code, "COMMAND_TIMEOUT");
  assert.ok(chrome.methods().includes("Page.stopLoading"));
  chrome.replies["Input.dispatchMouseEvent"] = () => ({});
  assert.equal((await click()).success, true);
});

test("a page that shows dialogs without end is stuck: only leaving it helps a client with a rule", async () => {
  let shown = 0;
  chrome.replies["Page.handleJavaScriptDialog"] = () => {
    if ((shown += 1) > 12) return over; // one is open when the time is over
    chrome.cdp(7, "Page.javascriptDialogClosed", { result: false });
    setImmediate(openDialog);
  };
  chrome.replies["Input.dispatchMouseEvent"] = () => new Promise((_, reject) => (openDialog(), over.then(reject)));
  const { promise: over, resolve } = Promise.withResolvers();
  chrome.replies["Runtime.evaluate"] = () => over; // the page has no time
  const answer = await session.execute({ id: "r", command: "kapturemcp_click", params: { ref: "e1", button: "left", clickCount: 1, modifiers: [] }, timeout: 50, dialogs: "dismiss" });
  assert.deepEqual([answer.error.code, answer.dialogs.length], ["COMMAND_TIMEOUT", 10]);
  assert.equal(session.dialog.type, "confirm");
  assert.match((await ruled("logs", { max: 1 })).error.message, /stuck in a script of its own/);
  resolve();
});

test("a page stuck in a script of its own says so until it answers again or is left", async () => {
  chrome.hold("Runtime.callFunctionOn");
  const { release } = chrome.hold("Runtime.evaluate");
  assert.equal((await run("hover", { ref: "e1" }, 20)).error.code, "COMMAND_TIMEOUT");
  const { error } = await run("hover", { ref: "e1" }, 20);
  assert.match(error.message, /stuck in a script of its own/);
  release({});
  await settle();
  assert.equal(session.stuck.now, false);
});

test("console lines are kept, told and read newest first", async () => {
  await logged("one");
  await logged("two", "warning");
  await chrome.cdp(7, "Runtime.exceptionThrown", { timestamp: 2, exceptionDetails: { text: "Uncaught", exception: { subtype: "error", description: "Error: three" } } });
  await chrome.cdp(7, "Log.entryAdded", { entry: { level: "error", source: "network", text: "404", timestamp: 3 } });
  const { result } = await run("logs", { max: 10 });
  assert.deepEqual(result.logs.map(({ text, level }) => [text, level]), [["404", "error"], ["Error: three", "error"], ["two", "warn"], ["one", "log"]]);
  assert.deepEqual([result.kept, result.dropped], [4, 0]);
  assert.deepEqual(events.map(({ kind, text }) => [kind, text]), [["console", "one"], ["console", "two"], ["console", "Error: three"], ["console", "404"]]);
  assert.deepEqual((await run("logs", { max: 1 })).result.logs.length, 1);
  assert.deepEqual((await run("logs", { max: 10, level: "warn" })).result.logs.map(({ text }) => text), ["two"]);
  assert.deepEqual((await run("logs", { max: 10, since: 2 })).result.logs.map(({ text }) => text), ["404"]);
});

test("10,000 lines are kept, more are counted", async () => {
  for (let count = 0; count < 10_050; count += 1) session.onDebuggerEvent("Runtime.consoleAPICalled", { type: "log", args: [], timestamp: count });
  const { result } = await run("logs", { max: 1 });
  assert.deepEqual([result.kept, result.dropped, result.logs[0].at], [10_000, 50, 10_049]);
});

for (const [type, context] of [["worker", "worker"], ["shared_worker", "worker"], ["service_worker", "serviceWorker"]])
  test(`lines of a ${type} are told as ${context}`, async () => {
    await chrome.cdp(7, "Target.attachedToTarget", { sessionId: "child", targetInfo: { type } });
    assert.deepEqual(chrome.sent.map(({ method, sessionId }) => [method, sessionId]), ["Network.enable", "Runtime.enable", "Log.enable"].map((method) => [method, "child"]));
    await logged("from there", "log", "child");
    assert.deepEqual((await run("logs", { max: 5, context })).result.logs.map(({ text }) => text), ["from there"]);
    await chrome.cdp(7, "Target.detachedFromTarget", { sessionId: "child" });
    await logged("after its end", "log", "child");
    assert.equal(session.console.length, 1);
  });

test("a frame of another process is entered like the page: its lines, its own frames, and their end with it", async () => {
  await chrome.cdp(7, "Target.attachedToTarget", { sessionId: "child", targetInfo: { type: "iframe", targetId: "F2" } });
  assert.ok(["Page.enable", "Page.addScriptToEvaluateOnNewDocument", "Runtime.enable", "Target.setAutoAttach"].every((wanted) =>
    chrome.sent.some(({ method, sessionId }) => method === wanted && sessionId === "child")));
  await chrome.cdp(7, "Target.attachedToTarget", { sessionId: "grandchild", targetInfo: { type: "iframe", targetId: "F3" } }, "child");
  await logged("from there", "log", "grandchild");
  assert.equal(session.console.length, 1);
  await chrome.cdp(7, "Target.detachedFromTarget", { sessionId: "child" });
  assert.equal(session.children.size, 0);
});

test("a call into a frame that ends is over at once", async () => {
  await chrome.cdp(7, "Target.attachedToTarget", { sessionId: "child", targetInfo: { type: "iframe", targetId: "F2" } });
  const { promise } = Promise.withResolvers();
  const called = session.children.answered("child", promise);
  await chrome.cdp(7, "Target.detachedFromTarget", { sessionId: "child" });
  await assert.rejects(called, /Target closed/);
});

test("events of a child are never taken for those of the tab", async () => {
  await chrome.cdp(7, "Target.attachedToTarget", { sessionId: "child", targetInfo: { type: "iframe", targetId: "F9" } });
  await chrome.cdp(7, "Page.frameNavigated", { frame: { id: "F9", loaderId: "L9", url: "https://evil.example/" } }, "child");
  await chrome.cdp(7, "Page.javascriptDialogOpening", { type: "alert", message: "x" }, "child");
  await chrome.cdp(7, "Runtime.executionContextCreated", { context: { name: "kapture", uniqueId: "evil", auxData: { frameId: "F1" } } }, "child");
  await logged("unknown child", "log", "nobody");
  assert.equal(session.navigation.url, "https://shop.example/");
  assert.equal(session.dialog, null);
  assert.equal(session.console.length, 0);
  await click();
  assert.ok(chrome.sent.filter(({ params }) => params.uniqueContextId).every(({ params }) => params.uniqueContextId === "W1"));
});

test("a worker that ended before it could be listened to is forgotten", async () => {
  chrome.replies["Log.enable"] = () => Promise.reject(new Error("No session"));
  await chrome.cdp(7, "Target.attachedToTarget", { sessionId: "child", targetInfo: { type: "worker" } });
  await settle();
  assert.equal(session.children.size, 0);
});

test("executing says whether a command runs or waits", async () => {
  const { release } = chrome.hold("Input.dispatchMouseEvent");
  assert.equal(session.executing, false);
  const answer = click();
  await settle();
  assert.equal(session.executing, true);
  release({});
  await answer;
  assert.equal(session.executing, false);
});

test("the requests of the tab and its workers are told to the panel", async () => {
  const begin = (requestId) => ({ requestId, timestamp: 1, wallTime: 2, type: "Fetch", request: { url: "https://shop.example/api", method: "GET", headers: {} } });
  chrome.cdp(7, "Network.requestWillBeSent", begin("1"));
  chrome.cdp(7, "Target.attachedToTarget", { sessionId: "W", targetInfo: { type: "worker", targetId: "w" }, waitingForDebugger: false });
  await settle();
  chrome.cdp(7, "Network.requestWillBeSent", begin("1"), "W");
  const told = events.filter(({ kind }) => kind === "request");
  assert.deepEqual(told.map(({ id, context }) => [id, context]), [["r1", "page"], ["r2", "worker"]]);
});
