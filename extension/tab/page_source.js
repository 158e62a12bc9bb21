import { WORLD } from "./worlds.js";

/** The page's half, in the order it is put together. */
const FILES = ["dom", "closed", "names", "refs", "geometry", "lookup", "frames", "in_view", "programs", "observe", "act", "fill", "grant", "path", "wait", "states", "snapshot", "service_workers", "reading", "explore", "candidates", "kapture"];

/** The script for the isolated world, installed once per document; a second installation changes nothing. */
export async function load(chrome) {
  const parts = await Promise.all(
    FILES.map(async (name) => (await fetch(chrome.runtime.getURL(`page/${name}.js`))).text()),
  );
  return { worldName: WORLD, source: `(() => { if (globalThis.kapture) return;\n${parts.join("\n")}\n})();` };
}
