// Which element has the focus, within all documents and shadow roots that can be read.

import { activeElement, documentBody, inWords } from "./dom.js";
import { isEditable } from "./fields/field_kinds.js";
import { flatContains, innerRoot } from "./flat_tree.js";

export const focusInWords = () => {
  const active = innermostActive();
  return active && active !== documentBody(document) ? inWords(active) : "nothing";
};

export const hasFocus = (element) => {
  let active = activeElement(document);
  for (;;) {
    if (!active) return false;
    if (active === element || (isEditable(element) && flatContains(active, element))) return true;
    const deeper = activeWithin(active);
    if (!deeper || deeper === active) return false;
    active = deeper;
  }
};

export const activeWithin = (element) => {
  const root = innerRoot(element);
  return root && activeElement(root);
};

export const innermostActive = () => {
  let active = activeElement(document);
  for (let deeper = active; deeper; deeper = activeWithin(active)) active = deeper;
  return active;
};
