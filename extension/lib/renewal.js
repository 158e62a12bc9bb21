/**
 * Take up the files that a newer panel has put into this extension's folder: Chrome goes on with the old ones until
 * the extension is loaded again. Session storage is emptied by that, so it tells what was loaded.
 */
export async function renew(chrome) {
  const { stamp } = await (await fetch(chrome.runtime.getURL("panel.json"), { cache: "no-store" })).json();
  const { stamp: loaded } = await chrome.storage.session.get("stamp");
  if (loaded === undefined) await chrome.storage.session.set({ stamp });
  else if (loaded !== stamp) chrome.runtime.reload();
}
