/** @import { World } from "./worlds.js" */
/** @import { Run } from "./run.js" */

/**
 * Hand the closed shadow roots of the elements a document has noted into its world (page/closed_roots.js): no script can ask
 * for them, but the debugger can.
 * @param {Run} run
 * @param {World} world
 */
export async function handIn(run, { id, session }) {
  const number = run.frames.worldsOf(session)?.numberOf(id);
  const send = (method, params) => run.send(method, params, session);
  const { result } = await send("Runtime.callFunctionOn", {
    functionDeclaration: "function () { return globalThis.kapture.takeOpaque(); }",
    uniqueContextId: id,
    objectGroup: GROUP,
  });
  const elements = (
    await send("Runtime.getProperties", { objectId: result.objectId, ownProperties: true })
  ).result.filter(({ name }) => /^\d+$/.test(name));
  const roots = await Promise.all(
    elements.map(async ({ value: { objectId } }) => {
      const { node } = await send("DOM.describeNode", { objectId });
      const root = node.shadowRoots?.find(({ shadowRootType }) => shadowRootType === "closed");
      return (
        root &&
        send("DOM.resolveNode", { backendNodeId: root.backendNodeId, executionContextId: number, objectGroup: GROUP })
      );
    }),
  );
  await send("Runtime.callFunctionOn", {
    functionDeclaration: "function (...roots) { globalThis.kapture.handIn(this, roots); }",
    objectId: result.objectId,
    arguments: roots.filter(Boolean).map(({ object: { objectId } }) => ({ objectId })),
  });
  await send("Runtime.releaseObjectGroup", { objectGroup: GROUP });
}

const GROUP = "kapture closed roots";
