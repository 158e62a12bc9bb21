import { KaptureError } from "../basics/errors.js";
import { UNREAD } from "../tab/dialogs.js";
import { Files } from "../tab/files.js";
import { locate, reach } from "../tab/inside.js";
import { whenReady } from "../tab/patience.js";
import { pressOn } from "../tab/press.js";
import { targetOf } from "../tab/target.js";
/** @import { Handler } from "../tab/executor.js" */
/** @import { Offered } from "../tab/files.js" */
/** @import { Spot } from "../tab/inside.js" */
/** @import { Run } from "../tab/run.js" */
/** @import { Target } from "../tab/target.js" */
/** @import { World } from "../tab/worlds.js" */

/** A page may ask its server first: so long after a press a file chooser is waited for. */
const CHOOSER_MS = 5000;

/**
 * Files for a field, a chooser that waits or that the target opens, or dropped on it.
 * @type {Handler}
 */
async function uploadFile({ files, ...rest }, run) {
  const target = targetOf(rest);
  if (!Object.keys(target).length) return toChooser(run, files);
  const { value, inside } = await whenReady(run, () => reach(run, target, "startUpload", counted(files)));
  if (value.way === "field") return toField(run, { ...value, world: inside.world }, files);
  if (value.way === "press") return byPress(run, target, files);
  return (await drop(run, target, files)) ?? byPress(run, target, files, "took no drop, ");
}

/** @param {Offered[]} offered */
const counted = (offered) => {
  const folders = offered.filter(({ folder }) => folder).length;
  return { files: offered.length - folders, folders };
};

/**
 * @param {Run} run
 * @param {{world: World, element: string}} field the page's half knows which it is
 * @param {Offered[]} offered
 */
async function toField(run, { world, element }, offered) {
  const files = new Files(run, world, offered);
  const way = await files.ready();
  run.acted = true;
  const { sets } = run.presses;
  const given = { into: element, way, note: UNREAD };
  run.done = () => (way === "path" || run.presses.sets > sets ? given : null);
  const into = async (/** @type {string} */ name) => {
    const { value: taken } = await run.call(world, name, [offered.length]);
    return { files: taken, into: element, way };
  };
  if (way === "pieces") return into("setMade");
  if (!(await files.put(await files.object("takingField"))))
    throw new KaptureError("EXECUTION_ERROR", `the browser could not give the files to ${element}`, "try again");
  return into("taken");
}

/**
 * @param {Run} run
 * @param {Offered[]} offered
 */
async function toChooser(run, offered) {
  const { fileChooser } = run;
  const { waiting } = fileChooser;
  const field = waiting && (await fileChooser.field(run, waiting));
  if (!field)
    throw new KaptureError(
      "INVALID_PARAMS",
      "no file chooser waits in this tab",
      "click what opens one first, or name a target",
    );
  const { world, objectId } = field;
  if (!run.grant.isFull) run.grant.demand((await run.call(world, "state", [])).value.url);
  const { result, exceptionDetails } = await run.send(
    "Runtime.callFunctionOn",
    {
      functionDeclaration:
        "function (given) { try { return { field: globalThis.kapture.takeField(this, given) }; } catch ({ code, message, nextStep }) { return { code, message, nextStep }; } }",
      objectId,
      arguments: [{ value: counted(offered) }],
      returnByValue: true,
    },
    world.session,
  );
  if (exceptionDetails) throw new KaptureError("INTERNAL", `takeField: ${exceptionDetails.exception?.description}`);
  const { code, message, nextStep } = result.value;
  if (code) throw new KaptureError(code, message, nextStep);
  const given = await toField(run, { world, ...result.value.field }, offered);
  fileChooser.over();
  return given;
}

/**
 * Press the target and give its files to the chooser that opens.
 * @param {Run} run
 * @param {Target} target
 * @param {Offered[]} offered
 * @param {string} before what it did not do, for the error
 */
async function byPress(run, target, offered, before = "") {
  const { fileChooser } = run;
  const mark = fileChooser.mark;
  const { hit, element } = await pressOn(run, (guard) => locate(run, target, { guard }));
  const words = hit ?? element;
  if (!(await fileChooser.opened(mark, CHOOSER_MS, run.signal)))
    throw new KaptureError(
      "EXECUTION_ERROR",
      `${words} ${before}was clicked and opened no file chooser within ${CHOOSER_MS / 1000} s`,
      "look at the page, the field or a place for drops may be there now",
    );
  if (!fileChooser.waiting)
    throw new KaptureError(
      "EXECUTION_ERROR",
      `${words} was clicked and asks for files in a way that only a person can answer (showOpenFilePicker)`,
      "look for a place in the page that takes a drop",
    );
  return { ...(await toChooser(run, offered)), clicked: words };
}

/** As files come from a file manager: copied, moved or linked as the page likes. */
const ANY_OPERATION = 1 | 2 | 16;

/**
 * Drop the files on the target.
 * @param {Run} run
 * @param {Target} target
 * @param {Offered[]} offered
 * @returns {Promise<object|null>} null when the page takes no drop there
 */
async function drop(run, target, offered) {
  if (!offered.length)
    throw new KaptureError(
      "INVALID_PARAMS",
      "paths is empty, and the target is not a file field to be cleared",
      "give the paths of files, or name a file field",
    );
  const { x, y, element, world } = await whenReady(run, () => locate(run, target));
  const files = new Files(run, world, offered);
  const way = await files.ready();
  const seen =
    way === "path" ? await dropPaths(run, { x, y, element, world }, files) : await dropMade(run, { x, y }, world);
  if (!seen.accepts) return null;
  if (!seen.dropped)
    throw new KaptureError("EXECUTION_ERROR", `${element} took the files under the mouse, but no drop came of it`);
  return { files: files.told, droppedOn: seen.dropped, way };
}

/**
 * @param {Run} run
 * @param {Spot} spot
 * @param {Files} files
 */
async function dropPaths(run, { x, y, world }, { paths }) {
  const data = { items: [], files: paths, dragOperationsMask: ANY_OPERATION };
  const send = (/** @type {string} */ type) => run.send("Input.dispatchDragEvent", { type, x, y, data });
  await run.call(world, "watchDrop", [{ x, y }]);
  await send("dragEnter");
  await send("dragOver");
  // The page's word on the first one counts for the next.
  await send("dragOver");
  const { value: hovering } = await run.call(world, "dropSeen", [false]);
  // What a page does not take the browser itself opens in its place.
  await send(hovering.accepts ? "drop" : "dragCancel");
  if (hovering.accepts) await run.frame();
  return (await run.call(world, "dropSeen", [true])).value;
}

/**
 * @param {Run} run
 * @param {{x: number, y: number}} point
 * @param {World} world
 */
async function dropMade(run, point, world) {
  run.acted = true;
  return (await run.call(world, "dropMade", [point])).value;
}

/** @type {Record<string, Handler>} */
export const handlers = { kapturemcp_upload_file: uploadFile };
