import { WORLD } from "./worlds.js";

/** The script of the page's functions (extension/page/), installed once per document in its isolated world. */
export async function load(chrome) {
  return { worldName: WORLD, source: await (await fetch(chrome.runtime.getURL("page.bundle.js"))).text() };
}
