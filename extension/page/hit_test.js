// What lies at a point of the top viewport, and whose it is.

import { shadowRootOf } from "./closed_roots.js";
import { frameDocument, isElement, isFrame, matches, nodeType, propertyOf, styleOf, tag } from "./dom.js";
import { editorsAround, isProxy } from "./fields/editors.js";
import { flatContains, flatParent } from "./flat_tree.js";
import { UNMOVED, contentLay, inward } from "./geometry.js";
import { place } from "./place.js";

/** The innermost element at a point of the top viewport, through frames and shadow roots. */
export const hitAt = (x, y) => {
  ({ x, y } = inward(place ?? UNMOVED, { x, y }));
  /** @type {Document|ShadowRoot} */
  let root = document;
  /** @type {Element|null} */
  let element = null;
  for (;;) {
    if (!Number.isFinite(x + y)) return element; // a frame of no size
    const prototype = nodeType(root) === 9 ? Document.prototype : ShadowRoot.prototype;
    const hit = prototype.elementFromPoint.call(root, x, y);
    if (!hit || hit === element) return element;
    element = hit;
    if (isFrame(hit)) {
      const content = frameDocument(hit);
      if (!content) return hit;
      ({ x, y } = inward(contentLay(hit), { x, y }));
      root = content;
    } else {
      const shadow = shadowRootOf(hit);
      if (!shadow) return hit;
      root = shadow;
    }
  }
};

/**
 * A press on `hit` is one on `element`: it lies inside, in the element's own label, in the editor that types through
 * it, or is what gets the presses of an element that takes none itself.
 */
export const belongsTo = (hit, element) =>
  isWithin(hit, element) ||
  [...(propertyOf(element, "labels") ?? [])].some((label) => flatContains(label, hit) && isOwn(hit, label, element)) ||
  (isProxy(element) &&
    editorsAround(element).some((editor) => flatContains(editor, hit) && isOwn(hit, editor, element))) ||
  isPassedUp(hit, element);

/** Items of these roles lie in one another, and a press on the inner one is none on the outer. */
const ITEMS = ["treeitem", "menuitem"].map((role) => `[role=${role}]`);

const isWithin = (hit, element) => {
  const item = ITEMS.find((selector) => matches(element, selector));
  for (let node = hit; node; node = flatParent(node)) {
    if (node === element) return true;
    if (item && isElement(node) && matches(node, item)) return false;
  }
  return false;
};

/** What is pressed for its own sake, wherever it lies. */
export const INNER = `:is(a[*|href], area[href], button, input, select, textarea, summary, ${roles("button link checkbox menuitem option radio switch tab treeitem combobox textbox")})`;
const CONTROL = `:is(${INNER}, label, option, [tabindex]:not([tabindex^="-"]), ${roles("gridcell row slider spinbutton menuitemcheckbox menuitemradio")})`;
function roles(words) {
  return words
    .split(" ")
    .map((role) => `[role=${role}]`)
    .join(", ");
}

export const isControl = (element) => matches(element, CONTROL);

/** Whether no other control lies between `hit` and what is around it; `meant` is none. */
export const isOwn = (hit, around, meant = around) => {
  for (let node = hit; node && node !== around; node = flatParent(node)) {
    if (node === meant) return true;
    if (isElement(node) && matches(node, INNER)) return false;
  }
  return true;
};

/** What takes no presses leaves them to what it lies in, but for a control, which is out of use then. */
export const isPassedUp = (hit, element) =>
  hit !== element &&
  flatContains(hit, element) &&
  !/^(html|body)$/.test(tag(hit)) &&
  !isControl(element) &&
  styleOf(element).pointerEvents === "none";
