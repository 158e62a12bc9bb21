/** @import { Chrome } from "../basics/chrome_door.js" */

/**
 * Show the pair page: the one that is open, in whichever window, or a new tab.
 * @param {Chrome} chrome
 */
export async function openPairPage(chrome) {
  const url = chrome.runtime.getURL("pair/pair.html");
  const open = (await chrome.tabs.query({})).find((tab) => (tab.pendingUrl || tab.url || "").startsWith(url));
  if (!open) return void (await chrome.tabs.create({ url }));
  await chrome.tabs.update(/** @type {number} */ (open.id), { active: true });
  await chrome.windows.update(open.windowId, { focused: true });
}
