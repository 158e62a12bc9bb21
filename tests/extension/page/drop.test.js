import assert from "node:assert/strict";
import { sendTrusted, show } from "./jsdom.js";
import { endDrop, expectDrop, isOverDrop, meanDrop } from "../../../extension/page/drop.js";
import { guardPress, watchPresses } from "../../../extension/page/press_guard.js";
import { test } from "../testing.js";

/** What lies at the pointer, the topmost first: jsdom lays nothing out. */
let under = [];
Document.prototype.elementsFromPoint = () => under;

const send = (kind) => sendTrusted(under[0], new PointerEvent(kind, { bubbles: true }));

test("what comes under the pointer after the release is not where it came down", () => {
  show("<p>goal</p><b>other</b>");
  const [goal, other] = document.body.children;
  for (const release of ["pointerup", "drop"]) {
    expectDrop(1, goal);
    under = [goal];
    send("pointermove");
    under = [other];
    send(release);
    under = [goal];
    send("pointermove");
    assert.deepEqual(endDrop(1), { hit: "<b>", isRight: false, isDropped: release === "drop" });
  }
});

test("nothing is known of a pointer that was not seen", () => {
  show("<p>goal</p>");
  under = [document.body.firstElementChild];
  expectDrop(1, under[0]);
  assert.equal(endDrop(1), null);
  expectDrop(2, under[0]);
  send("pointerup");
  assert.deepEqual(endDrop(2), { hit: "<p>", isRight: true, isDropped: false });
});

test("what lies over the goal is right when it can follow the pointer, as its neighbour cannot", () => {
  show("<ul><li>goal</li><li>neighbour</li></ul><p style='position: fixed'><b>ghost</b></p>");
  const [goal, neighbour] = document.querySelectorAll("li");
  for (const [above, isRight] of [
    [neighbour, false],
    [document.querySelector("b"), true],
  ]) {
    expectDrop(1, goal);
    under = [goal];
    send("pointermove");
    under = [above, goal];
    send("pointerup");
    assert.equal(endDrop(1).isRight, isRight, above.textContent);
  }
});

watchPresses();

/** A list whose first item was pressed, to be dropped at the one called 4. */
const list = (html) => {
  show(html);
  const items = Object.fromEntries([...document.querySelectorAll("li")].map((one) => [one.textContent, one]));
  guardPress(1, items[1], { x: 0, y: 0 }, { capture: false });
  under = [items[1]];
  send("pointerdown");
  meanDrop(1, items[4]);
  expectDrop(1, items[4]);
  return items;
};
const LIST = "<ul><li>1</li><li>2</li><li>3</li><li>4</li><li id='next'>5</li><li>6</li></ul>";
const isPlaced = (over = document.querySelector("ul")) => {
  under = [over];
  send("pointermove");
  return isOverDrop(1);
};

test("what a list has put beside the destination is at its place, past the next item it is not", () => {
  const items = list(LIST);
  under = [items[4]];
  send("pointermove");
  items[5].after(items[1]);
  assert.equal(isPlaced(), false);
  items[4].after(items[1]);
  assert.equal(isPlaced(), true);
  items[5].after(items[1]);
  send("pointerup");
  assert.equal(endDrop(1).beside, '<li id="next">');
});

test("what stopped short of the destination is not at its place, though the pointer is", () => {
  const items = list(LIST);
  items[2].after(items[1]);
  assert.equal(isPlaced(items[4]), false);
  items[3].after(items[1]);
  assert.equal(isPlaced(items[4]), true);
});

test("what moved with it, marks of another kind, and ghosts do not lie between", () => {
  const marked = '<ul><li>1</li><li class="mark">m</li><li>4</li><li class="mark">n</li><li>5</li></ul>';
  for (const [html, move] of [
    [LIST, (items) => items[4].after(items[2], items[1])],
    [LIST, (items) => (items[2].before(items[4]), items[5].before(items[1]))],
    [marked, (items) => items.n.after(items[1])],
    [LIST, (items) => items[4].after(items[1].cloneNode(true), items[1])],
  ]) {
    const items = list(html);
    under = [items[4]];
    send("pointermove");
    move(items);
    assert.equal(isPlaced(), true);
    send("pointerup");
    assert.equal(endDrop(1).beside, undefined);
  }
});
