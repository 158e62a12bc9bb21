// The tree as it is shown: through slots, shadow roots and the frames that can be read.

import { shadowRootOf } from "./closed_roots.js";
import {
  assignedSlotOf,
  childNodes,
  children,
  defaultView,
  documentElement,
  firstChild,
  frameDocument,
  hasAttribute,
  isElement,
  isFrame,
  nextSibling,
  nodeType,
  parentNode,
  queryAll,
  tag,
} from "./dom.js";

/** The parent in the flat tree: through slots, shadow roots and frames. */
export const flatParent = (node) => {
  const slot = nodeType(node) === 1 ? assignedSlotOf(node) : null;
  if (slot) return slot;
  const parent = parentNode(node);
  if (!parent) return parent;
  if (nodeType(parent) === 11 && parent.host) return parent.host;
  if (nodeType(parent) === 9) return defaultView(parent)?.frameElement ?? null;
  return parent;
};

/** Whether `outer` is `inner` or an ancestor of it in the flat tree. */
export const flatContains = (outer, inner) => {
  for (let node = inner; node; node = flatParent(node)) if (node === outer) return true;
  return false;
};

export const summaryOf = (details) => [...children(details)].find((child) => tag(child) === "summary");

/** Children in the flat tree; of closed details only the summary. */
export const flatChildren = (element) => {
  const shadow = shadowRootOf(element);
  if (shadow) return childrenOf(shadow);
  const name = tag(element);
  if (name === "slot") {
    const assigned = element.assignedNodes();
    if (assigned.length) return assigned;
  }
  if (name === "details" && !hasAttribute(element, "open")) return [summaryOf(element)].filter(Boolean);
  return childrenOf(element);
};

/** Node by node: going through a list of the DOM costs more than twice as much. */
const childrenOf = (parent) => {
  const nodes = [];
  for (let node = firstChild(parent); node; node = nextSibling(node)) nodes.push(node);
  return nodes;
};

/** The other direction of flatParent. */
export const elementsIn = (element) => {
  if (isFrame(element)) return [frameDocument(element)].filter(Boolean).map(documentElement);
  const shadow = shadowRootOf(element);
  if (shadow) return [...childNodes(shadow)].filter(isElement);
  if (tag(element) === "slot" && element.assignedElements().length) return element.assignedElements();
  return [...children(element)].filter((child) => assignedSlotOf(child) === null);
};

/** The document of a frame or the shadow root of another element; null where there is none to be read. */
export const innerRoot = (element) => (isFrame(element) ? frameDocument(element) : shadowRootOf(element));

/** All documents and shadow roots below a root, as far as they can be read. */
export const openRoots = (root) =>
  [...queryAll(root, "*")].flatMap((element) => {
    const inside = innerRoot(element);
    return inside ? [inside, ...openRoots(inside)] : [];
  });

/** Elements that show nothing. */
export const SKIPPED = new Set([
  "script",
  "style",
  "noscript",
  "template",
  "head",
  "meta",
  "link",
  "title",
  "datalist",
]);
