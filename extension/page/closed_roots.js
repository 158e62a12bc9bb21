// Closed shadow roots: no script can ask for one, but the browser can. A look at the page notes the elements that may
// have one, and the extension hands their roots in (tab/closed_roots.js).

import { hostOf, matches, openRootOf, tag } from "./dom.js";

/** Element → its closed root, or null where the browser knows of none. */
export const closedRoots = new WeakMap();
/** What the present call would have looked into. */
export const opaque = new Set();
/** Elements of one name are made alike: after this many without a root the others are taken to have none. */
const MAX_ASKED = 2;
/** Name → how many were without one; −∞ once one had one. */
const rootless = new Map();

export const shadowRootOf = (element) =>
  openRootOf(element) ?? (tag(element).includes("-") ? closedRootOf(element) : null);

const closedRootOf = (element) => {
  const root = closedRoots.get(element);
  if (root !== undefined) return root;
  const asked = rootless.get(tag(element)) ?? 0;
  if (asked < MAX_ASKED && matches(element, ":defined")) opaque.add(element);
  return null;
};

/** What is looked for may be in what was noted; when that is handed in, the function is called again. */
export class Opaque extends Error {}

/** What the browser shall be asked about: of each name not more than it takes to know that it has no roots. */
export const takeOpaque = () => {
  const names = Map.groupBy(opaque, tag);
  opaque.clear();
  return [...names].flatMap(([name, elements]) => elements.slice(0, MAX_ASKED - (rootless.get(name) ?? 0)));
};

/** What the browser said of them. */
export const handIn = (elements, roots) => {
  for (const root of roots) closedRoots.set(hostOf(root), root);
  for (const element of elements) {
    if (closedRoots.get(element)) rootless.set(tag(element), -Infinity);
    else {
      closedRoots.set(element, null);
      rootless.set(tag(element), (rootless.get(tag(element)) ?? 0) + 1);
    }
  }
};
