import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import vm from "node:vm";
import { bundle, BUNDLE } from "../../../packaging/bundle_page.js";
import { test } from "../testing.js";

test("the script for the page's world is made of its modules as they are; make bundle makes this file", async () => {
  assert.equal(await readFile(BUNDLE, "utf8"), await bundle());
});

test("installed a second time it changes nothing", async () => {
  const context = vm.createContext({ kapture: "the first" });
  vm.runInContext(await readFile(BUNDLE, "utf8"), context);
  assert.deepEqual({ ...context }, { kapture: "the first" });
});
