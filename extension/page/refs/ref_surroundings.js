// What says of an element which thing it is about, beside its own words: the containers around it that have a name, the
// headings before it, and for one of many with a short name the words above them all (ref_captions.js).

import {
  attribute,
  hostOf,
  isConnected,
  isElement,
  matches,
  nodeType,
  parentNode,
  queryAll,
  rootOf,
  tag,
} from "../dom.js";
import { flatParent } from "../flat_tree.js";
import { CONTAINERS, captionOf, isShort, sameCaption } from "./ref_captions.js";
import { countBefore } from "./ref_places.js";
import { nameOf, roleOf } from "../role_and_name.js";
import { MAX_NAME, clipped, squeeze } from "../text.js";
import { isUnseen } from "../visibility.js";

/** @typedef {{named: Said, headings: Said, caption: Caption|null}} Surroundings */
/** @typedef {{text: string, by: WeakRef<any>|null, own: string}} Said `by`: the innermost that says it, and what it says alone */
/** @import { Caption } from "./ref_captions.js" */
/**
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
  const count = countBefore(all, element);
  const before = all.slice(Math.max(0, count - MAX_BEFORE), count);
  const found = [];
  for (let at = before.length - 1; at >= 0; at -= 1) {
    const branch = before[at];
    if (branch.level >= (found[0]?.level ?? Infinity) || isOneOfMany(branch, before[at - 1])) continue;
    found.unshift(branch);
  }
  return found;
};

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
      let known = branches.get(parent);
      if (!known) branches.set(parent, (known = []));
      if (known.at(-1)?.node === node) known.pop();
      known.push({ node, heading, level, name });
      if (matches(parent, SECTIONS)) break;
    }
  }
  return branches;
};
