import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { KaptureError } from "../../../extension/basics/errors.js";
import { framesDrawn } from "../../../extension/tab/drawn_frames.js";
import { Frames } from "../../../extension/tab/frames.js";
import { settle } from "../fakes.js";
import { test } from "../testing.js";

const IN_VIEW = { shown: true, left: 0, top: 0, right: 10, bottom: 10 };
const way = (door, place = IN_VIEW) => ({ door, place, rest: {} });
const nodeOf = new Map([
  ["W1/1", "F2"],
  ["W1/2", "F3"],
  ["W2/1", "F4"],
]);
let run, asked, doors, painted;

/** The top document W1 has the frames F2, in which is F4, and F3. */
beforeEach(() => {
  asked = [];
  doors = { W1: [way(1), way(2)], W2: [way(1)], W3: [], W4: [] };
  painted = {};
  const worlds = { known: (frameId) => frameId.replace("F", "W"), size: 4 };
  run = {
    navigation: { frameId: "F1" },
    frames: new Frames({ worlds, children: { ofFrame: () => undefined, hasFrames: true } }),
    signal: new AbortController().signal,
    topWorld: () => "W1",
    watch() {},
    screencast: { drawn: async () => void asked.push("tab drawn") },
    call: async ({ id }, name) => {
      if (name === "allDoors") return { value: doors[id] };
      if (name === "state") return { value: "hears" };
      asked.push(`${id} ${name}`);
      await painted[id]?.promise;
      return { value: null };
    },
    send: async (method, params) =>
      method === "DOM.describeNode"
        ? { node: { frameId: nodeOf.get(params.objectId) } }
        : { result: { objectId: `${params.uniqueContextId}/${params.arguments?.[0].value}` } },
  };
});

test("the page tells its frames what is in view, they draw it, and then those in them", async () => {
  painted.W2 = Promise.withResolvers();
  const waiting = framesDrawn(run);
  await settle();
  assert.deepEqual(asked, ["tab drawn", "W1 twoFrames", "W2 drawn", "W3 drawn"]);
  painted.W2.resolve();
  await waiting;
  assert.deepEqual(asked.slice(4), ["W4 drawn"]);
});

for (const [what, place] of [
  ["beyond the viewport", { ...IN_VIEW, top: 10 }],
  ["beside it", { ...IN_VIEW, left: 12 }],
  ["that is hidden", { ...IN_VIEW, shown: false }],
])
  test(`a frame ${what} draws nothing and is not waited for`, async () => {
    doors.W1 = [way(1, place)];
    await framesDrawn(run);
    assert.deepEqual(asked, []);
    doors.W1.push(way(2));
    await framesDrawn(run);
    assert.deepEqual(asked, ["tab drawn", "W1 twoFrames", "W3 drawn"]);
  });

test("a page without frames is not asked for any", async () => {
  run.frames = { any: false };
  run.call = () => assert.fail("nothing is to be asked");
  await framesDrawn(run);
});

test("a frame that goes meanwhile holds no picture up", async () => {
  painted.W2 = Promise.withResolvers();
  const waiting = framesDrawn(run);
  await settle();
  painted.W2.reject(new KaptureError("ELEMENT_NOT_FOUND", "the frame has gone"));
  await waiting;
  assert.deepEqual(asked, ["tab drawn", "W1 twoFrames", "W2 drawn", "W3 drawn"]);
});

test("a page that is left meanwhile holds no picture up, any other error is told", async () => {
  run.call = () => Promise.reject(Object.assign(new KaptureError("EXECUTION_ERROR", "left"), { contextGone: true }));
  await framesDrawn(run);
  run.call = () => Promise.reject(new KaptureError("INTERNAL", "broken"));
  await assert.rejects(framesDrawn(run), { code: "INTERNAL" });
});
