// Where a drag comes down. A page that sorts a list makes room while something is dragged: then the destination has moved
// away from under the pointer, and what was dragged has taken its place. That is right; another element there is not, and
// neither is a place further on, past items that lay beyond the destination.

import { shadowRootOf } from "./closed_roots.js";
import {
  attribute,
  documentElement,
  firstChild,
  inWords,
  isConnected,
  isElement,
  listen,
  nextSibling,
  parentNode,
  styleOf,
  tag,
  unlisten,
} from "./dom.js";
import { flatContains, flatParent } from "./flat_tree.js";
import { belongsTo } from "./hit_test.js";
import { pressed } from "./press_guard.js";

const RELEASES = ["pointerup", "drop"];
// At its first move over something a page gets "dragenter", and may make room by then.
const EVENTS = ["pointermove", "dragenter", "dragover", ...RELEASES];

/**
 * The drag under way: where it shall end, and the list that is in; what was dragged and where that stood; what followed
 * the pointer above its destination when it came over that, or null before; where the pointer is, and what lies there;
 * whether the release was seen, and a drop.
 * @typedef {{id: number, element: Element|"any", list: List|null, source: Element|null, stood: string,
 *   followers: Element[]|null,
 *   point: {x: number, y: number}|null, hit: string|null, isRight: boolean, isReleased: boolean,
 *   isDropped: boolean}} Drag
 */

/**
 * The items of a list as they stood before the drag, each with its place, and the one that is, or holds, the destination.
 * @typedef {{item: Element, places: Map<Element, number>}} List
 */

/** @type {Drag|null} */
let drag = null;

/**
 * The destination of a drag as it was found before its press: what is dragged may hold its place by one more item, and
 * the same selector then means another one.
 * @type {{id: number, element: Element, list: List|null}|null}
 */
let meant = null;

/** @param {number} id @param {Element} element */
export const meanDrop = (id, element) => {
  meant = { id, element, list: listAround(element) };
};

/** @param {number} id @returns {Element|null} what was meant, null where it is in the page no more */
export const meantDrop = (id) => (meant?.id === id && isConnected(meant.element) ? meant.element : null);

/**
 * From now on it is looked at where the pointer is, until `endDrop`.
 * @param {number} id
 * @param {Element|"any"} element
 */
export const expectDrop = (id, element) => {
  if (drag?.id === id) {
    drag.element = element;
    return;
  }
  forget();
  const source = pressed;
  const stood = element === "any" ? "" : standing(source, element);
  const isMeant = meant?.id === id && meant.element === element;
  const list = element === "any" ? null : isMeant ? (meant?.list ?? null) : listAround(element);
  const unseen = { followers: null, point: null, hit: null, isRight: false, isReleased: false, isDropped: false };
  drag = { id, element, list, source, stood, ...unseen };
  for (const kind of EVENTS) listen(window, kind, onEvent, true);
};

const forget = () => {
  for (const kind of EVENTS) unlisten(window, kind, onEvent, true);
  drag = null;
};

/**
 * Whether what is dragged is where it shall come down; null when it was not seen here.
 * @param {number} id
 */
export const isOverDrop = (id) =>
  drag?.id === id && drag.point ? isOver(drag, drag.point) && !strayedPast(drag) : null;

/**
 * What the release came over, in words, whether that was right, whether there was an HTML5 drop, and the item it came to
 * lie beside instead of its destination, if any; null when the release was not seen here.
 * @param {number} id
 */
export const endDrop = (id) => {
  if (drag?.id !== id) return null;
  const { hit, isRight, isDropped } = drag;
  const past = strayedPast(drag);
  forget();
  meant = null;
  return hit === null ? null : { hit, isRight, isDropped, ...(past && { beside: inWords(past) }) };
};

/** @param {MouseEvent} event */
const onEvent = (event) => {
  // What comes under the pointer after the release has nothing to do with it: Chrome tells of that by a move, too.
  if (!drag || drag.isReleased || !event.isTrusted) return;
  drag.isReleased = RELEASES.includes(event.type);
  drag.point = { x: event.clientX, y: event.clientY };
  if (event.type === "drop") drag.isDropped = true;
  const under = allAt(document, event.clientX, event.clientY);
  if (!under.length) return;
  drag.followers = followersOver(drag, under) ?? drag.followers;
  // A pointer's release goes to what holds the pointer: so what lies there is asked.
  drag.hit = inWords(under[0]);
  drag.isRight = isOver(drag, drag.point, under);
};

/**
 * @param {Drag} drag
 * @param {{x: number, y: number}} point
 */
const isOver = (drag, { x, y }, under = allAt(document, x, y)) => {
  const { element, source, stood, followers } = drag;
  if (element === "any" || followersOver(drag, under)) return true;
  if (!followers) return false;
  const lying = under.find((hit) => !followers.includes(hit));
  return standing(source, element) !== stood || (lying !== undefined && lying === flatParent(element));
};

/**
 * What lies over the destination because it follows the pointer; null where that is not under it, or where something
 * else is on top: of two neighbours both lie at a pixel they share.
 * @param {Drag} drag
 * @param {Element[]} under
 */
const followersOver = ({ element, source }, under) => {
  const reached = element === "any" ? -1 : under.findIndex((hit) => belongsTo(hit, element));
  const above = under.slice(0, Math.max(0, reached));
  return reached >= 0 && above.every((hit) => isDragged(hit, source) || canFollow(hit)) ? above : null;
};

/**
 * @param {Element} hit
 * @param {Element|null} source
 */
const isDragged = (hit, source) => source !== null && (flatContains(hit, source) || flatContains(source, hit));

/**
 * Whether it can be moved with the pointer: it or what it lies in stands out of the page's flow.
 * @param {Element} hit
 */
const canFollow = (hit) => {
  for (let node = hit; node && node !== documentElement(document); node = flatParent(node)) {
    if (!isElement(node)) continue;
    const { position, transform, translate } = styleOf(node);
    if (position !== "static" || [transform, translate].some((moved) => moved && moved !== "none")) return true;
  }
  return false;
};

/** Where `source` stands in the document as seen from `element`; pages that sort move it. */
const standing = (source, element) => {
  if (!source || !isConnected(source)) return "gone";
  return String(Node.prototype.compareDocumentPosition.call(element, source));
};

/**
 * The list that an element is an item of, or lies in an item of: the nearest one with more than one item.
 * @param {Element} element
 * @returns {List|null}
 */
const listAround = (element) => {
  for (let item = element; isElement(item); item = flatParent(item)) {
    const items = besides(item).filter((one) => isAlike(one, item));
    if (items.length > 1) return { item, places: new Map(items.map((one, place) => [one, place])) };
  }
  return null;
};

/** All elements with the same parent, in their order. */
const besides = (item) => {
  const elements = [];
  for (let node = firstChild(parentNode(item)); node; node = nextSibling(node))
    if (isElement(node)) elements.push(node);
  return elements;
};

/** Whether both are items of one list: what lies between items to mark a place is of another kind. */
const isAlike = (one, other) => {
  if (tag(one) !== tag(other) || attribute(one, "role") !== attribute(other, "role")) return false;
  const [these, those] = [classesOf(one), classesOf(other)];
  return these.length === 0 ? those.length === 0 : these.some((name) => those.includes(name));
};

/** @param {Element} element @returns {string[]} */
const classesOf = (element) => attribute(element, "class")?.match(/\S+/g) ?? [];

/**
 * The item that what is dragged now lies beside though its destination lies further back; null where it lies beside
 * that, or the page has sorted nothing.
 * @param {Drag} drag
 * @returns {Element|null}
 */
const strayedPast = ({ source, list }) => {
  if (!source || !list || !isConnected(list.item)) return null;
  const { item, places } = list;
  const now = besides(item).filter((one) => places.has(one) || flatContains(one, source));
  const own = now.find((one) => flatContains(one, source));
  if (!own || own === item || now.every((one, place) => places.get(one) === place)) return null;
  const [from, to] = [now.indexOf(own), now.indexOf(item)];
  const between = from < to ? now.slice(from + 1, to) : now.slice(to + 1, from).reverse();
  // One that was on the other side of the destination has moved, too.
  return between.find((one) => places.has(one) && isBefore(places, one, item) === from < to) ?? null;
};

const isBefore = (places, one, other) => places.get(one) < places.get(other);

/**
 * All elements at a point, through open shadow roots, the one on top first.
 * @param {Document|ShadowRoot} root
 * @param {number} x
 * @param {number} y
 * @returns {Element[]}
 */
const allAt = (root, x, y) => {
  const prototype = root === document ? Document.prototype : ShadowRoot.prototype;
  return prototype.elementsFromPoint.call(root, x, y).flatMap((/** @type {Element} */ element) => {
    const inside = shadowRootOf(element);
    return inside && inside !== root ? [...allAt(inside, x, y), element] : [element];
  });
};
