// Whether a person could see an element, and why not.

import { boxesOf, imageOf, isBoxless } from "./boxes.js";
import {
  attribute,
  closest,
  hasAttribute,
  inWords,
  isElement,
  ownerDocumentView,
  rectsOf,
  styleOf,
  tag,
} from "./dom.js";
import { SKIPPED, flatChildren, flatContains, flatParent } from "./flat_tree.js";
import { lookOf } from "./memo.js";
import { place } from "./place.js";

/** Whether nothing of the element is rendered or it is taken from assistive technology. */
export const isHidden = (element, style = lookOf(element)) =>
  attribute(element, "aria-hidden") === "true" ||
  style.display === "none" ||
  style.visibility !== "visible" ||
  style.contentVisibility === "hidden";

/** Whether a label or what a reference means is hidden by itself or by anything around it. */
export const isUnseen = (element) =>
  (!Element.prototype.checkVisibility.call(element, { visibilityProperty: true }) &&
    !(isBoxless(element) && isRendered(element))) ||
  closest(element, "[aria-hidden=true]") !== null;

/** Whether nothing around an element keeps it from being drawn. */
export const isRendered = (element) => {
  for (let node = element; node; node = flatParent(node))
    if (isElement(node)) {
      const style = styleOf(node);
      if (style.display === "none" || (style.contentVisibility === "hidden" && node !== element)) return false;
      if (SKIPPED.has(tag(node))) return false;
    }
  return true;
};

/** Whether a person could see it, were it scrolled into view. */
export const isShown = (element) => takesPlace(element, true);

/** Whether there is something of it to press, see-through or not, were it scrolled into view. */
export const takesPlace = (element, opacityProperty = false) => {
  const drawn = tag(element) === "area" ? imageOf(element) : element;
  if (!drawn || !hasPlace(drawn, opacityProperty)) return false;
  const frame = ownerDocumentView(element).frameElement;
  return frame ? takesPlace(frame, opacityProperty) : (place?.shown ?? true);
};

const hasPlace = (drawn, opacityProperty) =>
  isBoxless(drawn)
    ? isRendered(drawn) && boxesOf(drawn).length > 0
    : Element.prototype.checkVisibility.call(drawn, { visibilityProperty: true, opacityProperty }) &&
      [...rectsOf(drawn)].some((rect) => rect.width > 0 && rect.height > 0);

/** Why it is not shown. */
const whyHidden = (element) => {
  for (let node = element; node; node = flatParent(node)) {
    if (!isElement(node)) continue;
    const style = styleOf(node);
    const where = node === element ? "" : ` of ${inWords(node)}`;
    if (style.display === "none") return `display: none${where}`;
    if (style.opacity === "0") return `opacity: 0${where}`;
    if (style.contentVisibility === "hidden" && node !== element) return `content-visibility: hidden${where}`;
    if (
      tag(node) === "details" &&
      !hasAttribute(node, "open") &&
      ![...flatChildren(node)].some((child) => flatContains(child, element)) &&
      node !== element
    )
      return `inside the closed ${inWords(node)}`;
  }
  const { visibility, display } = styleOf(element);
  if (visibility !== "visible") return `visibility: ${visibility}`;
  return display === "contents" ? "display: contents" : "it has no size";
};

/** A frame that is not shown hides what is in it. */
export const whyHiddenThrough = (element) => {
  const frame = ownerDocumentView(element).frameElement;
  if (!frame && place && !place.shown) return "in a hidden frame";
  return frame && !isShown(frame) ? `in the hidden ${inWords(frame)}: ${whyHiddenThrough(frame)}` : whyHidden(element);
};
