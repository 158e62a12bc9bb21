import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { test } from "../testing.js";
import { ConsoleLog } from "../../../extension/tab/console_log.js";

let errors, events, flood, log;
beforeEach(() => {
  errors = [];
  events = [];
  flood = { lines: [], onLine: (line) => flood.lines.push(line) };
  log = new ConsoleLog({
    effects: { consoleError: (text) => errors.push(text) },
    tell: (event) => events.push(event),
    flood,
    capacity: 2,
  });
});

const logged = (text, type = "log", context = "page") =>
  log.onEvent("Runtime.consoleAPICalled", { type, args: [{ type: "string", value: text }], timestamp: 1 }, context);

test("a line is kept and told with its context; an error is an effect, too", () => {
  logged("fine", "log", "worker");
  logged("boom", "error");
  assert.deepEqual(
    [...log.newestFirst()].map(({ text }) => text),
    ["boom", "fine"],
  );
  assert.deepEqual(
    events.map(({ kind, text, context }) => [kind, text, context]),
    [
      ["console", "fine", "worker"],
      ["console", "boom", "page"],
    ],
  );
  assert.deepEqual(errors, ["boom"]);
});

test("what the browser asked for of its own accord is a line, but no effect", () => {
  for (const [url, isEffect] of [
    ["chrome-error://chromewebdata/", false],
    ["https://a.example/favicon.ico", false],
    ["https://a.example/app.js", true],
  ]) {
    errors = [];
    const entry = { source: "network", level: "error", text: "Failed to load resource: 404", url, timestamp: 1 };
    log.onEvent("Log.entryAdded", { entry }, "page");
    assert.deepEqual([errors.length === 1, log.length > 0], [isEffect, true], url);
  }
});

test("any other event is not a line", () => {
  log.onEvent("Page.frameNavigated", {}, "page");
  log.onEvent("constructor", {}, "page");
  assert.deepEqual([log.length, events], [0, []]);
});

test("the oldest lines make room, and clearing is told to the panel", () => {
  for (const text of ["one", "two", "three"]) logged(text);
  assert.deepEqual([log.length, log.dropped], [2, 1]);
  assert.equal(log.clear(), 2);
  assert.deepEqual([log.length, log.dropped, events.at(-1)], [0, 0, { kind: "cleared" }]);
});

test("what a worker says in its own log is not repeated by that of its page", () => {
  const entry = { source: "worker", level: "error", text: "boom", timestamp: 1 };
  log.onEvent("Log.entryAdded", { entry }, "page");
  assert.equal(log.length, 0);
  log.onEvent("Log.entryAdded", { entry: { ...entry, source: "network" } }, "page");
  log.onEvent("Log.entryAdded", { entry }, "worker");
  assert.equal(log.length, 2);
});

test("the flood's brake hears when each line was written, and by what; what it says is a line of its own", () => {
  const said = { type: "log", args: [{ type: "string", value: "of one of its own" }], timestamp: 1 };
  logged("of the page");
  log.onEvent("Runtime.consoleAPICalled", said, "worker", "worker-session");
  log.onEvent("Runtime.consoleAPICalled", said, "page", "frame-session");
  const heard = [
    { at: 1, kind: "page", sessionId: undefined },
    { at: 1, kind: "worker", sessionId: "worker-session" },
    { at: 1, kind: "frame", sessionId: "frame-session" },
  ];
  assert.deepEqual(flood.lines, heard);
  log.onEvent("Runtime.consoleAPICalled", said, "serviceWorker", "service-session");
  assert.deepEqual(flood.lines, heard, "it serves other tabs, too, and is not stopped");
  flood.say("slower now");
  assert.deepEqual([...log.newestFirst()][0].text, "slower now");
  assert.deepEqual(flood.lines, heard);
});
