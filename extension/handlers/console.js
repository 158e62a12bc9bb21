import { caughtUp } from "../tab/caught_up.js";
import { overlapping } from "../tab/overlapping.js";
/** @import { Handler } from "../tab/executor.js" */

/** @type {Handler} */
async function logs({ max, level, since, context }, run) {
  await caughtUp(run);
  const kept = run.console;
  const lines = [];
  for (const line of kept.newestFirst()) {
    if (lines.length === max) break;
    // A worker tells on connecting what it wrote before. Agents know a line's time in whole milliseconds.
    if (since !== undefined && Math.floor(line.at) <= since) continue;
    if ((!level || line.level === level) && (!context || line.context === context)) lines.push(line);
  }
  return { logs: lines, kept: kept.length, dropped: kept.dropped };
}

/** @type {Handler} */
async function clearLogs(_params, run) {
  await caughtUp(run);
  return { cleared: run.console.clear() };
}

/** @type {Record<string, Handler>} */
export const handlers = { kapturemcp_logs: overlapping(logs), kapturemcp_clear_logs: clearLogs };
