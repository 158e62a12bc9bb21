import assert from "node:assert/strict";
import { beforeEach, mock } from "node:test";
import { test } from "../testing.js";
import { KaptureError } from "../../../extension/basics/errors.js";
import { Queue } from "../../../extension/tab/queue.js";
import { settle } from "../fakes.js";

let queue;
beforeEach(() => (queue = new Queue()));

/** Work that ends when the test says so. */
function work(log, name) {
  const { promise, resolve, reject } = Promise.withResolvers();
  const run = async (signal) => {
    log.push(`${name} starts`);
    run.signal = signal;
    const value = await promise;
    log.push(`${name} ends`);
    return value;
  };
  return Object.assign(run, { done: resolve, fail: reject });
}

test("commands run one at a time, in the order they came", async () => {
  const log = [];
  const [first, second] = [work(log, "first"), work(log, "second")];
  const answers = [queue.run("1", 1000, first), queue.run("2", 1000, second)];
  await settle();
  assert.deepEqual(log, ["first starts"]);
  second.done("b");
  await settle();
  assert.deepEqual(log, ["first starts"]);
  first.done("a");
  assert.deepEqual(await Promise.all(answers), ["a", "b"]);
  assert.deepEqual(log, ["first starts", "first ends", "second starts", "second ends"]);
});

test("commands of a kind that may run beside one another do, and all others wait for all before them", async () => {
  const log = [];
  const all = Object.fromEntries(["a", "b", "c", "d", "e"].map((name) => [name, work(log, name)]));
  const kinds = { a: "read", b: "read", c: undefined, d: "read", e: "read dismiss" };
  const answers = Object.entries(all).map(([name, one]) => queue.run(name, 1000, one, undefined, kinds[name]));
  await settle();
  assert.deepEqual(log, ["a starts", "b starts"]);
  for (const name of ["b", "a", "c", "d", "e"]) {
    all[name].done();
    await settle();
  }
  await Promise.all(answers);
  assert.deepEqual(log.slice(2), [
    "b ends",
    "a ends",
    ...["c", "d", "e"].flatMap((one) => [`${one} starts`, `${one} ends`]),
  ]);
  await queue.idle();
});

test("all that run fail together", async () => {
  const failing = ["a", "b"].map((name) => queue.run(name, 1000, work([], name), undefined, "read"));
  await settle();
  queue.failRunning(new Error("a dialog"));
  for (const one of failing) await assert.rejects(one, /a dialog/);
});

test("a command that fails does not keep back the next one", async () => {
  const failed = queue.run("1", 1000, async () => {
    throw new Error("no");
  });
  assert.equal(await queue.run("2", 1000, async () => "yes"), "yes");
  await assert.rejects(failed, /no/);
});

test("a command that takes too long ends with COMMAND_TIMEOUT and its signal is aborted", async (t) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.timers.reset());
  const slow = work([], "slow");
  const answer = queue.run("1", 300, slow);
  await settle();
  mock.timers.tick(299);
  assert.equal(slow.signal.aborted, false);
  mock.timers.tick(1);
  await assert.rejects(answer, { code: "COMMAND_TIMEOUT", message: /300 ms/ });
  assert.equal(slow.signal.aborted, true);
});

test("after a time-out, and only then, what is to be done next is over before the next command starts", async (t) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.timers.reset());
  const log = [];
  const { promise: isMended, resolve: mend } = Promise.withResolvers();
  const afterTimeout = async () => {
    log.push("mending");
    await isMended;
    log.push("mended");
  };
  await queue.run("1", 300, async () => {}, afterTimeout);
  const refuse = async () => {
    throw new Error("no");
  };
  await assert.rejects(queue.run("2", 300, refuse, afterTimeout), /no/);
  assert.deepEqual(log, []);
  const slow = queue.run("3", 300, work([], "slow"), afterTimeout);
  const next = queue.run("4", 300, async () => log.push("next"));
  await settle();
  mock.timers.tick(300);
  await settle();
  assert.deepEqual(log, ["mending"]);
  mend();
  await assert.rejects(slow, { code: "COMMAND_TIMEOUT" });
  await next;
  assert.deepEqual(log, ["mending", "mended", "next"]);
});

test("the time-out of a command that is over keeps nothing awake", async (t) => {
  const [made, cleared] = [t.mock.method(globalThis, "setTimeout"), t.mock.method(globalThis, "clearTimeout")];
  await queue.run("1", 1000, async () => {});
  assert.deepEqual(
    cleared.mock.calls.map((call) => call.arguments[0]),
    made.mock.calls.map((call) => call.result),
  );
  assert.equal(made.mock.callCount(), 1);
});

test("the time-out counts from the moment the command starts to run", async (t) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.timers.reset());
  const [first, second] = [work([], "first"), work([], "second")];
  const answers = [queue.run("1", 1000, first), queue.run("2", 100, second)];
  await settle();
  mock.timers.tick(900);
  first.done("a");
  await settle();
  mock.timers.tick(99);
  second.done("b");
  assert.deepEqual(await Promise.all(answers), ["a", "b"]);
});

test("cancelling a running command ends it at once and lets the next one run", async () => {
  const stuck = work([], "stuck");
  const answer = queue.run("1", 1000, stuck);
  const next = queue.run("2", 1000, async () => "next");
  await settle();
  queue.cancel("1");
  await assert.rejects(answer, { code: "OUTCOME_UNKNOWN" });
  assert.equal(stuck.signal.aborted, true);
  assert.equal(await next, "next");
});

test("a command cancelled while it waits never runs", async () => {
  const log = [];
  const [first, second] = [work(log, "first"), work(log, "second")];
  const one = queue.run("1", 1000, first);
  const two = queue.run("2", 1000, second);
  queue.cancel("2", new KaptureError("OUTCOME_UNKNOWN", "gone"));
  first.done();
  await one;
  await assert.rejects(two, { message: "gone" });
  assert.deepEqual(log, ["first starts", "first ends"]);
});

test("cancelling a command that is not there does nothing", () => queue.cancel("nobody"));

test("failAll ends what runs and what waits with the reason given", async () => {
  const log = [];
  const answers = ["1", "2", "3"].map((id) => queue.run(id, 1000, work(log, id)));
  await settle();
  queue.failAll(new KaptureError("TAB_DISCONNECTED", "closed"));
  for (const answer of answers) await assert.rejects(answer, { code: "TAB_DISCONNECTED" });
  assert.deepEqual(log, ["1 starts"]);
  assert.equal(queue.size, 0);
});

test("failRunning ends what runs and leaves what waits", async () => {
  const log = [];
  const [first, second] = ["1", "2"].map((id) => queue.run(id, 1000, work(log, id)));
  first.catch(() => {});
  await settle();
  queue.failRunning(new KaptureError("DIALOG_OPEN", "no"));
  await assert.rejects(first, { code: "DIALOG_OPEN" });
  await settle();
  assert.deepEqual(log, ["1 starts", "2 starts"]);
  queue.failRunning(new KaptureError("DIALOG_OPEN", "no"));
  await assert.rejects(second, { code: "DIALOG_OPEN" });
  queue.failRunning(new KaptureError("DIALOG_OPEN", "nothing runs"));
});

test("what a command left running cannot act any more once it has answered", async () => {
  let kept;
  await queue.run("1", 1000, async (signal) => (kept = signal));
  assert.equal(kept.aborted, true);
  assert.throws(() => kept.throwIfAborted(), { message: "the command is over" });
});

test("no time-out fires after the answer", async (t) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.timers.reset());
  let kept;
  await queue.run("1", 100, async (signal) => (kept = signal));
  mock.timers.tick(1000);
  assert.equal(kept.reason.code, "INTERNAL");
});

test("size counts what runs and waits; idle comes when all is over", async () => {
  const [first, second] = [work([], "first"), work([], "second")];
  queue.run("1", 1000, first);
  queue.run("2", 1000, second);
  assert.equal(queue.size, 2);
  let idle = false;
  queue.idle().then(() => (idle = true));
  first.done();
  await settle();
  assert.deepEqual([queue.size, idle], [1, false]);
  second.done();
  await settle();
  assert.deepEqual([queue.size, idle], [0, true]);
});

test("what runs or waits is known by its id", async () => {
  const first = queue.run("c1", 1000, () => new Promise(() => {}));
  const second = queue.run("c2", 1000, () => new Promise(() => {}));
  assert.deepEqual([queue.ids(), queue.has("c2"), queue.has("c3")], [["c1", "c2"], true, false]);
  queue.failAll(new Error("over"));
  await assert.rejects(first, /over/);
  await assert.rejects(second, /over/);
  assert.deepEqual(queue.ids(), []);
});
