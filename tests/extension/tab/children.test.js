import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { test } from "../testing.js";
import { Children } from "../../../extension/tab/children.js";

let children, sent, fails, arrived;
beforeEach(() => {
  sent = [];
  arrived = [];
  fails = null;
  const send = async (method, params, sessionId) => {
    sent.push([sessionId, method, params]);
    if (method === fails) throw new Error("no session");
    return method === "Page.getFrameTree" ? { frameTree: { frame: { id: "F2" } } } : {};
  };
  children = new Children({
    cdp: { send },
    emulation: { isOffline: false },
    pageSource: { source: "0", worldName: "kapture" },
    onFrame: (frame) => arrived.push(frame),
  });
});

const attach = (sessionId, type, { targetId = "T", parent, ...more } = {}) =>
  children.attached({ sessionId, targetInfo: { type, targetId }, ...more }, parent);
const methods = () => sent.map(([, method]) => method);

test("a worker is listened to, a frame is entered, too, and what came before that is told", async () => {
  await attach("w", "worker");
  assert.deepEqual(methods(), ["Network.enable", "Runtime.enable", "Log.enable"]);
  sent.length = 0;
  await attach("f", "iframe", { targetId: "F2" });
  assert.ok(methods().includes("Page.addScriptToEvaluateOnNewDocument") && methods().includes("Target.setAutoAttach"));
  assert.deepEqual(arrived, [{ id: "F2" }]);
  assert.deepEqual(
    [children.ofFrame("F2"), children.ofFrame("T"), children.hasFrames, children.size],
    ["f", undefined, true, 2],
  );
  assert.deepEqual([children.get("w").worlds, children.get("w").context], [null, "worker"]);
});

test("a target of another kind is left alone but let go", async () => {
  await attach("x", "other", { waitingForDebugger: true });
  assert.deepEqual([methods(), children.size], [["Runtime.runIfWaitingForDebugger"], 0]);
});

test("one that ends before it could be listened to is forgotten", async () => {
  fails = "Log.enable";
  await attach("f", "iframe");
  assert.equal(children.size, 0);
});

test("with a frame end the targets in it, and every call into them", async () => {
  await attach("f", "iframe", { targetId: "F2" });
  await attach("g", "iframe", { targetId: "F3", parent: "f" });
  await attach("w", "worker");
  const called = children.answered("g", new Promise(() => {}));
  children.detached("f");
  await assert.rejects(called, /Target closed/);
  assert.deepEqual([...children.keys()], ["w"]);
  assert.equal(await children.answered("w", Promise.resolve(1)), 1);
});
