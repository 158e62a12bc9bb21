import assert from "node:assert/strict";
import { test } from "../testing.js";
import { describe as inWords, fromConsole, fromException, fromLog } from "../../../extension/tab/console_text.js";

const string = (value) => ({ type: "string", value });
const logged = (type, ...args) => fromConsole({ type, args, timestamp: 1700000000.12345 }, "page");

for (const [type, level] of [
  ["log", "log"],
  ["debug", "debug"],
  ["info", "info"],
  ["error", "error"],
  ["warning", "warn"],
  ["assert", "error"],
  ["dir", "log"],
  ["table", "log"],
  ["trace", "log"],
  ["clear", "log"],
  ["startGroup", "log"],
  ["endGroup", "log"],
  ["startGroupCollapsed", "log"],
  ["count", "log"],
  ["timeEnd", "log"],
  ["profile", "log"],
  ["dirxml", "log"],
])
  test(`console.${type} is a line of level ${level}`, () => assert.equal(logged(type, string("x")).level, level));

test("a line says when, what, where and in which context", () => {
  const line = fromConsole(
    {
      type: "log",
      args: [string("a"), { type: "number", value: 2, description: "2" }],
      timestamp: 1700000000.12345,
      stackTrace: { callFrames: [{ url: "https://shop.example/js/app.js?v=3#x", lineNumber: 11 }] },
    },
    "worker",
  );
  assert.deepEqual(line, { at: 1700000000.123, level: "log", text: "a 2", source: "app.js:12", context: "worker" });
});

test("a call without arguments is an empty line", () => assert.equal(logged("log").text, ""));

for (const [what, object, wanted] of [
  ["undefined", { type: "undefined" }, "undefined"],
  ["null", { type: "object", subtype: "null", value: null }, "null"],
  ["NaN", { type: "number", unserializableValue: "NaN", description: "NaN" }, "NaN"],
  ["a bigint", { type: "bigint", unserializableValue: "1n" }, "1n"],
  ["a boolean", { type: "boolean", value: true }, "true"],
  ["a symbol", { type: "symbol", description: "Symbol(a)" }, "Symbol(a)"],
  ["a function", { type: "function", description: "function f() {}" }, "function f() {}"],
  [
    "an error, with its stack",
    { type: "object", subtype: "error", description: "Error: no\n    at x", preview: {} },
    "Error: no\n    at x",
  ],
  ["a node", { type: "object", subtype: "node", description: "div#a", preview: {} }, "div#a"],
  [
    "an object",
    {
      type: "object",
      preview: {
        properties: [
          { name: "a", type: "number", value: "1" },
          { name: "b", type: "string", value: "x" },
        ],
        overflow: false,
      },
    },
    '{a: 1, b: "x"}',
  ],
  [
    "an object too large to show",
    { type: "object", preview: { properties: [{ name: "a", type: "number", value: "1" }], overflow: true } },
    "{a: 1, …}",
  ],
  ["an empty object", { type: "object", preview: { properties: [] } }, "{}"],
  [
    "an array",
    {
      type: "object",
      subtype: "array",
      preview: { subtype: "array", properties: [{ name: "0", type: "string", value: "x" }], overflow: true },
    },
    '["x", …]',
  ],
  ["an empty array", { type: "object", subtype: "array", preview: { subtype: "array", properties: [] } }, "[]"],
  [
    "a map",
    {
      type: "object",
      subtype: "map",
      preview: {
        subtype: "map",
        description: "Map(1)",
        properties: [],
        entries: [{ key: { type: "string", description: "k" }, value: { type: "number", description: "1" } }],
      },
    },
    "Map(1) {k => 1}",
  ],
  [
    "a set",
    {
      type: "object",
      subtype: "set",
      preview: {
        subtype: "set",
        description: "Set(1)",
        properties: [],
        entries: [{ value: { type: "number", description: "1" } }],
      },
    },
    "Set(1) {1}",
  ],
  [
    "a promise",
    { type: "object", subtype: "promise", preview: { subtype: "promise", description: "Promise", properties: [] } },
    "Promise",
  ],
])
  test(`${what} in the words of a console`, () => assert.equal(inWords(object), wanted));

const thrown = (exceptionDetails) => fromException({ timestamp: 1, exceptionDetails }, "page");

test("an uncaught error is an error line with its stack", () => {
  const line = thrown({
    text: "Uncaught",
    lineNumber: 4,
    url: "https://a.example/b/c.js",
    exception: { type: "object", subtype: "error", description: "TypeError: no\n    at c.js:5" },
  });
  assert.deepEqual([line.level, line.text, line.source], ["error", "TypeError: no\n    at c.js:5", "c.js:5"]);
});

test("a thrown value that is not an error is said, too", () => {
  assert.equal(thrown({ text: "Uncaught", exception: { type: "string", value: "boom" } }).text, "Uncaught boom");
  assert.equal(
    thrown({ text: "Uncaught (in promise)", exception: { type: "number", value: 5, description: "5" } }).text,
    "Uncaught (in promise) 5",
  );
  const preview = { type: "object", description: "Object", properties: [{ name: "a", type: "number", value: "1" }] };
  assert.equal(
    thrown({ text: "Uncaught", exception: { type: "object", description: "Object", preview } }).text,
    "Uncaught {a: 1}",
  );
});

test("an exception without a value is its text, at the place of its stack", () => {
  const line = thrown({ text: "Script error.", stackTrace: { callFrames: [{ url: "https://a.example/x.js" }] } });
  assert.deepEqual([line.text, line.source], ["Script error.", "x.js:1"]);
});

for (const [level, wanted] of [
  ["verbose", "debug"],
  ["info", "info"],
  ["warning", "warn"],
  ["error", "error"],
])
  test(`a log entry of level ${level} is a line of level ${wanted}`, () => {
    assert.equal(fromLog({ entry: { level, text: "x", source: "other", timestamp: 1 } }, "page").level, wanted);
  });

test("a network entry names the address that failed", () => {
  const entry = {
    level: "error",
    source: "network",
    text: "Failed to load resource: 404",
    url: "https://a.example/missing.png",
    timestamp: 1,
  };
  assert.equal(fromLog({ entry }, "page").text, "Failed to load resource: 404 https://a.example/missing.png");
});

test("a page cannot make a line larger than its bounds", () => {
  const long = "x".repeat(50_000);
  assert.equal(logged("log", string(long)).text.length, 4000);
  const url = `data:text/javascript,${"y".repeat(50_000)}`;
  for (const line of [
    fromConsole({ type: "log", args: [], timestamp: 1, stackTrace: { callFrames: [{ url, lineNumber: 0 }] } }, "page"),
    thrown({ text: long, url, lineNumber: 0 }),
    fromLog({ entry: { level: "error", source: "network", text: long, url, timestamp: 1 } }, "page"),
  ])
    assert.ok(
      line.text.length <= 4000 && line.source.length <= 300,
      `${line.text.length} and ${line.source.length} characters`,
    );
});
