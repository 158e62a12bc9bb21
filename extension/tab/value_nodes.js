import { Inside } from "./inside.js";
/** @import { Run } from "./run.js" */

/** So many nodes of a value get a selector and a ref; each costs a call. */
const MAX_NODES = 100;
const GROUP = "kapture nodes";

/**
 * @typedef {{type: string, value?: any}} Deep a `deepSerializedValue` of CDP
 * @typedef {{selector: string|null, ref: string}} NodeWords
 */

/**
 * How to act on the elements that a value holds, by the browser's numbers of them; those that are not in the page are left out.
 * @param {Run} run
 * @param {Deep} value
 * @returns {Promise<Map<number, NodeWords>>}
 */
export async function nodeWords(run, value) {
  const numbers = [...new Set(nodesIn(value))].slice(0, MAX_NODES);
  if (!numbers.length) return new Map();
  const top = await Inside.top(run);
  const context = run.frames.worldsOf(undefined)?.numberOf(top.world.id);
  const resolved = await Promise.all(
    numbers.map((backendNodeId) =>
      run
        .send("DOM.resolveNode", { backendNodeId, executionContextId: context, objectGroup: GROUP })
        .then(({ object }) => ({ backendNodeId, objectId: object.objectId }), unlessGone),
    ),
  );
  const found = resolved.filter((one) => one !== null);
  const { value: answer } = await top.numbered((refs) => asked(run, top.world.id, refs, found));
  await run.send("Runtime.releaseObjectGroup", { objectGroup: GROUP });
  return new Map(found.flatMap(({ backendNodeId }, at) => (answer.told[at] ? [[backendNodeId, answer.told[at]]] : [])));
}

/**
 * @param {Run} run
 * @param {string} world
 * @param {object} refs
 * @param {{objectId: string}[]} found
 * @returns {Promise<{value: {told: (NodeWords|null)[], nextRef: number}}>}
 */
async function asked(run, world, refs, found) {
  const { result } = await run.send("Runtime.callFunctionOn", {
    functionDeclaration: "function (...args) { return globalThis.kapture.tellNodes(...args); }",
    uniqueContextId: world,
    arguments: [{ value: refs }, ...found.map(({ objectId }) => ({ objectId }))],
    returnByValue: true,
  });
  return result;
}

/**
 * The browser's numbers of the nodes in a value, in its order.
 * @param {Deep|string} given
 * @returns {Generator<number>}
 */
function* nodesIn(given) {
  if (typeof given === "string") return;
  const { type, value } = given;
  if (type === "node") {
    if (value?.backendNodeId) yield value.backendNodeId;
  } else if (Array.isArray(value)) for (const item of value.flat()) yield* nodesIn(item);
}

/** A node that went meanwhile, or that belongs to no world of ours. */
function unlessGone(error) {
  if (error.contextGone || error.code !== "EXECUTION_ERROR") throw error;
  return null;
}
