// Ways to name an element a person has picked, for the target of a command. The best come first.

import {
  attribute,
  closest,
  isElement,
  ownerDocumentView,
  parentNode,
  queryAll,
  rootOf,
  tag,
  textContent,
} from "./dom.js";
import { looksMade, pathOf, selectorsOf, stepTo } from "./path.js";
import { place } from "./place.js";
import { nameOf, roleOf } from "./role_and_name.js";
import { MAX_RECORDED_NAME } from "./target_record.js";
import { clipped, squeeze } from "./text.js";

const MAX_CANDIDATES = 8;
const MAX_SAID = 60;
const MAX_CLASSES = 3;
/** Elements a person names by what is written on them. */
const SAYING = /^(a|button|label|summary|option|legend|caption|th|td|li|dt|dd|h[1-6]|p|span)$/;

/** What each kind of mark is called, by how its selector looks. @type {[RegExp, string][]} */
const KINDS = [
  [/^#/, "id"],
  [/^\[data-/, "test id"],
  [/\[name=/, "name"],
  [/\[aria-label=/, "label"],
  [/\[placeholder=/, "placeholder"],
  [/\[for=/, "for"],
  [/\[href=/, "link"],
];

/**
 * @returns {{element: {role, name, tag}, reachable: boolean, candidates: {way, value, kind, matches, first}[]}} `first`:
 *   a command would take this element and none of the others; not `reachable`: the frame around has not been told of
 */
export const candidates = (picked) => {
  const element = liftedOf(picked);
  const { selector, through } = pathOf(element);
  const around = selector?.includes(" >>> ") ? selector.slice(0, selector.lastIndexOf(" >>> ")) : null;
  const root = rootOf(element);
  const byPath = (part, kind) => {
    const found = queryAll(root, part);
    return {
      way: "selector",
      value: around ? `${around} >>> ${part}` : part,
      kind,
      matches: found.length,
      first: found[0] === element,
    };
  };
  const marks = selectorsOf(element).map((part) =>
    byPath(part, KINDS.find(([looks]) => looks.test(part))?.[1] ?? "mark"),
  );
  const path = selector && byPath(around ? selector.slice(around.length + 5) : selector, "path");
  const id = attribute(element, "id");
  const all = [
    ...marks,
    path,
    ...(through.length ? [] : [byText(element)]),
    byPath(stepsTo(root, element), "steps"),
    id && looksMade(id) ? byPath(`#${CSS.escape(id)}`, "id, may change") : null,
    byClasses(element, byPath),
  ].filter(Boolean);
  const told = new Set();
  const distinct = all.filter(({ value }) => !told.has(value) && told.add(value));
  const rank = ({ matches, first }) => (matches === 1 ? 0 : first ? 1 : 2);
  return {
    element: { role: roleOf(element), name: clipped(nameOf(element), MAX_RECORDED_NAME), tag: tag(element) },
    reachable: place !== null || outermost(element),
    candidates: distinct.sort((one, other) => rank(one) - rank(other)).slice(0, MAX_CANDIDATES),
  };
};

/** A button or link stands for what is drawn in it, a picture for its strokes. */
const liftedOf = (element) => {
  const drawing = element instanceof SVGElement ? (element.ownerSVGElement ?? element) : element;
  return closest(drawing, "button, a[href]") ?? drawing;
};

/** Whether every frame around is readable, up to the top one. */
const outermost = (element) => {
  for (let view = ownerDocumentView(element); ; view = view.parent) {
    if (view === view.parent) return true;
    try {
      if (!view.frameElement) return false;
    } catch {
      return false; // of another origin
    }
  }
};

/** What is written on it, as an XPath. */
const byText = (element) => {
  const said = squeeze(textContent(element));
  if (!SAYING.test(tag(element)) || !said || said.length > MAX_SAID || (said.includes('"') && said.includes("'")))
    return null;
  const value = `//${tag(element)}[normalize-space()=${said.includes('"') ? `'${said}'` : `"${said}"`}]`;
  const found = Document.prototype.evaluate.call(
    document,
    value,
    document,
    null,
    XPathResult.ORDERED_NODE_SNAPSHOT_TYPE,
    null,
  );
  return found.snapshotLength
    ? { way: "xpath", value, kind: "text", matches: found.snapshotLength, first: found.snapshotItem(0) === element }
    : null;
};

/** Step by step from the nearest id, or from the top. */
const stepsTo = (root, element) => {
  let steps = stepTo(element);
  for (let node = parentNode(element); node && isElement(node); node = parentNode(node)) {
    const id = attribute(node, "id");
    if (id && !looksMade(id) && queryAll(root, `#${CSS.escape(id)}`).length === 1)
      return `#${CSS.escape(id)} > ${steps}`;
    steps = `${stepTo(node)} > ${steps}`;
  }
  return steps;
};

/** Its classes, which others of its kind have, too. */
const byClasses = (element, byPath) => {
  const classes = (attribute(element, "class") ?? "")
    .split(/\s+/)
    .filter((name) => name && !looksMade(name))
    .slice(0, MAX_CLASSES);
  return classes.length
    ? byPath(`${CSS.escape(tag(element))}${classes.map((name) => `.${CSS.escape(name)}`).join("")}`, "class")
    : null;
};
