import { KaptureError } from "../basics/errors.js";
/** @import { Handler } from "../tab/executor.js" */

/** @type {Handler} */
async function handleDialog({ accept, promptText }, run) {
  const { dialogs, lifetime } = run;
  if (!accept && promptText)
    throw new KaptureError(
      "INVALID_PARAMS",
      "handle_dialog: a dialog that is dismissed takes no promptText",
      "accept it, or leave out promptText",
    );
  const closes = accept && dialogs.open?.before?.closes;
  // Whoever is asked about the tab's end hears of it, not of a tab that was lost.
  if (closes) lifetime.isClosing = true;
  const { type, message } = await dialogs.answer(run, { accept, promptText });
  if (closes) await lifetime.over;
  run.facts.readBack = true;
  return { handled: type, accepted: accept, message: message.slice(0, 500), ...(closes && { closed: run.tabId }) };
}

/** @type {Record<string, Handler>} */
export const handlers = { kapturemcp_handle_dialog: handleDialog };
