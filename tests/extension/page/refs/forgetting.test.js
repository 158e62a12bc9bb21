// Refs of elements that are long gone are told from those that never were, and cost no more than their number.
import { show } from "../jsdom.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { byRef, knowsRef, meantBy, nextRef, refOf, startRefs } from "../../../../extension/page/refs/refs.js";

/** When memory is collected is not ours to say. */
const collected = new Set();
const { deref } = WeakRef.prototype;
WeakRef.prototype.deref = function () {
  const target = deref.call(this);
  return collected.has(target) ? undefined : target;
};

const lookOften = (times) => {
  for (let count = 0; count < times; count += 1) startRefs({ from: nextRef, accepted: nextRef });
};
const buttons = () => {
  show("<button>Gone</button><button>Kept</button>");
  lookOften(1);
  const all = [...document.querySelectorAll("button")];
  return all.map((element) => [element, refOf(element, "button", element.textContent)]);
};

test("a ref is remembered while its element may come back, and its number for good", () => {
  const [[gone, ref], [, kept]] = buttons();
  gone.remove();
  collected.add(gone);
  lookOften(50);
  assert.deepEqual(meantBy(ref), { role: "button", name: "Gone", element: null });
  assert.throws(() => byRef(ref), { code: "STALE_REF", message: /^e\d+ \(button "Gone"\) is no longer in the page/ });
  lookOften(1);
  assert.equal(meantBy(ref), null);
  assert.equal(knowsRef(ref), true);
  assert.throws(() => byRef(ref), { code: "STALE_REF", message: `${ref} is no longer in the page` });
  assert.equal(meantBy(kept).name, "Kept");
});

test("what is out of the page and still held by it is remembered", () => {
  const [[gone, ref]] = buttons();
  gone.remove();
  lookOften(60);
  assert.equal(meantBy(ref).name, "Gone");
});
