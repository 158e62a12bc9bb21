import { KaptureError } from "../basics/errors.js";
import { focusArrived, lead, reach } from "../tab/inside.js";
import { keyOf } from "../tab/keys.js";
import { approach } from "../tab/mouse.js";
import { targetOf } from "../tab/target.js";
import { demandKeyboard, demandUncovered, press, pressKey, startTyping } from "./interaction.js";

async function fill({ value, ...rest }, run) {
  const target = targetOf(rest);
  await demandUncovered(run, target);
  const { value: start, inside } = await reach(run, target, "startFill", value);
  if (start.way === "done") return { value: start.value ?? start.values?.[0] };
  if (start.way === "text") await focusArrived(inside);
  if (start.way === "click") {
    const again = async () => spotOf(await reach(run, target, "startFill", value));
    const spot = await approach(run, again, spotOf({ value: start, inside }));
    if (spot) await press(run, spot);
  }
  else if (value !== "") await run.send("Input.insertText", { text: value });
  else if (!start.empty) await pressKey(run, keyOf("Delete"));
  return run.atOnce(target, "endFill", value);
}

/** Where to click a field, or null when it has got its value meanwhile. */
async function spotOf({ value: start, inside }) {
  if (start.way !== "click") return null;
  return start.points ? lead(inside, { ...start, moved: true }) : start;
}

/** Fields in order; an error tells which one failed and what was filled before it. */
async function fillForm({ fields }, run) {
  for (const [index, { value: _, ...target }] of fields.entries())
    if (Object.keys(target).length !== 1)
      throw new KaptureError("INVALID_PARAMS", `fill_form: field ${index + 1} of ${fields.length} has ${Object.keys(target).join(" and ") || "no target"}; give each exactly one of selector, xpath, ref; nothing was filled`);
  // All of them are looked at before the first is filled: what is asked about then has not been half done.
  if (!run.grant.isFull) for (const { value: _, ...target } of fields) await run.atOnce(target, "demandGranted");
  const filled = [];
  for (const [index, { value, ...target }] of fields.entries()) {
    try {
      filled.push(await fill({ value, ...target }, run));
      run.acted = true;
    } catch (error) {
      if (!(error instanceof KaptureError) || error.code === "NEEDS_APPROVAL") throw error;
      const which = `field ${index + 1} of ${fields.length} (${Object.values(target)[0]})`;
      throw new KaptureError(error.code, `${which}: ${error.message}; ${index} filled before it`, { ...error.details, filled: index });
    }
  }
  return { filled: filled.length };
}

async function select({ value, values, labels, ...rest }, run) {
  const target = targetOf(rest);
  await demandUncovered(run, target);
  return run.atOnce(target, "select", { value, values, labels });
}

async function insertText({ text, ...rest }, run) {
  const target = targetOf(rest);
  const inside = Object.keys(target).length ? await startTyping(run, target, { clear: false, caret: true }) : null;
  if (!inside) await run.atOnce({}, "demandCaret");
  await run.send("Input.insertText", { text });
  const inserted = [...text].length;
  const focus = inside && (await demandKeyboard(inside, { text, of: inserted, more: false }));
  return { inserted, ...(focus && { focus }) };
}

/** The panel has read the files: an extension may not name paths to a page. */
function uploadFile({ files, ...rest }, run) {
  return run.atOnce(targetOf(rest), "setFiles", files);
}

export const handlers = {
  kapturemcp_fill: fill,
  kapturemcp_fill_form: fillForm,
  kapturemcp_select: select,
  kapturemcp_insert_text: insertText,
  kapturemcp_upload_file: uploadFile,
};
