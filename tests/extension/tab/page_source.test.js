import assert from "node:assert/strict";
import { test } from "../testing.js";
import vm from "node:vm";
import { load } from "../../../extension/tab/page_source.js";
import { WORLD } from "../../../extension/tab/worlds.js";
import { FakeChrome } from "../fakes.js";

test("the page's half is one script of all its files for the isolated world", async () => {
  const { worldName, source } = await load(new FakeChrome());
  assert.equal(worldName, WORLD);
  new vm.Script(source); // it compiles: no name is declared by two files
  for (const name of ["const locate", "const snapshot", "const waitFor", "globalThis.kapture ="]) assert.ok(source.includes(name), name);
});

test("installed a second time it changes nothing", async () => {
  const { source } = await load(new FakeChrome());
  const context = vm.createContext({ kapture: "the first" });
  vm.runInContext(source, context);
  assert.equal(context.kapture, "the first");
});
