// What can be pressed although its author hid it from screen readers (aria-hidden): a person sees it and presses it.

import { INTERACTIVE } from "../aria.js";
import { closest, hasAttribute, hrefOf, isElement, ownerDocument, queryAll, rectOf, tag } from "../dom.js";
import { SKIPPED, flatChildren } from "../flat_tree.js";
import { toTop } from "../geometry.js";
import { belongsTo, hitAt } from "../hit_test.js";
import { inViewport } from "../in_view.js";
import { lookOf } from "../memo.js";
import { pressOf } from "../pressable.js";
import { roleOf } from "../role_and_name.js";

/** More are not asked for: behind a dialog that hides all of a page nothing can be reached. */
const MAX_ASKED = 100;

/** The outermost of what can be pressed in an element that is hidden so. @param {Element} element @returns {Element[]} */
export const pressedUnspoken = (element) => {
  // What is drawn in a control is pressed as part of it.
  if (!isOwnControl(element) && closest(element, "a[*|href], button, label, summary, select")) return [];
  /** @type {Element[]} */
  const found = [];
  let left = MAX_ASKED;
  const look = (node) => {
    if (left <= 0 || !isElement(node) || SKIPPED.has(tag(node)) || hasAttribute(node, "inert")) return;
    const style = lookOf(node);
    if (style.display === "none" || style.contentVisibility === "hidden") return;
    if (style.visibility === "visible" && isPressable(node)) {
      left -= 1;
      if (isReached(node) && !isRepeated(node)) return void found.push(node);
    }
    for (const child of flatChildren(node)) look(child);
  };
  look(element);
  return found;
};

const isOwnControl = (element) => /^(a|button|select|summary|input|textarea)$/.test(tag(element));

const isPressable = (element) => INTERACTIVE.has(roleOf(element)) || pressOf(element) !== "";

/** A place in this page, or where the link beside it leads, too: pictures of cards, anchors of headings. */
const isRepeated = (element) => {
  const address = tag(element) === "a" ? hrefOf(element) : null;
  if (address === null) return false;
  if (address.startsWith("#")) return true;
  const around = closest(element, "li, article, section, tr, td") ?? element.parentElement;
  return [...(around?.getElementsByTagName("a") ?? [])].some(
    (other) => hrefOf(other) === address && closest(other, "[aria-hidden=true]") === null,
  );
};

/** Whether a press on its middle would reach it; what is out of view can be scrolled to, unless a dialog is open. */
const isReached = (element) => {
  const { left, top, right, bottom } = toTop(element, rectOf(element));
  if (right - left < 1 || bottom - top < 1) return false;
  if (!inViewport(element)) return !hasDialog(ownerDocument(element));
  const hit = hitAt((left + right) / 2, (top + bottom) / 2);
  return hit !== null && belongsTo(hit, element);
};

const hasDialog = (doc) =>
  [...queryAll(doc, ":modal, [aria-modal=true], [role=dialog], [role=alertdialog]")].some(
    (dialog) => lookOf(dialog).display !== "none" && rectOf(dialog).width > 0,
  );
