import assert from "node:assert/strict";
import { sendTrusted, show } from "./jsdom.js";
import { endDrop, expectDrop } from "../../../extension/page/drop.js";
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
