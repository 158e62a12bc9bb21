// The role of an element: what the author gave, where it may stand, else what HTML-AAM says of its tag.

import { CONTEXTS, GLOBAL_STATES, INPUT_ROLES, KNOWN_ROLES, TAG_ROLES } from "./aria.js";
import {
  attribute,
  byId,
  children,
  closest,
  hasAttribute,
  hrefOf,
  isElement,
  matches,
  parentNode,
  tag,
} from "./dom.js";
import { isEditingHost } from "./fields/field_kinds.js";
import { flatParent, summaryOf } from "./flat_tree.js";
import { remembered } from "./memo.js";
import { isOwned } from "./owned.js";

const SECTIONING =
  "article, aside, nav, section, [role=article], [role=complementary], [role=navigation], [role=region]";
/** Within these a header or footer is theirs, not the page's. */
const SECTIONS = `:is(article, aside, main, nav, section):not([role]), [role=article], [role=complementary], [role=main],
  [role=navigation]`;
const PRESENTED = "[role=none], [role=presentation]";

/** Roles that hang on more than the name of the tag. */
const ROLE_RULES = {
  __proto__: null,
  input: (element) => inputRole(element),
  a: (element) => (hrefOf(element) === null ? "" : "link"),
  area: (element) => (hasAttribute(element, "href") ? "link" : ""),
  select: (element) => (element.multiple || element.size > 1 ? "listbox" : "combobox"),
  img: (element) => (attribute(element, "alt") === "" && !isMarked(element) ? "" : "img"),
  svg: (element) => (isEntitled(element) || hasTitle(element) ? "img" : ""),
  header: (element) => (isWithin(element, SECTIONS) ? "sectionheader" : "banner"),
  footer: (element) => (isWithin(element, SECTIONS) ? "sectionfooter" : "contentinfo"),
  section: (element) => (isEntitled(element) ? "region" : ""),
  aside: (element) => (isWithin(element, SECTIONING) && !isEntitled(element) ? "" : "complementary"),
  summary: (element) => (isFirstSummary(element) ? "button" : ""),
  li: (element) => itemRole(element),
  td: (element) => inTable(element, closest(element, "[role=grid], [role=treegrid]") ? "gridcell" : "cell"),
  th: (element) => inTable(element, headerRole(element)),
  tr: (element) => inTable(element, "row"),
  tbody: (element) => inTable(element, "rowgroup"),
  thead: (element) => inTable(element, "rowgroup"),
  tfoot: (element) => inTable(element, "rowgroup"),
};

/** The role of an element; "" for one that says nothing about itself. */
export const roleOf = (element) => remembered("roles", element, readRole);

const readRole = (element) => {
  const own = hasAttribute(element, "role") ? ownRole(element) : null;
  return own ?? nativeRole(element);
};

const nativeRole = (element) => {
  const name = tag(element);
  return (
    ROLE_RULES[name]?.(element) ??
    TAG_ROLES[name] ??
    (isEditingHost(element) ? "textbox" : componentRole(element, name))
  );
};

/** A component may tell its role to the browser alone (ElementInternals): one that takes the focus is what it is called. */
const componentRole = (element, name) =>
  name.includes("-") && hasAttribute(element, "tabindex") ? (COMPONENT_ROLES.exec(name)?.[1] ?? "") : "";
const COMPONENT_ROLES = /-(checkbox|option|radio|switch|tab)$/;

const CALLED = { __proto__: null, image: "img", generic: "", directory: "list" };

/** The first role the author gave that it may have; null where the tag decides. */
const ownRole = (element) => {
  for (const role of (attribute(element, "role") ?? "").trim().toLowerCase().split(/\s+/)) {
    if (!KNOWN_ROLES.has(role)) continue;
    if (role === "none" || role === "presentation") return isToldOf(element) ? null : "";
    if ((role === "region" || role === "form") && !isEntitled(element)) continue;
    if (role in CONTEXTS && !standsIn(element, CONTEXTS[role])) continue;
    return CALLED[role] ?? role;
  }
  return null;
};

/** Whether an author took an element from the tree by its role and put it back by what else they said of it. */
const isToldOf = (element) =>
  (isFocusable(element) && !matches(element, ":disabled")) || GLOBAL_STATES.some((name) => hasAttribute(element, name));

/**
 * Whether the next element around it that has a role has one of these. A component may have told its role to the browser
 * alone.
 */
const standsIn = (element, roles) => {
  for (let node = flatParent(element); node; node = flatParent(node)) {
    const role = isElement(node) ? roleOf(node) : "";
    if (role) return roles.has(role) || isOwned(element);
    if (isElement(node) && tag(node).includes("-")) return true;
  }
  return isOwned(element);
};

/** Whether it has a name of its own: a landmark without one is none. */
const isEntitled = (element) =>
  isSaid(element, "aria-label") || isSaid(element, "title") || labelsOf(element).length > 0;
const isSaid = (element, name) => Boolean(attribute(element, name)?.trim());

/** The elements that aria-labelledby, or its common misspelling, refers to. */
export const labelsOf = (element) => {
  const ids = attribute(element, "aria-labelledby") ?? attribute(element, "aria-labeledby");
  return ids
    ? ids
        .trim()
        .split(/\s+/)
        .map((id) => byId(element, id))
        .filter(Boolean)
    : [];
};

/** Whether a picture without words is more than decoration. */
const isMarked = (element) =>
  isSaid(element, "aria-label") ||
  ["aria-labelledby", "aria-describedby", "title", "tabindex"].some((name) => hasAttribute(element, name));

const hasTitle = (svg) => [...children(svg)].some((child) => tag(child) === "title");

const isWithin = (element, selector) => {
  const parent = parentNode(element);
  return isElement(parent) && closest(parent, selector) !== null;
};

const isFirstSummary = (summary) => {
  const details = parentNode(summary);
  return isElement(details) && tag(details) === "details" && summaryOf(details) === summary;
};

/** An item of a list that the author made something else is nothing by itself. */
const itemRole = (item) => {
  const list = parentNode(item);
  return isElement(list) && /^(ul|ol|menu)$/.test(tag(list)) && (matches(list, PRESENTED) || roleOf(list) !== "list")
    ? ""
    : "listitem";
};

const inTable = (element, role) => {
  const table = closest(element, "table");
  return table && roleOf(table) === "" ? "" : role;
};

const SUGGESTING = /^(text|search|email|tel|url|number)$/;
const inputRole = (input) => {
  const type = input.type;
  if (type === "hidden") return "";
  return SUGGESTING.test(type) && input.list ? "combobox" : (INPUT_ROLES[type] ?? "textbox");
};

const headerRole = (cell) => {
  const scope = attribute(cell, "scope");
  if (scope === "row" || scope === "rowgroup") return "rowheader";
  if (scope) return "columnheader";
  const row = parentNode(cell);
  const cells = row ? [...children(row)] : [];
  return cells.some((other) => tag(other) === "td") ? "rowheader" : "columnheader";
};

export const isFocusable = (element) =>
  hasAttribute(element, "tabindex") ||
  /^(a|button|input|select|textarea|summary)$/.test(tag(element)) ||
  isEditingHost(element);
