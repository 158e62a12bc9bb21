import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { test } from "../testing.js";
import { handIn } from "../../../extension/tab/closed_roots.js";

let sent, roots, run;
beforeEach(() => {
  sent = [];
  roots = {
    a: [],
    b: [{ shadowRootType: "closed", backendNodeId: 7 }],
    c: [{ shadowRootType: "user-agent", backendNodeId: 8 }],
    d: undefined,
  };
  const replies = {
    "Runtime.callFunctionOn": () => ({ result: { objectId: "list" } }),
    "Runtime.getProperties": () => ({
      result: [
        ...Object.keys(roots).map((objectId, index) => ({ name: String(index), value: { objectId } })),
        { name: "length", value: { value: 4 } },
      ],
    }),
    "DOM.describeNode": ({ objectId }) => ({ node: { shadowRoots: roots[objectId] } }),
    "DOM.resolveNode": ({ backendNodeId }) => ({ object: { objectId: `root ${backendNodeId}` } }),
  };
  run = {
    frames: { worldsOf: (session) => ({ numberOf: (id) => `number of ${id} in ${session}` }) },
    send: async (method, params, session) => {
      sent.push([method, params, session]);
      return replies[method]?.(params) ?? {};
    },
  };
});

const sentOf = (name) => sent.filter(([method]) => method === name).map(([, params]) => params);

test("the closed roots of the elements a document noted are handed into its world, and nothing else", async () => {
  await handIn(run, { id: "W2", session: "S1" });
  assert.deepEqual(
    sentOf("DOM.describeNode").map(({ objectId }) => objectId),
    ["a", "b", "c", "d"],
  );
  const [{ backendNodeId, executionContextId }, ...others] = sentOf("DOM.resolveNode");
  assert.deepEqual([backendNodeId, executionContextId, others], [7, "number of W2 in S1", []]);
  const [taken, handed] = sentOf("Runtime.callFunctionOn");
  assert.equal(taken.uniqueContextId, "W2");
  assert.deepEqual([handed.objectId, handed.arguments], ["list", [{ objectId: "root 7" }]]);
});

test("nothing is left held in the browser, and all goes to the session of the frame", async () => {
  await handIn(run, { id: "W2", session: "S1" });
  const { objectGroup } = sentOf("Runtime.callFunctionOn")[0];
  assert.deepEqual(sent.at(-1), ["Runtime.releaseObjectGroup", { objectGroup }, "S1"]);
  assert.equal(sentOf("DOM.resolveNode")[0].objectGroup, objectGroup);
  assert.ok(sent.every(([, , session]) => session === "S1"));
});
