// What an action demands of its target before it begins.

import { attribute, callOn, hasAttribute, inWords, isElement, matches, propertyOf, tag } from "./dom.js";
import { facesOf } from "./faces.js";
import { NotReady } from "./failure.js";
import { flatParent } from "./flat_tree.js";
import { detailsOf } from "./stand_ins.js";

export const demandVisible = (element) => {
  if (facesOf(element).length) return;
  if (tag(element) === "option" || tag(element) === "optgroup")
    throw new NotReady(
      "ELEMENT_NOT_VISIBLE",
      `${inWords(element)} is part of a list`,
      "use kapturemcp_select on its <select>",
    );
  const isVisible = callOn(element, "checkVisibility", { visibilityProperty: true, contentVisibilityAuto: false });
  const [why, nextStep] = isVisible
    ? ["has no size", "choose an element that can be seen"]
    : ["is hidden", "wait for it or open what contains it"];
  throw new NotReady("ELEMENT_NOT_VISIBLE", `${inWords(element)} ${why}`, nextStep, detailsOf(element));
};

/** What is inside a disabled control is disabled with it, through shadow roots too; so is what is inside an inert one. */
export const demandEnabled = (element) => {
  if (matches(element, ":disabled")) throw disabled(element);
  for (let node = element; node; node = flatParent(node)) {
    if (!isElement(node)) continue;
    if (matches(node, ":disabled:not(fieldset), [aria-disabled=true]")) throw disabled(node);
    if (hasAttribute(node, "inert"))
      throw new NotReady("ELEMENT_NOT_VISIBLE", `${inWords(element)} is inert`, "close what is in front of it");
  }
};

const disabled = (element) =>
  new NotReady("ELEMENT_NOT_VISIBLE", `${inWords(element)} is disabled`, "do first what enables it");

export const demandWritable = (element) => {
  demandEnabled(element);
  if (propertyOf(element, "readOnly") || attribute(element, "aria-readonly") === "true")
    throw new NotReady(
      "ELEMENT_NOT_VISIBLE",
      `${inWords(element)} is read-only`,
      "fill what it is made from, or another field",
    );
};
