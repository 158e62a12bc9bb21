import { KaptureError } from "../basics/errors.js";
import { UNREAD } from "../tab/dialogs.js";
import { focusArrived, reach } from "../tab/inside.js";
import { pressKey } from "../tab/key_press.js";
import { whenReady } from "../tab/patience.js";
import { pressOn } from "../tab/press.js";
import { targetOf } from "../tab/target.js";
import { DELETE, demandKeyboard, demandUncovered, isNamed, replaceContent, startTyping } from "./interaction.js";
import { WIDGETS, choose, chooseTyped, spotIn } from "./widgets.js";
/** @import { Handler } from "../tab/executor.js" */
/** @import { Inside } from "../tab/inside.js" */
/** @import { Run } from "../tab/run.js" */
/** @import { Target } from "../tab/target.js" */

/**
 * @param {any} params
 * @param {Run} run
 * @param {(() => object)|null} given what is told of it when a dialog opens once the field has the value; null: that is
 *   not the end of the command
 */
async function fill({ value, ...rest }, run, given = () => ({ note: UNREAD })) {
  run.heldKeys.demandNoModifier();
  const target = targetOf(rest);
  const { sets } = run.presses;
  run.done = () => (given && run.presses.sets > sets ? given() : null);
  const find = () => reach(run, target, "startFill", value);
  const found = await whenReady(run, async () => {
    await demandUncovered(run, target);
    return find();
  });
  const start = found.value;
  // From here on an answer is what the field says of itself; all else is an error.
  run.facts.readBack = true;
  if (start.way in WIDGETS) return WIDGETS[start.way](run, target, value);
  if (start.way === "done") return { value: start.value ?? start.values?.[0] };
  if (start.way === "click")
    await pressOn(run, async (guard) => {
      run.done = () => (given && run.presses.through(guard, 1) ? given() : null);
      return spotOf(await reach(run, target, "startFill", value, { guard }));
    });
  else {
    await focusArrived(found.inside);
    await replaceContent(run, found, find, async ({ inside, value: { keys, empty } }) => {
      if (given) run.done = given;
      if (value === "") return empty || pressKey(run, DELETE);
      return (keys && (await inside.call("paste", value))) || run.send("Input.insertText", { text: value });
    });
  }
  const chooses = start.lists && value !== "";
  const filled = await endFill(run, found.inside, { target, value, isLast: given !== null && !chooses });
  const chosen = chooses ? await chooseTyped(run, target, value) : {};
  // The page writes it as the list has it, or beside the field.
  const held = chosen.chosen && (await run.atOnce(target, "heldNow").catch(() => null));
  return { ...filled, ...chosen, ...held };
}

/**
 * What a field holds now. Where nothing comes after that, the page is asked together with it what else has changed.
 * @param {Run} run
 * @param {Inside} inside
 * @param {{target: Target, value: string, isLast: boolean}} what
 */
async function endFill(run, inside, { target, value, isLast }) {
  const ending = isLast && !inside.parent && run.code.last(inside.call("endFill", target, value));
  // An error is told in full, and a frame that has come meanwhile is looked into.
  return (ending && (await ending.catch(() => null))) || run.atOnce(target, "endFill", value);
}

/** Where to click a field, or null when it has got its value meanwhile. */
async function spotOf(found) {
  return found.value.way === "click" ? spotIn(found) : null;
}

/**
 * Fields in order; an error tells which one failed and what was filled before it.
 * @type {Handler}
 */
async function fillForm({ fields }, run) {
  for (const [index, { value: _, ...target }] of fields.entries())
    if (Object.keys(target).length !== 1)
      throw new KaptureError(
        "INVALID_PARAMS",
        `fill_form: field ${index + 1} of ${fields.length} has ${Object.keys(target).join(" and ") || "no target"}`,
        "give each exactly one of selector, xpath, ref; nothing was filled",
      );
  // All of them are looked at before the first is filled: what is asked about then has not been half done.
  if (!run.grant.isFull) for (const { value: _, ...target } of fields) await run.atOnce(target, "demandGranted");
  const filled = [];
  for (const [index, { value, ...target }] of fields.entries()) {
    const isLast = index === fields.length - 1;
    run.partly = () => `${index} of ${fields.length} fields were filled before it`;
    try {
      const last = isLast ? () => ({ filled: fields.length, note: UNREAD }) : null;
      filled.push(await fill({ value, ...target }, run, last));
      run.acted = true;
    } catch (error) {
      if (!(error instanceof KaptureError) || error.code === "NEEDS_APPROVAL") throw error;
      const which = `field ${index + 1} of ${fields.length} (${Object.values(target)[0]})`;
      const nextStep = [error.nextStep, `${index} filled before it`].filter(Boolean).join("; ");
      throw error.reworded({ what: `${which}: ${error.what}`, nextStep, details: { filled: index } });
    }
  }
  return { filled: filled.length, ...(await standing(run, fields, filled)) };
}

/**
 * What the fields hold once all are filled: a page may have changed one for the sake of another.
 * @param {Run} run
 * @param {Record<string, any>[]} fields
 * @param {{value?: string, chosen?: string, length?: number}[]} filled what each held when it was filled
 */
async function standing(run, fields, filled) {
  const asked = fields.map(({ value: _, ...target }) => run.atOnce(target, "heldNow").catch(() => null));
  const held = await Promise.all(asked);
  const isOther = filled.map(({ value }, index) => (held[index]?.value ?? value) !== value);
  const changed = isOther.flatMap((is, index) => (is ? [index + 1] : []));
  const values = filled.map((field, index) => (isOther[index] ? held[index].value : wordsOf(field)));
  if (!changed.length) return { values };
  run.facts.readBack = false;
  const which = changed.length === 1 ? `field ${changed[0]} holds` : `the fields ${changed.join(", ")} hold`;
  return { values, note: `the page changed what ${which} while others were filled: look at the values` };
}

/**
 * What was chosen may stand beside a field that is empty again; of a secret field no more than that it holds something.
 * @param {{value?: string, chosen?: string, length?: number}} filled
 */
const wordsOf = ({ value, chosen = "", length = 0 }) =>
  value === undefined ? "•".repeat(Math.min(length, 8)) : value || chosen;

/** @type {Handler} */
async function select({ value, values, labels, ...rest }, run) {
  run.heldKeys.demandNoModifier();
  const target = targetOf(rest);
  const { sets } = run.presses;
  run.done = () => (run.presses.sets > sets ? { note: UNREAD } : null);
  const done = await whenReady(run, async () => {
    await demandUncovered(run, target);
    return run.atOnce(target, "select", { value, values, labels });
  });
  if (done.way !== "choose") {
    run.facts.readBack = true;
    return done;
  }
  const options = labels ?? values ?? [value];
  const chosen = await choose(run, target, { options }).catch(async (error) => {
    // Some lists show but what goes with the text in their field.
    if (!done.takesText || options.length > 1 || !/^(INVALID_PARAMS|ELEMENT_NOT_FOUND)$/.test(error.code)) throw error;
    const filled = await fill({ value: options[0], ...target }, run);
    if (!filled.chosen) throw error;
    return { values: [filled.chosen] };
  });
  run.facts.readBack = true;
  return { values: chosen.values, labels: chosen.values };
}

/** @type {Handler} */
async function insertText({ text, ...rest }, run) {
  run.heldKeys.demandNoModifier();
  const target = targetOf(rest);
  const inside = isNamed(target) ? (await startTyping(run, target, { clear: false, caret: true, text })).inside : null;
  if (!inside) await run.atOnce({}, "demandCaret", text);
  const inserted = [...text].length;
  run.done = () => ({ inserted });
  await run.send("Input.insertText", { text });
  const focus = inside && (await demandKeyboard(inside, { text, of: inserted, more: false }));
  return { inserted, ...(focus && { focus }) };
}

/** @type {Record<string, Handler>} */
export const handlers = {
  kapturemcp_fill: fill,
  kapturemcp_fill_form: fillForm,
  kapturemcp_select: select,
  kapturemcp_insert_text: insertText,
};
