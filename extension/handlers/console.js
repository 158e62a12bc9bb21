async function logs({ max, level, since, context }, run) {
  const kept = run.session.console;
  const lines = [];
  for (const line of kept.newestFirst()) {
    if (lines.length === max || (since !== undefined && line.at <= since)) break;
    if ((!level || line.level === level) && (!context || line.context === context)) lines.push(line);
  }
  return { logs: lines, kept: kept.length, dropped: kept.dropped };
}

async function clearLogs(_params, run) {
  const cleared = run.session.console.clear();
  run.session.onEvent({ kind: "cleared" });
  return { cleared };
}

export const handlers = { kapturemcp_logs: logs, kapturemcp_clear_logs: clearLogs };
