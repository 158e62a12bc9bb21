/** @import { Inside, Way } from "./inside.js" */
/** @import { Run } from "./run.js" */

/** How long one frame may hold up an answer about the whole page without a sign of life; and when it is at work. */
const FRAME_DEADLINE_MS = 1000;
const WORKING_MS = 10_000;

/**
 * What the document of a frame answers, or null when there is none, or a script holds it up. One that says that it
 * hears, and then only takes its time over a long page on a busy machine, is waited for.
 * @template T
 * @param {Inside} inside
 * @param {{way: Way, loadingMs?: number}} door where the frame is, and how long one is waited for that shows no document
 * @param {(frame: Inside) => Promise<T>} ask
 * @returns {Promise<{frame: Inside, reply: T}|null>}
 */
export async function answerIn(inside, { way, loadingMs }, ask) {
  const { run } = inside;
  const frame = await inTime(run, inside.enter(way, loadingMs));
  if (!frame) return null;
  const hearing = frame.call("state");
  const replying = ask(frame);
  replying.catch(() => {}); // of one that does not hear it is of no interest
  if (!(await inTime(run, hearing))) return null;
  const reply = await inTime(run, replying, WORKING_MS);
  return reply && { frame, reply };
}

/**
 * What `asking` resolves to, or null when the frame goes away, loads, or does not answer in time.
 * @template T
 * @param {Run} run
 * @param {Promise<T>} asking
 * @param {number} deadlineMs
 * @returns {Promise<T|null>}
 */
export async function inTime(run, asking, deadlineMs = FRAME_DEADLINE_MS) {
  let timer;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, deadlineMs, null)));
  const absent = asking.catch((error) => {
    if (error.code === "ELEMENT_NOT_FOUND") return null;
    throw error;
  });
  try {
    return await Promise.race([absent, late]);
  } finally {
    clearTimeout(timer);
    absent.catch(() => {}); // too late to be of interest
    run.signal.throwIfAborted();
  }
}
