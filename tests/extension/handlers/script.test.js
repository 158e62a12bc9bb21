import assert from "node:assert/strict";
import { beforeEach, mock } from "node:test";
import { settle } from "../fakes.js";
import { connectedTab } from "../tab.js";
import { test } from "../testing.js";

const DOES_NOT_COMPILE = {
  text: "Uncaught",
  lineNumber: 2,
  columnNumber: 4,
  exception: { description: "SyntaxError: Unexpected token\n  at" },
};

let tab, compiled, value, run;
/** What an evaluated expression answers; of one that does not compile nothing runs. */
const answers =
  (reply) =>
  (params, ...more) => {
    if (params.expression.startsWith("(\n") && !compiled(params.expression))
      return { result: {}, exceptionDetails: DOES_NOT_COMPILE };
    run.push(params.expression);
    return reply(params, ...more);
  };

beforeEach(async () => {
  tab = await connectedTab();
  run = [];
  compiled = () => true;
  value = { type: "number", value: 2 };
  tab.chrome.replies["Runtime.compileScript"] = ({ expression }) =>
    compiled(expression) ? {} : { exceptionDetails: DOES_NOT_COMPILE };
  tab.chrome.replies["Runtime.evaluate"] = answers(() => ({ result: value }));
});

const evaluate = (code) => tab.run("evaluate", { code, awaitPromise: true });

for (const [what, takes, expression] of [
  ["an expression", () => true, "(\nx\n)"],
  ["an expression that awaits", (text) => text.startsWith("(async () => (\n"), "(async () => (\nx\n))()"],
  ["a block of statements", (text) => text.startsWith("{"), "{\nx\n}"],
  ["statements that await", (text) => text.startsWith("(async () => {"), "{\nx\n}"],
])
  test(`code is read as ${what} when that compiles first, and runs once`, async () => {
    compiled = takes;
    assert.deepEqual((await evaluate("x")).result, { value: 2 });
    assert.deepEqual(run, [expression]);
  });

test("code that begins like a statement is not tried as an expression", async () => {
  compiled = (text) => text.startsWith("{");
  assert.deepEqual((await evaluate("const a = 1")).result, { value: 2 });
  assert.deepEqual(
    tab.sent("Runtime.evaluate").map(({ expression }) => expression),
    ["{\nconst a = 1\n}"],
  );
});

test("code that does not compile runs not at all and says where", async () => {
  compiled = () => false;
  const { error } = await evaluate("x +\ny");
  assert.deepEqual(
    [error.code, error.message, error.line, error.column],
    ["EXECUTION_ERROR", "SyntaxError: Unexpected token", 2, 5],
  );
  assert.deepEqual(run, []);
});

test("what was thrown without a place, by code that compiles, is told and not run again", async () => {
  const thrown = { text: "Uncaught", lineNumber: 0, columnNumber: 0, exception: { description: "SyntaxError: kept" } };
  tab.chrome.replies["Runtime.evaluate"] = answers(() => ({ result: {}, exceptionDetails: thrown }));
  assert.equal((await evaluate("x")).error.message, "SyntaxError: kept");
  assert.deepEqual(run, ["(\nx\n)"]);
});

test("what the code changed is asked together with it", async () => {
  const { promise, resolve } = Promise.withResolvers();
  const asked = mock.fn(() => promise);
  tab.chrome.page.observed = asked;
  const answering = evaluate("x");
  await settle();
  assert.equal(asked.mock.callCount(), 1);
  resolve({ changed: true });
  assert.equal((await answering).effects.changed, true);
  assert.equal(asked.mock.callCount(), 1);
});

test("of code that waited for something it is asked again, and what was seen before counts, too", async () => {
  const told = [{ changed: true }, { changed: false }];
  tab.chrome.page.observed = () => told.shift();
  const { release } = tab.chrome.hold("Runtime.evaluate");
  const answering = evaluate("x");
  await settle();
  assert.equal(told.length, 1);
  release({ result: value });
  assert.equal((await answering).effects.changed, true);
  assert.deepEqual(told, []);
});

test("what code changed before it failed is nothing that the next action did", async () => {
  const told = [{ changed: true }, { changed: false }];
  tab.chrome.page.observed = () => told.shift();
  const callFrames = [{ url: "", scriptId: "9", lineNumber: 1, columnNumber: 3 }];
  const thrown = { exception: { description: "Error: no" }, stackTrace: { callFrames } };
  const { "Runtime.evaluate": runs } = tab.chrome.replies;
  tab.chrome.replies["Runtime.evaluate"] = () => ({ result: {}, exceptionDetails: thrown });
  assert.equal((await evaluate("x")).error.code, "EXECUTION_ERROR");
  tab.chrome.replies["Runtime.evaluate"] = runs;
  assert.equal((await evaluate("x")).effects.changed, false);
});

test("so it is of a value whose getters may do something", async () => {
  value = { type: "object", objectId: "o1" };
  const told = [{ changed: false }, { changed: true }];
  tab.chrome.page.observed = () => told.shift();
  const page = tab.chrome.replies["Runtime.callFunctionOn"];
  tab.chrome.replies["Runtime.callFunctionOn"] = (params) =>
    params.serializationOptions ? { result: { deepSerializedValue: { type: "object", value: [] } } } : page(params);
  assert.equal((await evaluate("x")).effects.changed, true);
});

for (const [what, exception, words] of [
  ["an error", { description: "Error: no\n    at x" }, "Error: no"],
  ["a text", { type: "string", value: "boom" }, '"boom"'],
  ["nothing", { type: "undefined" }, "null"],
])
  test(`thrown ${what} is told with its place`, async () => {
    tab.chrome.replies["Runtime.evaluate"] = () => ({
      result: {},
      exceptionDetails: { text: "Uncaught", lineNumber: 0, columnNumber: 0, exception },
    });
    assert.equal((await evaluate("x")).error.message, words);
  });

test("code with a return of its own, which none but a function may have, is refused as a block and run as one", async () => {
  compiled = (text) => text.startsWith("(async () => {");
  const refused = {
    exception: { description: "SyntaxError: Illegal return statement" },
    lineNumber: 1,
    columnNumber: 0,
  };
  tab.chrome.replies["Runtime.evaluate"] = answers(({ replMode }) =>
    replMode ? { result: {}, exceptionDetails: refused } : { result: value },
  );
  assert.deepEqual((await evaluate("x")).result, { value: 2 });
  assert.deepEqual(run, ["{\nx\n}", "(async () => {\nx\n})()"]);
});

test("what throws those words itself is not run again", async () => {
  compiled = (text) => text.startsWith("(async () => {");
  const callFrames = [{ url: "", scriptId: "9", lineNumber: 1, columnNumber: 3 }];
  const thrown = { exception: { description: "SyntaxError: Illegal return statement" }, stackTrace: { callFrames } };
  tab.chrome.replies["Runtime.evaluate"] = answers(() => ({ result: {}, exceptionDetails: thrown }));
  const { error } = await evaluate("x");
  assert.deepEqual([error.line, error.column, run.length], [1, 4, 1]);
});

test("the place of what a page's function threw is that of its call", async () => {
  const frame = (scriptId, url, lineNumber) => ({ scriptId, url, lineNumber, columnNumber: 2 });
  const thrown = (callFrames) => ({ text: "Uncaught", lineNumber: 99, columnNumber: 9, stackTrace: { callFrames } });
  let callFrames = [frame("7", "https://shop.example/a.js", 40), frame("8", "", 30), frame("9", "", 2)];
  tab.chrome.replies["Runtime.evaluate"] = () => ({ result: {}, exceptionDetails: thrown(callFrames) });
  const first = (await evaluate("a;\n  boom()")).error;
  assert.deepEqual([first.line, first.column], [2, 3]);
  callFrames = callFrames.slice(0, 1);
  const other = (await evaluate("x")).error;
  assert.deepEqual([other.line, other.column], [undefined, undefined]);
});

for (const [what, object, wanted] of [
  ["a number JSON has not", { type: "number", unserializableValue: "NaN" }, "NaN"],
  ["a promise nobody awaits", { type: "object", subtype: "promise", objectId: "1" }, "[promise]"],
  ["undefined", { type: "undefined" }, null],
  ["a symbol", { type: "symbol", description: "Symbol(s)", objectId: "1" }, "[Symbol(s)]"],
])
  test(`the value is ${what}`, async () => {
    value = object;
    assert.deepEqual((await evaluate("x")).result, { value: wanted });
  });

const number = (given) => ({ type: "number", value: given });
const told = (inner, items = 0) => ({ type: "array", value: [inner, number(items), number(0)] });

test("an object is unfolded in its page, and what that left out is said", async () => {
  value = { type: "object", objectId: "o1" };
  const calls = [];
  const page = tab.chrome.replies["Runtime.callFunctionOn"];
  tab.chrome.replies["Runtime.callFunctionOn"] = (params) => {
    if (!params.serializationOptions) return page(params);
    calls.push(params);
    return { result: { deepSerializedValue: told({ type: "object", value: [["a", number(1)]] }, 7) } };
  };
  const { result } = await evaluate("x");
  assert.deepEqual(result.value, { a: 1 });
  assert.match(result.note, /^7 items beyond the first 1000 of a typed array or 100000 of a list are left out: /);
  assert.deepEqual([calls.length, calls[0].objectId], [1, "o1"]);
  assert.ok(calls[0].serializationOptions.maxDepth <= 60, "not deeper than the panel reads it");
});

test("on a page that has broken its built-in objects the value is told as Chrome sees it", async () => {
  value = { type: "object", objectId: "o1" };
  const page = tab.chrome.replies["Runtime.callFunctionOn"];
  tab.chrome.replies["Runtime.callFunctionOn"] = (params) => {
    if (!params.serializationOptions) return page(params);
    return params.functionDeclaration.includes("return this")
      ? { result: { deepSerializedValue: { type: "map", value: [["a", number(1)]] } } }
      : { result: {}, exceptionDetails: { text: "Uncaught" } };
  };
  assert.deepEqual((await evaluate("x")).result, { value: { a: 1 } });
});

// inject_script

const inject = (params) =>
  tab.run("inject_script", { source: "let a = 1; a", url: "", id: "h1", keep: false, ...params });

test("a script runs once, as it was given, and is not kept", async () => {
  assert.deepEqual((await inject()).result, { value: 2, kept: false });
  assert.deepEqual(
    tab.sent("Runtime.evaluate").map((params) => params.expression),
    ["let a = 1; a"],
  );
  assert.deepEqual(
    tab.sent("Page.addScriptToEvaluateOnNewDocument").filter(({ worldName }) => !worldName),
    [],
  );
});

test("a fetched script goes by its address in the page's tools", async () => {
  await inject({ url: "https://a.example/a b.js\nalert(1)" });
  assert.equal(
    tab.sent("Runtime.evaluate")[0].expression,
    "let a = 1; a\n//# sourceURL=https://a.example/ab.jsalert(1)",
  );
});

test("a kept script is installed once it has run, and stopping it does not run it", async () => {
  tab.chrome.replies["Page.addScriptToEvaluateOnNewDocument"] = () => ({ identifier: "5" });
  assert.deepEqual((await inject({ keep: true })).result, { value: 2, kept: true });
  assert.deepEqual(tab.sent("Page.addScriptToEvaluateOnNewDocument").at(-1), { source: "let a = 1; a" });
  const { result } = await inject();
  assert.deepEqual(tab.sent("Page.removeScriptToEvaluateOnNewDocument"), [{ identifier: "5" }]);
  assert.deepEqual(result, { kept: false, note: "it was kept, and is not any more; it did not run now" });
  assert.equal(tab.sent("Runtime.evaluate").length, 1);
});

test("a script that throws is not kept, and its place is that in the script", async () => {
  tab.chrome.replies["Runtime.evaluate"] = () => ({
    result: {},
    exceptionDetails: { text: "Uncaught", lineNumber: 2, columnNumber: 4, exception: { description: "Error: no" } },
  });
  const { error } = await inject({ keep: true });
  assert.equal(error.message, "Error: no");
  assert.deepEqual(
    tab.sent("Page.addScriptToEvaluateOnNewDocument").filter(({ worldName }) => !worldName),
    [],
  );
});
