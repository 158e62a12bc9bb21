import assert from "node:assert/strict";
import { afterEach, beforeEach } from "node:test";
import { renew } from "../../../extension/lib/renewal.js";
import { FakeChrome } from "../fakes.js";
import { test } from "../testing.js";

const { fetch } = globalThis;
let chrome, stamp, reloads;
beforeEach(() => {
  chrome = new FakeChrome();
  reloads = 0;
  chrome.runtime.reload = () => (reloads += 1);
  globalThis.fetch = async () => ({ json: async () => ({ stamp }) });
});
afterEach(() => (globalThis.fetch = fetch));

test("the same files are left alone, newer ones are loaded", async () => {
  stamp = "a";
  await renew(chrome);
  await renew(chrome);
  assert.equal(reloads, 0);
  stamp = "b";
  await renew(chrome);
  assert.equal(reloads, 1);
});

test("once loaded they are not loaded again", async () => {
  stamp = "b";
  chrome.stored = {};
  await renew(chrome);
  await renew(chrome);
  assert.equal(reloads, 0);
});
