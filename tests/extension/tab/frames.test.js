import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { test } from "../testing.js";
import { Frames } from "../../../extension/tab/frames.js";
import { Worlds } from "../../../extension/tab/worlds.js";

let frames, tab, signal;
beforeEach(() => {
  const child = { worlds: new Worlds() };
  tab = {
    worlds: new Worlds(),
    children: {
      child,
      hasFrames: true,
      ofFrame: (frameId) => (frameId === "F2" ? "child" : undefined),
      get: (id) => (id === "child" ? child : undefined),
    },
  };
  frames = new Frames(tab);
  signal = new AbortController().signal;
});

const created = (worlds, frameId, uniqueId) =>
  worlds.onEvent("Runtime.executionContextCreated", { context: { name: "kapture", uniqueId, auxData: { frameId } } });
const enter = (world, parent, door, frameId = "F2") =>
  frames.entered({ world: { id: world }, frameId, parent: { world: { id: parent } }, door });

test("a frame's world is that of its own target, else that of the document around it", () => {
  created(tab.worlds, "F2", "old");
  assert.equal(frames.worldOf("F2", undefined), null, "a target of its own has not announced it yet");
  created(tab.children.child.worlds, "F2", "W2");
  created(tab.children.child.worlds, "F4", "W4");
  assert.deepEqual(frames.worldOf("F2", undefined), { id: "W2", session: "child" });
  assert.deepEqual(frames.worldOf("F4", "child"), { id: "W4", session: "child" });
  assert.equal(frames.worldOf("F4", undefined), null);
});

test("a world that is announced late is waited for, up to the deadline", async () => {
  assert.equal(await frames.worldWithin(1, "F2", undefined, signal), null);
  const waiting = frames.worldWithin(5000, "F2", undefined, signal);
  created(tab.children.child.worlds, "F2", "W2");
  frames.onEvent("Runtime.executionContextCreated", {});
  assert.deepEqual(await waiting, { id: "W2", session: "child" });
});

test("a ref leads back to the frame that gave it, by all the doors on the way, until its document is gone", () => {
  enter("W2", "W1", 1);
  enter("W3", "W2", 4, "F3");
  frames.told("W1", { from: 1, to: 3, inFrame: false });
  frames.told("W3", { from: 3, to: 5, inFrame: true });
  frames.told("W3", { from: 5, to: 6, inFrame: true });
  assert.deepEqual(
    ["e2", "e3", "e5", "e6"].map((ref) => frames.ownerOf(ref)),
    [undefined, "W3", "W3", undefined],
  );
  assert.deepEqual(frames.wayTo("W3"), [
    { world: "W2", door: 1 },
    { world: "W3", door: 4 },
  ]);
  frames.onEvent("Runtime.executionContextDestroyed", { executionContextUniqueId: "W3" });
  assert.deepEqual([frames.ownerOf("e3"), frames.wayTo("W3")], ["W3", []]);
  frames.left();
  assert.equal(frames.ownerOf("e3"), undefined);
});

test("a document is told which of its numbers arrived", () => {
  assert.deepEqual(frames.numbers("W2", 9), { from: 9, accepted: 9 });
  frames.told("W2", { from: 9, to: 12, inFrame: true });
  assert.deepEqual(frames.numbers("W2", 40), { from: 40, accepted: 12 });
});

test("a door is known while the frame behind it shows a document", () => {
  created(tab.children.child.worlds, "F2", "W2");
  enter("W2", "W1", 1);
  assert.equal(frames.behind("W1", 1), "F2");
  tab.children.child.worlds.forget("W2");
  assert.equal(frames.behind("W1", 1), undefined);
});

test("a followed frame is settled when it stays, or when its next document is there", async () => {
  assert.equal(await frames.settled(frames.follow("F2", signal), signal), false);
  const going = frames.follow("F2", signal);
  frames.onEvent("Page.frameStartedNavigating", {
    frameId: "F2",
    url: "https://b.example/",
    loaderId: "L2",
    navigationType: "differentDocument",
  });
  const settled = frames.settled(going, signal);
  frames.arrived({ id: "F2", parentId: "F1", loaderId: "L2", url: "https://b.example/" });
  for (const name of ["DOMContentLoaded", "load"])
    frames.onEvent("Page.lifecycleEvent", { frameId: "F2", loaderId: "L2", name });
  assert.equal(await settled, true);
});

test("a followed frame that is removed on its way is not waited for", async () => {
  const going = frames.follow("F2", signal);
  frames.onEvent("Page.frameStartedNavigating", {
    frameId: "F2",
    url: "https://b.example/",
    loaderId: "L2",
    navigationType: "differentDocument",
  });
  const settled = frames.settled(going, signal);
  frames.onEvent("Page.frameDetached", { frameId: "F2", reason: "remove" });
  assert.equal(await settled, false);
});

test("a world keeps from where it gives up numbers, also when its first answer never came", () => {
  assert.deepEqual(frames.numbers("W2", 5), { from: 5, accepted: 5 });
  assert.deepEqual(frames.numbers("W2", 9), { from: 9, accepted: 5 });
  frames.told("W2", { from: 9, to: 12, inFrame: true });
  assert.deepEqual(frames.numbers("W2", 12), { from: 12, accepted: 12 });
});

test("who listens is told of every frame that comes, goes or shows another document", async () => {
  let heard = 0;
  frames.listeners.add(() => (heard += 1));
  const changed = frames.changed(signal);
  frames.onEvent("Network.requestWillBeSent", {});
  assert.equal(heard, 0);
  frames.onEvent("Page.frameDetached", {});
  await changed;
  assert.equal(heard, 1);
});
