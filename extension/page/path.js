// Selectors that find an element again in a later life of its page.

import { WHOLE, WITHIN } from "../basics/agreed.js";
import { attribute, childNodes, defaultView, isElement, nodeType, parentNode, queryAll, rootOf, tag } from "./dom.js";
import { place } from "./place.js";

/** Ids that frameworks count up each time they make an element. */
export const GENERATED = /[:«»]|_r_|^(?:mat|cdk|mui|radix|headlessui|react-aria|ember|ext-gen|el-id)\b.*\d|^ember\d/;

/**
 * A selector that only this element matches, in whichever frames and shadow roots it is.
 * @returns {{selector: string|null, through: ("frame"|"shadow")[]}}
 */
export const pathOf = (element) => {
  /** @type {(string|null)[]} */
  const parts = [];
  /** @type {("frame"|"shadow")[]} */
  const through = [];
  for (let node = element; node;) {
    const root = rootOf(node);
    parts.unshift(pathIn(root, node));
    const around = nodeType(root) === 11 ? root.host : defaultView(root)?.frameElement;
    if (around) through.unshift(nodeType(root) === 11 ? "shadow" : "frame");
    node = around;
  }
  // A document of another origin cannot see the frame it is in; the one around has told.
  if (place?.path) {
    parts.unshift(place.path.selector);
    through.unshift(...place.path.through, "frame");
  }
  return parts.includes(null) ? { selector: null, through: [] } : { selector: parts.join(" >>> "), through };
};

/** The shortest way to an element within its document or shadow root, or null. */
const pathIn = (root, element) => {
  const own = selectorsOf(element);
  const only = (selector) => {
    const found = queryAll(root, selector);
    return found.length === 1 && found[0] === element;
  };
  const direct = own.find(only);
  if (direct) return direct;
  let chain = stepTo(element);
  for (let node = parentNode(element); node && isElement(node); node = parentNode(node)) {
    for (const anchor of selectorsOf(node)) {
      const found = [...own.map((mark) => `${anchor} ${mark}`), `${anchor} > ${chain}`].find(only);
      if (found) return found;
    }
    chain = `${stepTo(node)} > ${chain}`;
  }
  return only(chain) ? chain : null;
};

/** An element among its neighbours: its tag, counted where there are several. */
export const stepTo = (element) => {
  const parent = parentNode(element);
  const same = parent
    ? [...childNodes(parent)].filter((node) => isElement(node) && tag(node) === tag(element))
    : [element];
  return same.length === 1
    ? CSS.escape(tag(element))
    : `${CSS.escape(tag(element))}:nth-of-type(${same.indexOf(element) + 1})`;
};

const TEST_MARKS = ["data-testid", "data-test-id", "data-test", "data-cy", "data-qa"];
const NAMED = /^(input|select|textarea|button|form|iframe|frame|fieldset)$/;
/** Addresses with these in their parameters may carry a secret. */
const SECRET_PARAMETER = new RegExp(`[?&#;].*(?:${WITHIN.join("|")}|(?<![a-z])(?:${WHOLE.join("|")})(?![a-z]))`, "i");

/**
 * What an element is marked with, the best first; nothing that looks as if it were different next time.
 * @returns {string[]}
 */
export const selectorsOf = (element) => {
  const kind = CSS.escape(tag(element));
  const marked = (name) => {
    const value = attribute(element, name);
    return value && value.length <= 100 && !value.includes(">>>") ? `[${name}=${quoted(value)}]` : null;
  };
  const id = attribute(element, "id");
  const name = attribute(element, "name");
  const href = tag(element) === "a" ? attribute(element, "href") : null;
  const choice = tag(element) === "input" && /^(radio|checkbox)$/.test(element.type) ? (marked("value") ?? "") : "";
  return [
    ...TEST_MARKS.map(marked),
    id && !looksMade(id) ? `#${CSS.escape(id)}` : null,
    name && NAMED.test(tag(element)) && !looksMade(name) && marked("name") ? `${kind}${marked("name")}${choice}` : null,
    marked("aria-label") && `${kind}${marked("aria-label")}`,
    marked("placeholder") && `${kind}${marked("placeholder")}`,
    tag(element) === "label" && attribute(element, "for") && !looksMade(attribute(element, "for"))
      ? `label${marked("for")}`
      : null,
    href && !/:\/\//.test(href) && !SECRET_PARAMETER.test(href) && marked("href") ? `a${marked("href")}` : null,
  ]
    .filter((selector) => typeof selector === "string")
    .filter(Boolean);
};

export const looksMade = (value) =>
  GENERATED.test(value) ||
  value.length > 60 ||
  /\d{4,}|\d[a-z]{1,4}\d|>>>/i.test(value) ||
  /(?=[a-f]*\d)[0-9a-f]{8,}/i.test(value);

export const quoted = (value) =>
  `"${value.replace(/["\\\u0000-\u001f\u007f]/g, (character) => `\\${character.codePointAt(0).toString(16)} `)}"`;
