import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { KeptScripts } from "../../../extension/tab/kept_scripts.js";
import { test } from "../testing.js";

let sent, told, run;
beforeEach(() => {
  sent = [];
  told = [];
  run = {
    async send(method, params) {
      sent.push([method.replace("ScriptToEvaluateOnNewDocument", ""), params]);
      return { identifier: String(sent.length) };
    },
  };
});

const kept = (identifiers = {}) => new KeptScripts(identifiers, async (now) => told.push(now));

test("each script has a place of its own", async () => {
  const scripts = kept();
  await scripts.keep(run, "a", "1");
  await scripts.keep(run, "b", "2");
  assert.deepEqual(told, [{ a: "1" }, { a: "1", b: "2" }]);
});

test("one that is kept again takes the place of the old one", async () => {
  const scripts = kept({ a: "9" });
  await scripts.keep(run, "a", "1");
  assert.deepEqual(sent, [
    ["Page.add", { source: "1" }],
    ["Page.remove", { identifier: "9" }],
  ]);
  assert.deepEqual(told.at(-1), { a: "1" });
});

test("one of before the worker's end can be ended", async () => {
  await kept({ a: "9", b: "10" }).end(run, "a");
  assert.deepEqual(sent, [["Page.remove", { identifier: "9" }]]);
  assert.deepEqual(told, [{ b: "10" }]);
});

test("ending what is not kept does nothing, whatever it is called", async () => {
  for (const id of ["a", "constructor", "__proto__"]) await kept().end(run, id);
  assert.deepEqual([sent, told], [[], []]);
});
