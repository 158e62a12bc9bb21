// Editors that take what is typed through a field nobody sees, and draw the text themselves.

import { callOn, isElement, matches, ownerDocument, queryAll, rectOf, styleOf } from "../dom.js";
import { isEditable, takesText } from "./field_kinds.js";
import { flatParent } from "../flat_tree.js";

/** A field smaller than this, in CSS pixels, shows nobody what it holds. */
export const MIN_FIELD_PX = 8;
/** What is smaller is not an editor. */
const MIN_EDITOR = { width: 20, height: 10 };
/** Of what is around a field this often the next larger is looked at. */
const MAX_EDITORS = 3;
/** What is around an editor and more than it. */
const BEYOND_EDITOR = ":is(html, body, form, main, dialog, fieldset, table, [role=dialog], [role=form], [role=main])";

/** Whether an element takes text and shows nobody what it holds: too small, see-through, or behind its text. */
export const isProxy = (element) => {
  if (!takesText(element)) return false;
  const { width, height } = rectOf(element);
  return (
    width < MIN_FIELD_PX ||
    height < MIN_FIELD_PX ||
    isClippedAway(element) ||
    isBehind(element) ||
    (isRendered(element) && !callOn(element, "checkVisibility", { opacityProperty: true }))
  );
};

/** Whether what is right around it is too small to show it. */
const isClippedAway = (element) => {
  const around = flatParent(element);
  if (!isElement(around) || styleOf(around).overflow === "visible") return false;
  const { width, height } = rectOf(around);
  return width < MIN_FIELD_PX || height < MIN_FIELD_PX;
};

/** Whether it lies behind what is drawn in its place. */
const isBehind = (element) => {
  const { position, zIndex } = styleOf(element);
  return position !== "static" && Number(zIndex) < 0;
};

/**
 * Whether all of its text is to be selected by keys, as a person does: what the browser selects in it would not be the
 * editor's text, or be more than that.
 */
export const selectsByKeys = (element) =>
  isProxy(element) || (isEditable(element) && queryAll(element, "[contenteditable=false]").length > 0);
export const SELECT_ALL = /Mac/.test(navigator.platform) ? "Meta+a" : "Control+a";

const isRendered = (element) => callOn(element, "checkVisibility", { visibilityProperty: true });

/**
 * What may be the editor around a field nobody sees, the smallest first.
 * @returns {Element[]}
 */
export const editorsAround = (field) => {
  if (!isRendered(field)) return [];
  /** @type {Element[]} */
  const found = [];
  let last = { width: 0, height: 0 };
  for (let node = flatParent(field); isElement(node) && found.length < MAX_EDITORS; node = flatParent(node)) {
    if (ownerDocument(node) !== ownerDocument(field) || matches(node, BEYOND_EDITOR)) break;
    const { width, height } = rectOf(node);
    if (width < MIN_EDITOR.width || height < MIN_EDITOR.height) continue;
    if (width === last.width && height === last.height) continue;
    if (!callOn(node, "checkVisibility", { visibilityProperty: true, opacityProperty: true })) continue;
    found.push(node);
    last = { width, height };
  }
  return found;
};
