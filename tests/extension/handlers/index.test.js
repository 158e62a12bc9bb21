import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { BROWSER_HANDLERS, TAB_HANDLERS } from "../../../extension/handlers/index.js";
import { catalogue, extensionFile } from "../fakes.js";
import { test } from "../testing.js";

const named = (scope) =>
  [...catalogue().commands.values()]
    .filter((entry) => entry.scope === scope)
    .map(({ name }) => name)
    .sort();

test("every command of a tab has a handler and every handler a command", () => {
  assert.deepEqual(Object.keys(TAB_HANDLERS).sort(), named("tab"));
});

test("every command of the browser has a handler and every handler a command", () => {
  assert.deepEqual(Object.keys(BROWSER_HANDLERS).sort(), named("browser"));
});

test("handlers are functions", () => {
  for (const handler of Object.values({ ...TAB_HANDLERS, ...BROWSER_HANDLERS }))
    assert.equal(typeof handler, "function");
});

test("no two groups declare the same handler", () => {
  const files = readdirSync(new URL("../../../extension/handlers", import.meta.url)).filter(
    (name) => name !== "index.js",
  );
  const declared = files.flatMap((name) => extensionFile(`handlers/${name}`).match(/\bkapturemcp_\w+(?=:)/g) ?? []);
  assert.equal(new Set(declared).size, declared.length);
  assert.equal(declared.length, named("tab").length + named("browser").length);
});
