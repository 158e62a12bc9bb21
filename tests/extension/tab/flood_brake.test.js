import assert from "node:assert/strict";
import { afterEach, beforeEach } from "node:test";
import { Clock } from "../clock.js";
import { test } from "../testing.js";
import { FloodBrake, FloodBrakes } from "../../../extension/tab/flood_brake.js";

const NOW = 1_700_000_000_000;

let brake, cdp, clock, rates, said, sent;
beforeEach(() => {
  clock = new Clock();
  rates = [];
  said = [];
  sent = [];
  cdp = {
    send: async (method, { rate }, sessionId) => {
      assert.equal(method, "Emulation.setCPUThrottlingRate");
      rates.push(rate);
      sent.push([rate, sessionId]);
    },
  };
  brake = new FloodBrake(cdp, { kind: "page" });
  brake.say = (text) => said.push(text);
});
afterEach(() => clock.stop());

/** So many lines, each a little later, heard of `late` ms after they were written. */
function write(count, { at = NOW, everyMs = 0.1, late = 0 } = {}) {
  for (let index = 0; index < count; index += 1) brake.onLine(at + index * everyMs, at + index * everyMs + late);
}

test("a page that writes ten thousand lines a second is slowed, once, and that is said", () => {
  write(10_000);
  assert.deepEqual(rates, [60]);
  assert.match(said[0], /slows this page:/);
});

test("a burst as pages have when they load is none, nor are many lines over a longer time", () => {
  write(6000);
  write(100_000, { at: NOW + 10_000, everyMs: 1 });
  assert.deepEqual([rates, said], [[], []]);
});

test("a page that writes half as many, but for long, is slowed as well", () => {
  write(7000, { everyMs: 0.2 });
  assert.deepEqual(rates, []);
  write(1000, { at: NOW + 1400, everyMs: 0.2 });
  assert.deepEqual(rates, [60]);
});

test("lines that come late slow their page sooner: the browser is behind", () => {
  write(3000, { late: 2000 });
  assert.deepEqual(rates, [60]);
});

test("few late lines slow nobody: another page may be what the browser is behind with", () => {
  write(2000, { late: 2000 });
  assert.deepEqual(rates, []);
});

test("a page that is quiet under the brake is let go of after five seconds, and that is said", async () => {
  write(6700);
  await clock.tick(5000);
  assert.deepEqual([rates, said.length, brake.isOn], [[60, 1], 2, false]);
});

test("lines that were on their way when the page was braked do not hold it", async () => {
  write(6700);
  write(5000, { at: NOW });
  await clock.tick(5000);
  assert.deepEqual(rates, [60, 1]);
});

test("a page that goes on is slowed more, for about a minute, and then braked again at once", async () => {
  write(6700);
  write(1000, { at: NOW + 4000 });
  await clock.tick(5000);
  for (let period = 1; period <= 4; period += 1) {
    assert.deepEqual(rates, [60, ...Array(period).fill(400)]);
    write(1000, { at: NOW + period * 15_000 });
    await clock.tick(15_000);
  }
  assert.deepEqual(rates, [60, 400, 400, 400, 400, 1]);
  write(600, { at: NOW + 70_000 });
  assert.deepEqual(rates, [60, 400, 400, 400, 400, 1, 60]);
});

test("after a quiet minute a page may have a burst again", async () => {
  write(6700);
  await clock.tick(5000 + 60_000);
  write(6000, { at: NOW + 70_000 });
  assert.deepEqual(rates, [60, 1]);
});

test("another document is not slowed for what the one before did", () => {
  write(6700);
  brake.forget();
  brake.forget();
  assert.deepEqual([rates, brake.isOn], [[60, 1], false]);
  assert.deepEqual(said.slice(1), ["Kapture no longer slows this page"]);
  write(6000, { at: NOW + 2000 });
  assert.deepEqual(rates, [60, 1], "its burst is its own");
});

test("what an earlier worker had braked is let go of", async () => {
  await new FloodBrakes(cdp).release();
  assert.deepEqual(sent, [[1, undefined]]);
});

/** One of ten thousand lines a second. */
function writeLine(brakes, index, sessionId = "", kind = sessionId ? "frame" : "page") {
  const at = NOW + index * 0.1;
  brakes.onLine({ at, kind, sessionId, now: at });
}

test("a frame of another process pays for its own flood, not the page around it", async () => {
  const brakes = new FloodBrakes(cdp);
  brakes.say = (text) => said.push(text);
  for (let index = 0; index < 6700; index += 1) {
    writeLine(brakes, index, "frame-session");
    if (index % 2) writeLine(brakes, index);
  }
  assert.deepEqual([sent, brakes.isOn], [[[60, "frame-session"]], true]);
  assert.match(said[0], /slows a frame of this page:/);
  brakes.forget();
  assert.deepEqual([sent.length, brakes.isOn], [1, true]);
  brakes.forget("frame-session");
  assert.deepEqual([sent[1], brakes.isOn], [[1, "frame-session"], false]);
});

test("the lines of several frames are not taken for those of one", () => {
  const brakes = new FloodBrakes(cdp);
  for (let index = 0; index < 4000; index += 1) for (const session of ["one", "two"]) writeLine(brakes, index, session);
  assert.deepEqual(sent, []);
});

test("of a frame that is no more nothing is let go of, but it is said", async () => {
  const brakes = new FloodBrakes(cdp);
  brakes.say = (text) => said.push(text);
  for (let index = 0; index < 6700; index += 1) writeLine(brakes, index, "frame-session");
  brakes.gone("frame-session");
  await clock.tick(120_000);
  assert.deepEqual([sent, brakes.isOn], [[[60, "frame-session"]], false]);
  assert.equal(said[1], "Kapture no longer slows a frame of this page");
});

test("a worker, which cannot be slowed, is stopped for five seconds at a time, and each line it wrote is kept", async () => {
  const calls = [];
  const brakes = new FloodBrakes({ send: async (method, _params, sessionId) => void calls.push([method, sessionId]) });
  brakes.say = (text) => said.push(text);
  const stop = ["Debugger.enable", "Debugger.pause"].map((method) => [method, "worker-session"]);
  for (let index = 0; index < 1600; index += 1) writeLine(brakes, index, "worker-session", "worker");
  assert.deepEqual(calls, []);
  for (let index = 1600; index < 1700; index += 1) writeLine(brakes, index, "worker-session", "worker");
  assert.deepEqual([calls, brakes.isOn, brakes.isSlow], [stop, true, false]);
  for (let index = 1700; index < 2700; index += 1) writeLine(brakes, index, "worker-session", "worker"); // on their way
  await clock.tick(5000);
  assert.deepEqual([calls.slice(2), brakes.isOn], [[["Debugger.disable", "worker-session"]], false]);
  assert.match(said[0], /stops a worker of this page: it floods its console/);
  assert.equal(said[1], "Kapture no longer stops a worker of this page");
  for (let index = 60_000; index < 60_600; index += 1) writeLine(brakes, index, "worker-session", "worker");
  assert.deepEqual(calls.slice(3), stop, "it goes on, and is stopped at once");
});

test("of a tab that was let go of nothing is slowed any more, nor said", async () => {
  const brakes = new FloodBrakes(cdp);
  brakes.say = (text) => said.push(text);
  for (let index = 0; index < 10_000; index += 1) writeLine(brakes, index, "");
  for (let index = 0; index < 200; index += 1) writeLine(brakes, 40_000 + index, "");
  brakes.end();
  await clock.tick(120_000);
  assert.deepEqual([sent, said.length, brakes.isOn], [[[60, undefined]], 1, false]);
});
