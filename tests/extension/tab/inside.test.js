import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { test } from "../testing.js";
import { KaptureError } from "../../../extension/basics/errors.js";
import { Frames } from "../../../extension/tab/frames.js";
import { coverAround, focusArrived, lead, locate, merged, reach } from "../../../extension/tab/inside.js";

const PLACE = { x: 10, y: 20 };
const WAY = { door: 1, place: PLACE, rest: { selector: "input" } };
let run, asked, replies, worlds, watched;

beforeEach(() => {
  asked = [];
  watched = [];
  worlds = { F1: "W1", F2: "W2" };
  replies = { W1: {}, W2: {} };
  const snapshots = { nextRef: 5, count: (next) => (snapshots.nextRef = next) };
  const children = { ofFrame: () => undefined, hasFrames: true };
  run = {
    snapshots,
    navigation: { frameId: "F1" },
    frames: new Frames({ worlds: { known: (frameId) => worlds[frameId], size: 1 }, children }),
    signal: new AbortController().signal,
    topWorld: () => "W1",
    watch: (inside) => watched.push(inside.frameId),
    page: async (name) => void asked.push(["top", name]),
    call: async ({ id }, name, args, place) => {
      asked.push([id, name, ...args]);
      const reply = replies[id][name];
      return (await (typeof reply === "function" ? reply(args, place) : reply)) ?? { value: null };
    },
    send: async (method) =>
      method === "DOM.describeNode" ? { node: { frameId: "F2" } } : { result: { objectId: "O1" } },
  };
});

const gone = () =>
  Promise.reject(Object.assign(new KaptureError("EXECUTION_ERROR", "context was destroyed"), { contextGone: true }));

test("a target of the top document is answered there, by one call", async () => {
  replies.W1.state = { value: "there" };
  const { value, inside } = await reach(run, { selector: "p" }, "state", 1);
  assert.deepEqual([value, inside.parent, asked], ["there", null, [["W1", "state", { selector: "p" }, 1]]]);
});

test("a target in a frame is answered there, with the rest of the selector and the frame's place", async () => {
  replies.W1.state = { ways: [WAY] };
  replies.W2.state = (_args, place) => ({ value: place });
  const { value, inside } = await reach(run, { selector: "iframe >>> input" }, "state");
  assert.deepEqual([value, inside.frameId, watched], [PLACE, "F2", ["F2"]]);
  assert.deepEqual(asked[1], ["W2", "state", { selector: "input" }]);
});

test("of several frames the first that has the target is taken", async () => {
  replies.W1.state = { ways: [WAY, { ...WAY, door: 2 }] };
  let call = 0;
  replies.W2.state = () => {
    if ((call += 1) === 1) throw new KaptureError("ELEMENT_NOT_FOUND", "nothing matches");
    return { value: "second" };
  };
  assert.equal((await reach(run, {}, "state")).value, "second");
  replies.W2.state = () => Promise.reject(new KaptureError("ELEMENT_NOT_FOUND", "nothing matches"));
  await assert.rejects(reach(run, {}, "state"), { code: "ELEMENT_NOT_FOUND", message: "nothing matches" });
});

test("a wait in several frames ends with the first that has it", async () => {
  replies.W1.waitFor = { ways: [WAY, { ...WAY, door: 2 }] };
  run.callBeside = () => {};
  let call = 0;
  replies.W2.waitFor = () => ((call += 1) === 1 ? new Promise(() => {}) : { value: "second" });
  assert.equal((await reach(run, {}, "waitFor", { state: "visible" })).value, "second");
});

test("a ref of a frame goes straight there and is stale once its frame is gone", async () => {
  replies.W1.snapshot = { ways: [{ ...WAY, rest: {} }] };
  replies.W2.snapshot = { value: { nextRef: 8 } };
  await reach(run, {}, "snapshot", {});
  assert.deepEqual([run.snapshots.nextRef, run.frames.ownerOf("e6")], [8, "W2"]);
  asked.length = 0;
  replies.W1.placeOfDoor = { value: PLACE };
  replies.W2.state = { value: "there" };
  assert.equal((await reach(run, { ref: "e6" }, "state")).value, "there");
  assert.deepEqual(asked, [
    ["W1", "placeOfDoor", 1],
    ["W2", "state", { ref: "e6" }],
  ]);
  replies.W2.state = gone;
  await assert.rejects(reach(run, { ref: "e6" }, "state"), { code: "STALE_REF" });
  replies.W1.placeOfDoor = { value: null };
  await assert.rejects(reach(run, { ref: "e6" }, "state"), { code: "STALE_REF" });
  delete worlds.F2;
  replies.W1.placeOfDoor = { value: PLACE };
  await assert.rejects(reach(run, { ref: "e6" }, "state"), { code: "STALE_REF" });
});

test("a ref that nobody remembers is asked for in the frames", async () => {
  replies.W1.state = () => Promise.reject(new KaptureError("STALE_REF", "e6 was never given out in this page"));
  replies.W1.allDoors = { value: [{ ...WAY, rest: {} }] };
  replies.W2 = { knowsRef: { value: true }, state: { value: "there" } };
  assert.equal((await reach(run, { ref: "e6" }, "state")).value, "there");
  replies.W2 = { knowsRef: { value: false }, allDoors: { value: [] } };
  await assert.rejects(reach(run, { ref: "e6" }, "state"), { code: "STALE_REF" });
});

test("a frame that goes away under a selector is an error of its own, never one of the page", async () => {
  replies.W1.state = { ways: [WAY] };
  replies.W2.state = gone;
  await assert.rejects(
    reach(run, { selector: "iframe >>> input" }, "state"),
    (error) => error.code === "ELEMENT_NOT_FOUND" && error.frameGone && !error.contextGone,
  );
});

test("a point on a frame that cannot be entered is a point on the frame itself", async () => {
  run.send = async () => ({ result: {} });
  replies.W1.locate = ([target]) => (target.stay ? { value: { x: 1, y: 2, element: "<iframe>" } } : { ways: [WAY] });
  assert.deepEqual(await locate(run, { x: 1, y: 2 }), { x: 1, y: 2, element: "<iframe>", world: { id: "W1" } });
});

test("points in a frame are led out through all frames around; frames are waited for only after scrolling", async () => {
  replies.W1.locate = { ways: [WAY] };
  replies.W2.locate = {
    value: {
      points: [
        { x: 1, y: 1 },
        { x: 2, y: 2 },
      ],
      moved: false,
      element: "<b>",
    },
  };
  replies.W1.passThrough = { value: { points: [{ x: 2, y: 2 }], moved: false } };
  assert.deepEqual(await locate(run, { selector: "iframe >>> b" }), {
    element: "<b>",
    x: 2,
    y: 2,
    world: { id: "W2", session: undefined },
  });
  assert.ok(!asked.some(([, name]) => name === "twoFrames"));
  replies.W1.passThrough = { value: { points: [{ x: 9, y: 9 }], moved: true } };
  assert.deepEqual(await locate(run, { selector: "iframe >>> b" }), {
    element: "<b>",
    x: 9,
    y: 9,
    world: { id: "W2", session: undefined },
  });
  assert.deepEqual(
    asked.filter(([, name]) => name === "twoFrames").map(([where]) => where),
    ["top", "W2", "top"],
  );
});

test("a frame that is covered is an error", async () => {
  replies.W1.state = { ways: [WAY] };
  replies.W1.passThrough = () => Promise.reject(new KaptureError("ELEMENT_NOT_VISIBLE", "<div> covers"));
  const { inside } = await reach(run, {}, "state");
  await assert.rejects(lead(inside, { points: [{ x: 1, y: 1 }] }), { code: "ELEMENT_NOT_VISIBLE" });
});

test("the focus is waited for in each document around the frame", async () => {
  replies.W1.state = { ways: [WAY] };
  const { inside } = await reach(run, {}, "state");
  await focusArrived(inside);
  assert.deepEqual(asked.at(-1), ["W1", "focusArrived", 1]);
});

test("the rest of a target replaces what led to the frame, null takes it away", () => {
  assert.deepEqual(merged({ selector: "a >>> b", x: 1 }, { selector: "b" }), { selector: "b", x: 1 });
  assert.deepEqual(merged({ selector: "a" }, { selector: null }), {});
});

test("what covers a point is looked for in each document around, without scrolling", async () => {
  replies.W1.state = { ways: [WAY] };
  const { inside } = await reach(run, {}, "state");
  replies.W1.uncovered = { value: { points: [], cover: "<div>" } };
  assert.equal(await coverAround(inside, [{ x: 1, y: 1 }]), "<div>");
  replies.W1.uncovered = { value: { points: [{ x: 1, y: 1 }], cover: null } };
  assert.equal(await coverAround(inside, [{ x: 1, y: 1 }]), undefined);
  assert.deepEqual(asked.at(-1), ["W1", "uncovered", 1, [{ x: 1, y: 1 }]]);
});

test("numbers whose answer never came are given up by the document that gave them", async () => {
  replies.W1.snapshot = { ways: [{ ...WAY, rest: {} }] };
  const numbers = [];
  replies.W2.snapshot = (args) => {
    numbers.push(args.at(-1));
    return { value: { nextRef: args.at(-1).from + 3 } };
  };
  await reach(run, {}, "snapshot", {});
  const answered = replies.W2.snapshot;
  replies.W2.snapshot = (args) => {
    answered(args);
    return Promise.reject(new KaptureError("COMMAND_TIMEOUT", "late"));
  };
  await assert.rejects(reach(run, {}, "snapshot", {}), { code: "COMMAND_TIMEOUT" });
  replies.W2.snapshot = answered;
  await reach(run, {}, "snapshot", {});
  assert.deepEqual(numbers, [
    { from: 5, accepted: 5 },
    { from: 8, accepted: 8 },
    { from: 8, accepted: 8 },
  ]);
});

test("numbers that others got before the answer came are void", async () => {
  replies.W1.snapshot = { ways: [{ ...WAY, rest: {} }] };
  replies.W2.snapshot = () => {
    run.snapshots.count(9);
    return { value: { nextRef: 8 } };
  };
  await assert.rejects(reach(run, {}, "snapshot", {}), { code: "ELEMENT_NOT_FOUND" });
  assert.equal(run.frames.ownerOf("e6"), undefined);
});
