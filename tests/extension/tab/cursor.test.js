import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { Cursor } from "../../../extension/tab/cursor.js";
import { Overlay } from "../../../extension/tab/overlay.js";
import { test } from "../testing.js";

let sent, cursor;
beforeEach(() => {
  sent = [];
  cursor = new Cursor(new Overlay({ send: async (method, params) => void sent.push({ method, ...params }) }));
});

const names = () => sent.map(({ method }) => method.replace("Overlay.", ""));
const tip = ({ quad: [x, y] }) => [x, y];

test("a cursor that is not to be seen costs the tab nothing", async () => {
  cursor.at({ x: 1, y: 2 });
  cursor.pressed();
  cursor.redraw();
  assert.equal(await cursor.hiddenWhile(async () => 7), 7);
  assert.deepEqual(sent, []);
});

test("its tip is the point of the mouse, from the moment it is to be seen", () => {
  cursor.at({ x: 1, y: 2 });
  cursor.show(true);
  cursor.show(true);
  assert.deepEqual(names(), ["DOM.enable", "enable", "highlightQuad"]);
  cursor.at({ x: 30, y: 40 });
  assert.deepEqual(tip(sent.at(-1)), [30, 40]);
  assert.deepEqual(sent.at(-1).color, { r: 37, g: 99, b: 235, a: 1 });
});

test("before the mouse was anywhere nothing is drawn", () => {
  cursor.show(true);
  assert.deepEqual(names(), ["DOM.enable", "enable"]);
});

test("a press is seen for a moment", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  cursor.show(true);
  cursor.at({ x: 5, y: 5 });
  cursor.pressed();
  const [calm, pressed] = sent.slice(-2);
  assert.deepEqual(tip(pressed), tip(calm));
  assert.notDeepEqual(pressed, calm);
  t.mock.timers.tick(180);
  assert.deepEqual(sent.at(-1), calm);
});

test("a picture is taken without it, also when the work fails", async () => {
  cursor.show(true);
  cursor.at({ x: 5, y: 5 });
  cursor.pressed();
  sent.length = 0;
  const work = async () => {
    cursor.redraw(); // a document that comes meanwhile
    sent.push({ method: "work" });
    throw new Error("no picture");
  };
  await assert.rejects(cursor.hiddenWhile(work), /no picture/);
  assert.deepEqual(names(), ["hideHighlight", "work", "highlightQuad"]);
});

test("switched off, the tab is as it was", () => {
  cursor.show(true);
  cursor.at({ x: 5, y: 5 });
  sent.length = 0;
  cursor.show(false);
  cursor.at({ x: 6, y: 6 });
  assert.deepEqual(names(), ["hideHighlight", "disable", "DOM.disable"]);
});

test("a tab that is gone is not an error of a drawing", async () => {
  cursor = new Cursor(new Overlay({ send: async () => Promise.reject(new Error("Debugger is not attached")) }));
  cursor.show(true);
  cursor.at({ x: 5, y: 5 });
  assert.equal(await cursor.hiddenWhile(async () => 1), 1);
});
