// Giving a field the focus, and selecting what it holds.

import { nextFrame } from "../animation_frames.js";
import { callOn, inWords, listen, ownerDocument, ownerDocumentView, propertyOf, tag, unlisten } from "../dom.js";
import { Crossing } from "../doors.js";
import { Failure } from "../failure.js";
import { fieldOf } from "./field_kinds.js";
import { focusInWords, hasFocus } from "../focus.js";
import { find } from "../lookup.js";
import { giveFocus } from "../observe.js";
import { guardReplacement } from "./replacement.js";

/** Give the focus, and a page that hands it on the time to do so. @returns the field that has it then */
export const focusOn = async (element, target) => {
  const had = hasFocus(element);
  giveFocus();
  callOn(element, "focus", { preventScroll: true });
  if (!hasFocus(element))
    throw new Failure(
      "ELEMENT_NOT_VISIBLE",
      `${inWords(element)} does not take the focus, so nothing was typed`,
      "choose a field or what takes keys",
    );
  // A page in the background draws no frame to wait for.
  if (had || propertyOf(document, "visibilityState") === "hidden") return element;
  await Promise.all([nextFrame(), new Promise((resolve) => setTimeout(resolve))]);
  const field = focusedFor(element, target);
  if (!field)
    throw new Failure(
      "ELEMENT_NOT_VISIBLE",
      `${inWords(element)} does not keep the focus, which the page moves to ${focusInWords()}`,
      "nothing was typed, choose that or another field",
    );
  return field;
};

/** What has the focus for a target: its element, or the one the page has put in its place meanwhile; null if neither has. */
export const focusedFor = (element, target) => {
  if (hasFocus(element)) return element;
  if (!target) return null;
  try {
    const now = fieldOf(find(target));
    return hasFocus(now) ? now : null;
  } catch (error) {
    if (error instanceof Failure || error instanceof Crossing) return null;
    throw error;
  }
};

/**
 * Select all that a field holds. An editor with a selection of its own has heard of it before a key comes.
 * @returns {Promise<{guarded?: true}>} guarded: nothing but what replaces the selection arrives (replacement.js)
 */
export const selectContent = async (element) => {
  if (tag(element) === "input" || tag(element) === "textarea") {
    element.select();
    return {};
  }
  const selection = ownerDocumentView(element).getSelection();
  const ends = () => [selection.anchorNode, selection.anchorOffset, selection.focusNode, selection.focusOffset];
  const before = ends();
  selection.selectAllChildren(element);
  // In some shadow roots, and where there is nothing, a selection shows as none.
  const isShown = !selection.isCollapsed;
  if (isShown) guardReplacement(element);
  if (ends().some((end, index) => end !== before[index])) await once(ownerDocument(element), "selectionchange");
  return isShown ? { guarded: true } : {};
};

/**
 * The next event of this kind, or the end of the longest that Chrome takes to send one.
 * @returns {Promise<void>}
 */
const once = (root, kind) =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      unlisten(root, kind, end, true);
      resolve();
    };
    const timer = setTimeout(end, EVENT_DEADLINE_MS);
    listen(root, kind, end, true);
  });

const EVENT_DEADLINE_MS = 250;
