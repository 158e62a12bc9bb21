// From a target {selector | xpath | ref | x, y} to its element.

import { isElement, parentNode, queryAll } from "./dom.js";
import { Crossing, isDoor, wayInto } from "./doors.js";
import { Failure, NotReady } from "./failure.js";
import { innerRoot } from "./flat_tree.js";
import { hitAt } from "./hit_test.js";
import { byRef, forgetLastUsed } from "./refs/refs.js";

/** @typedef {{selector?: string, xpath?: string, ref?: string, x?: number, y?: number, stay?: boolean}} Target */

/**
 * The selector or XPath that was looked for last, where it matches more than the one element that is meant.
 * @type {{by: string, count: number} | null}
 */
export let several = null;
export const forgetSeveral = () => {
  several = null;
};

/** The first of those found is meant; they stand in lists, some of them empty. @param {string} by @param {ArrayLike<any>[]} lists */
const firstOf = (by, lists) => {
  const count = lists.reduce((sum, { length }) => sum + length, 0);
  several = count > 1 ? { by, count } : null;
  return lists.find(({ length }) => length)?.[0] ?? null;
};

/**
 * The one element the target means. @param {Target} target
 * @returns {any}
 */
export const find = (target) => {
  if (target.ref !== undefined) return byRef(target.ref);
  forgetLastUsed();
  if (target.xpath !== undefined) return byXPath(target.xpath);
  if (target.selector !== undefined) return bySelector(target.selector);
  return byPoint(target);
};

/**
 * All the elements a selector or XPath means, and in `ways` those into frames that cannot be read; where there are none,
 * and of other targets, as `find`.
 * @param {Target} target
 */
export const findAll = (target, ways = []) => {
  const { selector, xpath } = target;
  const all =
    selector !== undefined ? selectAll(selector, Infinity, ways) : xpath !== undefined ? elementsByXPath(xpath) : [];
  if (!all.length) return [find(target)];
  forgetSeveral(); // none of them is meant before the others
  return all;
};

const elementsByXPath = (xpath) => {
  const found = nodesByXPath(xpath);
  return Array.from({ length: found.snapshotLength }, (_, index) => elementOf(found.snapshotItem(index))).filter(
    Boolean,
  );
};

const elementOf = (node) => (node && !isElement(node) ? parentNode(node) : node);

const nodesByXPath = (xpath) => {
  try {
    return Document.prototype.evaluate.call(
      document,
      xpath,
      document,
      null,
      XPathResult.ORDERED_NODE_SNAPSHOT_TYPE,
      null,
    );
  } catch (error) {
    throw new Failure(
      "INVALID_SELECTOR",
      `the XPath ${JSON.stringify(xpath)} cannot be used: ${error.message}`,
      `write one like //button[@id="go"]`,
    );
  }
};

const byXPath = (xpath) => {
  const all = nodesByXPath(xpath);
  const node = elementOf(firstOf(xpath, [{ length: all.snapshotLength, 0: all.snapshotItem(0) }]));
  if (!node)
    throw new NotReady("ELEMENT_NOT_FOUND", `nothing matches the XPath ${JSON.stringify(xpath)}`, "look at a snapshot");
  return node;
};

export const bySelector = (selector) => {
  const ways = [];
  const found = firstOf(selector, matchesOf(selector, ways));
  if (!found && ways.length) throw new Crossing(ways);
  if (!found)
    throw new NotReady(
      "ELEMENT_NOT_FOUND",
      `nothing matches ${JSON.stringify(selector)}`,
      `look at a snapshot${closedHint(selector)}`,
    );
  return found;
};

const closedHint = (selector) => (selector.includes(">>>") ? " (>>> enters shadow roots and frames)" : "");

/** Up to `limit` elements matching a selector whose parts are joined by >>>; `ways` gets those into frames that cannot be read. */
export const selectAll = (selector, limit = Infinity, ways = []) =>
  matchesOf(selector, ways)
    .flatMap((list) => [...list])
    .slice(0, limit);

/**
 * The same in the browser's own lists, one for each root: an array of thousands takes longer than to look for them.
 * @returns {NodeListOf<Element>[]}
 */
const matchesOf = (selector, ways) => {
  let roots = [document];
  const parts = selector.split(">>>").map((text) => text.trim());
  for (const [index, part] of parts.slice(0, -1).entries()) {
    const found = roots.flatMap((root) => [...matchesIn(root, part)]);
    const rest = parts.slice(index + 1).join(" >>> ");
    ways.push(...found.filter(isDoor).map((frame) => wayInto(frame, { selector: rest })));
    roots = found.map(innerRoot).filter(Boolean);
  }
  return roots.map((root) => matchesIn(root, parts.at(-1)));
};

const matchesIn = (root, part) => {
  try {
    return queryAll(root, part);
  } catch {
    throw new Failure(
      "INVALID_SELECTOR",
      `${JSON.stringify(part)} is not a CSS selector`,
      "write one like #id or [name=to]",
    );
  }
};

/** `stay`: a frame that cannot be entered is the target itself. @param {Target} target */
const byPoint = ({ x, y, stay = false }) => {
  const element = hitAt(x, y);
  if (!element)
    throw new Failure(
      "ELEMENT_NOT_FOUND",
      `${x},${y} is outside the viewport, which is ${innerWidth} × ${innerHeight}`,
      "scroll there first, or give a place inside",
    );
  if (isDoor(element) && !stay) throw new Crossing([wayInto(element)]);
  return element;
};

export const isTarget = (target) => ["selector", "xpath", "ref", "x"].some((way) => target[way] !== undefined);
