import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { settle } from "../fakes.js";
import { test } from "../testing.js";
import { KaptureError } from "../../../extension/basics/errors.js";
import { Frames } from "../../../extension/tab/frames.js";
import { waitForText } from "../../../extension/tab/text_wait.js";

const way = (door, shown = true) => ({ door, place: { x: 0, y: 0, shown }, rest: {} });
let run, over, worlds, asked, told, answers;

beforeEach(() => {
  over = new AbortController();
  worlds = { F1: "W1", F2: "W2" };
  asked = [];
  told = [];
  answers = {};
  const children = { ofFrame: () => undefined, hasFrames: true };
  let door;
  run = {
    navigation: { frameId: "F1" },
    frames: new Frames({ worlds: { known: (frameId) => worlds[frameId], size: 2 }, children }),
    callBeside: (name, world) => void told.push([world?.id ?? "top", name]),
    signal: over.signal,
    topWorld: () => "W1",
    watch: () => {},
    // Each call for a document stays open until it is answered.
    call: ({ id }, name, args, place) => {
      asked.push([id, name, ...(place ? [place.shown] : [])]);
      if (name !== "watchText") return Promise.resolve({ value: null });
      answers[id] = Promise.withResolvers();
      return answers[id].promise;
    },
    send: async (method, { arguments: given } = {}) => {
      if (method === "Runtime.callFunctionOn") door = given[0].value;
      return method === "DOM.describeNode" ? { node: { frameId: `F${door + 1}` } } : { result: { objectId: "O1" } };
    },
  };
});

async function says(world, there, ways = []) {
  answers[world].resolve({ value: { there, ways, known: String(there) } });
  await settle();
}

async function started(state) {
  const waiting = { done: false };
  waiting.promise = waitForText(run, { text: "Paid", state }).finally(() => (waiting.done = true));
  waiting.promise.catch(() => {});
  await settle();
  return waiting;
}

test("the text may be in any document", async () => {
  const waiting = await started("visible");
  await says("W1", false, [way(1)]);
  assert.equal(waiting.done, false);
  await says("W2", true);
  assert.deepEqual(await waiting.promise, { text: "Paid" });
  assert.deepEqual(
    told.filter(([, name]) => name === "stopWaiting"),
    [
      ["top", "stopWaiting"],
      ["W2", "stopWaiting"],
    ],
  );
  assert.equal(run.frames.listeners.size, 0);
});

test("it is hidden once every document has said so, and shown again counts", async () => {
  const waiting = await started("hidden");
  await says("W1", false, [way(1)]);
  await says("W2", true);
  await says("W1", true, [way(1)]);
  await says("W2", false);
  assert.equal(waiting.done, false);
  await says("W1", false, [way(1)]);
  assert.deepEqual(await waiting.promise, { text: "Paid" });
});

test("a frame that was removed shows nothing", async () => {
  const waiting = await started("hidden");
  await says("W1", false, [way(1)]);
  await says("W2", true);
  await says("W1", false, []);
  assert.deepEqual(await waiting.promise, { text: "Paid" });
});

test("a frame's next document is asked, too", async () => {
  const waiting = await started("visible");
  await says("W1", false, [way(1)]);
  await says("W2", false);
  worlds.F2 = "W3";
  answers.W2.reject(Object.assign(new KaptureError("EXECUTION_ERROR", "context was destroyed"), { contextGone: true }));
  await settle();
  await says("W3", true);
  assert.deepEqual(await waiting.promise, { text: "Paid" });
});

test("a frame that is shown or hidden by the page around it looks again", async () => {
  await started("visible");
  await says("W1", false, [way(1)]);
  await says("W1", false, [way(1, false)]);
  assert.deepEqual(asked.at(-2), ["W2", "lookAgain", false]);
  over.abort(new Error("over"));
});

test("all look again when a frame shows another document", async () => {
  await started("visible");
  await says("W1", false, [way(1)]);
  told.length = 0;
  run.frames.onEvent("Runtime.executionContextCreated", {});
  assert.deepEqual(told, [
    ["top", "lookAgain"],
    ["W2", "lookAgain"],
  ]);
  over.abort(new Error("over"));
});

test("it ends with its command and leaves nothing in any document", async () => {
  const waiting = await started("visible");
  await says("W1", false, [way(1)]);
  over.abort(new Error("over"));
  await assert.rejects(waiting.promise, { message: "over" });
  assert.deepEqual(told.filter(([, name]) => name === "stopWaiting").length, 2);
  assert.equal(run.frames.listeners.size, 0);
});

test("a top document that is left is an error, to look again from there", async () => {
  const waiting = await started("visible");
  answers.W1.reject(Object.assign(new KaptureError("EXECUTION_ERROR", "context was destroyed"), { contextGone: true }));
  await assert.rejects(waiting.promise, { contextGone: true });
});

test("a wait that was given up before it began to listen ends", async () => {
  const why = new KaptureError("COMMAND_TIMEOUT", "given up");
  over.abort(why);
  await assert.rejects(waitForText(run, { text: "Paid", state: "visible" }), why);
  assert.deepEqual(asked, []);
});
