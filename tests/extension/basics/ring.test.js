import assert from "node:assert/strict";
import { test } from "../testing.js";
import { Ring } from "../../../extension/basics/ring.js";

const filled = (capacity, count) => {
  const ring = new Ring(capacity);
  for (let item = 1; item <= count; item += 1) ring.push(item);
  return ring;
};

test("an empty ring has nothing", () => {
  const ring = new Ring(3);
  assert.deepEqual([ring.length, ring.dropped, [...ring.newestFirst()]], [0, 0, []]);
});

test("what fits is kept, newest first", () => {
  assert.deepEqual([...filled(3, 2).newestFirst()], [2, 1]);
});

test("beyond the capacity the oldest are dropped and counted", () => {
  for (let count = 3; count < 12; count += 1) {
    const ring = filled(3, count);
    assert.deepEqual([...ring.newestFirst()], [count, count - 1, count - 2]);
    assert.deepEqual([ring.length, ring.dropped], [3, count - 3]);
  }
});

test("looking stops where the reader stops", () => {
  const [newest] = filled(10_000, 25_000).newestFirst();
  assert.equal(newest, 25_000);
});

test("a cleared ring says how much it forgot and fills again", () => {
  const ring = filled(3, 5);
  assert.equal(ring.clear(), 3);
  assert.deepEqual([ring.length, ring.dropped, [...ring.newestFirst()]], [0, 0, []]);
  for (const item of [6, 7, 8, 9]) ring.push(item);
  assert.deepEqual([[...ring.newestFirst()], ring.dropped], [[9, 8, 7], 1]);
});
