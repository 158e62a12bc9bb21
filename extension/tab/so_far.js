/** @import { KaptureError } from "../basics/errors.js" */
/** @import { Run } from "./run.js" */

/**
 * An error that ends a command in its middle, with how far that has come.
 * @param {KaptureError} error
 * @param {Run} run
 */
export function withSoFar(error, run) {
  const partly = run.done() ? "" : run.partly();
  return partly ? error.reworded({ nextStep: [error.nextStep, partly].filter(Boolean).join("; ") }) : error;
}
