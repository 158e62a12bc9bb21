import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { connectedTab } from "../tab.js";
import { test } from "../testing.js";

let tab, chrome, places, over, landed;

beforeEach(async () => {
  tab = await connectedTab();
  ({ chrome } = tab);
  places = [];
  over = [];
  landed = { hit: "<div>", isRight: true, isDropped: false };
  Object.assign(chrome.page, {
    startDrop: () => ({ x: 100, y: 300 }),
    viewport: () => ({ width: 800, height: 600 }),
    locate: (_target, { guard }) =>
      guard ? { x: 100, y: 20, element: "<li>" } : { x: 100, y: places.shift() ?? 300, element: "<ul>" },
    endGuard: () => ({ passed: 1, held: null, hit: "<li>" }),
    comeToRest: () => false,
    isOverDrop: () => over.shift() ?? true,
    endDrop: () => landed,
  });
});

const drag = (params = {}) => tab.run("drag", { selector: "li", toSelector: "ul", steps: 4, holdMs: 0, ...params });
const mouse = () => tab.sent("Input.dispatchMouseEvent").map(({ type, y }) => `${type} ${y}`);
const handed = () => tab.sent("Input.dispatchDragEvent").map(({ type, y }) => `${type} ${y}`);
const becomesHtml5 = () => {
  chrome.replies["Input.dispatchMouseEvent"] = ({ type, buttons }) => {
    if (type === "mouseMoved" && buttons) chrome.cdp(7, "Input.dragIntercepted", { data: { items: [] } });
  };
};

test("the mouse is pressed, led a little, then to its destination, and let go there", async () => {
  const { result } = await drag();
  assert.deepEqual(result, { dragged: "<li>", to: "<ul>", kind: "pointer" });
  const all = mouse();
  assert.deepEqual(all.slice(0, 4), ["mouseMoved 20", "mousePressed 20", "mouseMoved 25", "mouseMoved 30"]);
  assert.equal(all.at(-1), "mouseReleased 300");
});

test("where there is no destination nothing is pressed", async () => {
  const answer = chrome.replies["Runtime.callFunctionOn"];
  const error = { code: "ELEMENT_NOT_FOUND", message: "nothing matches", waits: true };
  chrome.replies["Runtime.callFunctionOn"] = (params) =>
    params.arguments[0].value === "startDrop" ? { result: { value: { error } } } : answer(params);
  assert.equal((await drag({ wait: 0 })).error.code, "ELEMENT_NOT_FOUND");
  assert.deepEqual(mouse(), []);
});

const losesTheDestination = () => {
  const answer = chrome.replies["Runtime.callFunctionOn"];
  const error = { code: "ELEMENT_NOT_VISIBLE", message: "<ul> is moving", nextStep: "wait until it stands still" };
  chrome.replies["Runtime.callFunctionOn"] = (params) => {
    const [{ value: name }] = params.arguments;
    const isPressed = mouse().some((sent) => sent.startsWith("mousePressed"));
    return name === "locate" && isPressed ? { result: { value: { error } } } : answer(params);
  };
};

test("an error on the way says that the thing was let go of", async () => {
  losesTheDestination();
  const { error } = await drag({ wait: 0 });
  assert.equal(error.code, "ELEMENT_NOT_VISIBLE");
  assert.equal(error.nextStep, "wait until it stands still; <li> was dragged, and let go of on the way");
  assert.match(mouse().at(-1), /^mouseReleased /);
});

test("an error in an HTML5 drag says that it was cancelled", async () => {
  becomesHtml5();
  losesTheDestination();
  const { error } = await drag({ wait: 0 });
  assert.equal(error.nextStep, "wait until it stands still; the drag of <li> was cancelled");
});

test("a drag that the page begins as an HTML5 drag goes on with drag events", async () => {
  becomesHtml5();
  landed.isDropped = true;
  const { result } = await drag();
  assert.deepEqual(result, { dragged: "<li>", to: "<ul>", kind: "html5", dropped: true });
  const all = handed();
  assert.match(all[0], /^dragEnter /);
  assert.deepEqual(all.slice(-2), ["dragOver 300", "drop 300"]);
  assert.equal(mouse().at(-1), "mouseReleased 300");
});

test("an HTML5 drag that nothing takes says so", async () => {
  becomesHtml5();
  assert.equal((await drag()).result.dropped, false);
});

test("a destination that has moved away by itself is followed", async () => {
  places = [300, 350];
  over = [false, true];
  await drag();
  assert.equal(mouse().at(-1), "mouseReleased 350");
});

test("what a list put elsewhere is told with the item it lies beside", async () => {
  landed.beside = "<li>";
  assert.equal((await drag()).result.beside, "<li>");
});

test("what came down on something else is an error that names it", async () => {
  landed = { hit: "<a>", isRight: false, isDropped: false };
  const { error } = await drag();
  assert.match(error.message, /^it was dropped on <a>, which had come to where <ul> was/);
});
