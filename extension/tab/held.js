import { setOffline } from "./offline.js";

/**
 * What a pause takes from a tab together with the debugger, given back to the new attachment: its size, whether it is
 * offline, and the scripts that run first in its later documents.
 * @param {{size: object|null, offline: boolean, scripts: Object<string, string>}} held
 */
export async function giveBack(session, { size, offline, scripts }) {
  const run = { session, send: (method, params) => session.cdp.send(method, params) };
  if (size) await run.send("Emulation.setDeviceMetricsOverride", size);
  session.size = size ?? null;
  if (offline) await setOffline(run, true);
  for (const [id, source] of Object.entries(scripts ?? {})) await session.kept.keep(run, id, source);
}
