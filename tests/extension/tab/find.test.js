import assert from "node:assert/strict";
import { test } from "../testing.js";
import { linesSaying } from "../../../extension/tab/find.js";

const LINES = [
  '- heading "Orders" [ref=e1]',
  '- dialog "Order 7" [ref=e2]',
  ' - group "Line" [ref=e3]',
  '  - button "Save order" [ref=e4] [disabled]',
  "  - text: saved before",
  ' - button "Cancel" [ref=e5]',
  '- textbox "Name" [ref=e6] value="Ann SAVE"',
];

test("the lines that say a text are told, each below what it is in, once", () => {
  assert.deepEqual(linesSaying(LINES, "Save"), [LINES[1], LINES[2], LINES[3], LINES[4], LINES[6]]);
  assert.deepEqual(linesSaying(LINES, "cancel"), [LINES[1], LINES[5]]);
});

test("blanks and case make no difference, states count, roles and refs do not", () => {
  assert.deepEqual(linesSaying(LINES, "  save \n ORDER"), [LINES[1], LINES[2], LINES[3]]);
  assert.deepEqual(linesSaying(LINES, "disabled"), [LINES[1], LINES[2], LINES[3]]);
  assert.deepEqual(linesSaying(LINES, "button"), []);
  assert.deepEqual(linesSaying(LINES, "e4"), []);
});

test("nothing is found in nothing", () => {
  assert.deepEqual(linesSaying([], "Save"), []);
});
