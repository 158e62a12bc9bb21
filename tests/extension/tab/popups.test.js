import assert from "node:assert/strict";
import { afterEach, beforeEach, mock } from "node:test";
import { test } from "../testing.js";
import { Popups } from "../../../extension/tab/popups.js";

let told, popups;
beforeEach(() => {
  mock.timers.enable({ apis: ["setTimeout"] });
  told = [];
  popups = new Popups({ newTab: (opening) => told.push(opening) });
});
afterEach(() => mock.timers.reset());

test("a window that was asked for is told once, with the tab that came of it", async () => {
  popups.expect("https://a.example/", false);
  popups.opened(Promise.resolve({ tabId: "zzzzz" }));
  assert.deepEqual(await Promise.all(told), [{ tabId: "zzzzz", url: "https://a.example/" }]);
});

test("the address it has come to counts for more than the one that was asked for", async () => {
  popups.expect("https://a.example/", false);
  popups.opened(Promise.resolve({ closed: true, url: "https://b.example/" }));
  assert.deepEqual(await Promise.all(told), [{ closed: true, url: "https://b.example/" }]);
});

test("one that nobody expected is told all the same", async () => {
  popups.opened(Promise.resolve({ tabId: "zzzzz" }));
  assert.deepEqual(await Promise.all(told), [{ tabId: "zzzzz", url: "" }]);
});

test("what is told otherwise is not a new tab", async () => {
  popups.expect("https://a.example/", false);
  popups.opened(Promise.resolve(null));
  assert.deepEqual(await Promise.all(told), [null]);
});

test("on a busy machine the tab behind a press comes late, and is told", async () => {
  popups.expect("https://a.example/", true);
  mock.timers.tick(4000);
  popups.opened(Promise.resolve({ tabId: "zzzzz" }));
  assert.deepEqual(await Promise.all(told), [{ tabId: "zzzzz", url: "https://a.example/" }]);
});

test("one that never comes behind a press is given up", async () => {
  popups.expect("https://a.example/", true);
  mock.timers.tick(5000);
  assert.deepEqual(await Promise.all(told), [null]);
  assert.equal(popups.isExpecting, false);
});

test("a window that was blocked is not waited for", async () => {
  popups.expect("https://a.example/", false);
  mock.timers.tick(1000);
  assert.deepEqual(await Promise.all(told), [null]);
});
