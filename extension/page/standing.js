// Where a document stands, in what no mutation and no event tells: the focus, the caret, what fields hold, the entry of
// the history, and what is shown around the target of an action. Compared before an action and after it.

import {
  documentBody,
  documentElement,
  isConnected,
  isElement,
  nextElement,
  offsetHeight,
  offsetWidth,
  ownerDocumentView,
  previousElement,
  queryTags,
  rectOf,
  tag,
} from "./dom.js";
import { isCheckBox, isDateField, isEditable, takesText } from "./fields/field_kinds.js";
import { flatContains, flatParent } from "./flat_tree.js";
import { innermostActive } from "./focus.js";
import { changesBetweenLooks } from "./own_motion.js";
import { sameSilence, silentStates } from "./silent_states.js";

const FIELDS = ["input", "textarea", "select"];
/** More fields, and elements around the target, are not compared: an action does not wait for that. */
const MAX_FIELDS = 1000;
const MAX_SEEN = 150;
/** So many elements up from the target what is shown is looked at first, the nearest of each. */
const LEVELS = 4;
const MAX_OF_LEVEL = 30;
/** What the mouse over an element may change, beside the size and the visibility of those around it. */
const STYLES = ["transform", "clipPath", "zIndex", "filter", "color", "backgroundColor", "opacity", "content"];
const LAYERS = [null, "::before", "::after"];

/**
 * @typedef {{focus: Element|null, caret: any[]|null, entry: string, fields: [Element, any][],
 *   hasMoreFields: boolean, silent: import("./silent_states.js").Silent, moving: Set<Animation>,
 *   scene: [Element, number|string][], look: (element: Element) => number|string}} Standing `moving`: the animations that
 *   run; `look`: how the elements of the scene are looked at
 */

/** @param {Iterable<Node>} roots the document, and the shadow roots and documents in it @returns {Standing} */
export const standing = (roots) => {
  const focus = innermostActive();
  return {
    ...{ focus, caret: caretOf(focus), entry: entryOf(), ...fieldsIn(roots), silent: silentStates(roots) },
    ...{ moving: new Set(allAnimations()), scene: [], look: lookOf },
  };
};

/** Once the target has got the focus for its keys, that is not an effect of them. @param {Standing} before */
export const takeFocusFor = (before) => {
  before.focus = innermostActive();
  before.caret = caretOf(before.focus);
};

/**
 * What is shown around `element`, and of the rest of the page, as far as it is looked at.
 * @param {Standing} before
 * @param {Element} element
 * @param {boolean} byHover whether colours and the like count, too: of what is pressed they change in any case
 */
export const addScene = (before, element, byHover) => {
  if (before.scene.length) return;
  if (byHover) before.look = (one) => `${lookOf(one)} ${styleOf(one)}`;
  const seen = new Set([element, ...first(elementsIn(element), MAX_OF_LEVEL)]);
  let around = element;
  for (let level = 0; level < LEVELS; level += 1) {
    const parent = flatParent(around);
    if (!parent || !isElement(parent) || tag(parent) === "html") break;
    for (const one of first(elementsBeside(around), MAX_OF_LEVEL)) seen.add(one);
    seen.add(parent);
    around = parent;
  }
  for (const one of elementsIn(document)) {
    if (seen.size >= MAX_SEEN) break;
    seen.add(one);
  }
  for (const one of seen) before.scene.push([one, before.look(one)]);
};

/** @param {Node} root */
function* elementsIn(root) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT);
  for (let one = walker.nextNode(); one; one = walker.nextNode()) yield /** @type {Element} */ (one);
}

/** The siblings of an element with what is in them, the nearest first. @param {Element} element */
function* elementsBeside(element) {
  let [after, before] = [nextElement(element), previousElement(element)];
  while (after || before)
    for (const one of [after, before]) {
      if (!one) continue;
      yield one;
      yield* elementsIn(one);
      if (one === after) after = nextElement(one);
      else before = previousElement(one);
    }
}

/**
 * @template T
 * @param {Iterable<T>} all
 * @param {number} most
 */
function* first(all, most) {
  let number = 0;
  for (const one of all) {
    if (number === most) return;
    number += 1;
    yield one;
  }
}

/**
 * What stands otherwise than before.
 * @param {Standing} before
 * @param {Iterable<Node>} roots those that it was noted of
 * @param {Element|null} target what was acted on
 * @param {boolean} byPress whether it was pressed, which moves focus and caret without more coming of it
 * @returns {{isSure: boolean, isLook: boolean, moved: Element|null}} isSure: something does; else `moved` does, but does so
 *   by itself, too; isLook: what is sure is only how something looks
 */
export const standsOtherwise = (before, roots, target, byPress) => {
  const fields = before.fields.filter(([field, held]) => isConnected(field) && heldBy(field) !== held);
  const begun = animations().filter((one) => !before.moving.has(one));
  const looks = lookingOtherwise(before);
  const isElse =
    before.entry !== entryOf() ||
    hasFocusMoved(before, target, byPress) ||
    fields.some(([field]) => !changesBetweenLooks(field)) ||
    begun.some((one) => !changesBetweenLooks(targetOf(one)));
  const isLook = !sameSilence(before.silent, silentStates(roots)) || looks.isSure;
  const moved = fields[0]?.[0] ?? targetOf(begun[0]) ?? looks.moved;
  return { isSure: isElse || isLook, isLook: isLook && !isElse, moved };
};

/**
 * What looks otherwise; what is part of an animation that runs on does, whatever was done.
 * @param {Standing} before
 * @returns {{isSure: boolean, moved: Element|null}} `moved`: an animation of it has ended meanwhile
 */
const lookingOtherwise = ({ scene, look, moving }) => {
  const others = scene.filter(([element, looked]) => look(element) !== looked).map(([element]) => element);
  if (!others.length) return { isSure: false, moved: null };
  const running = new Set(allAnimations());
  /** @type {Element|null} */
  let moved = null;
  for (const element of others) {
    const its = [...moving].filter((one) => isPartOf(element, targetOf(one)));
    const gone = its.filter((one) => !running.has(one));
    if (!its.length || gone.some(({ effect }) => effect?.getComputedTiming().endTime === Infinity))
      return { isSure: true, moved };
    if (gone.length) moved = element;
  }
  return { isSure: false, moved };
};

const isPartOf = (element, animated) =>
  isElement(animated) && (flatContains(animated, element) || flatContains(element, animated));

/** What stands when an action is over, as far as the page may change it by itself. @param {Iterable<Node>} roots */
export const afterwards = (roots) => ({ ...fieldsIn(roots), moving: new Set(allAnimations()) });

/** What a page changed since an action, as far as no mutation tells. @param {ReturnType<typeof afterwards>} after @returns {Node[]} */
export const changedSinceThen = ({ fields, moving }) => [
  ...fields.filter(([field, held]) => isConnected(field) && heldBy(field) !== held).map(([field]) => field),
  ...animations()
    .filter((one) => !moving.has(one) && targetOf(one))
    .map(targetOf),
];

/** @param {Animation} [animation] @returns {any} */
const targetOf = (animation) => /** @type {KeyframeEffect|null|undefined} */ (animation?.effect)?.target ?? null;

const hasFocusMoved = ({ focus, caret }, target, byPress) => {
  const now = innermostActive();
  const writes = now !== null && (takesText(now) || isDateField(now) || tag(now) === "select");
  if (now !== focus) {
    if (!byPress || writes) return true;
    const isItsOwn = target && now && (flatContains(now, target) || flatContains(target, now));
    if (now !== null && !isWhole(now) && !isItsOwn) return true;
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
      : isDateField(field)
        ? `${field.value} ${field.validity.badInput}`
        : field.value;

/** @param {Iterable<Node>} roots @returns {{fields: [Element, any][], hasMoreFields: boolean}} */
const fieldsIn = (roots) => {
  /** @type {[Element, any][]} */
  const fields = [];
  for (const root of roots)
    for (const field of queryTags(root, FIELDS)) {
      if (fields.length === MAX_FIELDS) return { fields, hasMoreFields: true };
      fields.push([field, heldBy(field)]);
    }
  return { fields, hasMoreFields: false };
};

const SHOWN = { opacityProperty: true, visibilityProperty: true };

/** Those of a script; what is pressed has transitions of its own. */
const animations = () => allAnimations().filter((one) => Object.getPrototypeOf(one) === Animation.prototype);
const allAnimations = () => Document.prototype.getAnimations.call(document);

/** Its colours, place and the like, and those of what its style draws before and after it. */
const styleOf = (element) => {
  if (!isConnected(element)) return "";
  return LAYERS.flatMap((layer) => {
    const style = getComputedStyle(element, layer);
    // Most elements have neither.
    return layer && style.content === "none" ? [] : STYLES.map((name) => style[name]);
  }).join();
};

/** Whether an element is shown, and how large; moved and coloured alone it looks the same. */
const lookOf = (element) => {
  if (!isConnected(element)) return 0;
  if (!Element.prototype.checkVisibility.call(element, SHOWN)) return 0;
  const { right, bottom, width, height } = rectOf(element);
  if (!width || !height || right + scrollX <= 0 || bottom + scrollY <= 0) return 0;
  if (!HTMLElement.prototype.isPrototypeOf(element)) return 1;
  return 1 + offsetWidth(element) * 65536 + offsetHeight(element);
};
