import { KaptureError } from "../basics/errors.js";
import { Inside } from "./inside.js";
import { Run } from "./run.js";
/** @import { TabParts } from "./parts.js" */
/** @import { Outcome } from "./executor.js" */

/** A page that takes longer to say what lies at a place is stuck. */
const DEADLINE_MS = 2000;
const QUALITY = 80;

/**
 * What lies where the person points, and a picture of the viewport. It stands in no queue: they point while an agent works.
 * @param {TabParts} tab
 * @param {{id: string, x: number, y: number}} frame the panel's request
 * @returns {Promise<Outcome>} the response; its result is {data, scrollX, scrollY, width, height} of the viewport, and
 *   as `about` what `meantAt` of the page tells, {} for nothing
 */
export async function pointedAt(tab, { id, x, y }) {
  const end = tab.screencast.commandBegins();
  const run = new Run(tab, { signal: AbortSignal.timeout(DEADLINE_MS) });
  try {
    if (tab.dialogs.open) throw new KaptureError("DIALOG_OPEN", "the page shows a dialog", "answer it first");
    const top = await Inside.top(run);
    const { value } = await top.numbered((numbers) => run.call(top.world, "meantAt", [numbers, x, y]));
    const { scrollX, scrollY, width, height } = await run.page("viewport");
    await tab.screencast.drawn();
    const { data } = await run.send("Page.captureScreenshot", { format: "jpeg", quality: QUALITY });
    const result = { about: value.told ?? {}, data, scrollX, scrollY, width, height };
    return { type: "response", id, success: true, ms: 0, result };
  } catch (error) {
    return { type: "response", id, success: false, ms: 0, error: KaptureError.wire(error) };
  } finally {
    end();
  }
}
