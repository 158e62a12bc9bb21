// The guard of a replacement. Between the moment all that a field holds is selected and the one the text comes that
// replaces it, an editor may put a selection of its own back, and the text would land beside the old one. So the first
// input is looked at before the page sees it: one that would replace nothing is swallowed, and the extension begins again.

import { contains, listen, ownerDocumentView, unlisten } from "../dom.js";

/** An input the extension never came to makes the guard end by itself, before it can meet a person's own. */
const GUARD_MS = 3000;

/**
 * The field whose content is to be replaced, and whether an input was kept from it.
 * @type {{field: Element, until: number, isHeld: boolean}|null}
 */
let guard = null;

/** @param {InputEvent} event */
const onInput = (event) => {
  if (!guard || !event.isTrusted || performance.now() > guard.until) return endGuard();
  if (!contains(guard.field, /** @type {Node} */ (event.composedPath()[0]))) return;
  if (!guard.isHeld && !ownerDocumentView(guard.field).getSelection().isCollapsed) return endGuard();
  guard.isHeld = true;
  event.stopImmediatePropagation();
  event.preventDefault();
};

/**
 * From now on the first input of a field replaces what is selected in it, or nothing comes of it.
 * @param {Element} field
 */
export const guardReplacement = (field) => {
  endGuard();
  guard = { field, until: performance.now() + GUARD_MS, isHeld: false };
  listen(ownerDocumentView(field), "beforeinput", onInput, true);
};

const endGuard = () => {
  if (guard) unlisten(ownerDocumentView(guard.field), "beforeinput", onInput, true);
  guard = null;
};

/** End the guard. @returns {boolean} whether it kept an input away */
export const heldReplacement = () => {
  const isHeld = Boolean(guard?.isHeld);
  endGuard();
  return isHeld;
};
