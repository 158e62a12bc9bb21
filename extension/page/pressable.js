// What can be pressed although no role says so: handlers, own listeners, the focus, the pointer's shape, a canvas.

import {
  attribute,
  children,
  hasAttribute,
  hasAttributes,
  isElement,
  matches,
  nodeType,
  queryAll,
  rectOf,
  rootOf,
  tag,
  textContent,
} from "./dom.js";
import { flatParent } from "./flat_tree.js";
import { lookOf, remembered } from "./memo.js";
import { someRule } from "./style_sheets.js";
import { MAX_NAME, squeeze } from "./text.js";

const HANDLERS = ["onclick", "ondblclick", "onmousedown", "onmouseup", "onpointerdown", "onpointerup", "ontouchstart"];
/** Whatever may be handled; most elements are none of these. */
const MARKED = [...HANDLERS.map((name) => `[${name}]`), "[draggable=true]", "[tabindex]", "[aria-sort]", "canvas"].join(
  ", ",
);
const POINTING = /^(pointer|grab|move)$/;
const CONTROLS = [
  "a[*|href], button, input, select, textarea, summary, canvas, iframe, table, [tabindex], [onclick], [draggable=true]",
  ..."button checkbox combobox link menuitem option radio slider switch tab textbox"
    .split(" ")
    .map((role) => `[role=${role}]`),
].join(", ");

/** Elements with listeners of their own for presses, as the browser told them at the last look (tab/listeners.js). */
let listening = new WeakSet();
/** What was handed in, by the browser's number. @type {Map<number, WeakRef<Element>>} */
const numbered = new Map();

/**
 * The browser's word on which elements listen for presses.
 * @param {number[]} numbers all of them
 * @param {number[]} added the numbers of `elements`, which were not handed in before
 * @param {...Element} elements
 */
export const noteListening = (numbers, added, ...elements) => {
  added.forEach((number, index) => numbered.set(number, new WeakRef(elements[index])));
  const all = new Set(numbers);
  for (const number of numbered.keys()) if (!all.has(number)) numbered.delete(number);
  listening = new WeakSet();
  for (const held of numbered.values()) {
    const element = held.deref();
    if (element) listening.add(element);
  }
};

/** "handled": the element itself takes presses, or the focus; "pointed": the pointer says so; "": neither. */
export const pressOf = (element) => (maySay(element) ? remembered("presses", element, readPress) : "");

/** Most elements say nothing of it: asking each more closely is dear. */
const maySay = (element) =>
  hasAttributes(element) || tag(element) === "canvas" || listening.has(element) || isPart(element) || mayPoint(element);
const mayPoint = (element) => remembered("pointing", rootOf(element), pointsIn);

const readPress = (element) => {
  const isHandled = (matches(element, MARKED) && (takesPresses(element) || handles(element))) || hasPresses(element);
  const press = isHandled ? "handled" : mayPoint(element) ? pointedAt(element) : "";
  if (press === "" || (tag(element) === "label" && element.control)) return "";
  return lookOf(element).style.pointerEvents === "none" ? "" : press;
};

/** Whether a press on it does something, as far as can be told: what is dragged or sorted need not take one anywhere. */
export const isPressed = (element) =>
  pressOf(element) !== "" &&
  (takesPresses(element) || hasPresses(element) || (mayPoint(element) && pointedAt(element) !== ""));

const takesPresses = (element) =>
  tag(element) === "canvas" || (HANDLERS.some((name) => hasAttribute(element, name)) && !handsDown(element));
const hasPresses = (element) => hears(element) || isPart(element);

const hears = (element) => listening.has(element) && !isBackdrop(element) && !handsDown(element);

/** Whether it is one of the alike things that what is around them listens for. */
const isPart = (element) => {
  const parent = flatParent(element);
  return isElement(parent) && isHandler(parent) && handsDown(parent);
};

const isHandler = (element) => listening.has(element) || HANDLERS.some((name) => hasAttribute(element, name));

/** Whether presses are meant for the alike things in it, not for all of it: the items of a list, the cells of a board. */
const handsDown = (element) => remembered("parts", element, readParts);
const readParts = (element) => {
  const parts = [...children(element)];
  if (parts.length < 2 || parts.some((part) => tag(part) !== tag(parts[0]))) return false;
  return tag(parts[0]) === "li" || parts.every(isBlankBox);
};

/** An empty box that is large enough to be pressed. */
const isBlankBox = (element) => {
  if (textContent(element).trim() || queryAll(element, CONTROLS).length) return false;
  const { width, height } = rectOf(element);
  return width >= MIN_BOX_PX && height >= MIN_BOX_PX;
};
const MIN_BOX_PX = 8;

const handles = (element) => {
  if (attribute(element, "draggable") === "true" || Number.parseInt(attribute(element, "tabindex") ?? "", 10) >= 0)
    return true;
  return (
    hasAttribute(element, "aria-sort") && (tag(element) === "th" || /header$/.test(attribute(element, "role") ?? ""))
  );
};

/** "pointed" where the shape of the pointer changes for this element, not for one around it. */
const pointedAt = (element) => {
  if (!isPointed(element)) return "";
  const parent = flatParent(element);
  return isElement(parent) && isPointed(parent) ? "" : "pointed";
};
const isPointed = (element) => remembered("pointed", element, (one) => POINTING.test(lookOf(one).style.cursor));

/** Whether anything in a document changes the shape of the pointer. */
const pointsIn = (root) =>
  nodeType(root) !== 9 || someRule(root, "points", givesCursor) || queryAll(root, "[style*=cursor]").length > 0;
const givesCursor = (rule) => Boolean(rule.style?.cursor);

/** Listeners on what holds most of a page are mostly there for what is in it. */
const isBackdrop = (element) => {
  if (isLeaf(element)) return false;
  const { width, height } = rectOf(element);
  return width * height > (innerWidth * innerHeight) / 2;
};

/** Whether it says little and holds nothing else to press: then its text is its name. */
export const isLeaf = (element) =>
  !tag(element).includes("-") &&
  squeeze(textContent(element)).length <= MAX_NAME &&
  queryAll(element, CONTROLS).length === 0;

/** Whether what is in it is its name, were its role to give it none. */
export const isNamedByPress = (element) => pressOf(element) !== "" && isLeaf(element);
