import assert from "node:assert/strict";
import { page } from "./jsdom.js";
import { changesBetweenLooks, movingPlace, noteLook, noteMove } from "../../../extension/page/own_motion.js";
import { test } from "../testing.js";

const { document } = page.window;
const newPlace = () => document.body.appendChild(document.createElement("div"));
const LONG_AGO = -Infinity;

/** A place that changed at these times, in ms. */
function moved(t, times, { actedAt = LONG_AGO, kind = "content" } = {}) {
  const place = newPlace();
  let now = 0;
  t.mock.method(performance, "now", () => now);
  for (now of times) noteMove(place, kind, actedAt);
  const moving = (one = place, of = "content") => movingPlace(one, of, now);
  return { place, at: (time) => void (now = time), moving };
}

test("a place that changes again and again moves by itself, with all that is in it", (t) => {
  const { place, at, moving } = moved(t, [1000, 2000, 3000]);
  at(3500);
  assert.equal(moving(), place);
  assert.equal(moving(place.appendChild(document.createElement("b")), "attributes"), place);
  assert.equal(moving(place, "scroll"), place, "what makes its content anew does anything");
  assert.equal(moving(document.body), null);
});

test("a page that stands still for a moment, on a busy machine, goes on changing by itself", (t) => {
  const { place, at, moving } = moved(t, [1000, 1060, 1120, 1900, 1960, 2020]);
  at(2800);
  assert.equal(moving(), place, "as long as it stood still before");
  at(5000);
  assert.equal(moving(), null);
});

test("it may do so thrice in a row of changes, and during an action that comes then", (t) => {
  const { place, at, moving } = moved(t, [1000, 1060, 1900, 1960, 2700, 2760, 3600, 3660]);
  at(4600);
  assert.equal(moving(), place);
});

for (const [words, times, now, more] of [
  ["changed twice", [1000, 2000], 2500, {}],
  ["stopped", [1000, 2000, 3000], 9000, {}],
  ["changes at no interval", [1000, 1100, 9000], 9500, {}],
  ["was busy twice", [1000, 1060, 1900, 1960, 2800, 2860], 2900, {}],
  ["changes seldom", [1000, 21_000, 41_000], 41_500, {}],
  ["changed thrice in one go", [1000, 1010, 1020], 1100, {}],
  ["changes some time after each action", [3000, 6000, 9000], 9100, { actedAt: 8000 }],
])
  test(`a place that ${words} does not move by itself`, (t) => {
    const { at, moving } = moved(t, times, more);
    at(now);
    assert.equal(moving(), null);
  });

test("what a look finds changed twice between actions changes by itself, until some looks later", () => {
  const [field, other] = [newPlace(), newPlace()];
  noteLook([field, other]);
  assert.equal(changesBetweenLooks(field), false);
  noteLook([]);
  noteLook([field]);
  assert.deepEqual([changesBetweenLooks(field), changesBetweenLooks(other)], [true, false]);
  for (let look = 0; look < 5; look += 1) noteLook([]);
  assert.equal(changesBetweenLooks(field), false);
});
