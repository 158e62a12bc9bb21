/** Listeners and wiring only. Every listener is registered at once, so a sleeping worker is woken for it. */
import { BROWSER_HANDLERS, TAB_HANDLERS } from "./handlers/index.js";
import * as catalogue from "./wire/catalogue.js";
import { throughDoor } from "./basics/chrome_door.js";
import { inSentences } from "./basics/errors.js";
import { Connections } from "./browser/connections.js";
import { ExtensionPages } from "./browser/extension_pages.js";
import { answerPopup } from "./browser/popup_messages.js";
import { openPairPage } from "./browser/pair_page.js";
import * as pageSource from "./tab/page_source.js";
/** @import { Config } from "./browser/panel_link.js" */

const chrome = throughDoor(globalThis.chrome);

const ready = (async () => {
  const [commands, source] = await Promise.all([
    catalogue.load(chrome.runtime.getURL("commands.json")),
    pageSource.load(chrome),
  ]);
  const made = new Connections({
    chrome,
    pageSource: source,
    catalogue: commands,
    tabHandlers: TAB_HANDLERS,
    browserHandlers: BROWSER_HANDLERS,
    onChanged: (tabId) => pages.changed(tabId),
    onHeard: (tabId, event) => pages.heard(tabId, event),
  });
  await configure(made);
  return made;
})();

const pages = new ExtensionPages(ready);

/**
 * A browser the panel started is told by it; a person's own by what was agreed on its pair page.
 * @param {Connections} connections
 */
async function configure(connections) {
  /** @type {{config?: Config}} */
  const { config } = await chrome.storage.session.get("config");
  /** @type {{pairing?: Config}} */
  const { pairing } = await chrome.storage.local.get("pairing");
  connections.start(config ?? pairing);
}

/**
 * @param {{addListener: (listener: (...args: any[]) => any) => void}} event
 * @param {"onDebuggerEvent"|"onDebuggerDetach"|"onTabRemoved"|"onTabCreated"|"onTabUpdated"|"onAlarm"} method
 */
const on = (event, method) =>
  event.addListener(async (/** @type {[any, any, any]} */ ...args) => (await ready).events[method](...args));

on(chrome.debugger.onEvent, "onDebuggerEvent");
on(chrome.debugger.onDetach, "onDebuggerDetach");
on(chrome.tabs.onRemoved, "onTabRemoved");
on(chrome.tabs.onCreated, "onTabCreated");
on(chrome.tabs.onUpdated, "onTabUpdated");
on(chrome.alarms.onAlarm, "onAlarm");

chrome.storage.session.onChanged.addListener(async ({ config }) => {
  if (config) await configure(await ready);
});
chrome.storage.local.onChanged.addListener(async ({ pairing }) => {
  if (pairing) await configure(await ready);
});

chrome.runtime.onInstalled.addListener(async ({ reason }) => {
  const { introduces } = await (await fetch(chrome.runtime.getURL("panel.json"))).json();
  // Only the copy the panel made for a person's own browser: loaded by hand, it introduces itself, once.
  if (introduces && reason === "install" && (await ready).panelState === "idle") await openPairPage(chrome);
});

/**
 * Only pages of this extension: a content script, a web page or another extension is never answered.
 * @param {chrome.runtime.MessageSender|undefined} sender
 */
function isFromExtension(sender) {
  return sender?.id === chrome.runtime.id && Boolean(sender.url?.startsWith(chrome.runtime.getURL("")));
}

chrome.runtime.onConnect.addListener((port) => (isFromExtension(port.sender) ? pages.take(port) : port.disconnect()));

chrome.runtime.onMessage.addListener((message, sender, respond) => {
  if (!isFromExtension(sender)) return false;
  ready
    .then((connections) => answerPopup(message, connections))
    .then(respond, (error) => respond({ error: inSentences(error) }));
  return true;
});
