// A page that writes into the clipboard tells nobody of it: the button that does so says it, in words or by its icon.

import { attribute, callOn, queryAll, textContent } from "./dom.js";

const COPIES = /(\b|_)(copy|clipboard|clippy|kopier\w*|copier|copiar|copia)(\b|_)/i;
/** More letters than these are not words of a button. */
const MAX_WORDS = 60;
/** More elements than these are not an icon. */
const MAX_ICON = 12;

/** @param {Element} button */
export const writesToClipboard = (button) => {
  const icon = [...queryAll(button, "*")].slice(0, MAX_ICON);
  const text = textContent(button);
  const said = [...[button, ...icon].flatMap(attributesOf), text.length < MAX_WORDS ? text : ""].join(" ");
  // "copyIcon" says it, "copyright" does not.
  return COPIES.test(said.replace(/([a-z])(?=[A-Z])/g, "$1 "));
};

/** Names count, too: data-clipboard-text. */
const attributesOf = (element) =>
  callOn(element, "getAttributeNames").map((name) => `${name} ${attribute(element, name)}`);
