import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { connectedTab } from "../tab.js";
import { test } from "../testing.js";

let tab;
beforeEach(async () => {
  tab = await connectedTab();
});

const events = () => tab.sent("Input.dispatchKeyEvent");
const keys = () => events().map(({ type, key }) => `${type} ${key}`);
const press = (key, more = {}) => tab.run("press_key", { key, count: 1, action: "press", ...more });
const hold = (key, more = {}) => press(key, { action: "down", ...more });
const lift = (key) => press(key, { action: "up" });

test("a chord holds its modifiers in order and lets go of them in reverse", async () => {
  await tab.run("press_key", { key: "Control+Shift+k", count: 1 });
  assert.deepEqual(keys(), [
    "rawKeyDown Control",
    "rawKeyDown Shift",
    "rawKeyDown K",
    "keyUp K",
    "keyUp Shift",
    "keyUp Control",
  ]);
  assert.deepEqual(
    tab.sent("Input.dispatchKeyEvent").map(({ modifiers }) => modifiers),
    [2, 10, 10, 10, 2, 0],
  );
});

test("a key without a target asks first where it goes", async () => {
  const asked = [];
  tab.chrome.page.watchFocus = (target) => (asked.push(target), null);
  for (const key of ["a", "Shift+ä", "Enter", "Control+a"]) await tab.run("press_key", { key, count: 1 });
  assert.deepEqual(asked, [{}, {}, {}, {}]);
});

test("Shift alone keeps the text of a key", async () => {
  await tab.run("press_key", { key: "Shift+a", count: 1 });
  const down = tab.sent("Input.dispatchKeyEvent").find(({ key }) => key === "A");
  assert.deepEqual([down.type, down.text], ["keyDown", "A"]);
});

test("a key is pressed as often as asked", async () => {
  await tab.run("press_key", { key: "ArrowDown", count: 3 });
  assert.equal(keys().filter((one) => one === "rawKeyDown ArrowDown").length, 3);
});

test("a chord that cannot be pressed touches nothing", async () => {
  assert.equal(
    (await tab.run("press_key", { key: "Hyper+x", count: 1, selector: "input" })).error.code,
    "INVALID_PARAMS",
  );
  assert.deepEqual(keys(), []);
});

test("a key that is held is down until it is let go, and answers say so", async () => {
  assert.deepEqual((await hold("Shift")).result, { pressed: "Shift", count: 1, held: ["Shift"] });
  const { result } = await tab.run("click", { ref: "e1", button: "left", clickCount: 1, modifiers: ["Alt"] });
  assert.deepEqual(result.held, ["Shift"]);
  assert.deepEqual(
    tab.sent("Input.dispatchMouseEvent").map(({ modifiers }) => modifiers),
    [9, 9, 9],
  );
  assert.deepEqual((await lift("Shift")).result, { released: "Shift" });
  assert.deepEqual(keys(), ["rawKeyDown Shift", "keyUp Shift"]);
  assert.deepEqual(
    events().map(({ modifiers }) => modifiers),
    [8, 0],
  );
  await tab.run("hover", { ref: "e1" });
  assert.equal(tab.sent("Input.dispatchMouseEvent").at(-1).modifiers, undefined);
});

test("a chord is held in order and let go in reverse", async () => {
  await hold("Control+Shift+w");
  await lift("Control+Shift+w");
  assert.deepEqual(keys(), [
    "rawKeyDown Control",
    "rawKeyDown Shift",
    "rawKeyDown W",
    "keyUp W",
    "keyUp Shift",
    "keyUp Control",
  ]);
});

test("a key that is held repeats, and makes its text each time", async () => {
  await hold("w", { count: 2 });
  await hold("w");
  assert.deepEqual(
    events().map(({ type, text, autoRepeat }) => [type, text, autoRepeat]),
    [
      ["keyDown", "w", false],
      ["keyDown", "w", true],
      ["keyDown", "w", true],
    ],
  );
  assert.deepEqual((await lift("W")).result, { released: "W" });
});

test("under a held Shift a key makes its capital", async () => {
  await hold("Shift");
  await press("a");
  assert.ok(events().some(({ key, text, modifiers }) => key === "A" && text === "A" && modifiers === 8));
});

for (const [command, params] of [
  ["type", { text: "x", clear: false, delay: 0, submit: false }],
  ["insert_text", { text: "x" }],
  ["fill", { selector: "input", value: "x" }],
  ["select", { selector: "select", value: "x" }],
])
  test(`${command} does nothing while Control is held`, async () => {
    await hold("Control");
    const { error } = await tab.run(command, params);
    assert.equal(error.code, "INVALID_PARAMS");
    assert.match(error.message, /^Control is held down in this tab, /);
    assert.match(error.nextStep, /key "Control" and action "up"$/);
  });

test("a key that is not held cannot be let go, and the error tells which are", async () => {
  assert.match((await lift("Shift")).error.message, /Shift is not held down in this tab \(nothing is\)$/);
  await hold("Alt");
  assert.match((await lift("Shift")).error.message, /\(only Alt\)$/);
  assert.deepEqual((await hold("Control")).result.held, ["Alt", "Control"]);
});

test("another page never hears of a key, and who lets go of it is told why", async () => {
  await hold("Control");
  tab.shows("L2", "https://shop.example/next");
  const { error } = await lift("Control");
  assert.match(error.message, /\(nothing is any more: the tab shows another page\)$/);
  assert.deepEqual(keys(), ["rawKeyDown Control"]);
});

test("what held the tab lets go of its keys, the last one first", async () => {
  await hold("Control");
  await hold("w");
  tab.chrome.sent.length = 0;
  await tab.session.letGoOfKeys("nobody has the tab");
  assert.deepEqual(keys(), ["keyUp w", "keyUp Control"]);
  assert.equal((await tab.run("hover", { ref: "e1" })).result.held, undefined);
});
