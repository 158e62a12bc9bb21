import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { settle } from "../fakes.js";
import { test } from "../testing.js";
import { Stuck } from "../../../extension/tab/stuck.js";

let sent, answers, navigation, stuck;
beforeEach(() => {
  sent = [];
  answers = {};
  navigation = { pending: null };
  const send = (method) => (sent.push(method), answers[method] ?? new Promise(() => {}));
  stuck = new Stuck({ cdp: { send }, navigation });
});

test("a page that answers is not stuck, one that does not is, until it answers after all", async () => {
  answers["Runtime.evaluate"] = Promise.resolve({});
  await stuck.probe();
  assert.equal(stuck.now, false);
  const late = Promise.withResolvers();
  answers["Runtime.evaluate"] = late.promise;
  await stuck.probe();
  assert.equal(stuck.now, true);
  late.resolve({});
  await settle();
  assert.equal(stuck.now, false);
});

test("a navigation that took too long is stopped, and says nothing of the page", async () => {
  navigation.pending = { url: "https://slow.example/" };
  answers["Page.stopLoading"] = Promise.reject(new Error("Internal error"));
  await stuck.probe();
  assert.deepEqual([sent, navigation.pending, stuck.now], [["Page.stopLoading"], null, false]);
});

test("a stuck page is left by a crash, which is no crash of the tab", async () => {
  answers["Page.crash"] = Promise.reject(new Error("Target crashed"));
  stuck.now = true;
  const leaving = stuck.leave();
  await settle();
  assert.deepEqual([sent, stuck.now], [["Page.crash"], true]);
  assert.equal(stuck.crashed(), true);
  await leaving;
  assert.equal(stuck.now, false);
  assert.equal(stuck.crashed(), false);
  stuck.reloaded();
  assert.equal(stuck.crashed(), false);
});
