// Where a document stands, in what no mutation and no event tells: the focus, the caret, what fields hold, the entry of
// the history, and what is shown around the target of an action. Compared before an action and after it.

import {
  documentBody,
  documentElement,
  isConnected,
  isElement,
  offsetHeight,
  offsetWidth,
  ownerDocumentView,
  queryAll,
  rectOf,
  tag,
} from "./dom.js";
import { isCheckBox, isEditable, takesText } from "./fields/field_kinds.js";
import { flatContains, flatParent } from "./flat_tree.js";
import { innermostActive } from "./focus.js";

/** More fields, and elements around the target, are not compared: an action does not wait for that. */
const MAX_FIELDS = 300;
const MAX_SEEN = 150;
/** So many elements up from the target what is shown is looked at first. */
const LEVELS = 4;

/**
 * @typedef {{focus: Element|null, caret: any[]|null, entry: string, fields: [Element, any][],
 *   scene: [Element, number][]}} Standing
 */

/** @returns {Standing} */
export const standing = () => {
  const focus = innermostActive();
  return { focus, caret: caretOf(focus), entry: entryOf(), fields: fieldsOf(), scene: [] };
};

/** Once the target has got the focus for its keys, that is no effect of them. @param {Standing} before */
export const takeFocusFor = (before) => {
  before.focus = innermostActive();
  before.caret = caretOf(before.focus);
};

/** What is shown around `element`, and of the rest of the page, as far as it is looked at. @param {Standing} before */
export const addScene = (before, element) => {
  if (before.scene.length) return;
  let around = element;
  for (let level = 0; level < LEVELS; level += 1) {
    const parent = flatParent(around);
    if (!parent || !isElement(parent) || tag(parent) === "html") break;
    around = parent;
  }
  const seen = new Set([element]);
  for (const root of [around, document]) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT);
    for (let one = walker.nextNode(); one && seen.size < MAX_SEEN; one = walker.nextNode()) seen.add(one);
  }
  for (const one of seen) before.scene.push([one, lookOf(one)]);
};

/**
 * Whether the document stands otherwise than before.
 * @param {Standing} before
 * @param {Element|null} target what was acted on
 * @param {boolean} byPress whether it was pressed, which moves focus and caret without more coming of it
 */
export const standsOtherwise = (before, target, byPress) =>
  before.entry !== entryOf() ||
  hasFocusMoved(before, target, byPress) ||
  before.fields.some(([field, held]) => isConnected(field) && heldBy(field) !== held) ||
  before.scene.some(([element, look]) => lookOf(element) !== look);

const hasFocusMoved = ({ focus, caret }, target, byPress) => {
  const now = innermostActive();
  const writes = now !== null && (takesText(now) || tag(now) === "select");
  if (now !== focus) {
    if (!byPress || writes) return true;
    return now !== null && !isWhole(now) && !(target && (flatContains(now, target) || flatContains(target, now)));
  }
  const at = byPress && !writes && getSelection()?.isCollapsed ? null : caretOf(now);
  return at !== null && (caret === null || at.some((end, index) => end !== caret[index]));
};

const isWhole = (element) => element === documentBody(document) || element === documentElement(document);

/** Where the caret stands, or what is selected; null where nothing is. */
const caretOf = (active) => {
  if (active && /^(input|textarea)$/.test(tag(active))) {
    const start = active.selectionStart;
    return typeof start === "number" ? [start, active.selectionEnd] : null;
  }
  const view = active ? ownerDocumentView(active) : window;
  const selection = view.getSelection();
  if (!selection || (selection.isCollapsed && !(active && isEditable(active)))) return null;
  return [selection.anchorNode, selection.anchorOffset, selection.focusNode, selection.focusOffset];
};

/** Another entry of the history under the same address, too. */
const entryOf = () => `${history.length} ${globalThis.navigation?.currentEntry?.id ?? ""}`;

/** A script may set what a field holds, which tells nobody. */
const heldBy = (field) =>
  isCheckBox(field)
    ? field.indeterminate
      ? "mixed"
      : field.checked
    : tag(field) === "select" && field.multiple
      ? [...field.selectedOptions].map((option) => option.index).join()
      : field.value;

/** @returns {[Element, any][]} */
const fieldsOf = () =>
  [...queryAll(document, "input, textarea, select")].slice(0, MAX_FIELDS).map((field) => [field, heldBy(field)]);

const SHOWN = { opacityProperty: true, visibilityProperty: true };

/** Whether an element is shown, and how large; moved and coloured alone it looks the same. */
const lookOf = (element) => {
  if (!isConnected(element)) return 0;
  if (!Element.prototype.checkVisibility.call(element, SHOWN)) return 0;
  const { right, bottom, width, height } = rectOf(element);
  if (!width || !height || right + scrollX <= 0 || bottom + scrollY <= 0) return 0;
  if (!HTMLElement.prototype.isPrototypeOf(element)) return 1;
  return 1 + offsetWidth(element) * 65536 + offsetHeight(element);
};
