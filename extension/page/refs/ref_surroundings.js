// What says of an element which thing it is about, beside its own words: the containers around it that have a name, the
// headings before it, and for one of many with a short name, such as the day "15", the words above them all.

import {
  attribute,
  hostOf,
  isConnected,
  isElement,
  matches,
  nodeType,
  parentNode,
  queryAll,
  rectOf,
  rootOf,
  tag,
  textContent,
} from "../dom.js";
import { flatChildren, flatParent } from "../flat_tree.js";
import { holds } from "./ref_places.js";
import { nameOf, roleOf, wordsOf } from "../role_and_name.js";
import { MAX_NAME, clipped, squeeze } from "../text.js";
import { isUnseen } from "../visibility.js";

/** @typedef {{named: Said, headings: Said, caption: Caption|null}} Surroundings */
/** @typedef {{text: string, by: WeakRef<any>|null, own: string}} Said `by`: the innermost that says it, and what it says alone */
/**
 * @typedef {{words: string, levels: number, all: string, across: number, down: number}} Caption `levels`: how far up the
 *   many are; `all`: what they say, and where among them it is
 * @typedef {{around: Map<any, Said>, branches: Map<any, Map<any, Branch[]>>, above: Map<any, Said>, words: Map<any, any>,
 *   many: Map<any, any>}} Memory
 */
/** @typedef {{node: any, heading: any, level: number, name: string}} Branch a child with a heading in it, the last one */

/** @returns {Memory} what was read once, while the page cannot change */
export const surroundingsMemory = () => ({
  around: new Map(),
  branches: new Map(),
  above: new Map(),
  words: new Map(),
  many: new Map(),
});

/** @returns {Surroundings} */
export const surroundingsOf = (element, name, memory) => ({
  named: namedAround(element, memory),
  headings: headingsBefore(element, memory),
  caption: isShort(name) ? captionOf(element, memory) : null,
});

/**
 * What of the surroundings is another now, in words, or null.
 * @param {Surroundings} kept
 * @param {Surroundings} now
 * @param {{told: boolean, again: boolean}} element `told`: by its row or its own words; `again`: it was used just before
 */
export const otherSurroundings = (kept, now, { told, again }) => {
  if (kept.caption && now.caption && !sameCaption(kept.caption, now.caption))
    return { was: kept.caption.words, is: now.caption.words };
  if (again) return null;
  const plain = told ? (text) => text.replace(/\d+/g, "#") : (text) => text;
  for (const kind of ["named", "headings"])
    if (plain(kept[kind].text) !== plain(now[kind].text) && !isStill(kept[kind]))
      return { was: kept[kind].text, is: now[kind].text };
  return null;
};

/** What stood around it is there and says the same: then the page has moved the element, and it is itself. */
const isStill = ({ by, own }) => {
  const node = by?.deref();
  return Boolean(node) && isConnected(node) && withoutCount(nameOf(node)) === own;
};

/** In words, for an answer. @param {Surroundings|undefined} surroundings */
export const inSurroundings = ({ named, headings, caption } = { named: NOTHING, headings: NOTHING, caption: null }) =>
  clipped([caption?.words, headings.text, named.text].filter(Boolean).join("; "), MAX_NAME);

/** The words above a key pad are what its keys made; they are the same keys while all of them are, at the same places. */
const sameCaption = (kept, now) =>
  kept.words === now.words || (kept.all === now.all && kept.across === now.across && kept.down === now.down);

const CONTAINERS = new Set(
  "alertdialog article dialog form grid group radiogroup region table tabpanel treegrid".split(" "),
);

/** @type {Said} */
const NOTHING = { text: "", by: null, own: "" };

/** @returns {Said} */
const namedAround = (element, memory) => {
  const parent = flatParent(element);
  if (!parent) return NOTHING;
  let named = memory.around.get(parent);
  if (named) return named;
  named = namedAround(parent, memory);
  const role = isElement(parent) ? roleOf(parent) : "";
  const own = CONTAINERS.has(role) ? withoutCount(nameOf(parent, role)) : "";
  if (own)
    named = {
      text: `${role} ${JSON.stringify(own)}${named.text && ` in ${named.text}`}`,
      by: new WeakRef(parent),
      own,
    };
  memory.around.set(parent, named);
  return named;
};

/** How many there are of something says nothing of what it is. */
const withoutCount = (text) => clipped(squeeze(text.replace(/[([]\s*\d[\d\s.,/+]*[)\]]/g, " ")), MAX_NAME);

const HEADINGS = "h1, h2, h3, h4, h5, h6, [role=heading]";
/** What a heading in these says ends with them. */
const SECTIONS = `article, aside, dialog, fieldset, footer, form, li, nav, section, table, tr, [popover], [role=alertdialog],
  [role=article], [role=complementary], [role=dialog], [role=grid], [role=group], [role=listitem], [role=navigation],
  [role=region], [role=row], [role=tabpanel]`;

/** Within one parent so many headings are looked at. */
const MAX_BEFORE = 12;

/**
 * The headings an element stands under, outermost first: of each level around it the last before it, with those above that.
 * @returns {Said}
 */
const headingsBefore = (element, memory) => {
  const known = memory.above.get(element);
  if (known) return known;
  const parent = parentNode(element);
  let said = NOTHING;
  if (parent && isElement(parent)) {
    const around = headingsBefore(parent, memory);
    const inside = headingsIn(parent, element, memory);
    const text = [around.text, ...inside.map(({ name }) => name)].filter(Boolean).join(" › ");
    const last = inside.at(-1);
    said = last ? { text, by: new WeakRef(last.heading), own: last.name } : around;
  } else if (parent && nodeType(parent) === 11 && parent.host) said = headingsBefore(hostOf(parent), memory);
  memory.above.set(element, said);
  return said;
};

/** @returns {Branch[]} */
const headingsIn = (parent, element, memory) => {
  const all = branchesOf(rootOf(element), memory).get(parent) ?? [];
  const before = all.filter(({ node }) => precedes(node, element)).slice(-MAX_BEFORE);
  const found = [];
  for (let at = before.length - 1; at >= 0; at -= 1) {
    const branch = before[at];
    if (branch.level >= (found[0]?.level ?? Infinity) || isOneOfMany(branch, before[at - 1])) continue;
    found.unshift(branch);
  }
  return found;
};

const precedes = (node, other) =>
  node !== other &&
  Boolean(Node.prototype.compareDocumentPosition.call(node, other) & Node.DOCUMENT_POSITION_FOLLOWING);

/** Of two cards side by side neither heads what comes after them. */
const isOneOfMany = ({ node }, before) =>
  before !== undefined &&
  !matches(node, HEADINGS) &&
  tag(node) === tag(before.node) &&
  attribute(node, "class") === attribute(before.node, "class");

/** @returns {Map<any, Branch[]>} parent → its children with headings that are heard outside of them */
const branchesOf = (root, memory) => {
  let branches = memory.branches.get(root);
  if (branches) return branches;
  memory.branches.set(root, (branches = new Map()));
  for (const heading of queryAll(root, HEADINGS)) {
    if (isUnseen(heading)) continue;
    const name = withoutCount(nameOf(heading));
    const level = Number(attribute(heading, "aria-level") ?? /^h([1-6])$/.exec(tag(heading))?.[1] ?? 2);
    for (let node = heading; node; node = parentNode(node)) {
      const parent = parentNode(node);
      if (!name || !parent || !isElement(parent)) break;
      const known = branches.get(parent) ?? [];
      if (known.at(-1)?.node === node) known.pop();
      branches.set(parent, [...known, { node, heading, level, name }]);
      if (matches(parent, SECTIONS)) break;
    }
  }
  return branches;
};

/** Without a word that says something by itself: "15", "Jan", "12A". */
export const isShort = (name) => /[\p{L}\p{N}]/u.test(name) && !/\p{L}{4}|\p{Lo}{2}/u.test(name);

const MIN_MANY = 5;
const MAX_LEVELS = 12;
/** A title has a word or a year. */
const TITLE = /\p{L}{3}|\p{Lo}|\b(?:19|20)\d\d\b/u;

/** The words before the many an element is one of; null where it is not, or a container has a name. @returns {Caption|null} */
const captionOf = (element, memory) => {
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
    all: squeeze(textContent(all)),
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
      flatChildren(parent).filter((child) => nodeType(child) === 3 || (isElement(child) && !isLike(child))),
    );
  const said = known
    .get(key)
    .filter((child) => precedes(child, node))
    .map((child) => (nodeType(child) === 3 ? squeeze(textContent(child)) : wordsOf(child)));
  return said.filter((text) => text && !isHead(text)).join(" ");
};

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
