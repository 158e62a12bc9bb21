import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { test } from "../testing.js";
import { settle } from "../fakes.js";
import { Emulation } from "../../../extension/tab/emulation.js";

const SIZE = { width: 500, height: 400, deviceScaleFactor: 0, mobile: false };
let sent, remembered, redrawn, drawnAgain, children, run;
beforeEach(() => {
  sent = [];
  remembered = [];
  redrawn = 0;
  drawnAgain = 0;
  children = new Map();
  run = { send: async (method, params) => sent.push([method, params]) };
});

const emulation = (viewport = null) =>
  new Emulation({
    cdp: { send: async (method, params, child) => sent.push([method, params, child]) },
    drivenFrame: { redraw: () => (redrawn += 1) },
    children: () => children,
    remember: async (changes) => remembered.push(changes),
    viewport,
  });

test("a size is remembered, and what is drawn over the page takes it on", async () => {
  const made = emulation();
  await made.resize(run, SIZE);
  await made.resize(run, null);
  assert.deepEqual(sent, [
    ["Emulation.setDeviceMetricsOverride", SIZE],
    ["Emulation.clearDeviceMetricsOverride", undefined],
  ]);
  assert.deepEqual([remembered, redrawn, made.size], [[{ size: SIZE }, { size: null }], 2, null]);
});

test("a size that the window took back is given again once it is at rest, and not without end", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const made = emulation();
  const after = (...sizes) => {
    sent.length = 0;
    for (const [width, height] of sizes) made.drawn(width, height);
    t.mock.timers.tick(1_000);
    return sent.map(([method, params]) => [method, params]);
  };
  const again = [["Emulation.setDeviceMetricsOverride", SIZE]];
  assert.deepEqual(after([1000, 657]), [], "none was given");
  await made.resize(run, SIZE);
  assert.deepEqual(after([500, 400]), []);
  assert.deepEqual(after([1000, 656], [1000, 657]), again);
  assert.deepEqual(after([1000, 657], [500, 400]), [], "one picture was only late");
  for (const _ of Array(3)) assert.deepEqual(after([1000, 657]), again);
  assert.deepEqual(after([1000, 657]), [], "the browser keeps to the window's");
  assert.deepEqual(after([500, 400]), []);
  assert.deepEqual(after([1000, 657]), again);
});

test("a still page is drawn once more in the size that was given again", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const made = emulation();
  made.onGivenAgain = () => (drawnAgain += 1);
  await made.resize(run, SIZE);
  made.drawn(1000, 657);
  t.mock.timers.tick(1_000);
  await settle();
  assert.equal(drawnAgain, 1);
});

test("a size is not given again while a picture is taken: that would be white", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const made = emulation();
  await made.resize(run, SIZE);
  sent.length = 0;
  made.drawn(200, 100);
  made.leave();
  t.mock.timers.tick(1_000);
  assert.deepEqual(sent, []);
});

test("a size that was taken away is not given again for a picture that came before", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const made = emulation();
  await made.resize(run, SIZE);
  made.drawn(1000, 657);
  await made.resize(run, null);
  sent.length = 0;
  t.mock.timers.tick(1_000);
  assert.deepEqual(sent, []);
});

test("a size that the browser refuses is not kept", async () => {
  const made = emulation();
  await made.resize(run, SIZE);
  await assert.rejects(made.resize({ send: () => Promise.reject(new Error("Width is too large")) }, { width: 1e9 }));
  assert.equal(made.size, SIZE);
});

test("offline holds for every worker and frame with a network of its own, and is remembered", async () => {
  children.set("worker", { frameId: null }).set("frame", { frameId: "F2" });
  await emulation().setOffline(run, true);
  const [first] = sent;
  assert.deepEqual(
    first,
    ["Target.setAutoAttach", { autoAttach: true, flatten: true, waitForDebuggerOnStart: true }],
    "none gets a first request out",
  );
  const cutOff = sent
    .filter(([method]) => method === "Network.emulateNetworkConditions")
    .map(([, { offline }, child]) => [child, offline]);
  assert.deepEqual(
    cutOff.sort(),
    [
      ["frame", true],
      [undefined, true],
      ["worker", true],
    ].sort(),
  );
  assert.ok(sent.some(([method, , child]) => method === "Target.setAutoAttach" && child === "frame"));
  assert.deepEqual(remembered, [{ offline: true }]);
});

test("a worker that has just ended keeps nobody", async () => {
  children.set("gone", { frameId: null });
  const made = emulation();
  made.cdp = { send: () => Promise.reject(new Error("Target closed.")) };
  await made.setOffline(run, true);
  assert.equal(made.isOffline, true);
});

test("a worker that answers nothing does not keep the tab from being cut off", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  children = new Map([["worker", { frameId: null }]]);
  const made = new Emulation({
    cdp: { send: () => new Promise(() => {}) },
    drivenFrame: { redraw: () => {} },
    children: () => children,
    remember: async (changes) => remembered.push(changes),
    viewport: null,
  });
  const cutting = made.setOffline(run, true);
  await settle();
  t.mock.timers.tick(1000);
  await cutting;
  assert.deepEqual(remembered, [{ offline: true }]);
});
