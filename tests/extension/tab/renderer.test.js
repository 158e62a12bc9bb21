import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { settle } from "../fakes.js";
import { test } from "../testing.js";
import { Renderer } from "../../../extension/tab/renderer.js";

let sent, answers, navigation, flood, renderer;
beforeEach(() => {
  sent = [];
  answers = {};
  navigation = { pending: null };
  const send = (method) => (sent.push(method), answers[method] ?? new Promise(() => {}));
  flood = { isSlow: false, forget: () => sent.push("full speed") };
  renderer = new Renderer({ cdp: { send }, navigation, flood });
});

test("a page that answers is not stuck, one that does not is, until it answers after all", async () => {
  answers["Runtime.evaluate"] = Promise.resolve({});
  await renderer.probe();
  assert.equal(renderer.isStuck, false);
  const late = Promise.withResolvers();
  answers["Runtime.evaluate"] = late.promise;
  await renderer.probe();
  assert.equal(renderer.isStuck, true);
  late.resolve({});
  await settle();
  assert.equal(renderer.isStuck, false);
});

test("a navigation that took too long is stopped, and then it is looked whether the page answers", async () => {
  for (const isStuck of [false, true]) {
    sent.length = 0;
    navigation.pending = { url: "https://slow.example/" };
    answers = { "Page.stopLoading": Promise.reject(new Error("Internal error")) };
    if (!isStuck) answers["Runtime.evaluate"] = Promise.resolve({});
    await renderer.probe();
    const asked = ["Page.stopLoading", "Runtime.evaluate"];
    assert.deepEqual([sent, navigation.pending, renderer.isStuck], [asked, null, isStuck]);
  }
});

test("a page that is about to be left is looked at, unless it crashed or is on its way already", async () => {
  answers["Runtime.evaluate"] = Promise.resolve({});
  await renderer.leaveIfStuck(true);
  assert.deepEqual([sent, renderer.isStuck], [["full speed", "Runtime.evaluate"], false]);
  for (const change of [{}, { isCrashed: true }, { navigation: { pending: {} } }]) {
    sent.length = 0;
    const isLeft = Object.keys(change).length > 0;
    const other = Object.assign(new Renderer({ cdp: renderer.cdp, navigation, flood }), change);
    await other.leaveIfStuck(isLeft);
    assert.deepEqual(sent, isLeft ? ["full speed"] : []);
  }
});

test("a page that we slow ourselves is not taken for stuck, nor left by a crash if it answers at full speed", async () => {
  flood.isSlow = true;
  await renderer.probe();
  assert.deepEqual([sent, renderer.isStuck], [[], false]);
  renderer.isStuck = true; // before it was slowed
  answers["Runtime.evaluate"] = Promise.resolve({});
  await renderer.leaveIfStuck(true);
  assert.deepEqual([sent, renderer.isStuck], [["full speed", "Runtime.evaluate"], false]);
});

test("a stuck page is left by a crash, which is not a crash of the tab", async () => {
  answers["Page.crash"] = Promise.reject(new Error("Target crashed"));
  renderer.isStuck = true;
  const leaving = renderer.leave();
  await settle();
  assert.deepEqual([sent, renderer.isStuck], [["Page.stopLoading", "Page.crash"], true]);
  assert.equal(renderer.crashed(), true);
  await leaving;
  assert.equal(renderer.isStuck, false);
  assert.equal(renderer.crashed(), false);
  renderer.reloaded();
  assert.equal(renderer.crashed(), false);
});

test("who leaves a stuck page that Chrome does not crash waits for no crash", async () => {
  answers["Page.crash"] = Promise.reject(
    new Error('{"code":-32000,"message":"Page has pending navigations, not killing"}'),
  );
  renderer.isStuck = true;
  await renderer.leave();
  assert.equal(renderer.isStuck, false);
  assert.equal(renderer.crashed(), false);
});

test("of a page that crashed or is stuck only what leaves it is not refused", async () => {
  await renderer.probe();
  const isStuck = { code: "COMMAND_TIMEOUT", message: /stuck in a script of its own/ };
  await assert.rejects(renderer.demandUsable("kapturemcp_click"), isStuck);
  renderer.crashed();
  renderer.isStuck = false;
  await assert.rejects(renderer.demandUsable("kapturemcp_click"), { code: "TAB_CRASHED" });
  for (const name of ["navigate", "reload", "go_back", "go_forward", "close_tab"])
    await renderer.demandUsable(`kapturemcp_${name}`);
  renderer.reloaded();
  await renderer.demandUsable("kapturemcp_click");
});

test("a page that was only busy when it was asked takes the next command once it answers", async () => {
  const late = Promise.withResolvers();
  answers["Runtime.evaluate"] = late.promise;
  await renderer.probe();
  const next = renderer.demandUsable("kapturemcp_click");
  late.resolve({});
  await next;
});
