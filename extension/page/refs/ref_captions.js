// For one of many with a short name, such as the day "15": the words above them all.

import { attribute, isElement, nodeType, queryAll, rectOf, tag, textContent } from "../dom.js";
import { flatChildren, flatParent } from "../flat_tree.js";
import { countBefore, holds, saidBy } from "./ref_places.js";
import { nameOf, roleOf, wordsOf } from "../role_and_name.js";
import { MAX_NAME, clipped, squeeze } from "../text.js";

/**
 * @typedef {{words: string, levels: number, all: string, across: number, down: number}} Caption `levels`: how far up the
 *   many are; `all`: what they say, and where among them it is
 */

/** What has a name that says what is in it. */
export const CONTAINERS = new Set(
  "alertdialog article dialog form grid group radiogroup region table tabpanel treegrid".split(" "),
);

/** The words above a key pad are what its keys made; they are the same keys while all of them are, at the same places. */
export const sameCaption = (kept, now) =>
  kept.words === now.words || (kept.all === now.all && kept.across === now.across && kept.down === now.down);

/** Without a word that says something by itself: "15", "Jan", "12A". */
export const isShort = (name) => /[\p{L}\p{N}]/u.test(name) && !/\p{L}{4}|\p{Lo}{2}/u.test(name);

const MIN_MANY = 5;
const MAX_LEVELS = 12;
/** A title has a word or a year. */
const TITLE = /\p{L}{3}|\p{Lo}|\b(?:19|20)\d\d\b/u;

/** The words before the many an element is one of; null where it is not, or a container has a name. @returns {Caption|null} */
export const captionOf = (element, memory) => {
  const kind = tag(element);
  const words = [];
  let many = false;
  for (let node = element, level = 0; level < MAX_LEVELS; level += 1) {
    const parent = flatParent(node);
    if (!parent || !isElement(parent) || tag(parent) === "body") break;
    many ||= hasMany(parent, kind, memory);
    const above = wordsBefore(parent, node, kind, memory);
    if (above) words.unshift(above);
    if (many && TITLE.test(above)) return captionWith(words.join(" "), level, element, node);
    if (CONTAINERS.has(roleOf(parent)) && nameOf(parent)) break;
    node = parent;
  }
  return null;
};

const hasMany = (parent, kind, memory) => {
  let known = memory.many.get(parent);
  if (!known) memory.many.set(parent, (known = new Map()));
  if (!known.has(kind)) known.set(kind, queryAll(parent, kind).length >= MIN_MANY);
  return known.get(kind);
};

const captionWith = (words, levels, element, all) => {
  const [own, whole] = [rectOf(element), rectOf(all)];
  return {
    words: clipped(words, MAX_NAME),
    levels,
    all: saidBy(all),
    across: Math.round(own.left - whole.left),
    down: Math.round(own.top - whole.top),
  };
};

/** What the children before `node` say that are not of its kind: rows, cells, or the names of the days above them. */
const wordsBefore = (parent, node, kind, memory) => {
  const key = `${lookedLike(node)} ${kind}`;
  let known = memory.words.get(parent);
  if (!known) memory.words.set(parent, (known = new Map()));
  const isLike = (child) => lookedLike(child) === lookedLike(node) && holds(child, kind);
  if (!known.has(key))
    known.set(
      key,
      flatChildren(parent)
        .filter((child) => nodeType(child) === 3 || (isElement(child) && !isLike(child)))
        .map((child) => ({ node: child, text: null })),
    );
  const all = known.get(key);
  const said = all.slice(0, countBefore(all, node)).map((child) => (child.text ??= wordsIn(child.node)));
  return said.filter((text) => text && !isHead(text)).join(" ");
};

const wordsIn = (node) => (nodeType(node) === 3 ? squeeze(textContent(node)) : wordsOf(node));

/** Rows of a table are alike; of other elements those with the same first class. */
const lookedLike = (node) =>
  /^(?:t[dhr]|li|tbody)$/.test(tag(node))
    ? tag(node)
    : `${tag(node)}.${/\S+/.exec(attribute(node, "class") ?? "")?.[0]}`;

/** A row of the days' names heads columns. */
const isHead = (text) => {
  const words = text.split(" ");
  return (
    words.length >= MIN_MANY && !/\d/.test(text) && (words.length % 7 === 0 || words.every((word) => word.length <= 3))
  );
};
