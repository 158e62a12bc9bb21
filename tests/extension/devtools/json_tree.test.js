import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { jsonTree } from "../../../extension/devtools/json_tree.js";
import { click, emit, showDocument } from "../dom.js";
import { test } from "../testing.js";

beforeEach(() => showDocument());

test("two levels are open, the third is made when it is opened", async () => {
  const tree = jsonTree({ a: { b: { c: { d: 1 } } } });
  const branches = [...tree.querySelectorAll("details")];
  assert.deepEqual(
    branches.map(({ open }) => open),
    [true, true, false],
  );
  assert.equal(branches[2].childElementCount, 1);
  branches[2].open = true;
  await emit(branches[2], "toggle");
  assert.match(branches[2].textContent, /d1$/);
});

test("each kind of value is told apart", () => {
  const tree = jsonTree({ s: "text", n: 1, t: true, z: null, list: [], object: {} });
  const kinds = [...tree.querySelectorAll("span")].map(({ className }) => className).filter((name) => name !== "key");
  assert.deepEqual(kinds, ["string", "number", "boolean", "null", "null", "null"]);
  assert.match(tree.textContent, /s"text"/);
});

test("a long list comes in parts", async () => {
  const tree = jsonTree({ list: Array.from({ length: 450 }, (_, index) => index) });
  const leaves = () => tree.querySelectorAll("div.leaf").length;
  assert.equal(leaves(), 200);
  await click(tree.querySelector("button"));
  assert.equal(leaves(), 400);
  await click(tree.querySelector("button"));
  assert.deepEqual([leaves(), tree.querySelector("button")], [450, null]);
});

test("a value that is not an object is shown, too", () => {
  assert.match(jsonTree(5).textContent, /value5/);
});
