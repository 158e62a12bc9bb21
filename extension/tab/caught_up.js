/** @import { Run } from "./run.js" */

/**
 * Resolves when all that the browser has told of the tab until now has been heard: what the panel sends takes another
 * way, and overtakes it. Chrome itself answers, not the page.
 * @param {Pick<Run, "send">} run
 */
export const caughtUp = (run) => run.send("Target.getTargetInfo");
