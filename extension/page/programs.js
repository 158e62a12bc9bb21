// Addresses that another program opens (mailto:, tel: and the like). Chrome starts it without asking, or asks where
// nobody looks, and takes the debugger from the tab: so no link, form or script of a page leads there in the panel's
// own browser, nor, in a person's, in the moment after a command; a person's own click does.

import { getter, listen } from "./dom.js";

/** So long after a command began the page counts as doing what it led to. */
const LED_MS = 3000;
const OF_PAGES =
  /^(https?|about|blob|data|file|filesystem|javascript|chrome|chrome-[a-z]+|devtools|edge|brave|view-source):/i;

let drivenAt = -Infinity;
/** A command begins in this document. */
export const driven = () => (drivenAt = performance.now());

/** Whether an address leads to a program and is kept from it; the panel is told. */
const keeps = (url) => {
  if (!url || OF_PAGES.test(url) || !(globalThis.keepsFromPrograms || performance.now() - drivenAt < LED_MS))
    return false;
  globalThis.kaptureProgram?.(url.slice(0, 200));
  return true;
};

/** @type {[object, (node: any) => string][]} */
const hrefs = [HTMLAnchorElement, HTMLAreaElement].map(({ prototype }) => [prototype, getter(prototype, "href")]);
const hrefOf = (node) => hrefs.find(([prototype]) => prototype.isPrototypeOf(node))?.[1](node);
const readAction = getter(HTMLFormElement.prototype, "action");
const actionOf = (node) => (HTMLFormElement.prototype.isPrototypeOf(node) ? readAction(node) : ""); // a page may dispatch what it likes

/** From now on no address of this document leads to another program. */
export const keepFromPrograms = () => {
  if (globalThis.navigation)
    listen(
      navigation,
      "navigate",
      (event) => event.cancelable && keeps(event.destination.url) && event.preventDefault(),
    );
  for (const kind of ["click", "auxclick"])
    listen(
      globalThis,
      kind,
      (event) => event.composedPath().some((node) => keeps(hrefOf(node))) && event.preventDefault(),
      true,
    );
  listen(globalThis, "submit", (event) => keeps(actionOf(event.target)) && event.preventDefault(), true);
};
