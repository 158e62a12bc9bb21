import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { Listeners } from "../../../extension/tab/listeners.js";
import { test } from "../testing.js";

let sent, heard, gone, run, listeners;
const listens = (type, backendNodeId) => ({ type, backendNodeId });
beforeEach(() => {
  sent = [];
  heard = [listens("click", 7), listens("scroll", 2), listens("mousedown", 7), listens("click", 9)];
  gone = new Set();
  const replies = {
    "Runtime.evaluate": () => ({ result: { objectId: "document" } }),
    "DOMDebugger.getEventListeners": () => ({ listeners: heard }),
    "DOM.resolveNode": ({ backendNodeId }) => {
      if (gone.has(backendNodeId)) throw Object.assign(new Error("no node"), { code: "EXECUTION_ERROR" });
      return { object: { objectId: `node ${backendNodeId}` } };
    },
  };
  run = {
    frames: {
      worldsOf: () => ({ numberOf: (id) => `number of ${id}`, pageBeside: (id) => ({ id: `page of ${id}` }) }),
    },
    send: async (method, params, session) => {
      sent.push([method, params, session]);
      return replies[method]?.(params) ?? {};
    },
  };
  listeners = new Listeners();
});

const sentOf = (name) => sent.filter(([method]) => method === name).map(([, params]) => params);
const told = () => sentOf("Runtime.callFunctionOn").map(({ arguments: given }) => given);

test("what listens for presses is handed into the world, each element once", async () => {
  await listeners.handIn(run, { id: "W", session: "S" });
  assert.equal(sentOf("Runtime.evaluate")[0].uniqueContextId, "page of W");
  assert.deepEqual(told(), [[{ value: [7, 9] }, { value: [7, 9] }, { objectId: "node 7" }, { objectId: "node 9" }]]);
  assert.ok(sentOf("DOM.resolveNode").every(({ executionContextId }) => executionContextId === "number of W"));
  assert.ok(sent.every(([, , session]) => session === "S"));
});

test("what is known is not handed in again, and what listens no more is taken back", async () => {
  await listeners.handIn(run, { id: "W" });
  heard = [listens("click", 9), listens("click", 11)];
  await listeners.handIn(run, { id: "W" });
  assert.deepEqual(told()[1], [{ value: [9, 11] }, { value: [11] }, { objectId: "node 11" }]);
  heard = [];
  await listeners.handIn(run, { id: "W" });
  assert.deepEqual(told()[2], [{ value: [] }, { value: [] }]);
});

test("a page without such listeners costs two questions", async () => {
  heard = [listens("scroll", 2)];
  await listeners.handIn(run, { id: "W" });
  assert.deepEqual(
    sent.map(([method]) => method),
    ["Runtime.evaluate", "DOMDebugger.getEventListeners", "Runtime.releaseObjectGroup"],
  );
});

const asked = (method) => sentOf(method).length;

test("the document is asked for once, and again when its handle has been let go of", async () => {
  await listeners.handIn(run, { id: "W" });
  await listeners.handIn(run, { id: "W" });
  assert.deepEqual([asked("Runtime.evaluate"), asked("DOMDebugger.getEventListeners")], [1, 2]);
  const { send } = run;
  run.send = async (...call) => {
    if (call[0] !== "DOMDebugger.getEventListeners" || asked("Runtime.evaluate") > 1) return send(...call);
    throw Object.assign(new Error("Could not find object with given id"), { code: "EXECUTION_ERROR" });
  };
  heard = [listens("click", 11)];
  await listeners.handIn(run, { id: "W" });
  assert.equal(asked("Runtime.evaluate"), 2);
  assert.deepEqual(told().at(-1)[0], { value: [11] });
});

test("nobody waits until its handles are let go of", async () => {
  const { send } = run;
  run.send = (...call) => (call[0] === "Runtime.releaseObjectGroup" ? new Promise(() => {}) : send(...call));
  await listeners.handIn(run, { id: "W" });
  assert.equal(told().length, 1);
});

test("a node that went meanwhile is left out", async () => {
  gone.add(7);
  await listeners.handIn(run, { id: "W" });
  assert.deepEqual(told(), [[{ value: [7, 9] }, { value: [9] }, { objectId: "node 9" }]]);
});
