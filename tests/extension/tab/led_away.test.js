import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { KaptureError } from "../../../extension/basics/errors.js";
import { isOfProgram, UNKNOWN } from "../../../extension/tab/led_away.js";
import { settle } from "../fakes.js";
import { connectedTab } from "../tab.js";
import { test } from "../testing.js";

let chrome, session, run;
beforeEach(async () => void ({ chrome, session, run } = await connectedTab()));

const GONE = new KaptureError("TAB_DISCONNECTED", "the tab led where no extension may follow");
const click = () => run("click", { ref: "e1", button: "left", clickCount: 1, modifiers: [] });

/** What a click is answered under which the tab is lost; `taken`: by Chrome, which then shows `tab` of it. */
async function lostUnder(tab, { command = click, taken = true } = {}) {
  chrome.hold("Input.dispatchMouseEvent");
  chrome.hold("Runtime.evaluate");
  const answer = command();
  await settle();
  if (tab) Object.assign(chrome.byId.get(7), tab);
  else chrome.byId.delete(7);
  if (taken) session.taken();
  await session.end(GONE);
  return answer;
}

const PAGE = "https://shop.example/";

const PROGRAMS = [{ url: UNKNOWN, kept: false }];

test("an action that led to a program which nothing could hold tells it, though nobody saw the address", async () => {
  const { success, result, outcome, effects, lateEffects } = await lostUnder({ url: session.url });
  assert.deepEqual([success, result, effects], [true, { url: session.url }, { programs: PROGRAMS }]);
  assert.equal(outcome.outcome, "unverifiable");
  assert.match(outcome.reason, /led to another program/);
  assert.equal(lateEffects, undefined);
});

/** The page's half never answers when it is asked for these. */
const silent = (...names) => {
  for (const name of names) chrome.page[name] = () => new Promise(() => {});
};
const FIELDS = [1, 2].map((index) => ({ ref: `e${index}`, value: "a" }));
/** Of two fields the page sets the first itself. */
function fillsOne() {
  chrome.page.startFill = ({ ref }) => (ref === "e1" ? { way: "done", value: "a" } : new Promise(() => {}));
  return run("fill_form", { fields: FIELDS });
}
/** The first sign of three is taken by the page, and the others are not. */
function typesOne() {
  let presses = 0;
  const held = new Promise(() => {});
  chrome.replies["Input.dispatchKeyEvent"] = ({ type }) => type === "keyDown" && (presses += 1) > 1 && held;
  return run("type", { text: "abc", clear: false, delay: 0, submit: false });
}

for (const [sentence, command, next] of [
  ["still waits for its target", () => (silent("locate"), click())],
  ["only waits for what code says", () => run("wait", { expression: "false" })],
  ["ran code that has not returned", () => run("evaluate", { code: "1", awaitPromise: true })],
  ["goes elsewhere", () => (chrome.hold("Page.navigate"), run("navigate", { url: PAGE, waitUntil: "load" }))],
  ["has filled half of its fields", fillsOne, "1 of 2 fields were filled before it"],
  ["has typed a part of its text", typesOne, "at most 2 of 3 characters were typed before it"],
])
  test(`a command that ${sentence} fails as the tab is lost, and tells the program`, async () => {
    const answer = await lostUnder({ url: session.url }, { command });
    assert.deepEqual(
      [answer.success, answer.error, answer.result, answer.outcome, answer.effects, answer.lateEffects],
      [
        false,
        { code: "TAB_DISCONNECTED", message: GONE.message, ...(next && { nextStep: next }) },
        undefined,
        undefined,
        undefined,
        { programs: PROGRAMS },
      ],
    );
  });

test("a program is told beside what came since the last answer", async () => {
  chrome.cdp(7, "Page.downloadWillBegin", { guid: "g", url: "https://a.example/f", suggestedFilename: "f" });
  const command = () => (silent("locate"), click());
  const { lateEffects } = await lostUnder({ url: session.url }, { command });
  const downloads = [{ guid: "g", fileName: "f", url: "https://a.example/f" }];
  assert.deepEqual(lateEffects, { downloads, programs: PROGRAMS });
});

/** A click of which Chrome cuts off a call before it tells that it took the tab, if it does. */
async function cutOff() {
  const { fail } = chrome.hold("Input.dispatchMouseEvent");
  const answer = click();
  await settle();
  fail(new Error("Detached while handling command."));
  await settle();
  return answer;
}

test("a call that Chrome cuts off before it tells that it took the tab tells the program, too", async () => {
  const answer = cutOff();
  await settle(20);
  session.taken();
  await session.end(GONE);
  const { success, effects } = await answer;
  assert.deepEqual([success, effects], [true, { programs: PROGRAMS }]);
});

test("an action that went wrong before the tab was lost fails in its own words", async () => {
  const { fail } = chrome.hold("Input.dispatchMouseEvent");
  const answer = click();
  await settle();
  session.taken();
  fail(new Error("boom"));
  await settle();
  await session.end(GONE);
  const { success, error, lateEffects } = await answer;
  assert.deepEqual([success, error.code, lateEffects], [false, "EXECUTION_ERROR", { programs: PROGRAMS }]);
});

test("a tab of which Chrome tells nothing more is lost, as before", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const answer = cutOff();
  await settle(20);
  t.mock.timers.tick(1000);
  const { success, error } = await answer;
  assert.deepEqual([success, error.code], [false, "TAB_DISCONNECTED"]);
});

test("the address is told if Chrome shows it", async () => {
  const { effects } = await lostUnder({ url: session.url, pendingUrl: "mailto:a@b.example" });
  assert.deepEqual(effects.programs, [{ url: "mailto:a@b.example", kept: false }]);
});

for (const [sentence, tab, how] of [
  ["a tab that was closed", null, {}],
  ["a tab that goes to a page of the browser", { url: PAGE, pendingUrl: "chrome://settings/" }, {}],
  ["a tab that shows another page by now", { url: "chrome://settings/" }, {}],
  ["a tab the person let go of", { url: PAGE }, { taken: false }],
])
  test(`${sentence} is lost, as before`, async () => {
    const { success, error } = await lostUnder(tab, how);
    assert.deepEqual([success, error.code], [false, "TAB_DISCONNECTED"]);
  });

test("what only looks has led nowhere", async () => {
  chrome.page.snapshot = () => new Promise(() => {});
  const { success, error } = await lostUnder({ url: session.url }, { command: () => run("snapshot") });
  assert.deepEqual([success, error.code], [false, "TAB_DISCONNECTED"]);
});

test("a program's address is one that neither a page nor the browser has", () => {
  for (const url of ["mailto:a@b.example", "tel:123", "foo:bar", "web+x:1"]) assert.ok(isOfProgram(url), url);
  for (const url of ["", PAGE, "about:blank", "blob:x", "chrome-extension://a/b", "view-source:x", "javascript:1"])
    assert.ok(!isOfProgram(url), url);
});
