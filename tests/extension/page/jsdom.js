// A page for the modules of extension/page/: a file that imports this first has its globals, as their world has.
import vm from "node:vm";
import { JSDOM } from "jsdom";
import idl from "jsdom/lib/generated/idl/utils.js";

export const page = new JSDOM("<!doctype html>", { url: "https://a.example:8443/x" });

/** What belongs to the language or the time is Node's; all else of the window is the page's. */
const OF_NODE = new Set([
  ...Object.getOwnPropertyNames(vm.runInNewContext("globalThis")),
  ...["console", "performance", "queueMicrotask", "setTimeout", "clearTimeout", "setInterval", "clearInterval"],
]);
for (const name of Object.getOwnPropertyNames(page.window)) {
  if (OF_NODE.has(name) || /^(_|on)/.test(name)) continue;
  Object.defineProperty(globalThis, name, { get: () => page.window[name], configurable: true });
}

/** Show this in the page's body. */
export function show(html) {
  document.body.innerHTML = html;
}

/** jsdom lays nothing out: every element is where the test says. */
export function layOut({ x, y, width, height }) {
  Element.prototype.getBoundingClientRect = () => new DOMRect(x, y, width, height);
}

/** Send an event as the browser itself does: one that a test dispatches is not trusted. */
export function sendTrusted(target, event) {
  const sent = idl.implForWrapper(event);
  sent.isTrusted = true;
  idl.implForWrapper(target)._dispatch(sent);
}
