import assert from "node:assert/strict";
import { test } from "../testing.js";
import { asJson } from "../../../extension/tab/values.js";

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
  [
    "an object",
    {
      type: "object",
      value: [
        ["a", number(1)],
        ["b", { type: "array", value: [] }],
      ],
    },
    { a: 1, b: [] },
  ],
  [
    "a map with keys that are not strings",
    {
      type: "map",
      value: [
        [number(1), number(2)],
        [{ type: "object", value: [] }, number(3)],
      ],
    },
    { 1: 2, "[object Object]": 3 },
  ],
  [
    "an element",
    { type: "node", value: { nodeType: 1, localName: "a", attributes: { href: "/x", id: "y" } } },
    '<a href="/x" id="y">',
  ],
  ["a text node", { type: "node", value: { nodeType: 3, nodeValue: "hello" } }, "hello"],
  ["a document", { type: "node", value: { nodeType: 9 } }, "[document]"],
  ["a node without a value", { type: "node" }, "<node>"],
  ...[
    "weakmap",
    "weakset",
    "generator",
    "error",
    "proxy",
    "promise",
    "typedarray",
    "arraybuffer",
    "window",
    "something-new",
  ].map((type) => [`a ${type}`, { type }, `[${type}]`]),
])
  test(`${what} becomes plain JSON`, () => assert.deepEqual(asJson(given, 50), { value: wanted }));

test("a key named __proto__ stays a key", () => {
  const { value: made } = asJson(
    { type: "object", value: [["__proto__", { type: "object", value: [["evil", number(1)]] }]] },
    50,
  );
  assert.equal(Object.getPrototypeOf(made), Object.prototype);
  assert.equal(JSON.stringify(made), '{"__proto__":{"evil":1}}');
});

const text = (value) => ({ type: "string", value });
const list = (...value) => ({ type: "array", value });
const object = (value) => ({ type: "object", value: Object.entries(value) });
/** As Chrome tells what it meets more than once: with its contents the first time, then by its number alone. */
const first = (number, given) => ({ ...given, weakLocalObjectReference: number });
const again = (weakLocalObjectReference, type = "object") => ({ type, weakLocalObjectReference });

test("what is in several places is told in each", () => {
  const many = list(first(1, object({ a: number(1) })), ...Array(19_999).fill(again(1)));
  // As text: a difference between long lists takes minutes to be shown.
  assert.ok(JSON.stringify(asJson(many, 50)) === JSON.stringify({ value: Array(20_000).fill({ a: 1 }) }));
});

for (const [what, given, wanted] of [
  ["an array", first(1, list(number(1))), [1]],
  ["a set", first(1, { type: "set", value: [number(1)] }), [1]],
  ["a map", first(1, { type: "map", value: [["a", number(1)]] }), { a: 1 }],
  ["a date", first(1, { type: "date", value: "2026-01-02T03:04:05.000Z" }), "2026-01-02T03:04:05.000Z"],
  ["a regular expression", first(1, { type: "regexp", value: { pattern: "a" } }), "/a/"],
  ["an element", first(1, { type: "node", value: { nodeType: 1, localName: "p" } }), "<p>"],
  ["a function", again(1, "function"), "[function]"],
])
  test(`${what} in two places is told in both`, () =>
    assert.deepEqual(asJson(list(given, again(1, given.type)), 50), { value: [wanted, wanted] }));

test("only what contains itself is circular, wherever it stands", () => {
  const child = first(2, object({ parent: again(1), name: text("c") }));
  const told = asJson(list(first(1, object({ child, self: again(1) })), again(1), again(2)), 50);
  const parent = { child: { parent: "[circular]", name: "c" }, self: "[circular]" };
  assert.deepEqual(told, {
    value: [parent, parent, { parent: { child: "[circular]", self: "[circular]" }, name: "c" }],
  });
});

test("what grows without bounds by being repeated is cut and said to be", () => {
  let grown = first(0, object({ text: text("x".repeat(100)) }));
  for (let level = 1; level < 45; level += 1) grown = first(level, list(grown, again(level - 1)));
  const { value, note } = asJson(grown, 50);
  const json = JSON.stringify(value);
  assert.ok(json.length < 10_000_000, String(json.length));
  assert.match(json, /"\[repeated\]"/);
  assert.match(note, /8000000 characters, then as "\[repeated\]" \(\d+ times\): ask for a part of it$/);
});

test("what is told once is never cut, however long it is", () => {
  const long = "x".repeat(9_000_000);
  assert.ok(asJson(list(first(1, object({ long: text(long) }))), 50).value[0].long === long);
});

test("what lies too deep is named, also where a repetition puts it there, and said to be", () => {
  for (const [given, wanted] of [
    [list(list({ type: "array" }, { type: "object" })), [["[array]", "[object]"]]],
    [list(first(1, list(list(number(1)))), list(again(1, "array"))), [["[array]"], ["[array]"]]],
  ])
    assert.deepEqual(asJson(given, 2), {
      value: wanted,
      note: 'what lies deeper than 2 levels is only named, as "[object]" (2 times): ask for a part of it',
    });
});

test("an element tells how to act on it, and what was left out before is said, too", () => {
  const button = { type: "node", value: { nodeType: 1, localName: "button", backendNodeId: 5 } };
  const nodes = new Map([[5, { selector: "#go", ref: "e3" }]]);
  assert.deepEqual(asJson(list(button), 50, nodes, ["3 items are left out"]), {
    value: [{ element: "<button>", selector: "#go", ref: "e3" }],
    note: "3 items are left out: ask for a part of it",
  });
});
