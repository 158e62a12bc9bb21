import { KaptureError } from "../basics/errors.js";
/** @import { Inside } from "./inside.js" */

/**
 * The error of a stale ref with the elements that could be meant now, each with a ref of its own.
 * @param {Inside} inside the document that gave the ref
 * @param {string} ref
 * @param {KaptureError} error
 * @returns {Promise<KaptureError>}
 */
export async function withCandidates(inside, ref, error) {
  let answer;
  try {
    ({ answer } = (await inside.reply("explore", {}, "likeRef", { ref })).value);
  } catch (failure) {
    // Of a document that goes away meanwhile nothing is left to tell.
    if (failure instanceof KaptureError) return error;
    throw failure;
  }
  const { count, candidates } = answer;
  if (!count) return error.reworded({ what: `${error.what}, and nothing like it is there` });
  const told = candidates.map(inWords).join(", ");
  const more = count > candidates.length ? `, and ${count - candidates.length} more` : "";
  const nextStep = `if you mean ${told}${more}, use that ref, else take a new snapshot`;
  return error.reworded({ nextStep, details: { candidates } });
}

/** @param {{ref: string, role: string, name: string, where: string}} candidate */
const inWords = ({ ref, role, name, where }) =>
  `${role} ${JSON.stringify(name)} [ref=${ref}]${where ? ` under ${JSON.stringify(where)}` : ""}`;
