// What a page does by itself, such as a clock or a carousel: places that changed again and again while nobody did
// anything. What changes there during an action may be its effect or not; nobody can tell.

import { inWords, isElement, parentNode } from "./dom.js";
import { flatParent } from "./flat_tree.js";

/** Changes of one place within so short a time are one. */
const ONE_MS = 30;
/** So many show that a place goes on changing, if they come at about the same intervals, of at most so long. */
const ENOUGH = 3;
const MAX_GAP_MS = 10_000;
/** The latest that are kept. Of so many three intervals may be longer: a busy page stands still for a while. */
const KEPT = 8;
/** One of so many. */
const SOME = 6;
const MAX_RATIO = 4;
const SLACK_MS = 200;
/** It may stand still for twice its longest interval and so much more. */
const STILL_MS = 1000;
/** So long after an action what changes may be its late effect, unless it comes at short intervals. */
const LATE_MS = 5000;
const SHORT_MS = 2000;

/** Place → kind of change → when it was last seen to change, oldest first. @type {WeakMap<Node, Map<string, number[]>>} */
const seen = new WeakMap();

/** Whether any place may be known: most pages stand still. */
let hasAny = false;
export const anythingMoves = () => hasAny;

/**
 * A place changed while no action was under way.
 * @param {Node} place
 * @param {string} kind
 * @param {number} actedAt when the last action was over
 */
export const noteMove = (place, kind, actedAt) => {
  const now = performance.now();
  const kinds = seen.get(place) ?? new Map();
  const times = kinds.get(kind) ?? [];
  const gap = now - (times.at(-1) ?? -Infinity);
  if (gap < ONE_MS) return;
  const isLate = gap > SHORT_MS && now - actedAt < LATE_MS;
  const kept = isLate ? [now] : [...times, now].slice(-KEPT);
  kinds.set(kind, kept);
  seen.set(place, kinds);
  hasAny ||= kept.length >= ENOUGH;
};

/** What is only looked at between two actions → how often it had changed by then, and when last. @type {WeakMap<Node, {count: number, look: number}>} */
const sampled = new WeakMap();
let looks = 0;
/** So often, with so many looks between at most, shows that it goes on changing. */
const ENOUGH_LOOKS = 2;
const MAX_LOOKS = 4;

/** @param {Iterable<Node>} changed what did since the last action, of what no mutation tells */
export const noteLook = (changed) => {
  looks += 1;
  for (const one of new Set(changed)) {
    const before = sampled.get(one);
    const goesOnChanging = before && looks - before.look <= MAX_LOOKS;
    sampled.set(one, { count: goesOnChanging ? before.count + 1 : 1, look: looks });
  }
};

/** @param {Node|null} one */
export const changesBetweenLooks = (one) => {
  const about = one && sampled.get(one);
  return about ? about.count >= ENOUGH_LOOKS && looks - about.look <= MAX_LOOKS : false;
};

/**
 * Whether a place, or one around it whose content is made anew, changes by itself.
 * @param {Node} place
 * @param {string} kind
 * @param {number} when as of when; during an action its beginning, for the page may stand still as long as it takes
 * @returns {Node|null} which
 */
export const movingPlace = (place, kind, when) => {
  if (!hasAny) return null;
  if (goesOn(place, kind, when)) return place;
  for (let node = place; node; node = flatParent(node)) if (goesOn(node, "content", when)) return node;
  return null;
};

const goesOn = (place, kind, when) => {
  const times = seen.get(place)?.get(kind) ?? [];
  if (times.length < ENOUGH) return false;
  const gaps = times.slice(1).map((time, index) => time - times[index]);
  const longest = Math.min(MAX_GAP_MS, Math.max(...gaps));
  const mayBeLonger = times.length === KEPT ? 3 : times.length >= SOME ? 1 : 0;
  for (let count = 0; count < mayBeLonger; count += 1) gaps.splice(gaps.indexOf(Math.max(...gaps)), 1);
  const [least, most] = [Math.min(...gaps), Math.max(...gaps)];
  const isRegular = most <= MAX_GAP_MS && most <= MAX_RATIO * least + SLACK_MS;
  return isRegular && when - times[times.length - 1] <= 2 * longest + STILL_MS;
};

/** Where a mutation took place: of an attribute the parent, whose children take turns in a carousel. */
export const placeOf = ({ type, target }) => {
  if (type === "childList") return { place: target, kind: "content" };
  const parent = parentNode(target) ?? target;
  return { place: parent, kind: type === "attributes" ? "attributes" : "content" };
};

/** @param {Node} place */
export const ownDoing = (place) =>
  `only ${isElement(place) ? inWords(place) : "something"} changed, which also changes by itself`;
