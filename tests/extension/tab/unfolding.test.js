import assert from "node:assert/strict";
import vm from "node:vm";
import { leftOut, unfoldingOf } from "../../../extension/tab/unfolding.js";
import { test } from "../testing.js";

/** What the function sent to a page makes of what `code` comes to there, with a Node class as pages have one. */
function unfolded(code, linesBefore = 0) {
  const page = vm.createContext({ Headers, URLSearchParams, URL, DOMException });
  const run = `class Node { #type = 1; get nodeType() { return this.#type; } }; (${unfoldingOf(linesBefore)}).call(${code})`;
  return vm.runInContext(run, page);
}
const plain = (value) => JSON.parse(JSON.stringify(value));

for (const [what, code, wanted] of [
  ["an object", "({ a: 1, b: [true, null] })", { a: 1, b: [true, null] }],
  ["getters of a class", "new (class { x = 1; get y() { return { z: 2 }; } })()", { x: 1, y: { z: 2 } }],
  ["a getter that throws", "new (class { get y() { throw new Error('no'); } })()", { y: "[threw no]" }],
  ["toJSON", "({ toJSON() { return { made: new Map([['a', 1]]) }; } })", { made: { a: 1 } }],
  ["a map", "new Map([['a', 1], [2, 3]])", { a: 1, 2: 3 }],
  ["a map with objects as keys", "new Map([[{ k: 1 }, 2]])", [[{ k: 1 }, 2]]],
  ["a set", "new Set([1, [2]])", [1, [2]]],
  ["a typed array", "new Float32Array([1.5, 2])", [1.5, 2]],
  ["a buffer", "new ArrayBuffer(8)", "[ArrayBuffer of 8 bytes]"],
  ["headers", "new Headers({ a: 'b' })", { a: "b" }],
  ["an address's parameters", "new URLSearchParams('a=1&a=2&b=3')", { a: ["1", "2"], b: "3" }],
  ["an address", "new URL('https://a.example/x')", "https://a.example/x"],
  ["a key named __proto__", 'JSON.parse(\'{"__proto__":{"evil":1}}\')', JSON.parse('{"__proto__":{"evil":1}}')],
])
  test(`${what} is told in plain objects and lists`, () => assert.deepEqual(plain(unfolded(code)[0]), wanted));

test("an error tells its name, message, stack and cause, its lines as those of the code", () => {
  const code = "\nnew RangeError('a', { cause: Object.assign(new TypeError('b'), { code: 7 }) })";
  const [told] = unfolded(code);
  assert.deepEqual([told.name, told.message, told.cause.name, told.cause.code], ["RangeError", "a", "TypeError", 7]);
  const [placed] = unfolded("({ name: 'E', stack: 'E\\n at <anonymous>:3:4', __proto__: Error.prototype })", 1);
  assert.equal(placed.stack, "E\n at <anonymous>:2:4");
});

test("what holds itself stays a circle, for Chrome to tell, and what is held twice stays one object", () => {
  const [told] = unfolded("(() => { const o = { all: [] }; o.self = o; o.all.push(o, o.all); return o; })()");
  assert.ok(told.self === told && told.all[0] === told && told.all[1] === told.all);
});

test("a node is left to Chrome", () => {
  const [told] = unfolded("({ node: new Node() })");
  assert.equal(told.node.constructor.name, "Node");
});

test("of what is very long the rest is counted", () => {
  const [told, items] = unfolded("new Uint8Array(5000)");
  assert.deepEqual([told.length, items], [1000, 4000]);
  const [list, more] = unfolded("Array.from({ length: 100_004 }, () => 1)");
  assert.deepEqual([list.length, more], [100_000, 4]);
  const [objects, , left] = unfolded("Array.from({ length: 100_000 }, () => ({}))");
  assert.deepEqual([objects.at(-1), left], ["[Object]", 1]);
  assert.deepEqual(leftOut(0, 0), []);
  assert.deepEqual(leftOut(0, 2), ["2 objects beyond the first 100000 are only named"]);
});
