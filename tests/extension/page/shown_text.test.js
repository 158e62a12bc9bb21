// Whether the rows an editor shows are the lines of a text.
import "./jsdom.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { fitsRows } from "../../../extension/page/shown_text.js";

const MANY = Array.from({ length: 20 }, (_, index) => `row ${index}`).join("\n");

const FITS = {
  "line by line": ["one\ntwo", ["one", "two"]],
  "blank lines are not drawn": ["one\n\ntwo\n", ["one", "two"]],
  "blanks are drawn as the editor likes": ["  a  b", ["a\u00a0\u00a0b\u200b"]],
  "a long line is broken": ["one two three\nfour", ["one two", "three", "four"]],
  "no text": ["", []],
  "the end of a long text": [MANY, ["row 16", "row 17", "row 18", "row 19"]],
  "the end of a long line": [`${"a b ".repeat(50)}c`, ["a b a b", "a b", "a b", "c"]],
};
for (const [why, [value, rows]] of Object.entries(FITS))
  test(`rows fit a text: ${why}`, () => assert.equal(fitsRows(value, rows), true));

const DIFFERS = {
  "a line is missing": ["one\ntwo\nthree", ["one", "three"]],
  "a line is missing at the end": ["one\ntwo", ["one"]],
  "something else stands before it": ["x", ["old", "x"]],
  "something else stands after it": ["x", ["x", "old"]],
  "lines were joined": ["one\ntwo", ["onetwo"]],
  "the old text is still there": ["", ["old"]],
  "nothing was taken": ["x", []],
  "too little to be the end of a long text": [MANY, ["row 19"]],
  "the start of a long text": [MANY, ["row 0", "row 1", "row 2"]],
  "signs were changed": ["ab", ["AB"]],
};
for (const [why, [value, rows]] of Object.entries(DIFFERS))
  test(`rows differ from a text: ${why}`, () => assert.equal(fitsRows(value, rows), false));

test("a long text is not copied for each of its lines", (t) => {
  let copied = 0;
  const { slice, shift } = Array.prototype;
  t.after(() => Object.assign(Array.prototype, { slice, shift }));
  Array.prototype.slice = function (...range) {
    const part = slice.apply(this, range);
    copied += part.length;
    return part;
  };
  Array.prototype.shift = function () {
    copied += 1;
    return shift.call(this);
  };
  const lines = Array.from({ length: 2000 }, (_, index) => `row ${index}`);
  const end = lines.slice(-30);
  copied = 0;
  assert.equal(fitsRows(lines.join("\n"), end), true);
  assert.equal(fitsRows(lines.join("\n"), ["x", "y", "z"]), false);
  assert.ok(copied <= 2 * lines.length, `${copied} copied`);
});
