// Refs: what a snapshot calls an element, and the element again, also after the page has made it anew.

const refNumbers = new WeakMap();
const refElements = new Map();
let nextRef = 1;
/** The first ref of this document: smaller ones belonged to pages the tab has left. */
let firstRef = null;
/** Counts the looks at the page that gave refs; `given` are the elements of the present one, each with what is known of it. */
let look = 0;
let given = new Map();

/**
 * Continue the tab's numbering: a document starts where the one before ended.
 * @param {{from, accepted}} numbers the next one, and the one after the last the extension got of this document
 */
const startRefs = ({ from, accepted }) => {
  // Numbers whose answer never arrived may have gone to another frame meanwhile.
  if (nextRef > accepted) for (const number of refElements.keys()) if (number >= accepted) refElements.delete(number);
  nextRef = Math.max(nextRef, from);
  firstRef ??= nextRef;
  look += 1;
  given = new Map();
};

const refOf = (element, role, name) => {
  let number = refNumbers.get(element);
  if (!number || !refElements.has(number)) {
    number = nextRef++;
    refNumbers.set(element, number);
  }
  let known = refElements.get(number);
  if (known?.element.deref() !== element) refElements.set(number, (known = { element: new WeakRef(element), role, name, first: known?.first ?? look, last: look, place: null }));
  known.role = role;
  known.name = name;
  known.last = look;
  given.set(element, known);
  return `e${number}`;
};

/**
 * Remember where the elements of this look stand, to find them again when the page has put others in their place.
 * @param whole every element of the roles that were asked for was listed, so a name listed once is there once
 */
const keepPlaces = (whole) => {
  const memory = { spots: new Map(), beside: new Map(), sameTag: new Map(), views: new Map() };
  const groups = whole
    ? Map.groupBy(given.keys(), (element) => `${given.get(element).role} ${given.get(element).name}`).values()
    : new Set([...given.keys()].map((element) => likeElements(element, memory)));
  for (const group of groups) {
    const scopes = group.length > 1 ? scopesOf(group) : null;
    for (const [index, element] of group.entries()) {
      const known = given.get(element);
      if (!known) continue;
      known.place = { spot: spotOf(element, memory), own: ownMarks(element), view: viewOf(element, memory) };
      if (scopes) known.place.scope = scopes[index];
      else known.place.beside = textBeside(element, memory);
    }
  }
  given = new Map();
};

/** A chain up to the page's root: what each element is marked with, shared by all that stand below it. */
const spotOf = (element, memory) => {
  let spot = memory.spots.get(element);
  if (spot) return spot;
  const parent = flatParent(element);
  spot = { marks: marksOf(element), parent: parent && isElement(parent) ? spotOf(parent, memory) : null };
  memory.spots.set(element, spot);
  return spot;
};

const MARKS = ["aria-label", "data-id", "data-key"];
const OWN_MARKS = { __proto__: null, a: ["href"], button: ["name", "value"], input: ["name", "type"], select: ["name"], textarea: ["name"] };
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
/** Ids that frameworks count up each time they make an element. */
const GENERATED = /[:«»]|_r_|^(?:mat|cdk|mui|radix|headlessui|react-aria|ember|ext-gen|el-id)\b.*\d|^ember\d/;
const ownMarks = (element) => {
  const names = OWN_MARKS[tag(element)];
  if (!names) return "";
  return names.length === 1 ? attribute(element, names[0]) : names.map((name) => attribute(element, name)).join("\n");
};

/** The document, and which view of an application it shows: its path, and what routes behind a # say. */
const viewOf = (element, memory) => {
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
const textBeside = (element, memory, node = element, kind = tag(element)) => {
  const parent = flatParent(node);
  if (!parent || !isElement(parent)) return "";
  if (isOnlyChild(node, parent)) return textBeside(element, memory, parent, kind);
  const key = `${tag(node)} ${kind}`;
  let known = memory.beside.get(parent);
  if (!known) memory.beside.set(parent, (known = new Map()));
  let text = known.get(key);
  if (text === undefined) known.set(key, (text = textAmong(flatChildren(parent), node, kind) || textBeside(element, memory, parent, kind)));
  return text;
};

const isOnlyChild = (node, parent) => firstChild(parent) === node && lastChild(parent) === node;

const textAmong = (nodes, path, kind) => {
  if (nodes.length < 2) return "";
  const kindOfRow = tag(path);
  for (const node of nodes) {
    if (node === path || (isElement(node) && (SKIPPED.has(tag(node)) || (tag(node) === kindOfRow && holds(node, kind))))) continue;
    const text = node.nodeType === 3 || isElement(node) ? squeeze(textContent(node)) : "";
    if (text) return clipped(text, MAX_NAME);
  }
  return "";
};
const holds = (element, kind) => {
  if (tag(element) === kind) return true;
  const first = firstElementChild(element);
  return first !== null && (tag(first) === kind || Element.prototype.querySelector.call(element, kind) !== null);
};

/**
 * Of each of several like elements the largest part of the page that holds only this one: usually a row.
 * @returns {{levels: number, text: string, head: string, twin: boolean}[]}: how far up, all it says, the first of it,
 *   whether another says the same; then the one that is left may be the other, and neither is ever found again
 */
const scopesOf = (group) => {
  const below = new Map();
  for (const element of group)
    for (let node = element; node; node = flatParent(node)) below.set(node, (below.get(node) ?? 0) + 1);
  const scopes = group.map((element) => scopeOf(element, below));
  const times = Map.groupBy(scopes, ({ text }) => text);
  for (const scope of scopes) scope.twin = times.get(scope.text).length > 1;
  return scopes;
};

const scopeOf = (element, below) => {
  let scope = element;
  let levels = 0;
  for (let parent = flatParent(scope); parent && isElement(parent) && below.get(parent) === 1; parent = flatParent(scope)) {
    scope = parent;
    levels += 1;
  }
  return { levels, text: contentOf(scope, element), head: headOf(scope, element), twin: false };
};

const upFrom = (element, levels) => {
  let node = element;
  for (let level = 0; node && level < levels; level += 1) node = flatParent(node);
  return node && isElement(node) ? node : null;
};

/** What a part of the page says, with what its other fields hold. */
const contentOf = (scope, element) => {
  const fields = [...queryAll(scope, "input, select, textarea")].filter((field) => field !== element && !secret(field));
  const held = fields.map((field) => (/^(checkbox|radio)$/.test(field.type) ? "" : field.value));
  return [squeeze(textContent(scope)), ...held].join("\n");
};

const headOf = (scope, element) => {
  const texts = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const text = squeeze(textContent(node));
    if (text && !contains(element, node)) return text;
  }
  return "";
};

/** Elements that may have the same role and name, where a look did not list them all. */
const likeElements = (element, memory) => {
  const root = rootOf(element);
  const name = tag(element);
  if (!memory.sameTag.has(root)) memory.sameTag.set(root, new Map());
  const known = memory.sameTag.get(root);
  if (!known.has(name)) known.set(name, alikeIn(queryAll(root, name)));
  return known.get(name).get(sayOf(element)) ?? [element];
};

const sayOf = (element) => `${squeeze(textContent(element))}\n${attribute(element, "aria-label")}\n${attribute(element, "type")}`;
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

/** Whether this document gave out a ref. */
const knowsRef = (ref) => refElements.has(Number(ref.slice(1)));

const byRef = (ref) => {
  const number = Number(ref.slice(1));
  const known = refElements.get(number);
  if (!known) {
    const gone = firstRef === null || number < firstRef;
    throw new Failure("STALE_REF", `${ref} ${gone ? "belongs to a page the tab has left" : "was never given out in this page"}; take a new snapshot`);
  }
  const element = known.element.deref();
  if (!element || !isConnected(element)) return memo ? madeAnew(ref, number, known) : remembering(() => madeAnew(ref, number, known));
  const role = roleOf(element);
  const name = nameOf(element);
  if (role !== known.role || name !== known.name)
    throw new Failure("STALE_REF", `${ref} was ${known.role} ${JSON.stringify(known.name)} and is now ${role || tag(element)} ${JSON.stringify(name)}; take a new snapshot`);
  demandSameRow(ref, known, element);
  return element;
};

/** One of several like elements is told by its row; a list that shows fewer rows than it has puts others into them. */
const demandSameRow = (ref, { place: kept, role, name }, element) => {
  if (!kept?.scope?.head) return;
  const scope = upFrom(element, kept.scope.levels);
  const head = scope ? headOf(scope, element) : "";
  if (head !== kept.scope.head)
    throw new Failure("STALE_REF", `${ref} was ${role} ${JSON.stringify(name)} at ${JSON.stringify(kept.scope.head)} and is now at ${JSON.stringify(head)}; take a new snapshot`);
};

/** The one element that now is what the ref's was, and where it was: the ref moves to it. */
const madeAnew = (ref, number, known) => {
  const found = candidatesFor(known);
  if (found.length !== 1) {
    const why = found.length ? `, and ${found.length} elements could be it now` : "";
    throw new Failure("STALE_REF", `${ref} (${known.role} ${JSON.stringify(known.name)}) is no longer in the page${why}; take a new snapshot`);
  }
  const [element] = found;
  known.element = new WeakRef(element);
  if (!refNumbers.has(element)) refNumbers.set(element, number);
  return element;
};

const candidatesFor = ({ place: kept, role, name, last }) => {
  const root = kept?.view.document.deref();
  if (!root || kept.scope?.twin) return [];
  const memory = { spots: new Map(), beside: new Map(), views: new Map() };
  return atSpot(kept.spot).filter((element) => {
    if (ownerDocument(element) !== root || viewOf(element, memory).path !== kept.view.path || ownMarks(element) !== kept.own) return false;
    // What was listed beside the old one cannot have come in its place.
    if ((refElements.get(refNumbers.get(element))?.first ?? Infinity) <= last) return false;
    if (roleOf(element) !== role || nameOf(element) !== name) return false;
    if (!kept.scope) return textBeside(element, memory) === kept.beside;
    const scope = upFrom(element, kept.scope.levels);
    return scope !== null && contentOf(scope, element) === kept.scope.text;
  });
};

/** All elements with this chain above them. */
const atSpot = ({ marks, parent }) => {
  const above = parent ? atSpot(parent).flatMap(elementsIn) : [documentElement(document)];
  return above.filter((element) => marksOf(element) === marks);
};

/** The other direction of flatParent. */
const elementsIn = (element) => {
  if (isFrame(element)) return [frameDocument(element)].filter(Boolean).map(documentElement);
  const shadow = shadowRootOf(element);
  if (shadow) return [...childNodes(shadow)].filter(isElement);
  if (tag(element) === "slot" && element.assignedElements().length) return element.assignedElements();
  return [...children(element)].filter((child) => assignedSlotOf(child) === null);
};
