// Where an element stands in its page, to be found there again when the page has made it again.

import {
  attribute,
  contains,
  defaultView,
  documentElement,
  firstChild,
  firstElementChild,
  isElement,
  lastChild,
  matches,
  ownerDocument,
  parentNode,
  queryAll,
  rootOf,
  tag,
  textContent,
} from "../dom.js";
import { SKIPPED, elementsIn, flatChildren, flatParent } from "../flat_tree.js";
import { remembered } from "../memo.js";
import { GENERATED } from "../path.js";
import { isSecret } from "../secrets.js";
import { MAX_NAME, clipped, squeeze } from "../text.js";

/** A chain up to the page's root: what each element is marked with, shared by all that stand below it. */
export const spotOf = (element, memory) => {
  let spot = memory.spots.get(element);
  if (spot) return spot;
  const parent = flatParent(element);
  spot = { marks: marksOf(element), parent: parent && isElement(parent) ? spotOf(parent, memory) : null };
  memory.spots.set(element, spot);
  return spot;
};

const MARKS = ["aria-label", "data-id", "data-key"];
const OWN_MARKS = {
  __proto__: null,
  a: ["href"],
  button: ["name", "value"],
  input: ["name", "type"],
  select: ["name"],
  textarea: ["name"],
};
const MARKED = "[id], [aria-label], [data-id], [data-key]";
const marksOf = (element) => {
  if (!matches(element, MARKED)) return tag(element);
  const id = attribute(element, "id");
  let marks = id && !GENERATED.test(id) ? `${tag(element)}#${id}` : tag(element);
  for (const name of MARKS) {
    const value = attribute(element, name);
    if (value !== null) marks += ` ${name}=${value}`;
  }
  return marks;
};

export const ownMarks = (element) => {
  const names = OWN_MARKS[tag(element)];
  if (!names) return "";
  return names.length === 1 ? attribute(element, names[0]) : names.map((name) => attribute(element, name)).join("\n");
};

/** The document, and which view of an application it shows: its path, and what routes behind a # say. */
export const viewOf = (element, memory) => {
  const root = ownerDocument(element);
  let view = memory.views.get(root);
  if (!view) {
    const { pathname = "", hash = "" } = defaultView(root)?.location ?? {};
    view = { document: new WeakRef(root), path: /^#[/!]/.test(hash) ? pathname + hash : pathname };
    memory.views.set(root, view);
  }
  return view;
};

/**
 * The first text beside the element, or beside the nearest element around it that has any there: what a reader takes
 * for its heading. Neighbours of the same kind that hold the same kind of control, as rows of a list do, say nothing.
 */
export const textBeside = (element, memory, node = element, kind = tag(element)) => {
  const parent = flatParent(node);
  if (!parent || !isElement(parent)) return "";
  if (isOnlyChild(node, parent)) return textBeside(element, memory, parent, kind);
  const key = `${tag(node)} ${kind}`;
  let known = memory.beside.get(parent);
  if (!known) memory.beside.set(parent, (known = new Map()));
  let text = known.get(key);
  if (text === undefined)
    known.set(key, (text = textAmong(flatChildren(parent), node, kind) || textBeside(element, memory, parent, kind)));
  return text;
};

const isOnlyChild = (node, parent) => firstChild(parent) === node && lastChild(parent) === node;

const textAmong = (nodes, path, kind) => {
  if (nodes.length < 2) return "";
  const kindOfRow = tag(path);
  for (const node of nodes) {
    if (
      node === path ||
      (isElement(node) && (SKIPPED.has(tag(node)) || (tag(node) === kindOfRow && holds(node, kind))))
    )
      continue;
    const text = node.nodeType === 3 || isElement(node) ? squeeze(textContent(node)) : "";
    if (text) return clipped(text, MAX_NAME);
  }
  return "";
};
/** Whether an element is of this kind, or has one in it. */
export const holds = (element, kind) => {
  if (tag(element) === kind) return true;
  const first = firstElementChild(element);
  return first !== null && (tag(first) === kind || Element.prototype.querySelector.call(element, kind) !== null);
};

/** All that an element says: one string for all that stand in it, for the largest are most of the page. */
export const saidBy = (element) => remembered("said", element, readSaid);
const readSaid = (element) => squeeze(textContent(element));

/**
 * @typedef {{text: string, held: {values: string[], all: string}, own: number|undefined}} Content what a part of the page
 *   says, what its fields hold, and which of them is left out
 */

/**
 * Of each of several like elements the largest part of the page that holds only this one: usually a row.
 * @returns {(Content & {levels: number, head: string, twin: boolean})[]}: how far up, all it says, the first of it,
 *   whether another says the same; then the one that is left may be the other, and neither is ever found again
 */
export const scopesOf = (group) => {
  const below = new Map();
  for (const element of group)
    for (let node = element; node; node = flatParent(node)) below.set(node, (below.get(node) ?? 0) + 1);
  const scopes = group.map((element) => scopeOf(element, below));
  for (const alike of Map.groupBy(scopes, ({ text }) => text).values()) {
    if (alike.length === 1) continue;
    for (const same of Map.groupBy(alike, (scope) => heldBeside(scope)).values())
      for (const scope of same) scope.twin = same.length > 1;
  }
  return scopes;
};

const scopeOf = (element, below) => {
  let scope = element;
  let levels = 0;
  for (
    let parent = flatParent(scope);
    parent && isElement(parent) && below.get(parent) === 1;
    parent = flatParent(scope)
  ) {
    scope = parent;
    levels += 1;
  }
  return { ...contentOf(scope, element), levels, head: headOf(scope, element), twin: false };
};

export const upFrom = (element, levels) => {
  let node = element;
  for (let level = 0; node && level < levels; level += 1) node = flatParent(node);
  return node && isElement(node) ? node : null;
};

/** @returns {Content} */
export const contentOf = (scope, element) => {
  const { places, ...held } = remembered("held", scope, readHeld);
  return { text: saidBy(scope), held, own: places.get(element) };
};

const readHeld = (scope) => {
  const fields = [...queryAll(scope, "input, select, textarea")].filter((field) => !isSecret(field));
  const values = fields.map((field) => (/^(checkbox|radio)$/.test(field.type) ? "" : field.value));
  return { values, all: values.join("\n"), places: new Map(fields.map((field, index) => [field, index])) };
};

export const saysTheSame = (one, other) => one.text === other.text && heldBeside(one) === heldBeside(other);
/** @param {Content} content */
const heldBeside = ({ held: { values, all }, own }) =>
  own === undefined ? all : values.filter((_, index) => index !== own).join("\n");

export const headOf = (scope, element) => {
  const texts = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const text = squeeze(textContent(node));
    // What a secret field holds goes into no answer, and as with any other field the row is not called by it.
    if (text && !contains(element, node) && !isInSecret(node, scope)) return text;
  }
  return "";
};
const isInSecret = (node, scope) => {
  for (let around = parentNode(node); around; around = around === scope ? null : parentNode(around))
    if (isElement(around) && isSecret(around)) return true;
  return false;
};

/** Elements that may have the same role and name, where a look did not list them all. */
export const likeElements = (element, memory) => {
  const root = rootOf(element);
  const name = tag(element);
  if (!memory.sameTag.has(root)) memory.sameTag.set(root, new Map());
  const known = memory.sameTag.get(root);
  if (!known.has(name)) known.set(name, alikeIn(queryAll(root, name)));
  return known.get(name).get(sayOf(element)) ?? [element];
};

const sayOf = (element) =>
  `${squeeze(textContent(element))}\n${attribute(element, "aria-label")}\n${attribute(element, "type")}`;
const alikeIn = (elements) => {
  const alike = new Map();
  // By index: an iterator of a long list of the DOM costs twice as much.
  for (let index = 0, { length } = elements; index < length; index += 1) {
    const said = sayOf(elements[index]);
    const others = alike.get(said);
    if (others) others.push(elements[index]);
    else alike.set(said, [elements[index]]);
  }
  return alike;
};

/** All elements with this chain above them. */
export const atSpot = ({ marks, parent }) => {
  const above = parent ? atSpot(parent).flatMap(elementsIn) : [documentElement(document)];
  return above.filter((element) => marksOf(element) === marks);
};

/** How many nodes stand before an element, of such as are in the order of the page. */
export const countBefore = (all, element) => {
  let [from, to] = [0, all.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (precedes(all[middle].node, element)) from = middle + 1;
    else to = middle;
  }
  return from;
};

const precedes = (node, other) =>
  node !== other &&
  Boolean(Node.prototype.compareDocumentPosition.call(node, other) & Node.DOCUMENT_POSITION_FOLLOWING);
