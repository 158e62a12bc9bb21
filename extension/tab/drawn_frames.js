import { answerIn } from "./frame_answers.js";
import { Inside } from "./inside.js";
/** @import { Way } from "./inside.js" */
/** @import { Run } from "./run.js" */

/**
 * Resolves once the frames of other origins show what is in view of them: the browser draws one only after its page,
 * drawn anew, has told it that it is in view. Until then the frame is empty in a picture.
 * @param {Run} run
 */
export async function framesDrawn(run) {
  if (!run.frames.any) return;
  try {
    const top = await Inside.top(run);
    const ways = await waysInView(top);
    if (!ways.length) return;
    await run.screencast.drawn();
    await top.call("twoFrames");
    await allDrawn(top, ways);
  } catch (error) {
    if (!error.contextGone) throw error; // else the page was left, and its frames with it
  }
}

/**
 * @param {Inside} inside
 * @param {Way[]} ways
 */
async function allDrawn(inside, ways) {
  await Promise.all(ways.map((way) => answerIn(inside, { way, loadingMs: 0 }, drawn)));
}

/**
 * A frame draws before the frames in it are told.
 * @param {Inside} frame
 */
async function drawn(frame) {
  await frame.call("drawn");
  await allDrawn(frame, await waysInView(frame));
  return true;
}

/** @param {Inside} inside */
async function waysInView(inside) {
  /** @type {Way[]} */
  const ways = await inside.call("allDoors");
  return ways.filter(({ place }) => place.shown && place.left < place.right && place.top < place.bottom);
}
