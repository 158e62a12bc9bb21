import { KaptureError } from "../basics/errors.js";
/** @import { Inside } from "./inside.js" */
/** @import { Target } from "./target.js" */

/**
 * The error about a field that a widget hides, with what a person uses instead and its ref.
 * @param {Inside} inside the document the field is in
 * @param {Target} target
 * @param {KaptureError} error
 * @returns {Promise<KaptureError>}
 */
export async function withStandIn(inside, target, error) {
  let found;
  try {
    found = (await inside.reply("explore", target, "standIn", {})).value.answer;
  } catch (failure) {
    // Of a document that goes away meanwhile nothing is left to tell.
    if (!(failure instanceof KaptureError)) throw failure;
  }
  if (!found) return new KaptureError(error.code, error.what, error.nextStep);
  const { ref, role, text } = found;
  const name = found.name || text;
  const words = `${role}${name ? ` ${JSON.stringify(name)}` : ""} [ref=${ref}]`;
  return new KaptureError(error.code, error.what, `a person uses ${words} instead: use that ref`, {
    standIn: { ref, role, name },
  });
}
