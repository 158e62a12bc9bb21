import assert from "node:assert/strict";
import { afterEach, beforeEach } from "node:test";
import { Hands } from "../../../extension/tab/hands.js";
import { Clock } from "../clock.js";
import { test } from "../testing.js";

let clock, sent, told, hands, page, tab;
beforeEach(() => {
  clock = new Clock();
  sent = [];
  told = [];
  page = { pressedAt: () => ({ role: "button", name: "Log in" }), typedAt: () => ({ role: "textbox", name: "Email" }) };
  tab = {
    tell: ({ act, role, name }) => told.push(`${act} ${role} ${name}`.trim()),
    dialogs: { open: null },
    heldKeys: { modifiers: 0 },
    navigation: { frameId: "top" },
    children: {},
    worlds: { known: () => "world" },
    typedSecrets: { noted: (target) => target },
    screencast: { show() {} },
    cdp: {
      async send(method, params) {
        if (method !== "Runtime.callFunctionOn")
          return void sent.push([method.replace("Input.", ""), params.type ?? params.text]);
        const name = params.arguments[0].value;
        sent.push([name]);
        return { result: { value: { value: await page[name](...params.arguments[1].value) } } };
      },
    },
  };
  hands = new Hands(tab);
});
afterEach(() => clock.stop());

const at = { x: 10, y: 20 };
const types = (text) => {
  for (const key of text) for (const down of [true, false]) hands.key({ key, down });
};

test("what was not stepped into hears nothing", async () => {
  hands.mouse({ act: "down", ...at, button: "left" });
  types("a");
  hands.text({ text: "b" });
  hands.compose({ text: "c", start: 1, end: 1 });
  await clock.tick(50);
  assert.deepEqual([sent, told], [[], []]);
});

test("the page says what is pressed before it is, and the press is told by that", async () => {
  hands.begin();
  hands.mouse({ act: "down", ...at, button: "left", count: 1 });
  hands.mouse({ act: "up", ...at, button: "left", count: 1 });
  await clock.tick(50);
  assert.deepEqual(sent, [
    ["pressedAt"],
    ["dispatchMouseEvent", "mousePressed"],
    ["dispatchMouseEvent", "mouseReleased"],
  ]);
  assert.deepEqual(told, ["pressed button Log in"]);
});

test("the page is asked where somebody types once the press before has reached it", async () => {
  const pressed = Promise.withResolvers();
  const { send } = tab.cdp;
  tab.cdp.send = async (method, params) => {
    await send(method, params);
    if (params.type === "mousePressed") await pressed.promise;
  };
  hands.begin();
  hands.mouse({ act: "down", ...at, button: "left" });
  await clock.tick(10);
  hands.key({ key: "a", down: true });
  await clock.tick(10);
  assert.deepEqual(sent.at(-1), ["dispatchMouseEvent", "mousePressed"]);
  pressed.resolve();
  await clock.tick(10);
  assert.deepEqual(sent.slice(2), [["typedAt"], ["dispatchKeyEvent", "keyDown"]]);
});

test("of what is typed only the field is told, once, and what led to another one", async () => {
  hands.begin();
  types("ada");
  hands.key({ key: "Tab", down: true });
  await clock.tick(50);
  page.typedAt = () => ({ role: "textbox", name: "Password" });
  types("secret");
  hands.key({ key: "Enter", down: true });
  await clock.tick(50);
  assert.deepEqual(told, ["typed textbox Email", "typed textbox Password", "pressed Enter textbox Password"]);
  assert.equal(JSON.stringify(told).includes("secret"), false);
  assert.equal(sent.filter(([method]) => method === "typedAt").length, 3);
});

test("the clipboard, an input method, a wheel and a drag are told by their kind", async () => {
  hands.begin();
  hands.text({ text: "x", pasted: true });
  hands.compose({ text: "ni", start: 2, end: 2 });
  hands.text({ text: "你" });
  hands.mouse({ act: "wheel", ...at, deltaY: 100 });
  hands.mouse({ act: "wheel", ...at, deltaY: 100 });
  hands.mouse({ act: "down", ...at, button: "left" });
  hands.mouse({ act: "up", x: 90, y: 20, button: "left" });
  await clock.tick(50);
  assert.deepEqual(told, [
    "pasted textbox Email",
    "typed textbox Email",
    "scrolled",
    "pressed button Log in",
    "dragged",
  ]);
  assert.deepEqual(sent.at(2), ["imeSetComposition", "ni"]);
});

test("a page that does not answer gets the acts all the same, told without what they are done to", async () => {
  const answer = Promise.withResolvers();
  page.pressedAt = () => answer.promise;
  hands.begin();
  hands.mouse({ act: "down", ...at, button: "left" });
  types("a");
  hands.mouse({ act: "down", x: 30, y: 20, button: "left" });
  await clock.tick(50);
  assert.deepEqual(sent, [["pressedAt"]]);
  await clock.tick(1_500); // once, not for each of them
  assert.deepEqual(sent.at(-1), ["dispatchMouseEvent", "mousePressed"]);
  answer.resolve({ role: "link", name: "where the press has led" });
  await clock.tick(10);
  assert.deepEqual(told, ["pressed", "typed", "pressed"]);
  page.pressedAt = () => ({ role: "button", name: "Log in" });
  hands.mouse({ act: "down", ...at, button: "left" });
  await clock.tick(10);
  assert.equal(told.at(-1), "pressed button Log in");
});

test("a page that is slow takes what is typed after it has said where", async () => {
  let focused = { role: "textbox", name: "Email" };
  const { send } = tab.cdp;
  tab.cdp.send = async (method, params) => {
    if (params.key === "Tab") focused = { role: "textbox", name: "Password" };
    return send(method, params);
  };
  page.typedAt = () => new Promise((resolve) => setTimeout(() => resolve(focused), 400));
  hands.begin();
  types("ada");
  hands.key({ key: "Tab", down: true });
  types("secret");
  await clock.tick(1_000);
  assert.deepEqual(told, ["typed textbox Email", "typed textbox Password"]);
});

test("who gives the tab back leaves nothing pressed, and all is told by then", async () => {
  hands.begin();
  hands.mouse({ act: "down", ...at, button: "left" });
  hands.key({ key: "Shift", down: true });
  const ending = hands.end();
  await clock.tick(50);
  await ending;
  assert.deepEqual(sent.slice(-2), [
    ["dispatchKeyEvent", "keyUp"],
    ["dispatchMouseEvent", "mouseReleased"],
  ]);
  assert.deepEqual(told, ["pressed button Log in"]);
  const before = sent.length;
  await hands.end();
  types("late");
  assert.equal(sent.length, before);
});
