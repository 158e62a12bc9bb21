// What an element owns without holding it: aria-owns.

import { attribute, byId, contains, nodeType, queryAll, rootOf } from "./dom.js";
import { remembered } from "./memo.js";
import { isUnseen } from "./visibility.js";

/** @returns {Map<Element, Element>} what is owned in a document or shadow root → its owner */
const ownersIn = (root) => remembered("owners", root, readOwners);

const readOwners = (root) => {
  const owners = new Map();
  if (nodeType(root) === 1) return owners; // it is in no document
  for (const owner of queryAll(root, "[aria-owns]")) {
    if (isUnseen(owner)) continue;
    for (const id of (attribute(owner, "aria-owns") ?? "").trim().split(/\s+/)) {
      const owned = byId(owner, id);
      if (owned && !contains(owned, owner) && !owners.has(owned) && isDrawn(owned)) owners.set(owned, owner);
    }
  }
  return owners;
};

/** Whether nothing hides it from everybody; what hides it from assistive technology alone does not count here. */
const isDrawn = (element) => Element.prototype.checkVisibility.call(element, { visibilityProperty: true });

/** The element that claims this one, or undefined. */
const ownerOf = (element) => ownersIn(rootOf(element)).get(element);

export const isOwned = (element) => ownerOf(element) !== undefined;

/** What an element owns, in the order it says. */
export const ownedBy = (element) => {
  const ids = attribute(element, "aria-owns");
  return ids
    ? ids
        .trim()
        .split(/\s+/)
        .map((id) => byId(element, id))
        .filter((owned) => owned && ownerOf(owned) === element)
    : [];
};
