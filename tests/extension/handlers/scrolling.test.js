import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { connectedTab } from "../tab.js";
import { test } from "../testing.js";

const PLACE = { x: 0, y: 40, maxX: 0, maxY: 900, movedX: 0, movedY: 40 };

let tab;
let called;
beforeEach(async () => {
  tab = await connectedTab();
  called = [];
  const page = (name, reply) => (tab.chrome.page[name] = (...args) => (called.push([name, ...args]), reply));
  page("startWheel", { x: 30, y: 50 });
  page("endWheel", PLACE);
  page("dropWheel", null);
  page("scroll", { x: 0, y: 700 });
});

const events = () => tab.sent("Input.dispatchMouseEvent");

test("a wheel is turned where the mouse is led, and the answer is how far that got", async () => {
  const { result } = await tab.run("scroll", { ref: "e4", deltaY: 40 });
  assert.deepEqual(result, PLACE);
  assert.deepEqual(called, [["startWheel", { ref: "e4" }, { x: 0, y: 40 }], ["endWheel"]]);
  assert.deepEqual(events(), [
    { type: "mouseMoved", x: 30, y: 50 },
    { type: "mouseWheel", x: 30, y: 50, deltaX: 0, deltaY: 40 },
  ]);
});

test("what no wheel can reach is scrolled without one", async () => {
  tab.chrome.page.startWheel = () => ({});
  assert.deepEqual((await tab.run("scroll", { deltaX: 5 })).result, PLACE);
  assert.deepEqual(events(), []);
});

test("a wheel that could not be turned leaves the page to the person", async () => {
  tab.chrome.replies["Input.dispatchMouseEvent"] = ({ type }) => {
    if (type === "mouseWheel") throw new Error("Internal error");
  };
  assert.equal((await tab.run("scroll", { ref: "e4", deltaY: 40 })).error.code, "EXECUTION_ERROR");
  assert.equal(called.at(-1)[0], "dropWheel");
});

for (const params of [{ toX: 3, toY: 700 }, { ref: "e4" }])
  test(`a place is gone to without a wheel: ${Object.keys(params)}`, async () => {
    assert.deepEqual((await tab.run("scroll", params)).result, { x: 0, y: 700 });
    const { toX, toY, ...target } = params;
    assert.deepEqual(called, [["scroll", target, { toX, toY }]]);
    assert.deepEqual(events(), []);
  });
