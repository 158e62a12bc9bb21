/** @import { Emulation, Size } from "./emulation.js" */
/** @import { KeptScripts } from "./kept_scripts.js" */
/** @import { Cdp, Send } from "./cdp.js" */

/** @typedef {{size: Size|null, offline: boolean, scripts: Record<string, string>}} Held */

/**
 * What a pause takes from a tab together with the debugger, given back to the new attachment: its size, whether it is
 * offline, and the scripts that run first in its later documents.
 * @param {{cdp: Cdp, emulation: Emulation, keptScripts: KeptScripts}} tab
 * @param {Held} held
 */
export async function giveBack({ cdp, emulation, keptScripts }, { size, offline, scripts }) {
  const run = { /** @type {Send} */ send: (method, params) => cdp.send(method, params) };
  if (size) await run.send("Emulation.setDeviceMetricsOverride", size);
  emulation.size = size ?? null;
  if (offline) await emulation.setOffline(run, true);
  for (const [id, source] of Object.entries(scripts ?? {})) await keptScripts.keep(run, id, source);
}
