import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { KeptScripts } from "../../../extension/tab/kept_scripts.js";
import { connectedTab } from "../tab.js";
import { test } from "../testing.js";

let tab, compiled, value;
beforeEach(async () => {
  tab = await connectedTab();
  compiled = () => true;
  value = { type: "number", value: 2 };
  tab.chrome.replies["Runtime.compileScript"] = ({ expression }) => (compiled(expression) ? {} : { exceptionDetails: { text: "Uncaught", lineNumber: 2, columnNumber: 4, exception: { description: "SyntaxError: Unexpected token\n  at" } } });
  tab.chrome.replies["Runtime.evaluate"] = () => ({ result: value });
});

const evaluate = (code) => tab.run("evaluate", { code, awaitPromise: true });

for (const [what, takes, expression] of [
  ["an expression", () => true, "(\nx\n)"],
  ["an expression that awaits", (text) => text.startsWith("(async () => (\n"), "(async () => (\nx\n))()"],
  ["a block of statements", (text) => text.startsWith("{"), "{\nx\n}"],
  ["statements with return or await", (text) => text.startsWith("(async () => {"), "(async () => {\nx\n})()"],
])
  test(`code is read as ${what} when that compiles first, and runs once`, async () => {
    compiled = takes;
    assert.deepEqual((await evaluate("x")).result, { value: 2 });
    assert.deepEqual(tab.sent("Runtime.evaluate").map((params) => params.expression), [expression]);
  });

test("code that does not compile runs not at all and says where", async () => {
  compiled = () => false;
  const { error } = await evaluate("x +");
  assert.deepEqual([error.code, error.message, error.line, error.column], ["EXECUTION_ERROR", "SyntaxError: Unexpected token (line 2, column 5)", 2, 5]);
  assert.deepEqual(tab.sent("Runtime.evaluate"), []);
});

for (const [what, exception, words] of [
  ["an error", { description: "Error: no\n    at x" }, "Error: no (line 1, column 1)"],
  ["a text", { type: "string", value: "boom" }, '"boom" (line 1, column 1)'],
  ["nothing", { type: "undefined" }, "null (line 1, column 1)"],
])
  test(`thrown ${what} is told with its place`, async () => {
    tab.chrome.replies["Runtime.evaluate"] = () => ({ result: {}, exceptionDetails: { text: "Uncaught", lineNumber: 0, columnNumber: 0, exception } });
    assert.equal((await evaluate("x")).error.message, words);
  });

for (const [what, object, wanted] of [
  ["a number JSON has not", { type: "number", unserializableValue: "NaN" }, "NaN"],
  ["an error", { type: "object", subtype: "error", description: "Error: no" }, "Error: no"],
  ["a promise nobody awaits", { type: "object", subtype: "promise" }, "[promise]"],
  ["an object", { type: "object", deepSerializedValue: { type: "object", value: [["a", { type: "number", value: 1 }]] } }, { a: 1 }],
  ["undefined", { type: "undefined" }, null],
])
  test(`the value is ${what}`, async () => {
    value = object;
    assert.deepEqual((await evaluate("x")).result, { value: wanted });
  });

test("a value is not taken deeper than the panel reads it", async () => {
  await evaluate("x");
  const [{ serializationOptions }] = tab.sent("Runtime.evaluate");
  assert.equal(serializationOptions.serialization, "deep");
  assert.ok(serializationOptions.maxDepth <= 60);
});

// inject_script

beforeEach(() => (tab.session.kept = new KeptScripts({}, async () => {})));
const inject = (params) => tab.run("inject_script", { source: "let a = 1; a", url: "", id: "h1", keep: false, ...params });

test("a script runs once, as it was given, and is not kept", async () => {
  assert.deepEqual((await inject()).result, { value: 2, kept: false });
  assert.deepEqual(tab.sent("Runtime.evaluate").map((params) => params.expression), ["let a = 1; a"]);
  assert.deepEqual(tab.sent("Page.addScriptToEvaluateOnNewDocument").filter(({ worldName }) => !worldName), []);
});

test("a fetched script goes by its address in the page's tools", async () => {
  await inject({ url: "https://a.example/a b.js\nalert(1)" });
  assert.equal(tab.sent("Runtime.evaluate")[0].expression, "let a = 1; a\n//# sourceURL=https://a.example/ab.jsalert(1)");
});

test("a kept script is installed once it has run", async () => {
  tab.chrome.replies["Page.addScriptToEvaluateOnNewDocument"] = () => ({ identifier: "5" });
  assert.deepEqual((await inject({ keep: true })).result, { value: 2, kept: true });
  assert.deepEqual(tab.sent("Page.addScriptToEvaluateOnNewDocument").at(-1), { source: "let a = 1; a" });
  await inject();
  assert.deepEqual(tab.sent("Page.removeScriptToEvaluateOnNewDocument"), [{ identifier: "5" }]);
});

test("a script that throws is not kept, and its place is that in the script", async () => {
  tab.chrome.replies["Runtime.evaluate"] = () => ({ result: {}, exceptionDetails: { text: "Uncaught", lineNumber: 2, columnNumber: 4, exception: { description: "Error: no" } } });
  const { error } = await inject({ keep: true });
  assert.equal(error.message, "Error: no (line 3, column 5)");
  assert.deepEqual(tab.sent("Page.addScriptToEvaluateOnNewDocument").filter(({ worldName }) => !worldName), []);
});
