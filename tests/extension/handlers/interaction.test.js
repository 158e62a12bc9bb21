import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { settle } from "../fakes.js";
import { connectedTab } from "../tab.js";
import { test } from "../testing.js";

let tab;
beforeEach(async () => (tab = await connectedTab()));

const mouse = () => tab.sent("Input.dispatchMouseEvent");
const keys = () => tab.sent("Input.dispatchKeyEvent").map(({ type, key }) => `${type} ${key}`);
const type = (text, more = {}, timeout = 30_000, id = undefined) =>
  tab.run("type", { text, clear: false, delay: 0, submit: false, ...more }, timeout, id);

test("a click moves there, presses and releases", async () => {
  const { result } = await tab.run("click", { ref: "e1", button: "left", clickCount: 1, modifiers: [] });
  assert.deepEqual(result, { clicked: "<button>", x: 10, y: 20 });
  assert.deepEqual(mouse(), [
    { type: "mouseMoved", x: 10, y: 20, modifiers: 0 },
    { type: "mousePressed", x: 10, y: 20, modifiers: 0, button: "left", clickCount: 1, buttons: 1 },
    { type: "mouseReleased", x: 10, y: 20, modifiers: 0, button: "left", clickCount: 1 },
  ]);
});

test("a double click with keys held counts up", async () => {
  await tab.run("click", { ref: "e1", button: "right", clickCount: 2, modifiers: ["Control", "Shift"] });
  assert.deepEqual(
    mouse().map(({ type, clickCount, buttons, modifiers }) => [type, clickCount, buttons, modifiers]),
    [
      ["mouseMoved", undefined, undefined, 10],
      ["mousePressed", 1, 2, 10],
      ["mouseReleased", 1, undefined, 10],
      ["mousePressed", 2, 2, 10],
      ["mouseReleased", 2, undefined, 10],
    ],
  );
});

test("hovering only moves, over disabled elements too", async () => {
  const asked = [];
  tab.chrome.page.locate = (...args) => (asked.push(args), { x: 1.26, y: 2, element: "<a>" });
  assert.deepEqual((await tab.run("hover", { selector: "a" })).result, { hovered: "<a>", x: 1.3, y: 2 });
  assert.deepEqual(asked, Array(2).fill([{ selector: "a" }, { enabled: false, hover: true }]));
  assert.deepEqual(
    mouse().map(({ type }) => type),
    ["mouseMoved"],
  );
});

test("hovering follows a target that has moved meanwhile", async () => {
  const places = [10, 50, 50];
  tab.chrome.page.locate = () => ({ x: places.shift(), y: 2, element: "<a>" });
  assert.deepEqual((await tab.run("hover", { selector: "a" })).result, { hovered: "<a>", x: 50, y: 2 });
  assert.deepEqual(
    mouse().map(({ x }) => x),
    [10, 50],
  );
});

for (const [what, start, value, wanted] of [
  ["a text field is replaced by trusted input", { way: "text", empty: false }, "new", ["Input.insertText"]],
  [
    "a text field is cleared by a key",
    { way: "text", empty: false },
    "",
    ["Input.dispatchKeyEvent", "Input.dispatchKeyEvent"],
  ],
  ["an empty field that is to be empty is left alone", { way: "text", empty: true }, "", []],
  [
    "a checkbox is clicked",
    { way: "click", x: 5, y: 6 },
    "true",
    ["Input.dispatchMouseEvent", "Input.dispatchMouseEvent", "Input.dispatchMouseEvent"],
  ],
])
  test(`fill: ${what}, and checked afterwards`, async () => {
    tab.chrome.page.startFill = () => start;
    tab.chrome.page.endFill = (_target, given) => ({ value: given });
    const { result } = await tab.run("fill", { selector: "input", value });
    assert.deepEqual(result, { value });
    assert.deepEqual(
      tab.chrome.methods().filter((method) => method.startsWith("Input.")),
      wanted,
    );
  });

const called = (name) =>
  tab.sent("Runtime.callFunctionOn").filter(({ arguments: [{ value }] }) => value === name).length;

test("fill: what it led to is asked together with what the field holds", async () => {
  const { promise, resolve } = Promise.withResolvers();
  tab.chrome.page.startFill = () => ({ way: "text", empty: true });
  tab.chrome.page.endFill = () => promise;
  tab.chrome.page.settled = () => ({ changed: true });
  const filling = tab.run("fill", { selector: "input", value: "new" });
  await tab.chrome.until(() => called("settled") > 0);
  resolve({ value: "new" });
  assert.equal((await filling).success, true);
  assert.equal(called("settled"), 1);
});

test("fill: of a field that is lost the whole error is told, and nothing of it with the next action", async () => {
  tab.chrome.page.startFill = () => ({ way: "text", empty: true });
  const ended = [{ error: { code: "STALE_REF", message: "gone", nextStep: "look" } }];
  const reply = tab.chrome.replies["Runtime.callFunctionOn"];
  tab.chrome.replies["Runtime.callFunctionOn"] = (params) =>
    params.arguments[0].value === "endFill" ? { result: { value: ended[0] } } : reply(params);
  tab.chrome.page.settled = () => ({ changed: true });
  assert.equal((await tab.run("fill", { selector: "input", value: "new" })).error.code, "STALE_REF");
  assert.equal(called("endFill"), 2);
  ended[0] = { value: { value: "new" } };
  tab.chrome.page.settled = () => ({ changed: false, url: "https://shop.example/", title: "" });
  assert.equal((await tab.run("fill", { selector: "input", value: "new" })).effects.changed, false);
});

test("fill: a field the page's half has set needs no input", async () => {
  tab.chrome.page.startFill = () => ({ way: "done", values: ["b"], labels: ["B"] });
  assert.deepEqual((await tab.run("fill", { selector: "select", value: "B" })).result, { value: "b" });
});

test("typing presses a key for each character, Enter for a new line, and inserts what no key makes", async () => {
  const { result } = await type("a\né");
  assert.deepEqual(result, { typed: 3 });
  assert.deepEqual(keys(), ["keyDown a", "keyUp a", "keyDown Enter", "keyUp Enter"]);
  assert.deepEqual(tab.sent("Input.insertText"), [{ text: "é" }]);
});

test("typing can clear first and submit afterwards", async () => {
  await type("x", { clear: true, submit: true });
  assert.deepEqual(keys(), [
    "rawKeyDown Delete",
    "keyUp Delete",
    "keyDown x",
    "keyUp x",
    "keyDown Enter",
    "keyUp Enter",
  ]);
});

test("typing that is cancelled stops: what was not sent yet stays unsent", async () => {
  tab.chrome.replies["Input.dispatchKeyEvent"] = () => new Promise(() => {});
  const answer = type("x".repeat(5000), {}, 30_000, "t1");
  await settle();
  tab.session.cancel("t1");
  await answer;
  await settle();
  assert.ok(keys().length <= 100, `${keys().length} events of 10,000 were on their way`);
});

const stolen = { kept: false, full: false, whole: false, field: "<input>", holds: 3, focus: "<b>" };
const typedIntoA = (text, more) => type(text, { selector: "input", ...more });

test("typing looks after every 20 keys whether the field still has the focus, and stops when it has not", async () => {
  const asked = [];
  tab.chrome.page.typedInto = (text) => (asked.push(text), asked.length < 2 ? { kept: true } : stolen);
  const { error } = await typedIntoA("x".repeat(90), { submit: true });
  assert.deepEqual(asked, ["x".repeat(20), "x".repeat(40)]);
  assert.equal(error.code, "EXECUTION_ERROR");
  assert.match(error.message, /^40 of 90 characters were typed, but .*<input>, which holds 3 now, to <b>/);
  assert.equal(keys().filter((one) => one.startsWith("keyDown")).length, 40);
});

for (const [what, at, more, fails] of [
  ["that is full may be left at the end", { ...stolen, full: true }, {}, false],
  ["that holds all the text may be left at the end", { ...stolen, whole: true }, {}, false],
  ["that was left without the text is an error", stolen, {}, true],
  ["that was left gets no Enter, nor does what has the focus then", { ...stolen, whole: true }, { submit: true }, true],
])
  test(`typing: a field ${what}`, async () => {
    tab.chrome.page.typedInto = () => at;
    const { error } = await typedIntoA("x", more);
    assert.equal(error?.code, fails ? "EXECUTION_ERROR" : undefined);
    assert.deepEqual(keys(), ["keyDown x", "keyUp x"]);
  });

test("typing answers where a full field handed the focus on to", async () => {
  tab.chrome.page.typedInto = () => ({ kept: true, focus: "<input id=2>" });
  assert.deepEqual((await typedIntoA("12")).result, { typed: 2, focus: "<input id=2>" });
});

test("typing: a new line may lead anywhere, so what came before it is looked at before", async () => {
  const asked = [];
  tab.chrome.page.typedInto = (text) => (asked.push(text), { kept: true });
  await typedIntoA("ab\n");
  assert.deepEqual(asked, ["ab"]);
});

test("typing where the focus is asks for nothing", async () => {
  tab.chrome.page.typedInto = () => assert.fail("asked");
  assert.deepEqual((await type("ab")).result, { typed: 2 });
});

test("text that is inserted must have arrived", async () => {
  tab.chrome.page.typedInto = () => stolen;
  const { error } = await tab.run("insert_text", { selector: "input", text: "abc" });
  assert.match(error.message, /^3 of 3 characters were typed, but/);
});

for (const [what, field] of [
  ["no target", {}],
  ["two targets", { selector: "a", ref: "e1" }],
])
  test(`a form with a field of ${what} is filled not at all`, async () => {
    tab.chrome.page.startFill = () => assert.fail("filled");
    const { error } = await tab.run("fill_form", {
      fields: [
        { selector: "b", value: "x" },
        { ...field, value: "x" },
      ],
    });
    assert.equal(error.code, "INVALID_PARAMS");
    assert.match(error.message, /field 2 of 2 has /);
    assert.match(error.nextStep, /exactly one of selector, xpath, ref; nothing was filled/);
  });

test("typing into a tab that goes away is one error, not one for each key", async () => {
  tab.chrome.replies["Input.dispatchKeyEvent"] = () => Promise.reject(new Error("Target closed"));
  assert.equal((await type("hello")).error.code, "TAB_DISCONNECTED");
  await settle(); // node:test fails on a rejection nobody handles
});

for (const [command, params, wanted] of [
  [
    "select",
    { selector: "select", values: ["a", "b"] },
    [{ selector: "select" }, { value: undefined, values: ["a", "b"], labels: undefined }],
  ],
])
  test(`${command} is done by the page's half`, async () => {
    let asked;
    tab.chrome.page[command] = (...args) => ((asked = args), { done: true });
    assert.deepEqual((await tab.run(command, params)).result, { done: true });
    assert.deepEqual(asked, wanted);
  });
