// Where an element is drawn, also where its own box does not tell. All in the viewport of its document.

import {
  attribute,
  callOn,
  clientLeft,
  clientTop,
  closest,
  isElement,
  matches,
  nodeType,
  ownerDocument,
  queryAll,
  rectOf,
  rectsOf,
  rootOf,
  styleOf,
  tag,
} from "./dom.js";
import { flatChildren } from "./flat_tree.js";

/** @typedef {{left: number, top: number, width: number, height: number}} Box */

/** More boxes than these are not looked at. */
const MAX_BOXES = 40;
const hasSize = ({ width, height }) => width > 0 && height > 0;

/**
 * The boxes a person sees of an element: its own; where it has none, those of what is in it; of an item with others in
 * it, such as one of a tree, those of its own line.
 * @returns {Box[]}
 */
export const boxesOf = (element) => {
  if (tag(element) === "area") return boxesOfArea(element);
  const line = isItem(element) ? boxesInside(element, NESTED) : [];
  if (line.length) return line;
  const own = [...rectsOf(element)].filter(hasSize);
  return own.length || hidesItsContent(element) ? own : boxesInside(element);
};

/** A box without size shows only what may flow over it. */
const hidesItsContent = (element) => rectsOf(element).length > 0 && styleOf(element).overflow !== "visible";

/** What is in an item and no longer its own line. */
const NESTED = ":is(ul, ol, [role=group], [role=menu], [role=tree], [role=treeitem], [role=menuitem])";
const isItem = (element) =>
  matches(element, ":is(li, [role=treeitem], [role=menuitem])") && queryAll(element, NESTED).length > 0;

/**
 * The boxes of what is in an element, as far as it is shown, without what matches `but`.
 * @returns {Box[]}
 */
export const boxesInside = (element, but = "") => {
  /** @type {Box[]} */
  const boxes = [];
  for (const node of flatChildren(element)) {
    if (boxes.length >= MAX_BOXES) break;
    if (nodeType(node) === 3) boxes.push(...boxesOfText(node, element));
    if (!isElement(node) || (but && matches(node, but)) || styleOf(node).display === "none") continue;
    const own = but && queryAll(node, but).length ? [] : [...rectsOf(node)].filter(hasSize);
    boxes.push(...(own.length ? own.filter(() => styleOf(node).visibility === "visible") : boxesInside(node, but)));
  }
  return boxes.slice(0, MAX_BOXES);
};

const boxesOfText = (text, around) => {
  if (styleOf(around).visibility !== "visible") return [];
  const range = ownerDocument(around).createRange();
  range.selectNodeContents(text);
  return [...range.getClientRects()].filter(hasSize);
};

/** The image an area belongs to. */
export const imageOf = (area) => {
  const map = closest(area, "map");
  const name = map && attribute(map, "name");
  return name
    ? ([...queryAll(rootOf(area), "img[usemap]")].find((it) => attribute(it, "usemap") === `#${name}`) ?? null)
    : null;
};

/** The areas of an image that lead somewhere. */
export const areasOf = (image) => {
  const name = attribute(image, "usemap")?.replace(/^#/, "");
  const map = name ? [...queryAll(rootOf(image), "map")].find((it) => attribute(it, "name") === name) : null;
  return map ? [...queryAll(map, "area[href]")] : [];
};

/** @returns {Box[]} around the shape of an area of an image map */
const boxesOfArea = (area) => {
  const image = imageOf(area);
  if (!image) return [];
  const { left, top, width, height } = rectOf(image);
  if (!hasSize({ width, height })) return [];
  const shape = attribute(area, "shape")?.toLowerCase() ?? "rect";
  const numbers = (attribute(area, "coords") ?? "").split(",").map(parseFloat);
  if (shape === "default" || !numbers.length || numbers.some(Number.isNaN)) return [{ left, top, width, height }];
  const { paddingLeft, paddingTop } = styleOf(image);
  const x = left + clientLeft(image) + (parseFloat(paddingLeft) || 0);
  const y = top + clientTop(image) + (parseFloat(paddingTop) || 0);
  if (shape.startsWith("circ")) {
    const [middleX, middleY, radius] = numbers;
    return [{ left: x + middleX - radius, top: y + middleY - radius, width: 2 * radius, height: 2 * radius }];
  }
  const [xs, ys] = [numbers.filter((_, index) => index % 2 === 0), numbers.filter((_, index) => index % 2 === 1)];
  const [far, low] = [Math.min(...xs), Math.min(...ys)];
  return [{ left: x + far, top: y + low, width: Math.max(...xs) - far, height: Math.max(...ys) - low }];
};

const STROKE_POINTS = 24;

/**
 * Points on the line a shape of a picture is drawn with: that of a hollow one is all there is to press.
 * @returns {{x: number, y: number}[]}
 */
export const strokeOf = (element) => {
  if (!("getTotalLength" in element)) return [];
  const length = callOn(element, "getTotalLength");
  const matrix = callOn(element, "getScreenCTM");
  if (!length || !matrix) return [];
  return Array.from({ length: STROKE_POINTS }, (_, index) =>
    callOn(element, "getPointAtLength", (length * (index + 0.5)) / STROKE_POINTS).matrixTransform(matrix),
  );
};

/** Whether an element without a box of its own shows what is in it. */
export const isBoxless = (element) => styleOf(element).display === "contents";
