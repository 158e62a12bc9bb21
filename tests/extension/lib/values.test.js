import assert from "node:assert/strict";
import { test } from "../testing.js";
import { plain } from "../../../extension/lib/values.js";

const number = (value) => ({ type: "number", value });

for (const [what, given, wanted] of [
  ["undefined", { type: "undefined" }, null],
  ["null", { type: "null" }, null],
  ["a string", { type: "string", value: "a" }, "a"],
  ["a number", number(1.5), 1.5],
  ["NaN", number("NaN"), "NaN"],
  ["minus zero", number("-0"), "-0"],
  ["Infinity", number("Infinity"), "Infinity"],
  ["a boolean", { type: "boolean", value: false }, false],
  ["a bigint", { type: "bigint", value: "12345678901234567890" }, "12345678901234567890n"],
  ["a date", { type: "date", value: "2026-01-02T03:04:05.000Z" }, "2026-01-02T03:04:05.000Z"],
  ["a regular expression", { type: "regexp", value: { pattern: "a/b", flags: "gi" } }, "/a/b/gi"],
  ["one without flags", { type: "regexp", value: { pattern: "a" } }, "/a/"],
  ["a symbol", { type: "symbol" }, "[symbol]"],
  ["a function", { type: "function" }, "[function]"],
  ["an array", { type: "array", value: [number(1), { type: "null" }] }, [1, null]],
  ["a set", { type: "set", value: [number(1)] }, [1]],
  ["a node list", { type: "nodelist", value: [{ type: "node", value: { nodeType: 1, localName: "p" } }] }, ["<p>"]],
  ["a collection", { type: "htmlcollection", value: [] }, []],
  ["an object", { type: "object", value: [["a", number(1)], ["b", { type: "array", value: [] }]] }, { a: 1, b: [] }],
  ["a map with keys that are no strings", { type: "map", value: [[number(1), number(2)], [{ type: "object", value: [] }, number(3)]] }, { 1: 2, "[object Object]": 3 }],
  ["an element", { type: "node", value: { nodeType: 1, localName: "a", attributes: { href: "/x", id: "y" } } }, '<a href="/x" id="y">'],
  ["a text node", { type: "node", value: { nodeType: 3, nodeValue: "hello" } }, "hello"],
  ["a document", { type: "node", value: { nodeType: 9 } }, "[document]"],
  ["a node without a value", { type: "node" }, "<node>"],
  ["an array too deep or seen before", { type: "array" }, "[array]"],
  ["an object too deep or seen before", { type: "object" }, "[object]"],
  ...["weakmap", "weakset", "generator", "error", "proxy", "promise", "typedarray", "arraybuffer", "window", "something-new"].map((type) => [`a ${type}`, { type }, `[${type}]`]),
])
  test(`${what} becomes plain`, () => assert.deepEqual(plain(given), wanted));

test("a key named __proto__ stays a key", () => {
  const made = plain({ type: "object", value: [["__proto__", { type: "object", value: [["evil", number(1)]] }]] });
  assert.equal(Object.getPrototypeOf(made), Object.prototype);
  assert.equal(JSON.stringify(made), '{"__proto__":{"evil":1}}');
});
