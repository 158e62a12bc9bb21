import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { Clock } from "../clock.js";
import { settle } from "../fakes.js";
import { connectedTab } from "../tab.js";
import { test } from "../testing.js";

let chrome, parts, session, events, run;
beforeEach(async () => void ({ chrome, parts, session, events, run } = await connectedTab()));

let serial = 0;
const click = () => run("click", { ref: "e1", button: "left", clickCount: 1, modifiers: [] });
const sentTypes = () =>
  chrome.sent.filter(({ method }) => method === "Input.dispatchMouseEvent").map(({ params }) => params.type);
const openDialog = (more = {}) =>
  chrome.cdp(7, "Page.javascriptDialogOpening", { type: "confirm", message: "Sure?", ...more });

test("an action that opens a dialog answers what it did, the dialog, and how to answer that", async () => {
  chrome.replies["Input.dispatchMouseEvent"] = ({ type }) => {
    if (type !== "mouseReleased") return {};
    parts.presses.onReport(JSON.stringify({ id: 1, passed: 1, held: null, hit: "<b>" }));
    openDialog({ type: "prompt", defaultPrompt: "Bo" });
    return new Promise(() => {});
  };
  const { success, result, effects } = await click();
  assert.deepEqual([success, result], [true, { clicked: "<b>", x: 10, y: 20 }]);
  const next = "answer it with kapturemcp_handle_dialog";
  const told = { type: "prompt", message: "Sure?", default: "Bo", open: true, next };
  assert.deepEqual(effects, { dialogs: [told], changed: true });
  assert.deepEqual(events, [{ kind: "dialog", open: true, type: "prompt", message: "Sure?" }]);
  assert.equal((await click()).error.code, "DIALOG_OPEN");
});

test("a dialog that opens while an action waits for what it led to is its answer, too", async () => {
  chrome.page.settled = async () => {
    openDialog();
    return new Promise(() => {});
  };
  const { result, effects } = await click();
  assert.deepEqual([result.clicked, effects.dialogs[0].open], ["<button>", true]);
});

test("of a command that a dialog cuts off the error says how far it came", async () => {
  chrome.hold("Input.dispatchKeyEvent");
  const typing = run("type", { text: "abc", clear: false, delay: 0, submit: false });
  await chrome.until(() => chrome.sent.some(({ method }) => method === "Input.dispatchKeyEvent"));
  await openDialog();
  const { error } = await typing;
  assert.deepEqual(
    [error.code, error.nextStep],
    ["DIALOG_OPEN", "answer it with kapturemcp_handle_dialog; at most 1 of 3 characters were typed before it"],
  );
});

test("a dialog that is told of before the keys it came after is the answer to all of them", async () => {
  const keys = [];
  chrome.replies["Input.dispatchKeyEvent"] = () => new Promise((resolve) => keys.push(resolve));
  const typing = run("type", { text: "abc", clear: false, delay: 0, submit: false });
  await chrome.until(() => chrome.sent.filter(({ method }) => method === "Input.dispatchKeyEvent").length === 6);
  await openDialog();
  for (const answer of keys.slice(0, 4)) answer({});
  const { success, result, effects } = await typing;
  assert.deepEqual([success, result.typed, effects.dialogs[0].open], [true, 3, true]);
});

test("a dialog that opens before anything is done ends the running and the waiting commands with DIALOG_OPEN", async () => {
  chrome.hold("Input.dispatchMouseEvent");
  const answers = [click(), click()];
  await settle();
  await openDialog();
  for (const { error } of await Promise.all(answers)) {
    assert.equal(error.code, "DIALOG_OPEN");
    assert.match(error.message, /confirm dialog: "Sure\?"$/);
    assert.equal(error.nextStep, "answer it with kapturemcp_handle_dialog");
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
  assert.deepEqual(chrome.sent.find(({ method }) => method === "Page.handleJavaScriptDialog").params, {
    accept: true,
    promptText: "x",
  });
  assert.deepEqual(events.at(-1), { kind: "dialog", open: false });
  assert.equal((await click()).success, true);
});

test("a dialog the person answered is told with the next answer", async () => {
  await openDialog();
  await chrome.cdp(7, "Page.javascriptDialogClosed", { result: true });
  assert.deepEqual((await click()).lateEffects, { dialogs: [{ type: "confirm", message: "Sure?", accepted: true }] });
});

test("a dialog behind a dialog is told by the answer to the first, which does not wait for it", async () => {
  await openDialog();
  chrome.replies["Page.handleJavaScriptDialog"] = async () => {
    await chrome.cdp(7, "Page.javascriptDialogClosed", { result: true });
    chrome.page.settled = () => new Promise(() => {});
    setImmediate(() => openDialog({ message: "Really?" }));
  };
  assert.deepEqual((await run("handle_dialog", { accept: true })).effects, {
    dialogs: [{ type: "confirm", message: "Really?", open: true, next: "answer it with kapturemcp_handle_dialog" }],
    changed: true,
  });
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

const ruled = (command, params, dialogs = "dismiss") =>
  session.execute({ id: `r${(serial += 1)}`, command: `kapturemcp_${command}`, params, timeout: 30_000, dialogs });
const ruledClick = () => ruled("click", { ref: "e1", button: "left", clickCount: 1, modifiers: [] });
const answers = () =>
  chrome.sent.filter(({ method }) => method === "Page.handleJavaScriptDialog").map(({ params }) => params);

for (const [type, rule, accepted, more] of [
  ["alert", "dismiss", false],
  ["confirm", "dismiss", false],
  ["confirm", "accept", true],
  ["beforeunload", "dismiss", true],
  ["prompt", "accept", true, { defaultPrompt: "Bo" }],
])
  test(`a rule to ${rule} answers the ${type} of a command at once and says so`, async () => {
    chrome.replies["Page.handleJavaScriptDialog"] = ({ accept }) =>
      chrome.cdp(7, "Page.javascriptDialogClosed", { result: accept });
    chrome.replies["Input.dispatchMouseEvent"] = ({ type: kind }) =>
      kind === "mouseReleased" && openDialog({ type, ...more });
    const { success, effects, dialogs } = await ruled(
      "click",
      { ref: "e1", button: "left", clickCount: 1, modifiers: [] },
      rule,
    );
    const answered = { type, message: "Sure?", accepted };
    assert.deepEqual([success, effects.dialogs, dialogs], [true, [answered], [answered]]);
    assert.deepEqual(answers(), [{ accept: accepted, promptText: accepted ? (more?.defaultPrompt ?? "") : undefined }]);
    assert.deepEqual(events, [], "the panel shows no dialog that is gone at once");
  });

test("a dialog that stands before a command with a rule is answered first", async () => {
  await openDialog();
  chrome.replies["Page.handleJavaScriptDialog"] = () => chrome.cdp(7, "Page.javascriptDialogClosed", { result: false });
  const { success, dialogs, lateEffects } = await ruled("logs", { max: 5 });
  assert.deepEqual(
    [success, dialogs, lateEffects],
    [true, [{ type: "confirm", message: "Sure?", accepted: false }], undefined],
  );
  assert.deepEqual(events.at(-1), { kind: "dialog", open: false });
});

test("the rule ends with its command, and is of no other one", async () => {
  await ruledClick();
  await openDialog();
  assert.deepEqual([answers(), parts.dialogs.open.type], [[], "confirm"]);
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

test("the text of a dialog is bounded", async () => {
  await openDialog({ message: "x".repeat(100_000) });
  const { error } = await click();
  assert.ok(error.message.length < 500 && error.dialog.message.length === 2000);
  assert.equal(events[0].message.length, 2000);
});

test("a page that shows dialogs without end is stuck: only leaving it helps a client with a rule", async (t) => {
  const clock = new Clock();
  t.after(() => clock.stop());
  let shown = 0;
  chrome.replies["Page.handleJavaScriptDialog"] = () => {
    if ((shown += 1) > 12) return over; // one is open when the time is over
    chrome.cdp(7, "Page.javascriptDialogClosed", { result: false });
    setImmediate(openDialog);
  };
  chrome.replies["Input.dispatchMouseEvent"] = () => new Promise((_, reject) => (openDialog(), over.then(reject)));
  const { promise: over, resolve } = Promise.withResolvers();
  chrome.replies["Runtime.evaluate"] = () => over; // the page has no time
  const answering = session.execute({
    id: "r",
    command: "kapturemcp_click",
    params: { ref: "e1", button: "left", clickCount: 1, modifiers: [] },
    timeout: 50,
    dialogs: "dismiss",
  });
  await chrome.until(() => shown > 12);
  const answer = await clock.during(answering);
  assert.deepEqual([answer.error.code, answer.dialogs.length], ["COMMAND_TIMEOUT", 10]);
  assert.equal(parts.dialogs.open.type, "confirm");
  assert.match((await clock.during(ruled("logs", { max: 1 }))).error.message, /stuck in a script of its own/);
  resolve();
});

const read = (dialogs = "") =>
  session.execute({
    id: `read ${(serial += 1)}`,
    command: "kapturemcp_count_elements",
    params: { selector: "p" },
    timeout: 30_000,
    dialogs,
    grant: {},
  });

test("a dialog ends all reads that run beside one another", async () => {
  chrome.page.ask = () => new Promise(() => {});
  const reads = [read(), read()];
  await settle();
  openDialog();
  for (const one of reads) assert.equal((await one).error.code, "DIALOG_OPEN");
});

test("a read that is over leaves the rule to the one beside it that runs", async () => {
  const answers = [];
  chrome.page.ask = () => new Promise((resolve) => answers.push(resolve));
  chrome.replies["Page.handleJavaScriptDialog"] = () => {
    chrome.cdp(7, "Page.javascriptDialogClosed", { result: false });
    return {};
  };
  const counted = { answer: { count: 1, visible: 1 }, doors: [] };
  const [first, second] = [read("dismiss"), read("dismiss")];
  await settle();
  answers[1](counted);
  assert.equal((await second).success, true);
  openDialog();
  await settle();
  answers[0](counted);
  const { success, dialogs } = await first;
  assert.deepEqual([success, dialogs], [true, [{ type: "confirm", message: "Sure?", accepted: false }]]);
});

test("a dialog that stands before reads is answered once for all of them", async () => {
  openDialog();
  let asked = 0;
  chrome.page.ask = () => ({ answer: { count: 1, visible: 1 }, doors: [] });
  chrome.replies["Page.handleJavaScriptDialog"] = async () => {
    asked += 1;
    await settle();
    chrome.cdp(7, "Page.javascriptDialogClosed", { result: false });
    return {};
  };
  for (const one of [read("dismiss"), read("dismiss")]) assert.equal((await one).success, true);
  assert.equal(asked, 1);
});
