import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { connectedTab } from "../tab.js";
import { test } from "../testing.js";

let tab, chrome, seen, spots;

beforeEach(async () => {
  tab = await connectedTab();
  ({ chrome } = tab);
  spots = [];
  seen = [];
  chrome.page.locate = (_target, { guard }) => {
    spots.push(guard);
    return { x: 10 * spots.length, y: 20, element: "<button>" };
  };
  const ended = new Set();
  chrome.page.endGuard = (id) => {
    const told = ended.has(id) ? null : (seen.shift() ?? null);
    ended.add(id);
    return told;
  };
});

const click = (params = {}) =>
  tab.run("click", { selector: "button", button: "left", clickCount: 1, modifiers: [], ...params });
const presses = () =>
  tab
    .sent("Input.dispatchMouseEvent")
    .filter(({ type }) => type === "mousePressed")
    .map(({ x }) => x);

test("a press that was held back is made again where the target is then", async () => {
  seen = [
    { passed: 0, held: "<a>" },
    { passed: 1, held: null, hit: '<span class="in">' },
  ];
  const { result } = await click();
  assert.deepEqual(result, { clicked: '<span class="in">', x: 20, y: 20 });
  assert.deepEqual(presses(), [10, 20]);
  assert.equal(new Set(spots).size, 2, "each press has a number of its own");
});

test("a target that is away each time is given up, and what was in its place is named", async () => {
  seen = Array.from({ length: 9 }, () => ({ passed: 0, held: "<a>" }));
  const { error } = await click();
  assert.equal(error.code, "ELEMENT_NOT_VISIBLE");
  assert.match(error.message, /^<button> moved away before each of 5 presses, and the last one would have reached <a>/);
  assert.equal(presses().length, 5);
});

test("after a press that was let through none is made again", async () => {
  seen = [{ passed: 1, held: "<a>", hit: "<button>" }];
  const { error } = await click({ clickCount: 2 });
  assert.equal(error.code, "EXECUTION_ERROR");
  assert.match(error.message, /^<button> was pressed 1 of 2 times, then <a> was in its place/);
  assert.equal(presses().length, 2);
});

test("where no guard sees a press the target's own words are the answer, which says so", async () =>
  assert.deepEqual((await click()).result, { clicked: "<button>", x: 10, y: 20, seen: false }));

test("what came of a press that nobody saw is not known", async () => {
  chrome.page.settled = () => ({ changed: false, ...chrome.pageState() });
  const { effects, outcome } = await click();
  assert.deepEqual([effects.changed, outcome.outcome], ["unknown", "unverifiable"]);
});

test("a guard ends with the question what came of its press, and by itself when the command fails", async () => {
  const argsOf = (name) =>
    tab
      .sent("Runtime.callFunctionOn")
      .filter(({ arguments: [{ value }] }) => value === name)
      .map(({ arguments: [, { value }] }) => value);
  await click();
  assert.deepEqual([argsOf("settled")[0], argsOf("endGuard").length], [[spots.at(-1)], 1]);
  assert.ok(
    argsOf("settled")
      .slice(1)
      .every((args) => args.length === 0),
  );
  seen = [{ passed: 1, held: null, hit: "<select>" }];
  chrome.page.openPopup = () => {
    throw new Error("a defect");
  };
  assert.equal((await click()).success, false);
  assert.deepEqual([argsOf("endGuard").length, argsOf("endGuard").at(-1)], [3, [spots.at(-1)]]);
  chrome.page.locate = () => {
    throw new Error("a defect");
  };
  assert.equal((await click()).success, false);
  assert.equal(argsOf("endGuard").length, 4);
});

test("a press that is held back while the mouse is down is let go before its guard ends", async () => {
  Object.assign(chrome.page, { startDrop: () => ({ x: 90, y: 90 }), viewport: () => ({ width: 800, height: 600 }) });
  Object.assign(chrome.page, { comeToRest: () => false, isOverDrop: () => true, endDrop: () => null });
  seen = [{ passed: 0, held: "<a>" }];
  const told = chrome.page.endGuard;
  const released = () => tab.sent("Input.dispatchMouseEvent").filter(({ type }) => type === "mouseReleased").length;
  const asked = [];
  chrome.page.endGuard = (id, isHeld = false) => {
    asked.push([isHeld, released()]);
    return told(id);
  };
  await tab.run("drag", { selector: "li", toX: 90, toY: 90, steps: 2, holdMs: 0 });
  assert.deepEqual(asked.slice(0, 2), [
    [true, 0],
    [false, 1],
  ]);
});

test("what a guard has told counts where its page answers nothing any more", async () => {
  chrome.page.endGuard = () => new Promise(() => {});
  chrome.replies["Input.dispatchMouseEvent"] = ({ type }) => {
    if (type !== "mousePressed") return;
    const payload = JSON.stringify({ id: spots.at(-1), passed: 1, held: null, hit: "<a>" });
    chrome.cdp(7, "Runtime.bindingCalled", { name: "kapturePress", payload });
  };
  assert.equal((await click()).result.clicked, "<a>");
});

test("the report of an earlier press is none of this one", async () => {
  chrome.cdp(7, "Runtime.bindingCalled", {
    name: "kapturePress",
    payload: JSON.stringify({ id: 0, passed: 0, held: "<a>", hit: null }),
  });
  assert.equal((await click()).result.clicked, "<button>");
});

test("no other document of the tab lets the press through", async () => {
  const guarded = [];
  chrome.page.guardOthers = (id) => guarded.push(id);
  chrome.announceWorld(7, "F9", "W9");
  await click();
  assert.deepEqual(guarded, [spots[0], spots[0]]);
});

test("a press that another document held back is made again, though its report is late", async () => {
  chrome.announceWorld(7, "F9", "W9");
  let isFirst = true;
  chrome.page.endGuard = () => {
    const isElsewhere = chrome.sent.at(-1).params.uniqueContextId === "W9";
    if (isFirst && isElsewhere) isFirst = false;
    else if (isFirst || isElsewhere) return null;
    return isElsewhere ? { passed: 0, held: "<iframe>", hit: null } : { passed: 1, held: null, hit: "<button>" };
  };
  assert.deepEqual((await click()).result, { clicked: "<button>", x: 20, y: 20 });
  assert.deepEqual(presses(), [10, 20]);
});

test("what another document held back of a double click takes nothing from the press that went through", async () => {
  chrome.announceWorld(7, "F9", "W9");
  chrome.page.endGuard = () =>
    chrome.sent.at(-1).params.uniqueContextId === "W9"
      ? { passed: 0, held: "<iframe>", hit: null }
      : { passed: 1, held: null, hit: "<button>" };
  const { error } = await click({ clickCount: 2 });
  assert.equal(error.code, "EXECUTION_ERROR");
  assert.match(error.message, /^<button> was pressed 1 of 2 times, then <iframe> was in its place/);
  assert.equal(presses().length, 2);
});

test("what the guard says in the end counts, though only the first report of two has come", async () => {
  chrome.replies["Input.dispatchMouseEvent"] = ({ type, clickCount }) => {
    if (type === "mousePressed" && clickCount === 1)
      chrome.cdp(7, "Runtime.bindingCalled", {
        name: "kapturePress",
        payload: JSON.stringify({ id: spots[0], passed: 1, held: null, hit: "<button>" }),
      });
    return {};
  };
  seen = [{ passed: 1, held: "<a>", hit: "<button>" }];
  const { error } = await click({ clickCount: 2 });
  assert.match(error.message, /^<button> was pressed 1 of 2 times, then <a> was in its place/);
});
