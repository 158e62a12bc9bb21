// What a person sees and presses when an element is meant: itself, its label, or the editor around it.

import { boxesOf, imageOf, isBoxless } from "./boxes.js";
import { callOn, propertyOf, tag } from "./dom.js";
import { editorsAround, isProxy } from "./fields/editors.js";
import { isShown } from "./visibility.js";

/** Whether it is drawn, apart from what covers it. */
export const isSeen = (element) => {
  const box = tag(element) === "area" ? imageOf(element) : element;
  if (!box) return false;
  const isVisible = callOn(box, "checkVisibility", { visibilityProperty: true, contentVisibilityAuto: false });
  return (isVisible || isBoxless(element)) && boxesOf(element).length > 0;
};

/** A press on the label of these does what one on them does. */
export const isPressedByLabel = (element) => tag(element) === "input" && /^(checkbox|radio|file)$/.test(element.type);
const labelsOf = (element) =>
  isPressedByLabel(element) ? [...(propertyOf(element, "labels") ?? [])].filter(isShown) : [];

/**
 * What stands for an element in a person's eyes, the first first.
 * @returns {Element[]} none: it is not to be seen
 */
export const facesOf = (element) => [
  ...(isProxy(element) ? editorsAround(element) : []),
  ...(isSeen(element) ? [element] : []),
  ...labelsOf(element),
];
