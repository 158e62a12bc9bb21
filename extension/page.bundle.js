// Generated from extension/page/ by `make bundle`; changes belong there.
(function () {
'use strict';

if (globalThis.kapture) return;

// The page's next frames, as far as it draws any.

/** Resolves after two frames: then input goes where the page shows it. */
const twoFrames = async () => {
  await nextFrame();
  await nextFrame();
};

/** The browser begins the frame after the next while it still paints this one, and no later one. */
const UNTIL_PAINTED = 4;

/** Resolves once what is in view now is painted, at most so many frames later. */
const drawn = async () => {
  for (let frames = 0; frames < UNTIL_PAINTED && (await nextFrame()); frames += 1);
};

const FRAME_DEADLINE_MS = 250;

/**
 * The next frame; a page that draws none (hidden, minimised) is not waited for beyond the deadline.
 * @returns {Promise<boolean>} whether it was drawn
 */
const nextFrame = () =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, FRAME_DEADLINE_MS, false);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });

// Reading the DOM past whatever a page has named its elements: `form.id` may be an <input name=id>.
// Isolated worlds have prototypes of their own, so only such clobbering has to be guarded against.

/**
 * A property as the prototype has it. @param {object} prototype @param {string} name
 * @returns {(node: any) => any}
 */
const getter = (prototype, name) => {
  const { get } = /** @type {{get: () => any}} */ (Object.getOwnPropertyDescriptor(prototype, name));
  return (node) => get.call(node);
};

/** A property past what a page has named over it, of whatever kind of element or document; getters know their own. */
const propertyOf = (node, name) => Reflect.get(Object.getPrototypeOf(node), name, node);
const callOn = (node, name, ...args) => propertyOf(node, name).apply(node, args);

const nodeType = getter(Node.prototype, "nodeType");
const parentNode = getter(Node.prototype, "parentNode");
const childNodes = getter(Node.prototype, "childNodes");
const firstChild = getter(Node.prototype, "firstChild");
const lastChild = getter(Node.prototype, "lastChild");
const nextSibling = getter(Node.prototype, "nextSibling");
const firstElementChild = getter(Element.prototype, "firstElementChild");
const nextElement = getter(Element.prototype, "nextElementSibling");
const previousElement = getter(Element.prototype, "previousElementSibling");
const textContent = getter(Node.prototype, "textContent");
const isConnected = getter(Node.prototype, "isConnected");
const ownerDocument = getter(Node.prototype, "ownerDocument");
const openRootOf = getter(Element.prototype, "shadowRoot");
const hostOf = getter(ShadowRoot.prototype, "host");
const children = getter(Element.prototype, "children");
const assignedSlotOf = getter(Element.prototype, "assignedSlot");
const clientLeft = getter(Element.prototype, "clientLeft");
const clientTop = getter(Element.prototype, "clientTop");
const clientWidth = getter(Element.prototype, "clientWidth");
const clientHeight = getter(Element.prototype, "clientHeight");
const scrollLeft = getter(Element.prototype, "scrollLeft");
const scrollTop = getter(Element.prototype, "scrollTop");
const scrollWidth = getter(Element.prototype, "scrollWidth");
const scrollHeight = getter(Element.prototype, "scrollHeight");
const offsetWidth = getter(HTMLElement.prototype, "offsetWidth");
const offsetHeight = getter(HTMLElement.prototype, "offsetHeight");
const documentElement = getter(Document.prototype, "documentElement");
/** What scrolls when a document does. */
const scrollingElement = (root) => propertyOf(root, "scrollingElement") ?? documentElement(root);
const defaultView = getter(Document.prototype, "defaultView");
const tag = getter(Element.prototype, "localName");
const documentTitle = getter(Document.prototype, "title");
const documentBody = getter(Document.prototype, "body");
const characterSet = getter(Document.prototype, "characterSet");
const readyState = getter(Document.prototype, "readyState");
const formElements = getter(HTMLFormElement.prototype, "elements");
const frameDocument = (frame) => {
  try {
    return tag(frame) === "embed" ? embeddedDocument(frame) : frame.contentDocument;
  } catch {
    return null; // of another origin
  }
};

/** No property of an <embed> leads to its document: only its window leads back to it. */
const embeddedDocument = (embed) => {
  const { frames } = ownerDocumentView(embed);
  for (let index = 0; index < frames.length; index += 1) {
    try {
      if (frames[index].frameElement === embed) return frames[index].document;
    } catch {
      continue; // of another origin
    }
  }
  return null;
};

const activeElement = (root) => (nodeType(root) === 9 ? documentActive : shadowActive)(root);
const documentActive = getter(Document.prototype, "activeElement");
const shadowActive = getter(ShadowRoot.prototype, "activeElement");

const listen = (target, kind, listener, options) =>
  EventTarget.prototype.addEventListener.call(target, kind, listener, options);
const unlisten = (target, kind, listener, options) =>
  EventTarget.prototype.removeEventListener.call(target, kind, listener, options);
const attribute = (element, name) => Element.prototype.getAttribute.call(element, name);
/** Where an element leads; in a picture (SVG) it may be said as in XML. Selectors find both by `[*|href]`. */
const hrefOf$1 = (element) =>
  attribute(element, "href") ?? Element.prototype.getAttributeNS.call(element, XLINK, "href");
const XLINK = "http://www.w3.org/1999/xlink";
const hasAttributes = (element) => Element.prototype.hasAttributes.call(element);
const hasAttribute = (element, name) => Element.prototype.hasAttribute.call(element, name);
/** @returns {any} the document, shadow root or detached element a node is in */
const rootOf = (node) => Node.prototype.getRootNode.call(node);
const contains = (outer, inner) => Node.prototype.contains.call(outer, inner);
const rectOf = (element) => Element.prototype.getBoundingClientRect.call(element);
const rectsOf = (element) => Element.prototype.getClientRects.call(element);
const matches = (element, selector) => Element.prototype.matches.call(element, selector);
const closest = (element, selector) => Element.prototype.closest.call(element, selector);
const styleOf$1 = (element) => ownerDocumentView(element).getComputedStyle(element);
const ownerDocumentView = (element) => defaultView(ownerDocument(element)) ?? window;
const isFrame = (element) => FRAMES[tag(element)]?.(element) ?? false;
const FRAMES = {
  __proto__: null,
  iframe: () => true,
  frame: () => true,
  // One that shows a picture has no window, and nobody can look into the viewer of a PDF.
  object: (object) => Boolean(object.contentWindow) && !/\bpdf$/i.test(attribute(object, "type") ?? object.data),
  embed: (embed) => embeddedDocument(embed) !== null,
};
const isElement = (node) => Boolean(node) && nodeType(node) === 1;

/** All elements of a document but those of its shadow roots, live. */
const allIn = (doc) => Document.prototype.getElementsByTagName.call(doc, "*");

/** @returns {NodeListOf<any>} */
const queryAll = (root, selector) =>
  nodeType(root) === 9
    ? Document.prototype.querySelectorAll.call(root, selector)
    : nodeType(root) === 11
      ? DocumentFragment.prototype.querySelectorAll.call(root, selector)
      : Element.prototype.querySelectorAll.call(root, selector);

/**
 * The elements of these kinds, by their tags. A document keeps which is the first of a tag until it changes, so one without
 * any is not gone through.
 * @param {Node} root
 * @param {string[]} tags
 * @param {string} [state] a selector that they have to match, too
 * @returns {Iterable<any>}
 */
const queryTags = (root, tags, state = "") => {
  const first = (name) => Document.prototype.getElementsByTagNameNS.call(root, "*", name)[0];
  if (nodeType(root) === 9 && !tags.some(first)) return [];
  return queryAll(root, tags.map((name) => name + state).join());
};

const byId = (element, id) => {
  const root = rootOf(element);
  return nodeType(root) === 9
    ? Document.prototype.getElementById.call(root, id)
    : nodeType(root) === 11
      ? DocumentFragment.prototype.getElementById.call(root, id)
      : null;
};

/** An element in the words of an error message: <button id="buy">. */
const inWords = (element) => {
  const id = attribute(element, "id");
  const name = attribute(element, "class")?.trim().split(/\s+/)[0];
  const shown = id ? ` id="${id}"` : name ? ` class="${name}"` : "";
  return `<${tag(element)}${shown}>`;
};

// Closed shadow roots: no script can ask for one, but the browser can. A look at the page notes the elements that may
// have one, and the extension hands their roots in (tab/closed_roots.js).


/** Element → its closed root, or null where the browser knows of none. */
const closedRoots = new WeakMap();
/** What the present call would have looked into. */
const opaque = new Set();
/** Elements of one name are made alike: after this many without a root the others are taken to have none. */
const MAX_ASKED$1 = 2;
/** Name → how many were without one; −∞ once one had one. */
const rootless = new Map();

const shadowRootOf = (element) =>
  openRootOf(element) ?? (tag(element).includes("-") ? closedRootOf(element) : null);

const closedRootOf = (element) => {
  const root = closedRoots.get(element);
  if (root !== undefined) return root;
  const asked = rootless.get(tag(element)) ?? 0;
  if (asked < MAX_ASKED$1 && matches(element, ":defined")) opaque.add(element);
  return null;
};

/** What is looked for may be in what was noted; when that is handed in, the function is called again. */
class Opaque extends Error {}

/** What the browser shall be asked about: of each name not more than it takes to know that it has no roots. */
const takeOpaque = () => {
  const names = Map.groupBy(opaque, tag);
  opaque.clear();
  return [...names].flatMap(([name, elements]) => elements.slice(0, MAX_ASKED$1 - (rootless.get(name) ?? 0)));
};

/** What the browser said of them. */
const handIn = (elements, roots) => {
  for (const root of roots) closedRoots.set(hostOf(root), root);
  for (const element of elements) {
    if (closedRoots.get(element)) rootless.set(tag(element), -Infinity);
    else {
      closedRoots.set(element, null);
      rootless.set(tag(element), (rootless.get(tag(element)) ?? 0) + 1);
    }
  }
};

// The tree as it is shown: through slots, shadow roots and the frames that can be read.


/** The parent in the flat tree: through slots, shadow roots and frames. */
const flatParent = (node) => {
  const slot = nodeType(node) === 1 ? assignedSlotOf(node) : null;
  if (slot) return slot;
  const parent = parentNode(node);
  if (!parent) return parent;
  if (nodeType(parent) === 11 && parent.host) return parent.host;
  if (nodeType(parent) === 9) return defaultView(parent)?.frameElement ?? null;
  return parent;
};

/** Whether `outer` is `inner` or an ancestor of it in the flat tree. */
const flatContains = (outer, inner) => {
  for (let node = inner; node; node = flatParent(node)) if (node === outer) return true;
  return false;
};

const summaryOf = (details) => [...children(details)].find((child) => tag(child) === "summary");

/** Children in the flat tree; of closed details only the summary. */
const flatChildren = (element) => {
  const shadow = shadowRootOf(element);
  if (shadow) return childrenOf(shadow);
  const name = tag(element);
  if (name === "slot") {
    const assigned = element.assignedNodes();
    if (assigned.length) return assigned;
  }
  if (name === "details" && !hasAttribute(element, "open")) return [summaryOf(element)].filter(Boolean);
  return childrenOf(element);
};

/** Node by node: going through a list of the DOM costs more than twice as much. */
const childrenOf = (parent) => {
  const nodes = [];
  for (let node = firstChild(parent); node; node = nextSibling(node)) nodes.push(node);
  return nodes;
};

/** The other direction of flatParent. */
const elementsIn$1 = (element) => {
  if (isFrame(element)) return [frameDocument(element)].filter(Boolean).map(documentElement);
  const shadow = shadowRootOf(element);
  if (shadow) return [...childNodes(shadow)].filter(isElement);
  if (tag(element) === "slot" && element.assignedElements().length) return element.assignedElements();
  return [...children(element)].filter((child) => assignedSlotOf(child) === null);
};

/** The document of a frame or the shadow root of another element; null where there is none to be read. */
const innerRoot = (element) => (isFrame(element) ? frameDocument(element) : shadowRootOf(element));

/** All documents and shadow roots below a root, as far as they can be read. */
const openRoots = (root) =>
  [...queryAll(root, "*")].flatMap((element) => {
    const inside = innerRoot(element);
    return inside ? [inside, ...openRoots(inside)] : [];
  });

/** Elements that show nothing. */
const SKIPPED = new Set([
  "script",
  "style",
  "noscript",
  "template",
  "head",
  "meta",
  "link",
  "title",
  "datalist",
]);

// Where an element is drawn, also where its own box does not tell. All in the viewport of its document.


/** @typedef {{left: number, top: number, width: number, height: number}} Box */

/** More boxes than these are not looked at. */
const MAX_BOXES = 40;
const hasSize = ({ width, height }) => width > 0 && height > 0;

/**
 * The boxes a person sees of an element: its own; where it has none, those of what is in it; of an item with others in
 * it, such as one of a tree, those of its own line.
 * @returns {Box[]}
 */
const boxesOf = (element) => {
  if (tag(element) === "area") return boxesOfArea(element);
  const line = isItem(element) ? boxesInside(element, NESTED) : [];
  if (line.length) return line;
  const own = [...rectsOf(element)].filter(hasSize);
  return own.length || hidesItsContent(element) ? own : boxesInside(element);
};

/** A box without size shows only what may flow over it. */
const hidesItsContent = (element) => rectsOf(element).length > 0 && styleOf$1(element).overflow !== "visible";

/** What is in an item and no longer its own line. */
const NESTED = ":is(ul, ol, [role=group], [role=menu], [role=tree], [role=treeitem], [role=menuitem])";
const isItem = (element) =>
  matches(element, ":is(li, [role=treeitem], [role=menuitem])") && queryAll(element, NESTED).length > 0;

/**
 * The boxes of what is in an element, as far as it is shown, without what matches `but`.
 * @returns {Box[]}
 */
const boxesInside = (element, but = "") => {
  /** @type {Box[]} */
  const boxes = [];
  for (const node of flatChildren(element)) {
    if (boxes.length >= MAX_BOXES) break;
    if (nodeType(node) === 3) boxes.push(...boxesOfText(node, element));
    if (!isElement(node) || (but && matches(node, but)) || styleOf$1(node).display === "none") continue;
    const own = but && queryAll(node, but).length ? [] : [...rectsOf(node)].filter(hasSize);
    boxes.push(...(own.length ? own.filter(() => styleOf$1(node).visibility === "visible") : boxesInside(node, but)));
  }
  return boxes.slice(0, MAX_BOXES);
};

const boxesOfText = (text, around) => {
  if (styleOf$1(around).visibility !== "visible") return [];
  const range = ownerDocument(around).createRange();
  range.selectNodeContents(text);
  return [...range.getClientRects()].filter(hasSize);
};

/** The image an area belongs to. */
const imageOf = (area) => {
  const map = closest(area, "map");
  const name = map && attribute(map, "name");
  return name
    ? ([...queryAll(rootOf(area), "img[usemap]")].find((it) => attribute(it, "usemap") === `#${name}`) ?? null)
    : null;
};

/** The areas of an image that lead somewhere. */
const areasOf = (image) => {
  const name = attribute(image, "usemap")?.replace(/^#/, "");
  const map = name ? [...queryAll(rootOf(image), "map")].find((it) => attribute(it, "name") === name) : null;
  return map ? [...queryAll(map, "area[href]")] : [];
};

/** @returns {Box[]} around the shape of an area of an image map */
const boxesOfArea = (area) => {
  const image = imageOf(area);
  if (!image) return [];
  const { left, top, width, height } = rectOf(image);
  if (!hasSize({ width, height })) return [];
  const shape = attribute(area, "shape")?.toLowerCase() ?? "rect";
  const numbers = (attribute(area, "coords") ?? "").split(",").map(parseFloat);
  if (shape === "default" || !numbers.length || numbers.some(Number.isNaN)) return [{ left, top, width, height }];
  const { paddingLeft, paddingTop } = styleOf$1(image);
  const x = left + clientLeft(image) + (parseFloat(paddingLeft) || 0);
  const y = top + clientTop(image) + (parseFloat(paddingTop) || 0);
  if (shape.startsWith("circ")) {
    const [middleX, middleY, radius] = numbers;
    return [{ left: x + middleX - radius, top: y + middleY - radius, width: 2 * radius, height: 2 * radius }];
  }
  const [xs, ys] = [numbers.filter((_, index) => index % 2 === 0), numbers.filter((_, index) => index % 2 === 1)];
  const [far, low] = [Math.min(...xs), Math.min(...ys)];
  return [{ left: x + far, top: y + low, width: Math.max(...xs) - far, height: Math.max(...ys) - low }];
};

const STROKE_POINTS = 24;

/**
 * Points on the line a shape of a picture is drawn with: that of a hollow one is all there is to press.
 * @returns {{x: number, y: number}[]}
 */
const strokeOf = (element) => {
  if (!("getTotalLength" in element)) return [];
  const length = callOn(element, "getTotalLength");
  const matrix = callOn(element, "getScreenCTM");
  if (!length || !matrix) return [];
  return Array.from({ length: STROKE_POINTS }, (_, index) =>
    callOn(element, "getPointAtLength", (length * (index + 0.5)) / STROKE_POINTS).matrixTransform(matrix),
  );
};

/** Whether an element without a box of its own shows what is in it. */
const isBoxless = (element) => styleOf$1(element).display === "contents";

// Fields by their tag and type: what takes text, what it holds, and telling the page of a change.


const isEditingHost = (element) => {
  const value = attribute(element, "contenteditable");
  return value !== null && value.toLowerCase() !== "false";
};

const TEXT_INPUTS = /^(text|search|email|tel|url|password|number)$/;
const SET_FORMATS = {
  date: "YYYY-MM-DD",
  time: "HH:MM",
  "datetime-local": "YYYY-MM-DDTHH:MM",
  month: "YYYY-MM",
  week: "YYYY-Www",
  color: "#rrggbb",
  range: "a number within its range",
};

const isEditable = (element) => propertyOf(element, "isContentEditable") === true;

/** Whether it takes text through an interface of its own, and is not a field by any mark. */
const hasEditContext = (element) => Boolean(propertyOf(element, "editContext"));

/** A label stands for its control, a frame for the editor that is all of its document. */
const fieldOf = (element) => {
  if (tag(element) === "label" && element.control) return element.control;
  const content = isFrame(element) ? frameDocument(element) : null;
  const body = content && documentBody(content);
  return body && isEditable(body) ? body : element;
};

const announce = (element) => {
  // Goes out before the page may show a dialog, behind which nothing is answered.
  /** @type {any} */ (globalThis).kapturePress?.(JSON.stringify({ isSet: true }));
  element.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
  element.dispatchEvent(new Event("change", { bubbles: true }));
};

const textOf = (element) =>
  tag(element) === "input" || tag(element) === "textarea" ? element.value : propertyOf(element, "innerText");

const takesText = (element) =>
  tag(element) === "textarea" ||
  (tag(element) === "input" && TEXT_INPUTS.test(element.type)) ||
  isEditable(element) ||
  hasEditContext(element);

const isNativeField = (element) => /^(input|select|textarea)$/.test(tag(element));

const isCheckBox = (element) => tag(element) === "input" && /^(checkbox|radio)$/.test(element.type);

/** It shows a date that is not whole yet to the person alone: its value stays empty. */
const isDateField = (element) =>
  tag(element) === "input" && /^(date|time|month|week|datetime-local)$/.test(element.type);

// Editors that take what is typed through a field nobody sees, and draw the text themselves.


/** A field smaller than this, in CSS pixels, shows nobody what it holds. */
const MIN_FIELD_PX = 8;
/** What is smaller is not an editor. */
const MIN_EDITOR = { width: 20, height: 10 };
/** Of what is around a field this often the next larger is looked at. */
const MAX_EDITORS = 3;
/** What is around an editor and more than it. */
const BEYOND_EDITOR = ":is(html, body, form, main, dialog, fieldset, table, [role=dialog], [role=form], [role=main])";

/** Whether an element takes text and shows nobody what it holds: too small, see-through, or behind its text. */
const isProxy = (element) => {
  if (!takesText(element)) return false;
  const { width, height } = rectOf(element);
  return (
    width < MIN_FIELD_PX ||
    height < MIN_FIELD_PX ||
    isClippedAway(element) ||
    isBehind(element) ||
    (isRendered$2(element) && !callOn(element, "checkVisibility", { opacityProperty: true }))
  );
};

/** Whether what is right around it is too small to show it. */
const isClippedAway = (element) => {
  const around = flatParent(element);
  if (!isElement(around) || styleOf$1(around).overflow === "visible") return false;
  const { width, height } = rectOf(around);
  return width < MIN_FIELD_PX || height < MIN_FIELD_PX;
};

/** Whether it lies behind what is drawn in its place. */
const isBehind = (element) => {
  const { position, zIndex } = styleOf$1(element);
  return position !== "static" && Number(zIndex) < 0;
};

/**
 * Whether all of its text is to be selected by keys, as a person does: what the browser selects in it would not be the
 * editor's text, or be more than that.
 */
const selectsByKeys = (element) =>
  isProxy(element) || (isEditable(element) && queryAll(element, "[contenteditable=false]").length > 0);
const SELECT_ALL = /Mac/.test(navigator.platform) ? "Meta+a" : "Control+a";

const isRendered$2 = (element) => callOn(element, "checkVisibility", { visibilityProperty: true });

/**
 * What may be the editor around a field nobody sees, the smallest first.
 * @returns {Element[]}
 */
const editorsAround = (field) => {
  if (!isRendered$2(field)) return [];
  /** @type {Element[]} */
  const found = [];
  let last = { width: 0, height: 0 };
  for (let node = flatParent(field); isElement(node) && found.length < MAX_EDITORS; node = flatParent(node)) {
    if (ownerDocument(node) !== ownerDocument(field) || matches(node, BEYOND_EDITOR)) break;
    const { width, height } = rectOf(node);
    if (width < MIN_EDITOR.width || height < MIN_EDITOR.height) continue;
    if (width === last.width && height === last.height) continue;
    if (!callOn(node, "checkVisibility", { visibilityProperty: true, opacityProperty: true })) continue;
    found.push(node);
    last = { width, height };
  }
  return found;
};

// What a walk over the page has read once: nothing of it can change before the walk ends.


/**
 * Roles, styles and sheets while a walk lasts: the page cannot change meanwhile, and all are asked for repeatedly.
 * @type {Record<string, Map<any, any>> | null}
 */
let memo = null;
/**
 * Remember while `work` lasts. @template T @param {() => T} work
 * @returns {T}
 */
const remembering = (work) => {
  if (memo) return work();
  memo = {
    roles: new Map(),
    styles: new Map(),
    generating: new Map(),
    lays: new Map(),
    static: new Map(),
    absolute: new Map(),
    fixed: new Map(),
    focused: new Map(),
    owners: new Map(),
    inline: new Map(),
    active: new Map(),
    presses: new Map(),
    pointing: new Map(),
    pointed: new Map(),
    parts: new Map(),
    said: new Map(),
    held: new Map(),
  };
  try {
    return work();
  } finally {
    memo = null;
  }
};
const remembered = (kind, key, read) => {
  if (!memo) return read(key);
  let value = memo[kind].get(key);
  if (value === undefined) memo[kind].set(key, (value = read(key)));
  return value;
};

/** What of a style is asked for again and again: each question of the browser is dear. `style` has the rest. */
class Look {
  constructor(style) {
    this.style = style;
    this.display = style.display;
    this.visibility = style.visibility;
  }

  get contentVisibility() {
    return this.style.contentVisibility;
  }
}
const lookOf$1 = (element) => remembered("styles", element, readLook);
const readLook = (element) => new Look(styleOf$1(element));

// Where this document stands when it is that of a frame of another origin: the extension says it with each call.

/**
 * How it lies in the top viewport (geometry.js), and its visible part there; null in the top document.
 * @type {null | {
 *   a: number, b: number, c: number, d: number, e: number, f: number,
 *   left: number, top: number, right: number, bottom: number,
 *   shown: boolean, focused: boolean, path: {selector: string|null, through: ("frame"|"shadow")[]},
 * }}
 */
let place = null;
const standAt = (given) => {
  if (given) place = given;
};

// Whether a person could see an element, and why not.


/** Whether nothing of the element is rendered or it is taken from assistive technology. */
const isHidden = (element, style = lookOf$1(element)) =>
  attribute(element, "aria-hidden") === "true" ||
  style.display === "none" ||
  style.visibility !== "visible" ||
  style.contentVisibility === "hidden";

/** Whether a label or what a reference means is hidden by itself or by anything around it. */
const isUnseen = (element) =>
  (!Element.prototype.checkVisibility.call(element, { visibilityProperty: true }) &&
    !(isBoxless(element) && isRendered$1(element))) ||
  closest(element, "[aria-hidden=true]") !== null;

/** Whether nothing around an element keeps it from being drawn. */
const isRendered$1 = (element) => {
  for (let node = element; node; node = flatParent(node))
    if (isElement(node)) {
      const style = styleOf$1(node);
      if (style.display === "none" || (style.contentVisibility === "hidden" && node !== element)) return false;
      if (SKIPPED.has(tag(node))) return false;
    }
  return true;
};

/** Whether a person could see it, were it scrolled into view. */
const isShown = (element) => takesPlace(element, true);

/** Whether there is something of it to press, see-through or not, were it scrolled into view. */
const takesPlace = (element, opacityProperty = false) => {
  const drawn = tag(element) === "area" ? imageOf(element) : element;
  if (!drawn || !hasPlace(drawn, opacityProperty)) return false;
  const frame = ownerDocumentView(element).frameElement;
  return frame ? takesPlace(frame, opacityProperty) : (place?.shown ?? true);
};

const hasPlace = (drawn, opacityProperty) =>
  isBoxless(drawn)
    ? isRendered$1(drawn) && boxesOf(drawn).length > 0
    : Element.prototype.checkVisibility.call(drawn, { visibilityProperty: true, opacityProperty }) &&
      [...rectsOf(drawn)].some((rect) => rect.width > 0 && rect.height > 0);

/** Why it is not shown. */
const whyHidden = (element) => {
  for (let node = element; node; node = flatParent(node)) {
    if (!isElement(node)) continue;
    const style = styleOf$1(node);
    const where = node === element ? "" : ` of ${inWords(node)}`;
    if (style.display === "none") return `display: none${where}`;
    if (style.opacity === "0") return `opacity: 0${where}`;
    if (style.contentVisibility === "hidden" && node !== element) return `content-visibility: hidden${where}`;
    if (
      tag(node) === "details" &&
      !hasAttribute(node, "open") &&
      ![...flatChildren(node)].some((child) => flatContains(child, element)) &&
      node !== element
    )
      return `inside the closed ${inWords(node)}`;
  }
  const { visibility, display } = styleOf$1(element);
  if (visibility !== "visible") return `visibility: ${visibility}`;
  return display === "contents" ? "display: contents" : "it has no size";
};

/** A frame that is not shown hides what is in it. */
const whyHiddenThrough = (element) => {
  const frame = ownerDocumentView(element).frameElement;
  if (!frame && place && !place.shown) return "in a hidden frame";
  return frame && !isShown(frame) ? `in the hidden ${inWords(frame)}: ${whyHiddenThrough(frame)}` : whyHidden(element);
};

// What a person sees and presses when an element is meant: itself, its label, or the editor around it.


/** Whether it is drawn, apart from what covers it. */
const isSeen = (element) => {
  const box = tag(element) === "area" ? imageOf(element) : element;
  if (!box) return false;
  const isVisible = callOn(box, "checkVisibility", { visibilityProperty: true, contentVisibilityAuto: false });
  return (isVisible || isBoxless(element)) && boxesOf(element).length > 0;
};

/** A press on the label of these does what one on them does. */
const isPressedByLabel = (element) => tag(element) === "input" && /^(checkbox|radio|file)$/.test(element.type);
const labelsOf$1 = (element) =>
  isPressedByLabel(element) ? [...(propertyOf(element, "labels") ?? [])].filter(isShown) : [];

/**
 * What stands for an element in a person's eyes, the first first.
 * @returns {Element[]} none: it is not to be seen
 */
const facesOf = (element) => [
  ...(isProxy(element) ? editorsAround(element) : []),
  ...(isSeen(element) ? [element] : []),
  ...labelsOf$1(element),
];

// What a page function answers instead of a value: a code of the protocol, what went wrong, the next step, and details.

class Failure extends Error {
  constructor(code, what, nextStep = "", details = {}) {
    super(what);
    this.code = code;
    this.nextStep = nextStep;
    this.details = details;
  }
}

/** What is not so now and may become so: a command waits for it. */
class NotReady extends Failure {}

// Which element has the focus, within all documents and shadow roots that can be read.


const focusInWords = () => {
  const active = innermostActive();
  return active && active !== documentBody(document) ? inWords(active) : "nothing";
};

const hasFocus = (element) => {
  let active = activeElement(document);
  for (;;) {
    if (!active) return false;
    if (active === element || (isEditable(element) && flatContains(active, element))) return true;
    const deeper = activeWithin(active);
    if (!deeper || deeper === active) return false;
    active = deeper;
  }
};

const activeWithin = (element) => {
  const root = innerRoot(element);
  return root && activeElement(root);
};

const innermostActive = () => {
  let active = activeElement(document);
  for (let deeper = active; deeper; deeper = activeWithin(active)) active = deeper;
  return active;
};

// From the viewport of any document to the top one, in whose coordinates all points and boxes are told.


/** The part of the top viewport that shows this document. */
const view = () => place ?? { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
/** The document's own window, shown or not, in coordinates of the top viewport. */
const ownWindow = () => spread(place ?? UNMOVED, { x: 0, y: 0, width: innerWidth, height: innerHeight });
const within$2 = ({ left, top, right, bottom }, x, y) => x >= left && y >= top && x < right && y < bottom;

const intersection = (one, other) => ({
  left: Math.max(one.left, other.left),
  top: Math.max(one.top, other.top),
  right: Math.min(one.right, other.right),
  bottom: Math.min(one.bottom, other.bottom),
});

/** Of what has no inside, 0. */
const areaOf = ({ left, top, right, bottom }) => Math.max(0, right - left) * Math.max(0, bottom - top);

/** How a viewport lies in another: x' = a x + c y + e and y' = b x + d y + f. */
const UNMOVED = { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 };

/** A point of a viewport that lies so, in the one around it. */
const outward = ({ a, b, c, d, e, f }, { x, y }) => ({ x: a * x + c * y + e, y: b * x + d * y + f });
/** The other direction. */
const inward = (lay, { x, y }) => unturned(lay, { x: x - lay.e, y: y - lay.f });
/** How far in a viewport is so far in the one around it. */
const unturned = ({ a, b, c, d }, { x, y }) => {
  const area = a * d - b * c;
  return { x: (d * x - c * y) / area, y: (a * y - b * x) / area };
};

/** How the viewport of the element's document lies in the top one. */
const layOf = (element) =>
  remembered("lays", ownerDocument(element), () => readLay(ownerDocumentView(element).frameElement));
const readLay = (frame) => (frame ? layWithin(frame) : (place ?? UNMOVED));

/** The same of the document a frame shows. */
const layWithin = (frame) => {
  const outer = layOf(frame);
  const { a, b, c, d, e, f } = contentLay(frame);
  return {
    a: outer.a * a + outer.c * b,
    b: outer.b * a + outer.d * b,
    c: outer.a * c + outer.c * d,
    d: outer.b * c + outer.d * d,
    ...corner(outward(outer, { x: e, y: f })),
  };
};
const corner = ({ x, y }) => ({ e: x, f: y });

/** The sides of the box around a box {x, y, width, height} of a viewport that lies so. */
const spread = (lay, { x, y, width, height }) => {
  const corners = [
    [x, y],
    [x + width, y],
    [x, y + height],
    [x + width, y + height],
  ].map(([across, down]) => outward(lay, { x: across, y: down }));
  const [xs, ys] = [corners.map((point) => point.x), corners.map((point) => point.y)];
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
};

/** A box of the element's viewport {x, y, width, height} as sides in the top one. */
const toTop = (element, box) => spread(layOf(element), box);

/** Where a frame shows its document, as sides in the top viewport. */
const shownThrough = (frame) => {
  const { left, right, top, bottom } = paddingOf(frame);
  return spread(layWithin(frame), {
    x: 0,
    y: 0,
    width: clientWidth(frame) - left - right,
    height: clientHeight(frame) - top - bottom,
  });
};

const paddingOf = (frame) => {
  const { paddingLeft, paddingRight, paddingTop, paddingBottom } = styleOf$1(frame);
  const px = (length) => parseFloat(length) || 0;
  return { left: px(paddingLeft), right: px(paddingRight), top: px(paddingTop), bottom: px(paddingBottom) };
};

/** How the document a frame shows lies in the viewport of the document the frame stands in. */
const contentLay = (frame) => {
  const box = rectOf(frame);
  const turn = turnOf(frame, box);
  const padding = paddingOf(frame);
  const [width, height] = [offsetWidth(frame), offsetHeight(frame)];
  // Wherever it is turned around, the middle of a box is the middle of the box around it.
  const toCorner = { x: clientLeft(frame) + padding.left - width / 2, y: clientTop(frame) + padding.top - height / 2 };
  const middle = { e: (box.left + box.right) / 2, f: (box.top + box.bottom) / 2 };
  return { ...turn, ...corner(outward({ ...turn, ...middle }, toCorner)) };
};

/** How transforms and zoom of an element and all around it turn, slant and size it: {a, b, c, d} of its lay. */
const turnOf = (element, box) => {
  const { scaleX, scaleY } = scaleOf(element, box);
  const unturnedLay = { a: scaleX, b: 0, c: 0, d: scaleY };
  let turn = new DOMMatrix();
  for (let node = element; isElement(node); node = flatParent(node)) turn = ownTurn(node).multiply(turn);
  const { m11: a, m12: b, m21: c, m22: d } = turn;
  if (b === 0 && c === 0 && a > 0 && d > 0) return unturnedLay;
  // Zoom is not a transform; and what is not flat lies otherwise than this says.
  const [width, height] = [offsetWidth(element), offsetHeight(element)];
  const zoom = box.width / (Math.abs(a) * width + Math.abs(c) * height);
  const same = box.height / (Math.abs(b) * width + Math.abs(d) * height);
  return Math.abs(zoom - same) > SAME_ZOOM * zoom
    ? unturnedLay
    : { a: a * zoom, b: b * zoom, c: c * zoom, d: d * zoom };
};
const SAME_ZOOM = 0.02;

const ownTurn = (element) => {
  const { transform, rotate, scale } = lookOf$1(element).style;
  const turn = new DOMMatrix();
  // As the computed style has them: "40deg" or "0 1 0 40deg", "2" or "2 3".
  const numbers = (text) => text.split(" ").map(parseFloat);
  if (rotate !== "none") {
    const [angle, z = 1, y = 0, x = 0] = numbers(rotate.replace(/^[xyz] /, (axis) => AXES[axis])).toReversed();
    turn.rotateAxisAngleSelf(x, y, z, angle);
  }
  if (scale !== "none") turn.scaleSelf(...numbers(scale));
  return transform === "none" ? turn : turn.multiplySelf(new DOMMatrix(transform));
};
const AXES = { "x ": "1 0 0 ", "y ": "0 1 0 ", "z ": "0 0 1 " };

/** How much larger transforms and zoom make an element than its own pixels say; only HTML elements tell. */
const scaleOf = (element, { width, height }) =>
  "offsetWidth" in element
    ? { scaleX: ratio(width, offsetWidth(element)), scaleY: ratio(height, offsetHeight(element)) }
    : UNSCALED;
const UNSCALED = { scaleX: 1, scaleY: 1 };
/** Offsets are rounded: less than a pixel is not a scale. */
const ratio = (shown, own) => (own === 0 || Math.abs(shown - own) < 1 ? 1 : shown / own);

// Generated from the panel's own; `python -m kapture_panel.programs.agreed > extension/basics/agreed.js` makes it.

/** Words that tell a secret wherever they stand in a name. */
const WITHIN = [
  "token",
  "code",
  "key",
  "sig",
  "pass",
  "pwd",
  "secret",
  "auth",
  "session",
  "sessid",
  "jwt",
  "otp",
  "cvc",
  "cvv",
  "card",
  "credential",
  "assertion",
];
/** Words that do so as a whole word alone: "sid" is part of "side". */
const WHOLE$2 = ["sid", "ticket", "pin", "hash", "access", "nonce"];
/** Schemes whose "@" follows no user info. */
const NO_USER_INFO = [
  "mailto",
  "sip",
  "sips",
  "xmpp",
  "acct",
  "im",
  "data",
  "javascript",
  "about",
  "tel",
  "sms",
  "urn",
  "cid",
  "mid",
  "npm",
  "jsr",
];
/** The version of the wire. */
const PROTOCOL = 13;
/** The largest frame the panel takes. */
const MAX_FRAME_BYTES = 33554432;
/** What is encoded more often is taken for a secret. */
const MAX_ENCODINGS = 8;
/** A link is asked this often whether it is there. */
const PING_INTERVAL_MS = 20000;
/** As long is a question about pairing open. */
const PAIRING_EXPIRY_MS = 120000;
/** So many console lines of a tab are kept. */
const MAX_CONSOLE_LINES = 10000;
/** So many requests of a tab are kept. */
const MAX_REQUESTS = 1000;

// Selectors that find an element again in a later life of its page.


/** Ids that frameworks count up each time they make an element. */
const GENERATED = /[:«»]|_r_|^(?:mat|cdk|mui|radix|headlessui|react-aria|ember|ext-gen|el-id)\b.*\d|^ember\d/;

/**
 * A selector that only this element matches, in whichever frames and shadow roots it is.
 * @returns {{selector: string|null, through: ("frame"|"shadow")[]}}
 */
const pathOf = (element) => {
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
const stepTo = (element) => {
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
const SECRET_PARAMETER = new RegExp(`[?&#;].*(?:${WITHIN.join("|")}|(?<![a-z])(?:${WHOLE$2.join("|")})(?![a-z]))`, "i");

/**
 * What an element is marked with, the best first; nothing that looks as if it were different next time.
 * @returns {string[]}
 */
const selectorsOf = (element) => {
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

const looksMade = (value) =>
  GENERATED.test(value) ||
  value.length > 60 ||
  /\d{4,}|\d[a-z]{1,4}\d|>>>/i.test(value) ||
  /(?=[a-f]*\d)[0-9a-f]{8,}/i.test(value);

const quoted = (value) =>
  `"${value.replace(/["\\\u0000-\u001f\u007f]/g, (character) => `\\${character.codePointAt(0).toString(16)} `)}"`;

// Frames whose document cannot be read from here, being of another origin: the page's half runs in each of them, too,
// and the extension goes from one to the next. Here such a frame is a door with a number.


const doorNumbers = new WeakMap();
const doors = new Map();

const isDoor = (element) => isFrame(element) && frameDocument(element) === null;

const doorOf = (frame) => {
  let number = doorNumbers.get(frame);
  if (!number) {
    number = doors.size + 1;
    doorNumbers.set(frame, number);
    doors.set(number, new WeakRef(frame));
  }
  return number;
};

/** The frame behind a number, or null when it is no longer in the page. */
const doorElement = (number) => {
  const frame = doors.get(number)?.deref();
  return frame && isConnected(frame) ? frame : null;
};

/** What the extension needs to go on in a frame: {door, place, rest}; `rest` replaces parts of the target. */
const wayInto = (frame, rest = {}) => ({ door: doorOf(frame), place: placeOf$1(frame), rest });

const placeOf$1 = (frame) => ({
  ...layWithin(frame),
  ...intersection(shownThrough(frame), view()),
  shown: isShown(frame),
  focused: hasFocus(frame) && (place?.focused ?? true),
  path: pathOf(frame),
});

/** The place of a frame that was entered before, or null when it has gone. */
const placeOfDoor = (number) => {
  const frame = doorElement(number);
  return frame && placeOf$1(frame);
};

/** All doors of this document and the documents that can be read from it. */
const allDoors = () => everyDoor().map((frame) => wayInto(frame));

/** How many of them reach into an area {left, top, right, bottom} of the top viewport and beyond the viewport itself. */
const doorsBeyond = (area) =>
  everyDoor().filter((frame) => {
    const inArea = intersection(shownThrough(frame), area);
    const inView = intersection(inArea, view());
    return isShown(frame) && areaOf(inArea) > 0 && areaOf(inArea) - areaOf(inView) >= 1;
  }).length;

const everyDoor = () => doorsIn([document, ...openRoots(document)]);
const doorsIn = (roots) => roots.flatMap((root) => [...queryAll(root, "iframe, frame, object")]).filter(isDoor);

/** The target lies in one of these frames: `ways` in the order to try them. */
class Crossing extends Error {
  constructor(ways) {
    super("the target lies in a frame of another origin");
    this.ways = ways;
  }
}

// What lies at a point of the top viewport, and whose it is.


/** The innermost element at a point of the top viewport, through frames and shadow roots. */
const hitAt = (x, y) => {
  ({ x, y } = inward(place ?? UNMOVED, { x, y }));
  /** @type {Document|ShadowRoot} */
  let root = document;
  /** @type {Element|null} */
  let element = null;
  for (;;) {
    if (!Number.isFinite(x + y)) return element; // a frame of no size
    const prototype = nodeType(root) === 9 ? Document.prototype : ShadowRoot.prototype;
    const hit = prototype.elementFromPoint.call(root, x, y);
    if (!hit || hit === element) return element;
    element = hit;
    if (isFrame(hit)) {
      const content = frameDocument(hit);
      if (!content) return hit;
      ({ x, y } = inward(contentLay(hit), { x, y }));
      root = content;
    } else {
      const shadow = shadowRootOf(hit);
      if (!shadow) return hit;
      root = shadow;
    }
  }
};

/**
 * A press on `hit` is one on `element`: it lies inside, in the element's own label, in the editor that types through
 * it, or is what gets the presses of an element that takes none itself.
 */
const belongsTo = (hit, element) =>
  isWithin$1(hit, element) ||
  [...(propertyOf(element, "labels") ?? [])].some((label) => flatContains(label, hit) && isOwn(hit, label, element)) ||
  (isProxy(element) &&
    editorsAround(element).some((editor) => flatContains(editor, hit) && isOwn(hit, editor, element))) ||
  isPassedUp(hit, element);

/** Items of these roles lie in one another, and a press on the inner one is none on the outer. */
const ITEMS = ["treeitem", "menuitem"].map((role) => `[role=${role}]`);

const isWithin$1 = (hit, element) => {
  const item = ITEMS.find((selector) => matches(element, selector));
  for (let node = hit; node; node = flatParent(node)) {
    if (node === element) return true;
    if (item && isElement(node) && matches(node, item)) return false;
  }
  return false;
};

/** What is pressed for its own sake, wherever it lies. */
const INNER = `:is(a[*|href], area[href], button, input, select, textarea, summary, ${roles("button link checkbox menuitem option radio switch tab treeitem combobox textbox")})`;
const CONTROL = `:is(${INNER}, label, option, [tabindex]:not([tabindex^="-"]), ${roles("gridcell row slider spinbutton menuitemcheckbox menuitemradio")})`;
function roles(words) {
  return words
    .split(" ")
    .map((role) => `[role=${role}]`)
    .join(", ");
}

const isControl$1 = (element) => matches(element, CONTROL);

/** Whether no other control lies between `hit` and what is around it; `meant` is none. */
const isOwn = (hit, around, meant = around) => {
  for (let node = hit; node && node !== around; node = flatParent(node)) {
    if (node === meant) return true;
    if (isElement(node) && matches(node, INNER)) return false;
  }
  return true;
};

/** What takes no presses leaves them to what it lies in, but for a control, which is out of use then. */
const isPassedUp = (hit, element) =>
  hit !== element &&
  flatContains(hit, element) &&
  !/^(html|body)$/.test(tag(hit)) &&
  !isControl$1(element) &&
  styleOf$1(element).pointerEvents === "none";

// Fields whose value never leaves the page, and which kind of secret each takes.


/** Fields whose value never leaves the page: passwords, cards, one-time codes. */
const isSecret = (element) => secretKind(element) !== null;
const shownFor = (element, value) => (isSecret(element) ? "that value" : JSON.stringify(value));

/** Which kind of secret a field takes, in words, or null. */
const secretKind = (element) =>
  (isNativeField(element) ? declaredKind(element) : null) ?? (showsDots(element) ? "password" : null);

/** What a secret field holds: of one that is made of text, its inner text has the dots that are drawn. */
const secretIn = (element) => (isNativeField(element) ? element.value : textContent(element));

/** Whether what is typed into it is drawn as dots, whatever the field is made of; a walk has read the style already. */
const showsDots = (element) =>
  (lookOf$1(element).style.webkitTextSecurity ?? "none") !== "none" &&
  (takesText(element) || matches(element, "[role=textbox], [role=searchbox]"));

const declaredKind = (element) => {
  const [, , purpose] =
    /(^|\s)(cc-|one-time-code|(?:new|current)-password)/i.exec(attribute(element, "autocomplete") ?? "") ?? [];
  // Some say so of a field with a list, to keep the browser from filling it in: what is typed there stands in the open.
  const isOpen = element.type === "search" || attribute(element, "role") === "combobox";
  if (purpose && !(isOpen && element.type !== "password" && /^new-/i.test(purpose)))
    return { "cc-": "card", "one-time-code": "one-time code" }[purpose.toLowerCase()] ?? "password";
  if (element.type === "password") wasPassword.add(element);
  if (wasPassword.has(element)) return "password";
  const text = tag(element) === "textarea" || (tag(element) === "input" && TEXT_INPUTS.test(element.type));
  if (!text) return null;
  const names = ["name", "id"].map((name) => attribute(element, name) ?? "");
  // Capitals may stand anywhere, as in "CCnumber": a name tells of a secret by its words, or as it stands.
  const called = names.map((name) => `${wordsIn$1(name)} ${name}`).join(" ");
  for (const [kind, pattern] of SECRET_NAMES) if (pattern.test(called)) return kind;
  return null;
};

/** A button may show what is in a password field: it is one all the same. */
const wasPassword = new WeakSet();
/** How such fields are called where the page does not say what they are for, in words. @type {[string, RegExp][]} */
const SECRET_NAMES = [
  ["password", /pass-?(w(or)?d|phrase)|pwd/i],
  ["card", /(card|(?<!a)cc)-?(num(ber)?|no|nr)\b|(\b|card|cc)(cvc|cvv|csc)(code)?\b|card-?(security-?)?code\b/i],
  ["one-time code", /\b(t?otp|2fa|mfa)(code)?\b|(one-?time|verification)-?(pass-?)?code/i],
];

/** The words of a name, without the numbers that count fields: "otp1", "user_otp" and "otpCode" all tell of an OTP. */
const wordsIn$1 = (name) => (name.match(WORD) ?? []).join("-");
const WORD = /(?<![A-Za-z\d])2(?:fa|FA)(?![a-z\d])|[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g;

/** A page's own tokens, by the name of a hidden field or <meta>: as good as a password. */
const TOKEN_NAME = /csrf|xsrf|token|nonce|secret/i;
const HIDDEN_VALUE = "•••";

const isSecretText = (element, name, text) => {
  if (isToken(element)) return name === "value" || name === "content";
  if (!isSecret(element)) return false;
  // Some frameworks keep a copy of the value in an attribute of their own.
  const held = secretIn(element);
  return name === "value" || (held.length > 2 && text.includes(held));
};

const isToken = (element) => {
  const named = attribute(element, "name") ?? attribute(element, "id") ?? "";
  return TOKEN_NAME.test(named) && (tag(element) === "meta" || (tag(element) === "input" && element.type === "hidden"));
};

// Text as answers tell it: in one line and not too long.

const squeeze = (text) => text.replace(/[\s\u00a0]+/g, " ").trim();

const MAX_NAME$1 = 200;

const clipped = (text, length) => (text.length > length ? `${text.slice(0, length - 1)}…` : text);

// Where an element stands in its page, to be found there again when the page has made it again.


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
const OWN_MARKS = {
  __proto__: null,
  a: ["href"],
  button: ["name", "value"],
  input: ["name", "type"],
  select: ["name"],
  textarea: ["name"],
};
const MARKED$1 = "[id], [aria-label], [data-id], [data-key]";
const marksOf = (element) => {
  if (!matches(element, MARKED$1)) return tag(element);
  const id = attribute(element, "id");
  let marks = id && !GENERATED.test(id) ? `${tag(element)}#${id}` : tag(element);
  for (const name of MARKS) {
    const value = attribute(element, name);
    if (value !== null) marks += ` ${name}=${value}`;
  }
  return marks;
};

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
    if (text) return clipped(text, MAX_NAME$1);
  }
  return "";
};
/** Whether an element is of this kind, or has one in it. */
const holds = (element, kind) => {
  if (tag(element) === kind) return true;
  const first = firstElementChild(element);
  return first !== null && (tag(first) === kind || Element.prototype.querySelector.call(element, kind) !== null);
};

/** All that an element says: one string for all that stand in it, for the largest are most of the page. */
const saidBy$1 = (element) => remembered("said", element, readSaid);
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
const scopesOf = (group) => {
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

const upFrom = (element, levels) => {
  let node = element;
  for (let level = 0; node && level < levels; level += 1) node = flatParent(node);
  return node && isElement(node) ? node : null;
};

/** @returns {Content} */
const contentOf = (scope, element) => {
  const { places, ...held } = remembered("held", scope, readHeld);
  return { text: saidBy$1(scope), held, own: places.get(element) };
};

const readHeld = (scope) => {
  const fields = [...queryAll(scope, "input, select, textarea")].filter((field) => !isSecret(field));
  const values = fields.map((field) => (/^(checkbox|radio)$/.test(field.type) ? "" : field.value));
  return { values, all: values.join("\n"), places: new Map(fields.map((field, index) => [field, index])) };
};

const saysTheSame = (one, other) => one.text === other.text && heldBeside(one) === heldBeside(other);
/** @param {Content} content */
const heldBeside = ({ held: { values, all }, own }) =>
  own === undefined ? all : values.filter((_, index) => index !== own).join("\n");

const headOf = (scope, element) => {
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
const likeElements = (element, memory) => {
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
const atSpot = ({ marks, parent }) => {
  const above = parent ? atSpot(parent).flatMap(elementsIn$1) : [documentElement(document)];
  return above.filter((element) => marksOf(element) === marks);
};

/** How many nodes stand before an element, of such as are in the order of the page. */
const countBefore = (all, element) => {
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

// The roles of ARIA and HTML, and which of them give or take a name.

// What ARIA has no word for is called: audio canvas embed video figcaption iframe label legend object, button (a summary),
// colorpicker datepicker datetimepicker timepicker (inputs of those types; months and weeks are datetimepickers).
const INPUT_ROLES = {
  button: "button",
  image: "button",
  reset: "button",
  submit: "button",
  checkbox: "checkbox",
  radio: "radio",
  range: "slider",
  number: "spinbutton",
  search: "searchbox",
  email: "textbox",
  tel: "textbox",
  text: "textbox",
  url: "textbox",
  password: "textbox",
  color: "colorpicker",
  date: "datepicker",
  time: "timepicker",
  file: "button",
  "datetime-local": "datetimepicker",
  month: "datetimepicker",
  week: "datetimepicker",
};

const TAG_ROLES = {
  __proto__: null, // a page may well have a <constructor>
  address: "group",
  article: "article",
  audio: "audio",
  blockquote: "blockquote",
  button: "button",
  canvas: "canvas",
  caption: "caption",
  code: "code",
  dd: "definition",
  del: "deletion",
  details: "group",
  dir: "list",
  dfn: "term",
  dialog: "dialog",
  dt: "term",
  em: "emphasis",
  embed: "embed",
  fieldset: "group",
  figcaption: "figcaption",
  figure: "figure",
  form: "form",
  frame: "iframe",
  hgroup: "group",
  hr: "separator",
  html: "document",
  iframe: "iframe",
  ins: "insertion",
  label: "label",
  legend: "legend",
  li: "listitem",
  main: "main",
  mark: "mark",
  math: "math",
  menu: "list",
  meter: "meter",
  nav: "navigation",
  object: "object",
  ol: "list",
  optgroup: "group",
  option: "option",
  output: "status",
  p: "paragraph",
  progress: "progressbar",
  s: "deletion",
  search: "search",
  strong: "strong",
  sub: "subscript",
  sup: "superscript",
  table: "table",
  tbody: "rowgroup",
  textarea: "textbox",
  tfoot: "rowgroup",
  thead: "rowgroup",
  time: "time",
  tr: "row",
  ul: "list",
  video: "video",
};
for (const level of [1, 2, 3, 4, 5, 6]) TAG_ROLES[`h${level}`] = "heading";

const KNOWN_ROLES = new Set(
  `alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox
   complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid
   gridcell group heading img image insertion link list listbox listitem log main marquee math menu menubar menuitem
   menuitemcheckbox menuitemradio meter navigation none note option paragraph presentation progressbar radio
   radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong
   subscript superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid
   treeitem comment sectionfooter sectionheader suggestion graphics-document graphics-object graphics-symbol
   doc-abstract doc-acknowledgments doc-afterword doc-appendix doc-backlink doc-biblioentry doc-bibliography doc-biblioref
   doc-chapter doc-colophon doc-conclusion doc-cover doc-credit doc-credits doc-dedication doc-endnote doc-endnotes
   doc-epigraph doc-epilogue doc-errata doc-example doc-footnote doc-foreword doc-glossary doc-glossref doc-index
   doc-introduction doc-noteref doc-notice doc-pagebreak doc-pagefooter doc-pageheader doc-pagelist doc-part doc-preface
   doc-prologue doc-pullquote doc-qna doc-subtitle doc-tip doc-toc`.split(/\s+/),
);

/** Roles that mean something within others only: the next one around must be of these. */
const CONTEXTS = {
  __proto__: null,
  listitem: new Set(["list", "group"]),
  option: new Set(["listbox", "group"]),
  treeitem: new Set(["tree", "group", "treeitem"]),
};

/** What may be said of any element: whoever says it of one does not want its role taken away. */
const GLOBAL_STATES = `atomic busy controls current describedby description details flowto keyshortcuts label
   labelledby live owns relevant roledescription`
  .split(/\s+/)
  .map((name) => `aria-${name}`);

/** Whether a snapshot can list something as `role`. */
const isRole = (role) =>
  role === "text" ||
  role === "clickable" ||
  KNOWN_ROLES.has(role) ||
  [TAG_ROLES, INPUT_ROLES].some((roles) => Object.values(roles).includes(role));

const NAME_FROM_CONTENT = new Set(
  `button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio
   rowheader switch tab tooltip treeitem term doc-backlink doc-noteref`.split(/\s+/),
);

/** Containers that give what is inside them to nobody's name; a table does when it only lays out. */
const SILENT = new Set(
  `alert alertdialog application article banner blockquote complementary dialog document feed figure form grid group
   iframe img log main marquee menu menubar navigation note progressbar radiogroup row rowgroup search separator status
   table tablist tabpanel timer toolbar tree treegrid`.split(/\s+/),
);
/** Roles whose value stands for them inside another's name: "Flash [3] times". */
const VALUED = new Set([
  "textbox",
  "searchbox",
  "spinbutton",
  "slider",
  "combobox",
  "listbox",
  "meter",
  "progressbar",
  "scrollbar",
]);

/** Roles of what a person acts on. */
const INTERACTIVE = new Set(
  `button checkbox combobox link listbox menuitem menuitemcheckbox menuitemradio option radio searchbox slider
   spinbutton switch tab textbox treeitem gridcell scrollbar doc-backlink doc-noteref colorpicker datepicker
   datetimepicker timepicker`.split(/\s+/),
);

/** Roles that add nothing for a reader when they have no name. */
const PLAIN = new Set(
  `alert audio blockquote canvas caption code definition deletion document emphasis figcaption figure form group
   insertion label legend list listitem mark math paragraph rowgroup sectionfooter sectionheader status strong subscript
   suggestion superscript term time video`.split(/\s+/),
);

// What a document's style sheets say at all: asking for the style of every element is dear.


const styleSheets = getter(Document.prototype, "styleSheets");
const adoptedStyleSheets = getter(Document.prototype, "adoptedStyleSheets");

/** The sheets of a document or shadow root; what is in no document has none. @param {any} root @returns {CSSStyleSheet[]} */
const sheetsOf = (root) => {
  if (nodeType(root) === 9) return [...styleSheets(root), ...adoptedStyleSheets(root)];
  return nodeType(root) === 11 && root.host ? [...root.styleSheets, ...root.adoptedStyleSheets] : [];
};

/**
 * Whether a rule of a document's sheets passes a test; a sheet of another origin may hold anything.
 * @param {string} kind the test's name, for what is kept of sheets that have not changed
 * @param {(rule: CSSRule) => boolean} test
 * @returns {boolean}
 */
const someRule = (document, kind, test) => sheetsOf(document).some((sheet) => sheetHas(sheet, kind, test));

/** Sheet → by kind, of how many rules it was told. @type {WeakMap<CSSStyleSheet, Record<string, {count, has}>>} */
const sheetsRead = new WeakMap();

const sheetHas = (sheet, kind, test) => {
  let rules;
  try {
    rules = sheet.cssRules;
  } catch {
    return true; // of another origin
  }
  const known = sheetsRead.get(sheet) ?? {};
  if (known[kind]?.count === rules.length) return known[kind].has;
  const has = rulesHave(rules, kind, test);
  sheetsRead.set(sheet, { ...known, [kind]: { count: rules.length, has } });
  return has;
};

const rulesHave = (rules, kind, test) => {
  for (const rule of rules) {
    if (test(rule)) return true;
    if (
      rule.styleSheet
        ? sheetHas(rule.styleSheet, kind, test)
        : rule.cssRules?.length && rulesHave(rule.cssRules, kind, test)
    )
      return true;
  }
  return false;
};

/** Sheet → the names of states, of how many rules they were told. @type {WeakMap<CSSStyleSheet, {count: number, names: string[]}>} */
const statesRead = new WeakMap();

/** The states that custom elements give themselves which a sheet has rules for. @param {CSSStyleSheet} sheet @returns {string[]} */
const namesOfStates = (sheet) => {
  let rules;
  try {
    rules = sheet.cssRules;
  } catch {
    return []; // of another origin
  }
  const known = statesRead.get(sheet);
  if (known && known.count === rules.length) return known.names;
  const names = [...statesIn(rules)];
  statesRead.set(sheet, { count: rules.length, names });
  return names;
};

/** @param {CSSRuleList} rules @returns {Generator<string>} */
function* statesIn(rules) {
  for (const rule of /** @type {Iterable<any>} */ (rules)) {
    for (const [, name] of rule.selectorText?.matchAll(STATE) ?? []) yield name;
    if (rule.cssRules?.length) yield* statesIn(rule.cssRules);
  }
}
const STATE = /:state\(([^()]+)\)/g;

// The text that styles add before and after an element.


/** Text of ::before or ::after, as far as it is text. */
const generatedText = (element, pseudo) => {
  const { content, display, visibility } = ownerDocumentView(element).getComputedStyle(element, pseudo);
  if (content === "none" || content === "normal" || content === "" || display === "none") return "";
  if (visibility !== "visible") return "";
  const { text, isApart } = saidBy(content);
  return display === "inline" && !isApart ? text : ` ${text} `;
};

/** What stands for an element whose styles put a picture in its place; null for any other. */
const replacedText = ({ content }) =>
  /^(?:url|image-set)\(/.test(content) ? ` ${saidBy(content).text} ` : null;

/** Asking for the style of a pseudo-element is dear, and most pages' sheets style none. */
const mayGenerate = (element) => {
  const root = rootOf(element);
  const host = parentNode(element);
  if (nodeType(root) !== 9 || tag(element) === "q" || shadowRootOf(element) || (isElement(host) && shadowRootOf(host)))
    return true;
  return remembered("generating", root, () => someRule(root, "generates", generates));
};

const generates = (rule) => /:(?:before|after)/.test(rule.selectorText ?? "");

/** Each part of the value of `content`: a string, a slash, a function whatever is in it, a word. */
const PARTS =
  /"((?:[^"\\]|\\.)*)"|(\/)|[\w-]+\((?:"(?:[^"\\]|\\.)*"|[^"()]|\((?:"(?:[^"\\]|\\.)*"|[^"()])*\))*\)|[\w-]+/g;
const QUOTES = { __proto__: null, "open-quote": "“", "close-quote": "”" };

/**
 * What a reader is told of a value of `content`: what stands behind its slash, else its strings. Pictures and counters
 * say nothing, and symbols of icon fonts have no meaning without their font.
 * @returns {{text: string, isApart: boolean}} `isApart`: it stands for a picture, or is told instead of what is shown
 */
const saidBy = (content) => {
  let text = "";
  let isApart = false;
  for (const [part, string, slash] of content.matchAll(PARTS)) {
    if (slash) [text, isApart] = ["", true];
    else if (string !== undefined) text += string.replace(/\\(.)/g, "$1");
    else text += QUOTES[part] ?? "";
  }
  return { text: text.replace(/[\ue000-\uf8ff]/g, ""), isApart };
};

// What an element owns without holding it: aria-owns.


/** @returns {Map<Element, Element>} what is owned in a document or shadow root → its owner */
const ownersIn = (root) => remembered("owners", root, readOwners);

const readOwners = (root) => {
  const owners = new Map();
  if (nodeType(root) === 1) return owners; // it is in no document
  for (const owner of queryAll(root, "[aria-owns]")) {
    if (isUnseen(owner)) continue;
    for (const id of (attribute(owner, "aria-owns") ?? "").trim().split(/\s+/)) {
      const owned = byId(owner, id);
      if (owned && !contains(owned, owner) && !owners.has(owned) && isDrawn$1(owned)) owners.set(owned, owner);
    }
  }
  return owners;
};

/** Whether nothing hides it from everybody; what hides it from assistive technology alone does not count here. */
const isDrawn$1 = (element) => Element.prototype.checkVisibility.call(element, { visibilityProperty: true });

/** The element that claims this one, or undefined. */
const ownerOf = (element) => ownersIn(rootOf(element)).get(element);

const isOwned = (element) => ownerOf(element) !== undefined;

/** What an element owns, in the order it says. */
const ownedBy = (element) => {
  const ids = attribute(element, "aria-owns");
  return ids
    ? ids
        .trim()
        .split(/\s+/)
        .map((id) => byId(element, id))
        .filter((owned) => owned && ownerOf(owned) === element)
    : [];
};

// What can be pressed although no role says so: handlers, own listeners, the focus, the pointer's shape, a canvas.


const HANDLERS = ["onclick", "ondblclick", "onmousedown", "onmouseup", "onpointerdown", "onpointerup", "ontouchstart"];
/** Whatever may be handled; most elements are none of these. */
const MARKED = [...HANDLERS.map((name) => `[${name}]`), "[draggable=true]", "[tabindex]", "[aria-sort]", "canvas"].join(
  ", ",
);
const POINTING = /^(pointer|grab|move)$/;
const CONTROLS = [
  "a[*|href], button, input, select, textarea, summary, canvas, iframe, table, [tabindex], [onclick], [draggable=true]",
  ..."button checkbox combobox link menuitem option radio slider switch tab textbox"
    .split(" ")
    .map((role) => `[role=${role}]`),
].join(", ");

/** Elements with listeners of their own for presses, as the browser told them at the last look (tab/listeners.js). */
let listening = new WeakSet();
/** What was handed in, by the browser's number. @type {Map<number, WeakRef<Element>>} */
const numbered = new Map();

/**
 * The browser's word on which elements listen for presses.
 * @param {number[]} numbers all of them
 * @param {number[]} added the numbers of `elements`, which were not handed in before
 * @param {...Element} elements
 */
const noteListening = (numbers, added, ...elements) => {
  added.forEach((number, index) => numbered.set(number, new WeakRef(elements[index])));
  const all = new Set(numbers);
  for (const number of numbered.keys()) if (!all.has(number)) numbered.delete(number);
  listening = new WeakSet();
  for (const held of numbered.values()) {
    const element = held.deref();
    if (element) listening.add(element);
  }
};

/** "handled": the element itself takes presses, or the focus; "pointed": the pointer says so; "": neither. */
const pressOf = (element) => (maySay(element) ? remembered("presses", element, readPress) : "");

/** Most elements say nothing of it: asking each more closely is dear. */
const maySay = (element) =>
  hasAttributes(element) || tag(element) === "canvas" || listening.has(element) || isPart(element) || mayPoint(element);
const mayPoint = (element) => remembered("pointing", rootOf(element), pointsIn);

const readPress = (element) => {
  const isHandled = (matches(element, MARKED) && (takesPresses(element) || handles(element))) || hasPresses(element);
  const press = isHandled ? "handled" : mayPoint(element) ? pointedAt(element) : "";
  if (press === "" || (tag(element) === "label" && element.control)) return "";
  return lookOf$1(element).style.pointerEvents === "none" ? "" : press;
};

/** Whether a press on it does something, as far as can be told: what is dragged or sorted need not take one anywhere. */
const isPressed$1 = (element) =>
  pressOf(element) !== "" &&
  (takesPresses(element) || hasPresses(element) || (mayPoint(element) && pointedAt(element) !== ""));

const takesPresses = (element) =>
  tag(element) === "canvas" || (HANDLERS.some((name) => hasAttribute(element, name)) && !handsDown(element));
const hasPresses = (element) => hears(element) || isPart(element);

const hears = (element) => listening.has(element) && !isBackdrop(element) && !handsDown(element);

/** Whether it is one of the alike things that what is around them listens for. */
const isPart = (element) => {
  const parent = flatParent(element);
  return isElement(parent) && isHandler(parent) && handsDown(parent);
};

const isHandler = (element) => listening.has(element) || HANDLERS.some((name) => hasAttribute(element, name));

/** Whether presses are meant for the alike things in it, not for all of it: the items of a list, the cells of a board. */
const handsDown = (element) => remembered("parts", element, readParts);
const readParts = (element) => {
  const parts = [...children(element)];
  if (parts.length < 2 || parts.some((part) => tag(part) !== tag(parts[0]))) return false;
  return tag(parts[0]) === "li" || parts.every(isBlankBox);
};

/** An empty box that is large enough to be pressed. */
const isBlankBox = (element) => {
  if (textContent(element).trim() || queryAll(element, CONTROLS).length) return false;
  const { width, height } = rectOf(element);
  return width >= MIN_BOX_PX && height >= MIN_BOX_PX;
};
const MIN_BOX_PX = 8;

const handles = (element) => {
  if (attribute(element, "draggable") === "true" || Number.parseInt(attribute(element, "tabindex") ?? "", 10) >= 0)
    return true;
  return (
    hasAttribute(element, "aria-sort") && (tag(element) === "th" || /header$/.test(attribute(element, "role") ?? ""))
  );
};

/** "pointed" where the shape of the pointer changes for this element, not for one around it. */
const pointedAt = (element) => {
  if (!isPointed(element)) return "";
  const parent = flatParent(element);
  return isElement(parent) && isPointed(parent) ? "" : "pointed";
};
const isPointed = (element) => remembered("pointed", element, (one) => POINTING.test(lookOf$1(one).style.cursor));

/** Whether anything in a document changes the shape of the pointer. */
const pointsIn = (root) =>
  nodeType(root) !== 9 || someRule(root, "points", givesCursor) || queryAll(root, "[style*=cursor]").length > 0;
const givesCursor = (rule) => Boolean(rule.style?.cursor);

/** Listeners on what holds most of a page are mostly there for what is in it. */
const isBackdrop = (element) => {
  if (isLeaf(element)) return false;
  const { width, height } = rectOf(element);
  return width * height > (innerWidth * innerHeight) / 2;
};

/** Whether it says little and holds nothing else to press: then its text is its name. */
const isLeaf = (element) =>
  !tag(element).includes("-") &&
  squeeze(textContent(element)).length <= MAX_NAME$1 &&
  queryAll(element, CONTROLS).length === 0;

/** Whether what is in it is its name, were its role to give it none. */
const isNamedByPress = (element) => pressOf(element) !== "" && isLeaf(element);

// The role of an element: what the author gave, where it may stand, else what HTML-AAM says of its tag.


const SECTIONING =
  "article, aside, nav, section, [role=article], [role=complementary], [role=navigation], [role=region]";
/** Within these a header or footer is theirs, not the page's. */
const SECTIONS$1 = `:is(article, aside, main, nav, section):not([role]), [role=article], [role=complementary], [role=main],
  [role=navigation]`;
const PRESENTED = "[role=none], [role=presentation]";

/** Roles that hang on more than the name of the tag. */
const ROLE_RULES = {
  __proto__: null,
  input: (element) => inputRole(element),
  a: (element) => (hrefOf$1(element) === null ? "" : "link"),
  area: (element) => (hasAttribute(element, "href") ? "link" : ""),
  select: (element) => (element.multiple || element.size > 1 ? "listbox" : "combobox"),
  img: (element) => (attribute(element, "alt") === "" && !isMarked(element) ? "" : "img"),
  svg: (element) => (isEntitled(element) || hasTitle(element) ? "img" : ""),
  header: (element) => (isWithin(element, SECTIONS$1) ? "sectionheader" : "banner"),
  footer: (element) => (isWithin(element, SECTIONS$1) ? "sectionfooter" : "contentinfo"),
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
const roleOf = (element) => remembered("roles", element, readRole);

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
    if (role in CONTEXTS && !standsIn$1(element, CONTEXTS[role])) continue;
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
const standsIn$1 = (element, roles) => {
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
const labelsOf = (element) => {
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

const isFocusable = (element) =>
  hasAttribute(element, "tabindex") ||
  /^(a|button|input|select|textarea|summary)$/.test(tag(element)) ||
  isEditingHost(element);

// Accessible names (accname 1.2), as far as a reader of the page can tell them apart, and with them the roles.


/**
 * The accessible name. `path`, below: the elements whose names are being made, against cycles, and
 * `referring` (within aria-labelledby, which is followed once), `unseen` (a hidden reference is read whole), `read`
 * (what was referred to, which is not read again at its own place) and `whole` (what names nobody is read, too).
 */
const nameOf = (element, role = roleOf(element)) => remembering(() => nameAlong(element, role, newPath()));

const newPath = (referring = false, unseen = false, read = new Set()) => ({
  elements: new Set(),
  referring,
  unseen,
  read,
  whole: false,
});

/** All a reader finds in an element, with what its fields hold. */
const wordsOf = (element) => squeeze(pieceOf$1(element, { ...newPath(), whole: true }));

const nameAlong = (element, role, path) =>
  (path.referring && embeddedValue(element, role)) ||
  authorName(element, path) ||
  nativeName(element, role, path) ||
  (NAME_FROM_CONTENT.has(role) || path.referring || (isNameless(role) && isNamedByPress(element))
    ? squeeze(contentText(element, path))
    : "") ||
  fallbackName(element, role);

const isNameless = (role) => role === "" || PLAIN.has(role);

/** aria-labelledby and aria-label: what the author names an element with, whatever it is. */
const authorName = (element, path) => {
  if (!path?.referring) {
    const labels = labelsOf(element);
    const texts = labels.map((label) => {
      const along = newPath(true, isUnseen(label), path?.read);
      // Within what names it, it is not part of its own name.
      if (label !== element) along.elements.add(element);
      return nameAlong(label, roleOf(label), along);
    });
    for (const label of labels) path?.read.add(label);
    const text = squeeze(texts.join(" "));
    if (text) return text;
  }
  const label = attribute(element, "aria-label");
  return label ? squeeze(label) : "";
};

const attributeName =
  (...names) =>
  (element) => {
    const found = names.map((name) => attribute(element, name)).find((value) => value !== null);
    return squeeze(found ?? "");
  };

/** What HTML itself has to name an element. */
const NATIVE_NAMES = {
  __proto__: null,
  img: attributeName("alt"),
  area: attributeName("alt"),
  optgroup: attributeName("label"),
  option: attributeName("label"),
  iframe: attributeName("title"),
  frame: attributeName("title"),
  fieldset: (element, path) => childText(element, "legend", path),
  table: (element, path) => childText(element, "caption", path) || squeeze(attribute(element, "summary") ?? ""),
  svg: (element, path) => childText(element, "title", path),
  input: (element, path) => labelText(element, path) || (INPUT_NAMES[element.type]?.(element) ?? ""),
};
for (const name of ["select", "textarea", "meter", "progress", "output", "button"])
  NATIVE_NAMES[name] = (element, path) => labelText(element, path);

const INPUT_NAMES = {
  button: attributeName("value"),
  submit: (input) => squeeze(attribute(input, "value") ?? "Submit"),
  reset: (input) => squeeze(attribute(input, "value") ?? "Reset"),
  image: (input) => attributeName("alt", "value", "title")(input) || "Submit",
};

/** What an author took the role from has nothing of its tag any more, nor a tip. */
const isPresented = (element, role) =>
  role === "" && hasAttribute(element, "role") && matches(element, "[role=none], [role=presentation]");

const nativeName = (element, role, path) =>
  isPresented(element, role) ? "" : (NATIVE_NAMES[tag(element)]?.(element, path) ?? "");

const fallbackName = (element, role = roleOf(element)) => {
  if (isDecoration(element) || isPresented(element, role)) return "";
  const text =
    attribute(element, "title") ?? attribute(element, "placeholder") ?? attribute(element, "aria-placeholder");
  if (text) return squeeze(text);
  if (tag(element) !== "input" || element.type !== "file") return "";
  return element.multiple ? "Choose Files" : "Choose File";
};

/** A picture that its author gave no words on purpose. */
const isDecoration = (element) => tag(element) === "img" && attribute(element, "alt") === "";

const labelText = (control, path) => {
  const labels = control.labels;
  if (!labels?.length || path.elements.has(control)) return "";
  path.elements.add(control);
  const texts = [...labels]
    .filter((label) => !isUnseen(label))
    .map((label) => authorName(label, path) || squeeze(contentText(label, path)) || fallbackName(label));
  path.elements.delete(control);
  return squeeze(texts.join(" "));
};

const childText = (element, name, path = newPath()) => {
  const child = [...children(element)].find((candidate) => tag(candidate) === name);
  if (!child) return "";
  if (name === "title") return squeeze(textContent(child));
  return isHidden(child) && !path.unseen ? "" : squeeze(contentText(child, path));
};

/** The text a reader finds inside: what images, fields and styles add included, hidden parts left out. */
const contentText = (element, path) => {
  if (path.elements.has(element) || isSecret(element)) return "";
  path.elements.add(element);
  const replaced = replacedText(lookOf$1(element).style);
  const text = replaced ?? innerText$1(element, lookOf$1(element), path);
  path.elements.delete(element);
  return text;
};

const innerText$1 = (element, { style, visibility }, path) => {
  const transform = TRANSFORMS[style.textTransform];
  const written = path.unseen || visibility === "visible";
  const generates = mayGenerate(element);
  let text = generates ? generatedText(element, "::before") : "";
  for (const node of flatChildren(element)) {
    if (nodeType(node) === 3) {
      if (written) text += transform ? transform(textContent(node)) : textContent(node);
    } else if (isElement(node) && !isOwned(node)) text += pieceOf$1(node, path);
  }
  for (const owned of ownedBy(element)) text += ` ${pieceOf$1(owned, path)} `;
  return generates ? text + generatedText(element, "::after") : text;
};

const TRANSFORMS = {
  uppercase: (text) => text.toUpperCase(),
  lowercase: (text) => text.toLowerCase(),
  capitalize: (text) => text.replace(/(^|[\s\-–—/("“])(\p{L})/gu, (_, before, letter) => before + letter.toUpperCase()),
};

const pieceOf$1 = (element, path) => {
  const name = tag(element);
  // A control within its own label, say, is not told, but parts the words around it.
  if (BREAKS.has(name) || path.elements.has(element)) return " ";
  if (
    UNREAD$1.has(name) ||
    (name === "rt" && !path.whole) ||
    hasAttribute(element, "inert") ||
    (path.read.has(element) && !hasAttribute(element, "aria-labelledby"))
  )
    return "";
  const style = lookOf$1(element);
  if (!path.unseen && isHidden(element, style)) return within$1(element, style, path);
  const role = roleOf(element);
  const piece = embeddedText(element, role, path);
  return isRunOn(style) && !PARTING.has(role) && !authorName(element, path) ? piece : ` ${piece} `;
};
const BREAKS = new Set(["br", "wbr"]);
const UNREAD$1 = new Set(["style", "script", "template", "noscript"]);
/** Roles that stand apart from the words around them, whatever box they have. */
const PARTING = new Set([
  ...[...VALUED, "button", "checkbox", "img", "radio", "switch"],
  ...["iframe", "video", "audio", "object", "embed"],
]);
const isRunOn = ({ display }) => display === "inline" || display === "contents";

/** What is visible of something hidden by `visibility`, which what is inside may take back. */
const within$1 = (element, style, path) =>
  style.visibility !== "visible" && isRendered(element, style) ? contentText(element, path) : "";
const isRendered = (element, { display, contentVisibility }) =>
  display !== "none" && contentVisibility !== "hidden" && attribute(element, "aria-hidden") !== "true";

const embeddedText = (element, role, path) => {
  const named = embeddedValue(element, role) || authorName(element, path) || nativeName(element, role, path);
  if (named) return named;
  if (tag(element) === "img" && !isDecoration(element) && !isPresented(element, role))
    return squeeze(attribute(element, "title") ?? "");
  if (SILENT.has(role) && !path.unseen && !path.whole && !(TABULAR.has(role) && onlyLaysOut(element))) return "";
  const text = contentText(element, path);
  return text || isDecoration(element) || isPresented(element, role)
    ? text
    : squeeze(attribute(element, "title") ?? "");
};

/** What a field stands for inside a name is its value, unless that is a secret. */
const embeddedValue = (element, role) => {
  if (!VALUED.has(role) || isSecret(element)) return "";
  const name = tag(element);
  if (name === "select") return [...element.selectedOptions].map((option) => option.label).join(" ");
  if (name === "input" || name === "textarea") return element.value;
  if (name === "meter" || (name === "progress" && hasAttribute(element, "value"))) return String(element.value);
  return (
    chosenIn(element, role) ??
    attribute(element, "aria-valuetext") ??
    attribute(element, "aria-valuenow") ??
    squeeze(textContent(element))
  );
};

/** What is chosen of a list's options, or of the list a box owns; null where there are none to choose from. */
const chosenIn = (element, role) => {
  if (role !== "listbox" && role !== "combobox") return null;
  const options = [element, ...ownedBy(element)].flatMap((root) => [...queryAll(root, "[role=option]")]);
  if (!options.length) return null;
  const chosen = options.filter((option) => attribute(option, "aria-selected") === "true");
  return chosen.map((option) => authorName(option) || squeeze(textContent(option))).join(" ");
};

const TABULAR = new Set(["table", "row", "rowgroup"]);
const DATA_TABLE = "[role], :has(> caption, > thead, > tfoot, > tr > th, > tbody > tr > th)";
/** Whether an element belongs to a table without headers or a caption, which may only put things side by side. */
const onlyLaysOut = (element) => {
  const table = closest(element, "table");
  return table !== null && !hasAttribute(element, "role") && !matches(table, DATA_TABLE);
};

// For one of many with a short name, such as the day "15": the words above them all.


/**
 * @typedef {{words: string, levels: number, all: string, across: number, down: number}} Caption `levels`: how far up the
 *   many are; `all`: what they say, and where among them it is
 */

/** What has a name that says what is in it. */
const CONTAINERS = new Set(
  "alertdialog article dialog form grid group radiogroup region table tabpanel treegrid".split(" "),
);

/** The words above a key pad are what its keys made; they are the same keys while all of them are, at the same places. */
const sameCaption = (kept, now) =>
  kept.words === now.words || (kept.all === now.all && kept.across === now.across && kept.down === now.down);

/** Without a word that says something by itself: "15", "Jan", "12A". */
const isShort = (name) => /[\p{L}\p{N}]/u.test(name) && !/\p{L}{4}|\p{Lo}{2}/u.test(name);

const MIN_MANY = 5;
const MAX_LEVELS$1 = 12;
/** A title has a word or a year. */
const TITLE = /\p{L}{3}|\p{Lo}|\b(?:19|20)\d\d\b/u;

/** The words before the many an element is one of; null where it is not, or a container has a name. @returns {Caption|null} */
const captionOf = (element, memory) => {
  const kind = tag(element);
  const words = [];
  let many = false;
  for (let node = element, level = 0; level < MAX_LEVELS$1; level += 1) {
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
    words: clipped(words, MAX_NAME$1),
    levels,
    all: saidBy$1(all),
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

// What says of an element which thing it is about, beside its own words: the containers around it that have a name, the
// headings before it, and for one of many with a short name the words above them all (ref_captions.js).


/** @typedef {{named: Said, headings: Said, caption: Caption|null}} Surroundings */
/** @typedef {{text: string, by: WeakRef<any>|null, own: string}} Said `by`: the innermost that says it, and what it says alone */
/** @import { Caption } from "./ref_captions.js" */
/**
 * @typedef {{around: Map<any, Said>, branches: Map<any, Map<any, Branch[]>>, above: Map<any, Said>, words: Map<any, any>,
 *   many: Map<any, any>}} Memory
 */
/** @typedef {{node: any, heading: any, level: number, name: string}} Branch a child with a heading in it, the last one */

/** @returns {Memory} what was read once, while the page cannot change */
const surroundingsMemory = () => ({
  around: new Map(),
  branches: new Map(),
  above: new Map(),
  words: new Map(),
  many: new Map(),
});

/** @returns {Surroundings} */
const surroundingsOf = (element, name, memory) => ({
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
const otherSurroundings = (kept, now, { told, again }) => {
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
const inSurroundings = ({ named, headings, caption } = { named: NOTHING, headings: NOTHING, caption: null }) =>
  clipped([caption?.words, headings.text, named.text].filter(Boolean).join("; "), MAX_NAME$1);

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
const withoutCount = (text) => clipped(squeeze(text.replace(/[([]\s*\d[\d\s.,/+]*[)\]]/g, " ")), MAX_NAME$1);

const HEADINGS = "h1, h2, h3, h4, h5, h6, [role=heading]";
/** What a heading in these says ends with them. */
const SECTIONS = `article, aside, dialog, fieldset, footer, form, li, nav, section, table, tr, [popover], [role=alertdialog],
  [role=article], [role=complementary], [role=dialog], [role=grid], [role=group], [role=listitem], [role=navigation],
  [role=region], [role=row], [role=tabpanel]`;

/** Within one parent so many headings are looked at. */
const MAX_BEFORE$1 = 12;

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
  const before = all.slice(Math.max(0, count - MAX_BEFORE$1), count);
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

// Whether an element still is what its ref was told as, and stands where it stood.


const newMemory = () => ({ spots: new Map(), beside: new Map(), views: new Map(), ...surroundingsMemory() });

/** One of several that is told by a row within the many needs no words above them. */
const surroundingsBy = ({ name, place: { scope } }, element, memory) => {
  const surroundings = surroundingsOf(element, name, memory);
  const { caption } = surroundings;
  return caption && scope && scope.levels < caption.levels && !isShort(scope.head)
    ? { ...surroundings, caption: null }
    : surroundings;
};

/** An element that never left the page, if it still is about the same thing. */
const stillItself = ({ ref, known, element, again }) => {
  const role = roleOf(element);
  const name = nameOf(element);
  const isSame = role === known.role && (name === known.name || isEditorOf(element, name, known.name));
  if (!isSame)
    throw stale(
      known,
      `${ref} was ${known.role} ${JSON.stringify(known.name)} and is now ${role || tag(element)} ${JSON.stringify(name)}`,
    );
  // Around a field nobody sees stands what is written through it.
  if (isProxy(element)) return element;
  demandSameRow(ref, known, element);
  remembering(() => demandSameSurroundings({ ref, known, element, again }));
  return element;
};

/** Editors tell in the name of the field they type through where the caret is, others what to write, till that is done. */
const isEditorOf = (element, name, before) => isProxy(element) || (isEditable(element) && (!name || !before));

/** `details` let the extension ask which elements could be it now. */
const stale = ({ role, name }, why) =>
  new Failure("STALE_REF", `${why}`, "take a new snapshot", { was: { role, name: clipped(name, MAX_NAME$1) } });

/** One of several like elements is told by its row; a list that shows fewer rows than it has puts others into them. */
const demandSameRow = (ref, { place: kept, role, name }, element) => {
  if (!kept?.scope?.head) return;
  const scope = upFrom(element, kept.scope.levels);
  const head = scope ? headOf(scope, element) : "";
  if (head !== kept.scope.head)
    throw stale(
      { role, name },
      `${ref} was ${role} ${JSON.stringify(name)} at ${JSON.stringify(kept.scope.head)} and is now at ${JSON.stringify(head)}`,
    );
};

/** A name like "15" or "Delete" is about what stands around it: another month, another dialog, another order. */
const demandSameSurroundings = ({ ref, known, element, again }) => {
  const kept = known.place?.surroundings;
  if (!kept) return;
  const now = surroundingsBy(known, element, newMemory());
  const other = otherSurroundings(kept, now, { told: isTold(known), again });
  if (!other) {
    if (again) known.place.surroundings = now;
    return;
  }
  const { role, name } = known;
  throw stale(
    known,
    `${ref} was ${role} ${JSON.stringify(name)} under ${JSON.stringify(other.was)} and is now under ${JSON.stringify(other.is)}`,
  );
};

/** Things that are ticked one after the other, while a heading above them counts. */
const TICKED$1 = new Set(["checkbox", "menuitemcheckbox", "option", "switch", "treeitem"]);
const isTold = ({ role, name, place: { scope } }) =>
  scope ? !isShort(scope.head) : TICKED$1.has(role) && !isShort(name);

// Refs: what a snapshot calls an element, and the element again, also after the page has made it again.


const refNumbers = new WeakMap();
const refElements = new Map();
/** Of what is gone, and was not listed in any of so many looks, the number alone is kept. */
const KEPT_LOOKS = 50;
const forgotten = new Set();
let nextRef = 1;
/** The first ref of this document: smaller ones belonged to pages the tab has left. */
let firstRef = /** @type {number|null} */ (null);
/** Counts the looks at the page that gave refs; `given` are the elements of the present one, each with what is known of it. */
let look$1 = 0;
let given = new Map();
/** The ref that was used last: to press "Next" again is meant, whatever the first press led to. */
let lastUsed = /** @type {number|null} */ (null);

/** Something else was used. */
const forgetLastUsed = () => {
  lastUsed = null;
};

/**
 * Continue the tab's numbering: a document starts where the one before ended.
 * @param {{from, accepted}} numbers the next one, and the one after the last the extension got of this document
 */
const startRefs = ({ from, accepted }) => {
  // Numbers whose answer never arrived may have gone to another frame meanwhile.
  if (nextRef > accepted) for (const number of refElements.keys()) if (number >= accepted) refElements.delete(number);
  nextRef = Math.max(nextRef, from);
  firstRef ??= nextRef;
  look$1 += 1;
  given = new Map();
  for (const [number, { element, last }] of refElements)
    if (last < look$1 - KEPT_LOOKS && !element.deref()) {
      refElements.delete(number);
      forgotten.add(number);
    }
};

const refOf = (element, role, name) => {
  let number = refNumbers.get(element);
  if (!number || !refElements.has(number)) {
    number = nextRef++;
    refNumbers.set(element, number);
  }
  let known = refElements.get(number);
  if (known?.element.deref() !== element)
    refElements.set(
      number,
      (known = { element: new WeakRef(element), role, name, first: known?.first ?? look$1, last: look$1, place: null }),
    );
  known.role = role;
  known.name = name;
  known.last = look$1;
  given.set(element, known);
  return `e${number}`;
};

/** The same for an element that may be about something else than when it was told: then under another number. */
const newRefOf = (element, role, name) => {
  const number = refNumbers.get(element);
  const known = refElements.get(number);
  if (known?.element.deref() === element) {
    try {
      stillItself({ ref: `e${number}`, known, element, again: false });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      refNumbers.delete(element);
    }
  }
  return refOf(element, role, name);
};

/**
 * Remember where the elements of this look stand, to find them again when the page has put others in their place.
 * @param whole every element of the roles that were asked for was listed, so a name listed once is there once
 */
const keepPlaces = (whole) => {
  const memory = { ...newMemory(), sameTag: new Map() };
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
      known.place.surroundings = surroundingsBy(known, element, memory);
    }
  }
  given = new Map();
};

/** Whether this document gave out a ref. */
const knowsRef = (ref) => refElements.has(Number(ref.slice(1))) || forgotten.has(Number(ref.slice(1)));

const byRef = (ref) => {
  const number = Number(ref.slice(1));
  const known = refElements.get(number);
  if (!known) throw new Failure("STALE_REF", `${ref} ${whyUnknown(number)}`, "take a new snapshot");
  const again = lastUsed === number && !isShort(known.name);
  const now = known.element.deref();
  const element =
    now && isConnected(now)
      ? stillItself({ ref, known, element: now, again })
      : remembering(() => madeAnew({ ref, number, known, again }));
  lastUsed = number;
  return element;
};

const whyUnknown = (number) => {
  if (forgotten.has(number)) return "is no longer in the page";
  const isLeft = firstRef === null || number < firstRef;
  return isLeft ? "belongs to a page the tab has left" : "was never given out in this page";
};

/** The one element that now is what the ref's was, and where it was: the ref moves to it. */
const madeAnew = ({ ref, number, known, again }) => {
  const found = candidatesFor(known, again);
  if (found.length !== 1) {
    const why = found.length ? `, and ${found.length} elements could be it now` : "";
    const where = inSurroundings(known.place?.surroundings);
    throw stale(
      known,
      `${ref} (${known.role} ${JSON.stringify(known.name)}${where && ` under ${JSON.stringify(where)}`}) is no longer in the page${why}`,
    );
  }
  const [element] = found;
  known.element = new WeakRef(element);
  if (again && known.place.surroundings) known.place.surroundings = surroundingsBy(known, element, newMemory());
  if (!refNumbers.has(element)) refNumbers.set(element, number);
  return element;
};

const candidatesFor = (known, again) => {
  const { place: kept, role, name, last } = known;
  const root = kept?.view.document.deref();
  if (!root || kept.scope?.twin) return [];
  const memory = newMemory();
  const told = isTold(known);
  return atSpot(kept.spot).filter((element) => {
    if (
      ownerDocument(element) !== root ||
      viewOf(element, memory).path !== kept.view.path ||
      ownMarks(element) !== kept.own
    )
      return false;
    // What was listed beside the old one cannot have come in its place.
    if ((refElements.get(refNumbers.get(element))?.first ?? Infinity) <= last) return false;
    if (roleOf(element) !== role || nameOf(element) !== name) return false;
    if (otherSurroundings(kept.surroundings, surroundingsBy(known, element, memory), { told, again })) return false;
    if (!kept.scope) return again || textBeside(element, memory) === kept.beside;
    const scope = upFrom(element, kept.scope.levels);
    return scope !== null && saysTheSame(contentOf(scope, element), kept.scope);
  });
};

/** What a ref meant, and its element while that is in the page; null for one this document did not give. */
const meantBy = (ref) => {
  const known = refElements.get(Number(ref.slice(1)));
  if (!known) return null;
  const element = known.element.deref();
  return { role: known.role, name: known.name, element: element && isConnected(element) ? element : null };
};

/** Where a reader sees an element, in words. */
const whereIs = (element) => inSurroundings(surroundingsOf(element, nameOf(element), newMemory()));

// From a target {selector | xpath | ref | x, y} to its element.


/** @typedef {{selector?: string, xpath?: string, ref?: string, x?: number, y?: number, stay?: boolean}} Target */

/**
 * The selector or XPath that was looked for last, where it matches more than the one element that is meant.
 * @type {{by: string, count: number} | null}
 */
let several = null;
const forgetSeveral = () => {
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
const find = (target) => {
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
const findAll = (target, ways = []) => {
  const { selector, xpath } = target;
  const all =
    selector !== undefined ? selectAll$1(selector, Infinity, ways) : xpath !== undefined ? elementsByXPath(xpath) : [];
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

const bySelector = (selector) => {
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
const selectAll$1 = (selector, limit = Infinity, ways = []) =>
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

const isTarget = (target) => ["selector", "xpath", "ref", "x"].some((way) => target[way] !== undefined);

// The text a reader sees, in reading order, one line a block; what fields hold is left out.


/** Elements whose text is not shown as text. */
const BLOCK_BOX = /^(block|flex|grid|table|list-item|flow-root)/;
const NOT_TEXT = new Set([...SKIPPED, "input", "textarea", "select", "canvas", "video", "audio", "object"]);

class Reading {
  /** Frames of another origin, each with the number of lines before it. */
  frames = [];
  /** @type {string[]} */
  #lines = [];
  #line = "";
  #size = 0;

  /**
   * @param {number} limit stop soon after this many characters
   * @param {(element: Element, text: string) => boolean} meet called for each element none of whose children was met
   *   with true
   */
  constructor(limit, meet = () => false) {
    this.limit = limit;
    this.meet = meet;
  }

  get text() {
    return [...this.#lines, this.#line.trimEnd()].join("\n").trimEnd();
  }

  /** The text before, between and after the frames. */
  get pieces() {
    const lines = [...this.#lines, this.#line.trimEnd()];
    const cuts = [0, ...this.frames.map(({ line }) => line), lines.length];
    return cuts.slice(1).map((end, index) => lines.slice(cuts[index], end).join("\n").trimEnd().toWellFormed());
  }

  /** Read an element. @returns whether `meet` said true of it or of anything inside */
  read(element) {
    if (this.#size > this.limit) return false;
    const style = styleOf$1(element);
    if (style.display === "none" || style.contentVisibility === "hidden") return false;
    const shown = style.visibility === "visible";
    if (NOT_TEXT.has(tag(element)) || isSecret(element))
      return shown && !SKIPPED.has(tag(element)) && this.meet(element, "");
    if (tag(element) === "br") return this.#end();
    if (shown && isDoor(element)) {
      this.#end();
      this.frames.push({ frame: element, line: this.#lines.length });
    }
    const block = BLOCK_BOX.test(style.display) && style.display !== "table-cell";
    if (block) this.#end();
    const start = { line: this.#lines.length, column: this.#line.length };
    let met = false;
    for (const node of readChildren(element)) {
      if (nodeType(node) === 3) {
        if (shown) this.#add(textContent(node), style.whiteSpace);
      } else if (isElement(node)) met = this.read(node) || met;
    }
    if (style.display === "table-cell" && this.#line) this.#line += "\t";
    const hit = !met && shown && this.meet(element, this.#since(start));
    if (block) this.#end();
    return met || hit;
  }

  #add(text, whiteSpace) {
    this.#size += text.length;
    if (/^(pre|break-spaces)/.test(whiteSpace)) {
      const [first, ...rest] = text.split("\n");
      this.#line += first;
      for (const line of rest) {
        this.#end();
        this.#line = line;
      }
      return;
    }
    const squeezed = text.replace(/[ \t\r\n\f]+/g, " ");
    this.#line += /^$|\s$/.test(this.#line.slice(-1)) ? squeezed.trimStart() : squeezed;
  }

  #end() {
    const line = this.#line.trimEnd();
    if (line) this.#lines.push(line);
    this.#line = "";
    return false;
  }

  #since({ line, column }) {
    if (this.#lines.length === line) return this.#line.slice(column);
    return [this.#lines[line].slice(column), ...this.#lines.slice(line + 1), this.#line].join(" ");
  }
}

const readChildren = (element) => {
  if (!isFrame(element)) return flatChildren(element);
  const content = frameDocument(element);
  const body = content && documentBody(content);
  return body ? [body] : [];
};

/** What is shown of an element, its first `limit` characters at least. */
const readingOf = (element, limit) => {
  if (!isRendered$1(element)) return "";
  const reading = new Reading(limit);
  reading.read(element);
  return reading.text.toWellFormed();
};

// How much of an element a reader sees: inside the viewport, its frames and every box that clips it.


/** More than half of the element's area is inside all that clips it; what covers it does not count. */
const inViewport = (element) => {
  const box = toTop(element, boxOf$1(element));
  const half = areaOf(box) / 2;
  if (half === 0) return false;
  // Most of a long page is far from the viewport, whatever clips it there.
  const seen = intersection(box, view());
  return areaOf(seen) > half && areaOf(intersection(seen, clipAt(flatParent(element), attachment(element)))) > half;
};

/** Its own box, or of what has none the first of those it is seen by. */
const boxOf$1 = (element) => {
  const own = rectOf(element);
  if (own.width || own.height) return own;
  const [{ left, top, width, height } = own] = boxesOf(element);
  return { x: left, y: top, width, height };
};

/** Which boxes above clip an element: "static" all, "absolute" from the positioned one on, "fixed" almost none. */
const attachment = (element) => {
  const { position } = lookOf$1(element).style;
  return position === "absolute" || position === "fixed" ? position : "static";
};

/** What `node` and all above it leave to be seen of a descendant, in the top viewport. */
const clipAt = (node, kind) => (node ? remembered(kind, node, () => readClip(node, kind)) : view());

const readClip = (node, kind) => {
  if (nodeType(node) !== 1) return clipAt(flatParent(node), kind);
  if (isFrame(node)) return intersection(shownThrough(node), clipAt(flatParent(node), attachment(node)));
  const { style } = lookOf$1(node);
  const holds = kind === "static" || style.transform !== "none" || (kind === "absolute" && style.position !== "static");
  const above = clipAt(flatParent(node), holds ? attachment(node) : kind);
  return holds && clips(node, style) ? intersection(toTop(node, paddingBox(node)), above) : above;
};

/** The overflow of <html> and <body> is the viewport's own. */
const clips = (element, { overflowX, overflowY, display }) =>
  (overflowX !== "visible" || overflowY !== "visible") &&
  display !== "inline" &&
  display !== "contents" &&
  tag(element) !== "html" &&
  tag(element) !== "body";

/** What an element with overflow shows: its box without borders and scroll bars. */
const paddingBox = (element) => {
  const box = rectOf(element);
  const { scaleX, scaleY } = scaleOf(element, box);
  return {
    x: box.left + clientLeft(element) * scaleX,
    y: box.top + clientTop(element) * scaleY,
    width: clientWidth(element) * scaleX,
    height: clientHeight(element) * scaleY,
  };
};

// What every answer about an element tells of it.


const MAX_VALUE$1 = 2000;

/** What is hidden has no name, but options and areas are drawn by their list or picture. */
const isUntold = (element) => !/^(area|optgroup|option)$/.test(tag(element)) && isUnseen(element);

/** What every answer tells of an element. */
const told$1 = (element) => {
  const role = roleOf(element);
  const name = nameOf(element);
  return {
    ref: refOf(element, role, name),
    role: role || "generic",
    name: isUntold(element) ? "" : clipped(name, MAX_NAME$1),
    tag: tag(element),
    inViewport: inViewport(element),
  };
};

/**
 * A list of elements; of each is left out what most of them have in common.
 * @param {(element: any, name: string) => object} more what else to tell of each
 */
const listed = (all, limit, more) => ({
  count: all.length,
  elements: all.slice(0, limit).map((element) => {
    const { name, inViewport: isInViewport, ...rest } = told$1(element);
    return {
      ...rest,
      name: name || undefined,
      inViewport: isInViewport ? undefined : false,
      ...more(element, name),
    };
  }),
});

const unlessEmpty = (list) => (list.length ? list : undefined);

/** Of a frame within what was asked for everything has a part in the answer. */
const WHOLE$1 = { selector: null };

// What a person uses instead of a native field that a widget hides: the widget, which stands beside it or around it.


/** What a person can use, in a widget. */
const USABLE = `:is(a, button, input, select, textarea, iframe, [contenteditable]:not([contenteditable=false]),
  [tabindex]:not([tabindex^="-"]), [aria-haspopup], [role=combobox], [role=listbox], [role=textbox], [role=button],
  [role=checkbox], [role=switch], [role=radio], [role=slider], [role=spinbutton], [role=application])`;
/** A button like these sends the form or is about something of its own, unless it says that it opens a list. */
const NO_WIDGET = `:is(label, button:not([type=button]), input[type=submit], input[type=reset], input[type=image]):not([aria-haspopup], [aria-expanded], [role])`;
/** What is around more than one field. */
const AROUND_FIELDS = ":is(form, fieldset, main, body, html, table, tr, ul, ol, dialog, [role=dialog], [role=form])";
/** A widget is so near to the field it hides. */
const MAX_LEVELS = 3;
const MAX_SIBLINGS = 2;
/** What it says, as far as it is told. */
const MAX_SAID$1 = 60;

/** What stands for a native field that is not to be seen or pressed; null for any other element, or when nothing does. */
const standInOf = (field) => {
  if (!isNativeField(field)) return null;
  const kinds = [(element) => matches(element, USABLE), isPointedAt];
  // An editor has buttons, too.
  if (takesText(field)) kinds.unshift((element) => takesText(fieldOf(element)));
  for (const named of namers(field)) if (isShown(named)) return named;
  for (const isOfKind of kinds) {
    const found = around$1(field, isOfKind);
    if (found) return fieldOf(found);
  }
  return null;
};

/** What shows a hand to the pointer takes presses, whatever it is. */
const isPointedAt = (element) => styleOf$1(element).cursor === "pointer";

/** The nearest of a kind beside the field or around it; beside what is around only while nobody sees that. */
const around$1 = (field, isOfKind) => {
  const fits = (element) =>
    isOfKind(element) && !matches(element, NO_WIDGET) && !isOtherField(element) && isShown(element);
  let node = field;
  let isAlone = true;
  for (let level = 0; level < MAX_LEVELS; level += 1) {
    const beside = isAlone ? siblingsOf(node).filter(isShown) : [];
    for (const element of beside) {
      const found = fits(element) ? element : [...queryAll(element, "*")].find(fits);
      if (found) return found;
    }
    const parent = flatParent(node);
    if (!isElement(parent) || matches(parent, AROUND_FIELDS) || holdsOthers(parent, field)) return null;
    if (fits(parent)) return parent;
    isAlone &&= !isShown(parent);
    node = parent;
  }
  return null;
};

/** What says that it controls or owns the field. */
const namers = (field) => {
  const id = attribute(field, "id");
  if (!id || byId(field, id) !== field) return [];
  const quoted = CSS.escape(id);
  return [...queryAll(rootOf(field), `:is([aria-controls~="${quoted}"], [aria-owns~="${quoted}"])`)];
};

/** The nearest elements beside a node, those after it first. */
const siblingsOf = (node) => {
  const parent = flatParent(node);
  const all = isElement(parent) ? [...children(parent)] : [];
  const at = all.indexOf(node);
  return at < 0
    ? []
    : [...all.slice(at + 1, at + 1 + MAX_SIBLINGS), ...all.slice(Math.max(0, at - MAX_SIBLINGS), at).reverse()];
};

/** A field of its own, with a name to be sent under or a label, is none of the widget. */
const isOtherField = (element) =>
  isNativeField(element) && (hasAttribute(element, "name") || (propertyOf(element, "labels")?.length ?? 0) > 0);

const holdsOthers = (element, field) =>
  [...queryAll(element, "input, select, textarea")].some((one) => one !== field && isOtherField(one));

/** Whether nobody sees a field though it is drawn: too small, clipped, see-through. */
const isConcealed = (field) => {
  const { width, height } = rectOf(field);
  const { clip, clipPath } = styleOf$1(field);
  const isVisible = callOn(field, "checkVisibility", { opacityProperty: true, visibilityProperty: true });
  return !isVisible || width < MIN_FIELD_PX || height < MIN_FIELD_PX || clip !== "auto" || clipPath !== "none";
};

/** For the error about an element that is hidden or covered: whether there is something to be asked for instead. */
const detailsOf = (element) =>
  isNativeField(element) && isConcealed(element) && standInOf(element) ? { standsIn: true } : {};

/** What stands for the field a target means, with a ref and what it says; null when nothing does. */
const standIn = (target) => {
  const found = standInOf(find(target));
  return found && { ...told$1(found), text: clipped(squeeze(readingOf(found, MAX_SAID$1)), MAX_SAID$1) };
};

// What an action demands of its target before it begins.


const demandVisible = (element) => {
  if (facesOf(element).length) return;
  if (tag(element) === "option" || tag(element) === "optgroup")
    throw new NotReady(
      "ELEMENT_NOT_VISIBLE",
      `${inWords(element)} is part of a list`,
      "use kapturemcp_select on its <select>",
    );
  const isVisible = callOn(element, "checkVisibility", { visibilityProperty: true, contentVisibilityAuto: false });
  const [why, nextStep] = isVisible
    ? ["has no size", "choose an element that can be seen"]
    : ["is hidden", "wait for it or open what contains it"];
  throw new NotReady("ELEMENT_NOT_VISIBLE", `${inWords(element)} ${why}`, nextStep, detailsOf(element));
};

/** What is inside a disabled control is disabled with it, through shadow roots too; so is what is inside an inert one. */
const demandEnabled = (element) => {
  if (matches(element, ":disabled")) throw disabled(element);
  for (let node = element; node; node = flatParent(node)) {
    if (!isElement(node)) continue;
    if (matches(node, ":disabled:not(fieldset), [aria-disabled=true]")) throw disabled(node);
    if (hasAttribute(node, "inert"))
      throw new NotReady("ELEMENT_NOT_VISIBLE", `${inWords(element)} is inert`, "close what is in front of it");
  }
};

const disabled = (element) =>
  new NotReady("ELEMENT_NOT_VISIBLE", `${inWords(element)} is disabled`, "do first what enables it");

const demandWritable = (element) => {
  demandEnabled(element);
  if (propertyOf(element, "readOnly") || attribute(element, "aria-readonly") === "true")
    throw new NotReady(
      "ELEMENT_NOT_VISIBLE",
      `${inWords(element)} is read-only`,
      "fill what it is made from, or another field",
    );
};

// The guard of a press. Between the moment an element's place was measured and the one the browser presses there, the
// page may scroll, animate or put something else in its place. So each press is looked at before the page sees it: one
// that would reach another element is swallowed, with all that comes of it, and the extension measures again.


/** All that a press leads to; a pointerdown that is stopped keeps the focus, selection and drags from beginning, too. */
const PRESS_EVENTS = [
  "pointerdown",
  "mousedown",
  "pointerup",
  "mouseup",
  "click",
  "auxclick",
  "dblclick",
  "contextmenu",
  "cancel",
];
const CAPTURE_EVENTS = ["gotpointercapture", "lostpointercapture"];
/** A press the extension never came to makes the guard end by itself, before it can meet a person's own click. */
const GUARD_MS$2 = 3000;
/** So far, in CSS pixels, from where the extension presses, a press is a person's. */
const OWN_PX = 2;

/**
 * What the present press may reach, and what was seen of it: how often it was let through and to what, and what would
 * have got the one that was held back.
 * @typedef {{id: number, element: Element|"any"|null, at: {x: number, y: number}|null, capture: boolean, own: boolean,
 *   until: number, passed: number, held: string|null, hit: string|null, captured: EventTarget|null}} Guard
 */

/**
 * Null: whatever comes is a person's.
 * @type {Guard|null}
 */
let guard$2 = null;

/**
 * From now on a press reaches `element` or nothing.
 * @param {number} id of this press
 * @param {Element|"any"|null} element null: it lies in another document; "any": whatever is there gets it, and is told
 * @param {{at?: {x: number, y: number}|null, capture?: boolean, own?: boolean}} how `at`: where in this document's viewport,
 *   if that is known; `capture`: whether the release goes where the press went, as a click wants it and a drag does not;
 *   `own`: a control in the element does not get it
 */
const armGuard = (id, element, { at = null, capture = true, own = false } = {}) => {
  guard$2 = {
    id,
    element,
    at,
    capture,
    own,
    until: performance.now() + GUARD_MS$2,
    passed: 0,
    held: null,
    hit: null,
    captured: null,
  };
};

/**
 * The same for the document the element is in, also where it is that of a frame that can be read from here.
 * @param {number} id
 * @param {Element} element
 * @param {import("./spots.js").FreeSpot} spot
 * @param {{capture: boolean, anything?: boolean}} how `anything`: whatever is there may get it
 */
const guardPress = (id, element, { x, y, own }, { capture, anything = false }) => {
  const view = ownerDocumentView(element);
  const wanted = anything ? "any" : element;
  const how = { capture, own };
  armGuard(id, view === window || anything ? wanted : null, { ...how, at: place ? null : { x, y } });
  if (view !== window) /** @type {any} */ (view).kapture?.armGuard(id, wanted, how);
};

/**
 * No press reaches this document, unless it is the one that was armed for it.
 * @param {number} id
 */
const guardOthers = (id) => {
  if (guard$2?.id !== id) armGuard(id, null);
};

/**
 * End a guard, and say what it has seen, or null when nothing was pressed here.
 * @param {number} id
 * @param {boolean} isHeld the mouse is down still: a guard that held that back stays for what its release leads to
 */
const endGuard$1 = (id, isHeld = false) => {
  if (guard$2?.id !== id) return null;
  const { passed, held, hit } = guard$2;
  if (!held || !isHeld) guard$2 = null;
  return passed || held ? { passed, held, hit } : null;
};

/** @param {MouseEvent} event */
const onPress = (event) => {
  // What a page dispatches itself is not a press: counted, it would stand for the one that is still to come.
  if (!guard$2 || !event.isTrusted || performance.now() > guard$2.until) return;
  if (event.type === "pointerdown") onPointerDown(/** @type {PointerEvent} */ (event), guard$2);
  // The rest of a press that was held back: a release without its press would be half a click to the page.
  else if (guard$2.held) stop(event);
};

/**
 * @param {PointerEvent} event
 * @param {Guard} armed
 */
const onPointerDown = (event, armed) => {
  const { at } = armed;
  // A person's own click beside the target is none of ours.
  if (at && Math.hypot(event.clientX - at.x, event.clientY - at.y) > OWN_PX) return;
  const hit = hitOf(event);
  if (isRight(hit, armed)) {
    armed.passed += 1;
    armed.hit = inWords(hit);
    pressed = hit;
    if (armed.capture) keepPointer(event, armed, hit);
  } else {
    armed.held = inWords(hit);
    stop(event);
  }
  report(armed);
};

/**
 * @param {Element} hit
 * @param {Guard} armed
 */
const isRight = (hit, { element, own, passed }) => {
  if (element === null || element === "any") return element !== null;
  // The move before a press may uncover a button on a card, over the place that was the card's own. What the first
  // press of two makes there, such as the field of a cell, is for the second.
  if (!belongsTo(hit, element) || (own && passed === 0 && !isOwn(hit, element))) return false;
  // One that has just been disabled would hear of the press and not be clicked.
  return !matches(element, ":disabled");
};

/**
 * The release then goes to what was pressed, wherever it has moved in between. Where something inside was pressed that
 * nobody sees from here, it would not go there.
 * @param {PointerEvent} event
 * @param {Guard} armed
 * @param {Element} hit in a closed root, where the event shows its host alone
 */
const keepPointer = (event, armed, hit) => {
  const [target] = event.composedPath();
  if (!isElement(target) || !isConnected(hit) || mayHoldParts(hit)) return;
  Element.prototype.setPointerCapture.call(hit, event.pointerId);
  armed.captured = target;
};

/** Controls with parts of the browser's own: the calendar of a date field, the cross of a search field. */
const WITH_PARTS =
  "select, video, audio, object, embed, " +
  "input:not([type=checkbox], [type=radio], [type=button], [type=submit], [type=reset], [type=image])";

/** Whether an element may have a shadow root that was not seen: then it shows something, and holds nothing. */
const mayHoldParts = (element) => {
  if (matches(element, WITH_PARTS)) return true;
  if (openRootOf(element) || closedRoots.has(element)) return false;
  return tag(element).includes("-") || (!firstChild(element) && HOSTS.test(tag(element)));
};

/** What may have a shadow root beside elements of a page's own make. */
const HOSTS = /^(article|aside|blockquote|body|div|footer|h[1-6]|header|main|nav|p|section|span)$/;

/** @param {Event} event */
const stop = (event) => {
  event.stopImmediatePropagation();
  event.preventDefault();
};

/**
 * What a press meets; the path of an event shows of a closed shadow root only its host.
 * @param {MouseEvent} event
 * @returns {Element}
 */
const hitOf = (event) => {
  let hit = event.composedPath().find(isElement) ?? documentElement(document);
  for (let root = closedRoots.get(hit); root; root = closedRoots.get(hit)) {
    const deeper = ShadowRoot.prototype.elementFromPoint.call(root, event.clientX, event.clientY);
    if (!deeper || deeper === hit) break;
    hit = deeper;
  }
  return hit;
};

/**
 * Goes out before the page can be left for what was pressed.
 * @param {Guard} armed
 */
const report = ({ id, passed, held, hit }) =>
  /** @type {any} */ (globalThis).kapturePress?.(JSON.stringify({ id, passed, held, hit }));

/**
 * What the last press that was let through here reached.
 * @type {Element|null}
 */
let pressed = null;

/** From now on presses are looked at, before the page's own listeners get them. */
const watchPresses = () => {
  for (const kind of PRESS_EVENTS) listen(window, kind, onPress, true);
  for (const kind of CAPTURE_EVENTS)
    listen(window, kind, (event) => guard$2 && event.target === guard$2.captured && stop(event), true);
};

// Where a drag comes down. A page that sorts a list makes room while something is dragged: then the destination has moved
// away from under the pointer, and what was dragged has taken its place. That is right; another element there is not, and
// neither is a place further on, past items that lay beyond the destination.


const RELEASES = ["pointerup", "drop"];
// At its first move over something a page gets "dragenter", and may make room by then.
const EVENTS = ["pointermove", "dragenter", "dragover", ...RELEASES];

/**
 * The drag under way: where it shall end, and the list that is in; what was dragged and where that stood; what followed
 * the pointer above its destination when it came over that, or null before; where the pointer is, and what lies there;
 * whether the release was seen, and a drop.
 * @typedef {{id: number, element: Element|"any", list: List|null, source: Element|null, stood: string,
 *   followers: Element[]|null,
 *   point: {x: number, y: number}|null, hit: string|null, isRight: boolean, isReleased: boolean,
 *   isDropped: boolean}} Drag
 */

/**
 * The items of a list as they stood before the drag, each with its place, and the one that is, or holds, the destination.
 * @typedef {{item: Element, places: Map<Element, number>}} List
 */

/** @type {Drag|null} */
let drag = null;

/**
 * The destination of a drag as it was found before its press: what is dragged may hold its place by one more item, and
 * the same selector then means another one.
 * @type {{id: number, element: Element, list: List|null}|null}
 */
let meant$1 = null;

/** @param {number} id @param {Element} element */
const meanDrop = (id, element) => {
  meant$1 = { id, element, list: listAround(element) };
};

/** @param {number} id @returns {Element|null} what was meant, null where it is in the page no more */
const meantDrop = (id) => (meant$1?.id === id && isConnected(meant$1.element) ? meant$1.element : null);

/**
 * From now on it is looked at where the pointer is, until `endDrop`.
 * @param {number} id
 * @param {Element|"any"} element
 */
const expectDrop = (id, element) => {
  if (drag?.id === id) {
    drag.element = element;
    return;
  }
  forget();
  const source = pressed;
  const stood = element === "any" ? "" : standing$1(source, element);
  const isMeant = meant$1?.id === id && meant$1.element === element;
  const list = element === "any" ? null : isMeant ? (meant$1?.list ?? null) : listAround(element);
  const unseen = { followers: null, point: null, hit: null, isRight: false, isReleased: false, isDropped: false };
  drag = { id, element, list, source, stood, ...unseen };
  for (const kind of EVENTS) listen(window, kind, onEvent, true);
};

const forget = () => {
  for (const kind of EVENTS) unlisten(window, kind, onEvent, true);
  drag = null;
};

/**
 * Whether what is dragged is where it shall come down; null when it was not seen here.
 * @param {number} id
 */
const isOverDrop = (id) =>
  drag?.id === id && drag.point ? isOver(drag, drag.point) && !strayedPast(drag) : null;

/**
 * What the release came over, in words, whether that was right, whether there was an HTML5 drop, and the item it came to
 * lie beside instead of its destination, if any; null when the release was not seen here.
 * @param {number} id
 */
const endDrop = (id) => {
  if (drag?.id !== id) return null;
  const { hit, isRight, isDropped } = drag;
  const past = strayedPast(drag);
  forget();
  meant$1 = null;
  return hit === null ? null : { hit, isRight, isDropped, ...(past && { beside: inWords(past) }) };
};

/** @param {MouseEvent} event */
const onEvent = (event) => {
  // What comes under the pointer after the release has nothing to do with it: Chrome tells of that by a move, too.
  if (!drag || drag.isReleased || !event.isTrusted) return;
  drag.isReleased = RELEASES.includes(event.type);
  drag.point = { x: event.clientX, y: event.clientY };
  if (event.type === "drop") drag.isDropped = true;
  const under = allAt(document, event.clientX, event.clientY);
  if (!under.length) return;
  drag.followers = followersOver(drag, under) ?? drag.followers;
  // A pointer's release goes to what holds the pointer: so what lies there is asked.
  drag.hit = inWords(under[0]);
  drag.isRight = isOver(drag, drag.point, under);
};

/**
 * @param {Drag} drag
 * @param {{x: number, y: number}} point
 */
const isOver = (drag, { x, y }, under = allAt(document, x, y)) => {
  const { element, source, stood, followers } = drag;
  if (element === "any" || followersOver(drag, under)) return true;
  if (!followers) return false;
  const lying = under.find((hit) => !followers.includes(hit));
  return standing$1(source, element) !== stood || (lying !== undefined && lying === flatParent(element));
};

/**
 * What lies over the destination because it follows the pointer; null where that is not under it, or where something
 * else is on top: of two neighbours both lie at a pixel they share.
 * @param {Drag} drag
 * @param {Element[]} under
 */
const followersOver = ({ element, source }, under) => {
  const reached = element === "any" ? -1 : under.findIndex((hit) => belongsTo(hit, element));
  const above = under.slice(0, Math.max(0, reached));
  return reached >= 0 && above.every((hit) => isDragged(hit, source) || canFollow(hit)) ? above : null;
};

/**
 * @param {Element} hit
 * @param {Element|null} source
 */
const isDragged = (hit, source) => source !== null && (flatContains(hit, source) || flatContains(source, hit));

/**
 * Whether it can be moved with the pointer: it or what it lies in stands out of the page's flow.
 * @param {Element} hit
 */
const canFollow = (hit) => {
  for (let node = hit; node && node !== documentElement(document); node = flatParent(node)) {
    if (!isElement(node)) continue;
    const { position, transform, translate } = styleOf$1(node);
    if (position !== "static" || [transform, translate].some((moved) => moved && moved !== "none")) return true;
  }
  return false;
};

/** Where `source` stands in the document as seen from `element`; pages that sort move it. */
const standing$1 = (source, element) => {
  if (!source || !isConnected(source)) return "gone";
  return String(Node.prototype.compareDocumentPosition.call(element, source));
};

/**
 * The list that an element is an item of, or lies in an item of: the nearest one with more than one item.
 * @param {Element} element
 * @returns {List|null}
 */
const listAround = (element) => {
  for (let item = element; isElement(item); item = flatParent(item)) {
    const items = besides(item).filter((one) => isAlike(one, item));
    if (items.length > 1) return { item, places: new Map(items.map((one, place) => [one, place])) };
  }
  return null;
};

/** All elements with the same parent, in their order. */
const besides = (item) => {
  const elements = [];
  for (let node = firstChild(parentNode(item)); node; node = nextSibling(node))
    if (isElement(node)) elements.push(node);
  return elements;
};

/** Whether both are items of one list: what lies between items to mark a place is of another kind. */
const isAlike = (one, other) => {
  if (tag(one) !== tag(other) || attribute(one, "role") !== attribute(other, "role")) return false;
  const [these, those] = [classesOf$1(one), classesOf$1(other)];
  return these.length === 0 ? those.length === 0 : these.some((name) => those.includes(name));
};

/** @param {Element} element @returns {string[]} */
const classesOf$1 = (element) => attribute(element, "class")?.match(/\S+/g) ?? [];

/**
 * The item that what is dragged now lies beside though its destination lies further back; null where it lies beside
 * that, or the page has sorted nothing.
 * @param {Drag} drag
 * @returns {Element|null}
 */
const strayedPast = ({ source, list }) => {
  if (!source || !list || !isConnected(list.item)) return null;
  const { item, places } = list;
  const now = besides(item).filter((one) => places.has(one) || flatContains(one, source));
  const own = now.find((one) => flatContains(one, source));
  if (!own || own === item || now.every((one, place) => places.get(one) === place)) return null;
  const [from, to] = [now.indexOf(own), now.indexOf(item)];
  const between = from < to ? now.slice(from + 1, to) : now.slice(to + 1, from).reverse();
  // One that was on the other side of the destination has moved, too.
  return between.find((one) => places.has(one) && isBefore(places, one, item) === from < to) ?? null;
};

const isBefore = (places, one, other) => places.get(one) < places.get(other);

/**
 * All elements at a point, through open shadow roots, the one on top first.
 * @param {Document|ShadowRoot} root
 * @param {number} x
 * @param {number} y
 * @returns {Element[]}
 */
const allAt = (root, x, y) => {
  const prototype = root === document ? Document.prototype : ShadowRoot.prototype;
  return prototype.elementsFromPoint.call(root, x, y).flatMap((/** @type {Element} */ element) => {
    const inside = shadowRootOf(element);
    return inside && inside !== root ? [...allAt(inside, x, y), element] : [element];
  });
};

// A page that writes into the clipboard tells nobody of it: the button that does so says it, in words or by its icon.


const COPIES = /(\b|_)(copy|clipboard|clippy|kopier\w*|copier|copiar|copia)(\b|_)/i;
/** More letters than these are not words of a button. */
const MAX_WORDS$1 = 60;
/** More elements than these are not an icon. */
const MAX_ICON = 12;

/** @param {Element} button */
const writesToClipboard = (button) => {
  const icon = [...queryAll(button, "*")].slice(0, MAX_ICON);
  const text = textContent(button);
  const said = [...[button, ...icon].flatMap(attributesOf), text.length < MAX_WORDS$1 ? text : ""].join(" ");
  // "copyIcon" says it, "copyright" does not.
  return COPIES.test(said.replace(/([a-z])(?=[A-Z])/g, "$1 "));
};

/** Names count, too: data-clipboard-text. */
const attributesOf = (element) =>
  callOn(element, "getAttributeNames").map((name) => `${name} ${attribute(element, name)}`);

// What a page does by itself, such as a clock or a carousel: places that changed again and again while nobody did
// anything. What changes there during an action may be its effect or not; nobody can tell.


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
const anythingMoves = () => hasAny;

/**
 * A place changed while no action was under way.
 * @param {Node} place
 * @param {string} kind
 * @param {number} actedAt when the last action was over
 */
const noteMove = (place, kind, actedAt) => {
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
const noteLook = (changed) => {
  looks += 1;
  for (const one of new Set(changed)) {
    const before = sampled.get(one);
    const goesOnChanging = before && looks - before.look <= MAX_LOOKS;
    sampled.set(one, { count: goesOnChanging ? before.count + 1 : 1, look: looks });
  }
};

/** @param {Node|null} one */
const changesBetweenLooks = (one) => {
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
const movingPlace = (place, kind, when) => {
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
const placeOf = ({ type, target }) => {
  if (type === "childList") return { place: target, kind: "content" };
  const parent = parentNode(target) ?? target;
  return { place: parent, kind: type === "attributes" ? "attributes" : "content" };
};

/** @param {Node} place */
const ownDoing = (place) =>
  `only ${isElement(place) ? inWords(place) : "something"} changed, which also changes by itself`;

// Whether mutations that came together leave anything: a page may set something and set it back before it is drawn.


/** More are not followed one by one. */
const MAX_RECORDS = 50;
/** Without one they are the same as empty ones. */
const MAY_BE_EMPTY = new Set(["class", "style"]);

/**
 * @param {MutationRecord[]} records with their old values
 * @returns {"nothing"|"undone"|"lasting"} nothing: what was set was there already
 */
const whatIsLeftOf = (records) => {
  if (records.length > MAX_RECORDS) return "lasting";
  /** The first record of each thing that changed. @type {Map<Node, Map<string|Node, {record: MutationRecord, count: number}>>} */
  const firsts = new Map();
  for (const record of records)
    for (const what of thingsOf(record)) {
      const ofTarget = firsts.get(record.target) ?? new Map();
      const known = ofTarget.get(what);
      if (known) known.count += 1;
      else ofTarget.set(what, { record, count: 1 });
      firsts.set(record.target, ofTarget);
    }
  let isOften = false;
  for (const ofTarget of firsts.values())
    for (const [what, { record, count }] of ofTarget) {
      if (!isAsBefore(record, what)) return "lasting";
      isOften ||= count > 1;
    }
  return isOften ? "undone" : "nothing";
};

const thingsOf = ({ type, attributeName, attributeNamespace, addedNodes, removedNodes }) =>
  type === "childList"
    ? [...addedNodes, ...removedNodes]
    : [type === "attributes" ? `${attributeNamespace ?? ""} ${attributeName}` : type];

const isAsBefore = (record, what) => {
  const { type, target, attributeName, attributeNamespace, oldValue } = record;
  if (type === "characterData") return target.data === oldValue;
  if (type === "childList") return isWhereItWas(record, what);
  if (attributeNamespace) return false;
  const now = attribute(target, attributeName);
  return now === oldValue || (MAY_BE_EMPTY.has(attributeName) && (now ?? "") === (oldValue ?? ""));
};

const isWhereItWas = ({ target, removedNodes, previousSibling, nextSibling }, node) => {
  const wasThere = [...removedNodes].includes(node);
  const isThere = parentNode(node) === target;
  if (!wasThere || !isThere) return wasThere === isThere;
  return removedNodes.length === 1 && node.previousSibling === previousSibling && node.nextSibling === nextSibling;
};

// The watch over a page: what changes in its documents and shadow roots, sorted into what may be an action's effect, what
// was undone at once, and what the page does by itself.


/** What of a document or shadow root is observed. */
const CHANGES = { subtree: true, childList: true, attributes: true, characterData: true };
const WITH_OLD = { ...CHANGES, attributeOldValue: true, characterDataOldValue: true };

/** Events that tell of a change no mutation does. */
const KINDS$1 = [
  ...["input", "change", "invalid", "scroll", "toggle", "fullscreenchange"],
  ...["play", "pause", "seeking", "volumechange", "ratechange", "beforeprint"],
  // Of an SVG's own animations.
  ...["beginEvent", "endEvent"],
];
/** What a page put into the clipboard nobody reads. */
const UNREAD = ["copy", "cut"];
/** What a page does in its listeners for these is an effect of the input, wherever it is. */
const INPUTS = [
  ...["pointerover", "mouseover", "pointermove", "mousemove", "pointerdown", "mousedown", "pointerup", "mouseup"],
  ...["click", "auxclick", "dblclick", "contextmenu", "keydown", "keypress", "keyup", "beforeinput", "input", "change"],
  ...["wheel", "dragstart", "dragenter", "dragover", "drop", "dragend", "focusin", "focusout", "paste"],
];
/** Between two actions a page is watched until it has changed so often, and so many of each time are looked at. */
const MAX_IDLE_RECORDS = 3000;
const MAX_LEARNT = 100;
const OPTIONS$1 = { capture: true, passive: true };

class PageWatch {
  /** The documents and shadow roots that are watched. @type {Set<Node>} */
  roots = new Set();
  /** Hears of the first effect. */
  onSign = () => {};
  /** Hears that something was copied. */
  onUnread = () => {};
  /** In words what changed that may not be an effect. @type {string|null} */
  doubt = null;
  /** The first field whose value the browser or the page refused. @type {any} */
  refused = null;
  #hasChanged = false;
  #isActing = false;
  /** When the action under way began, and when the last one was over. */
  #begunAt = -Infinity;
  #actedAt = -Infinity;
  #idleRecords = 0;
  /** In how many listeners for input the page may be. */
  #inInput = 0;
  #observer = new MutationObserver((records) => this.#sort(records));
  #isOver = (/** @type {Event} */ event) => this.#onEvent(event);
  #copied = () => this.onUnread();
  #refuse = (/** @type {Event} */ { target }) => (this.refused ??= target);
  #input = (/** @type {Event} */ event) => this.#onInput(event);
  /** @type {(event: Event) => boolean} */
  #ignores;

  /** @param {(event: Event) => boolean} ignores which events are the extension's own doing */
  constructor(ignores) {
    this.#ignores = ignores;
  }

  /**
   * Begin anew.
   * @param {Iterable<Node>} roots
   * @param {boolean} isActing whether an action is under way; else what changes is learnt to change by itself
   */
  begin(roots, isActing) {
    const all = [...roots];
    this.#stop();
    if (this.#isActing && !isActing) this.#actedAt = performance.now();
    if (!this.#isActing && isActing) this.#begunAt = performance.now();
    this.#isActing = isActing;
    this.#hasChanged = false;
    this.doubt = null;
    this.refused = null;
    this.#idleRecords = 0;
    this.roots = new Set();
    for (const root of all) this.watch(root);
  }

  /** @param {Node} root */
  watch(root) {
    if (this.roots.has(root)) return;
    this.roots.add(root);
    this.#observer.observe(root, WITH_OLD);
    for (const kind of KINDS$1) listen(root, kind, this.#isOver, OPTIONS$1);
    for (const kind of UNREAD) listen(root, kind, this.#copied, OPTIONS$1);
    listen(root, "invalid", this.#refuse, OPTIONS$1);
    const view = nodeType(root) === 9 && defaultView(root);
    if (view && this.#isActing && anythingMoves()) for (const kind of INPUTS) listen(view, kind, this.#input, OPTIONS$1);
  }

  /** Whether an effect was seen since it began. */
  get changed() {
    this.#sort(this.#observer.takeRecords());
    return this.#hasChanged;
  }

  /** The action is not over, after all: what changes from now on may be its doing. */
  goOn() {
    this.#isActing = true;
  }

  /** What changed so far came before the action's own. @returns {boolean} whether anything did */
  forgetEarlier() {
    const hadChanged = this.changed || this.doubt !== null;
    if (hadChanged) this.begin(this.roots, true);
    return hadChanged;
  }

  #stop() {
    this.#stopChanges();
    for (const root of this.roots) {
      for (const kind of UNREAD) unlisten(root, kind, this.#copied, OPTIONS$1);
      unlisten(root, "invalid", this.#refuse, OPTIONS$1);
    }
  }

  #stopChanges() {
    this.#observer.disconnect();
    this.#inInput = 0;
    for (const root of this.roots) {
      for (const kind of KINDS$1) unlisten(root, kind, this.#isOver, OPTIONS$1);
      const view = nodeType(root) === 9 && defaultView(root);
      if (view) for (const kind of INPUTS) unlisten(view, kind, this.#input, OPTIONS$1);
    }
  }

  /** @param {MutationRecord[]} records that came together */
  #sort(records) {
    if (!records.length) return;
    if (!this.#isActing) this.#learnFrom(records);
    if (this.#hasChanged) return;
    const left = whatIsLeftOf(records);
    if (left === "undone") this.doubt ??= "what was changed on the page was changed back at once";
    if (left !== "lasting") return;
    for (const record of records) {
      const { place, kind } = placeOf(record);
      if (!this.#isOwn(place, kind)) return this.#sign();
    }
  }

  #learnFrom(records) {
    for (const record of records.slice(0, MAX_LEARNT)) {
      const { place, kind } = placeOf(record);
      noteMove(place, kind, this.#actedAt);
    }
    this.#idleRecords += records.length;
    if (this.#idleRecords > MAX_IDLE_RECORDS) this.#observer.disconnect();
  }

  /** @param {Event} event */
  #onEvent(event) {
    if (this.#ignores(event)) return;
    const place = /** @type {Node} */ (event.target);
    if (!this.#isActing) noteMove(place, event.type, this.#actedAt);
    if (!this.#hasChanged && !this.#isOwn(place, event.type)) this.#sign();
  }

  /** @param {Node} place @param {string} kind */
  #isOwn(place, kind) {
    const moving = this.#inInput ? null : movingPlace(place, kind, this.#isActing ? this.#begunAt : performance.now());
    if (!moving) return false;
    this.doubt = ownDoing(moving);
    noteMove(place, kind, this.#actedAt);
    return true;
  }

  #sign() {
    this.#hasChanged = true;
    // What comes next is not asked for, unless it shows what the page does by itself.
    if (this.#isActing) this.#stopChanges();
    this.onSign();
  }

  #inputEnds() {
    this.#sort(this.#observer.takeRecords());
    this.#inInput = Math.max(0, this.#inInput - 1);
  }

  /** From the first listener until the page's next task. @param {Event} event */
  #onInput(event) {
    if (!event.isTrusted || this.#hasChanged) return;
    this.#sort(this.#observer.takeRecords());
    this.#inInput += 1;
    // Before the page's timers, which may be due since long ago.
    void scheduler.postTask(() => this.#inputEnds(), { priority: "user-blocking" });
  }
}

// Addresses that another program opens (mailto:, tel: and the like). Chrome starts it without asking, or asks where
// nobody looks, and takes the debugger from the tab: so no link, form or script of a page leads there in the panel's
// own browser, nor, in a person's, in the moment after a command; a person's own click does.


/** So long after a command began the page counts as doing what it led to. */
const LED_MS = 3000;
const OF_PAGES =
  /^(https?|about|blob|data|file|filesystem|javascript|chrome|chrome-[a-z]+|devtools|edge|brave|view-source):/i;

let drivenAt = -Infinity;
/** A command begins in this document. */
const driven = () => (drivenAt = performance.now());

/** Whether an address leads to a program and is kept from it; the panel is told. */
const keeps = (url) => {
  if (!url || OF_PAGES.test(url) || !(globalThis.keepsFromPrograms || performance.now() - drivenAt < LED_MS))
    return false;
  globalThis.kaptureProgram?.(url.slice(0, 200));
  return true;
};

/** @type {[object, (node: any) => string][]} */
const hrefs = [HTMLAnchorElement, HTMLAreaElement].map(({ prototype }) => [prototype, getter(prototype, "href")]);
const hrefOf = (node) => hrefs.find(([prototype]) => prototype.isPrototypeOf(node))?.[1](node);
const readAction = getter(HTMLFormElement.prototype, "action");
const actionOf = (node) => (HTMLFormElement.prototype.isPrototypeOf(node) ? readAction(node) : ""); // a page may dispatch what it likes

/** From now on no address of this document leads to another program. */
const keepFromPrograms = () => {
  if (globalThis.navigation)
    listen(
      navigation,
      "navigate",
      (event) => event.cancelable && keeps(event.destination.url) && event.preventDefault(),
    );
  for (const kind of ["click", "auxclick"])
    listen(
      globalThis,
      kind,
      (event) => event.composedPath().some((node) => keeps(hrefOf(node))) && event.preventDefault(),
      true,
    );
  listen(globalThis, "submit", (event) => keeps(actionOf(event.target)) && event.preventDefault(), true);
};

// Whether a script rewrote rules of a style sheet, which tells nobody. To read all rules takes longer than a frame on a
// large page: there they are read after an action, while nothing happens, and once more after one of which nothing else
// was seen.


/** So many rules are read at once before an action. */
const MAX_AT_ONCE = 300;
/** So many in a row while nothing happens. */
const MAX_IN_A_ROW = 200;
/** More are not compared. */
const MAX_RULES = 10_000;

/** Sheet → a sum over the texts of its rules, and after which action it was made. @type {WeakMap<CSSStyleSheet, {sum: number, after: number}>} */
const known = new WeakMap();
/** How many actions were over; whether everything is read again after the last. */
let actions = 0;
let isRead = false;
/** What is still to be read. @type {CSSStyleSheet[]} */
let unread = [];
let isReading = false;

/** The sheets whose rules can be read: those of another site no script can write either. @param {Iterable<Node>} roots */
const readable$1 = (roots) => {
  /** @type {Map<CSSStyleSheet, CSSRuleList>} */
  const all = new Map();
  for (const root of roots)
    for (const sheet of sheetsOf(root))
      try {
        all.set(sheet, sheet.cssRules);
      } catch {
        continue;
      }
  return all;
};

const countOf$1 = (sheets) => [...sheets.values()].reduce((count, { length }) => count + length, 0);

const added = (sum, text) => {
  for (let index = 0; index < text.length; index += 1) sum = (Math.imul(sum, 31) + text.charCodeAt(index)) | 0;
  return sum;
};

/** @param {CSSStyleSheet} sheet @returns {Generator<void, number>} pauses after some rules */
function* summing(sheet) {
  const rules = sheet.cssRules;
  let sum = added(rules.length, sheet.media.mediaText);
  for (let index = 0; index < rules.length; index += 1) {
    sum = added(sum, rules[index].cssText);
    if (index % MAX_IN_A_ROW === MAX_IN_A_ROW - 1) yield;
  }
  return sum;
}

const sumOf = (sheet) => {
  const steps = summing(sheet);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return /** @type {number} */ (value);
  }
};

/** An action begins: of a small page everything is read anew. @param {Iterable<Node>} roots */
const readSheets = (roots) => {
  unread = [];
  const sheets = readable$1(roots);
  if (!isRead) actions += 1;
  isRead = false;
  if (countOf$1(sheets) > MAX_AT_ONCE) return;
  for (const sheet of sheets.keys()) known.set(sheet, { sum: sumOf(sheet), after: actions });
};

/** An action is over: of a large page everything is read again soon. @param {Iterable<Node>} roots */
const readSheetsLater = (roots) => {
  actions += 1;
  isRead = true;
  const sheets = readable$1(roots);
  const count = countOf$1(sheets);
  unread = count > MAX_AT_ONCE && count <= MAX_RULES ? [...sheets.keys()] : [];
  if (unread.length && !isReading) readOn();
};

const readOn = () => {
  isReading = true;
  /** @type {CSSStyleSheet|undefined} */
  let sheet;
  /** @type {Generator<void, number>|undefined} */
  let steps;
  const step = (deadline) => {
    do {
      if (sheet !== unread[0]) [sheet, steps] = [unread[0], unread.length ? summing(unread[0]) : undefined];
      if (!steps) return void (isReading = false);
      const { done, value } = steps.next();
      if (!done) continue;
      known.set(/** @type {any} */ (unread.shift()), { sum: value, after: actions });
    } while (deadline.timeRemaining() > 1);
    requestIdleCallback(step);
  };
  requestIdleCallback(step);
};

/** Whether so few rules are there that they were read just before the action. @param {Iterable<Node>} roots */
const hasFewRules = (roots) => countOf$1(readable$1(roots)) <= MAX_AT_ONCE;

/**
 * Whether any rule reads otherwise than before the action.
 * @param {Iterable<Node>} roots
 * @returns {boolean|null} null: nobody knows, since not all was read just before it
 */
const readOtherwise = (roots) => {
  const sheets = readable$1(roots);
  if (countOf$1(sheets) > MAX_RULES) return null;
  /** @type {boolean|null} */
  let isOther = false;
  for (const sheet of sheets.keys()) {
    const before = known.get(sheet);
    const sum = sumOf(sheet);
    if (before?.sum === sum) continue;
    if (before?.after === actions) return true;
    isOther = null;
  }
  return isOther;
};

// What a page shows or holds without a mutation or an event: highlights, states of its own elements, rules of its style
// sheets, invalid fields, the browser's lists and pickers.


/** More ranges of one highlight are only counted. */
const MAX_RANGES = 1000;

/**
 * @typedef {{highlights: any[], states: Element[], invalid: number, open: Element[], sheets: string, modes: any[]}} Silent
 *   each as a list to be compared: where the highlights are, which elements have a state of their own or an open list
 */

/** @param {Iterable<Node>} roots @returns {Silent} */
const silentStates = (roots) => {
  const all = [...roots].filter((root) => nodeType(root) === 11 || nodeType(root) === 9);
  const rootsSheets = all.map(sheetsOf);
  const names = new Set(rootsSheets.flatMap((sheets) => sheets.flatMap(namesOfStates)));
  return {
    highlights: all.flatMap(highlightsIn),
    states: [...names].flatMap((name) => all.flatMap((root) => [...withState(root, name)])),
    invalid: all.reduce((count, root) => count + queryAll(root, ":invalid").length, 0),
    open: all.flatMap((root) => [...queryTags(root, ["select", "input"], ":open")]),
    sheets: rootsSheets.flatMap((sheets) => sheets.map(countOf)).join(),
    modes: ["pictureInPictureElement", "pointerLockElement"].map((name) => propertyOf(document, name)),
  };
};

/** @param {Silent} before @param {Silent} now */
const sameSilence = (before, now) =>
  Object.keys(before).every((name) => {
    const [was, is] = [before[name], now[name]];
    return Array.isArray(was) ? was.length === is.length && was.every((one, at) => one === is[at]) : was === is;
  });

/** Elements of a root, and the host of a shadow root, with a state that a custom element gave itself. */
function* withState(root, name) {
  const selector = `:state(${name})`;
  yield* queryAll(root, selector);
  if (nodeType(root) === 11 && isConnected(root) && matches(hostOf(root), selector)) yield hostOf(root);
}

const highlightsIn = (root) => {
  const highlights = nodeType(root) === 9 ? defaultView(root)?.CSS.highlights : null;
  if (!highlights?.size) return [];
  return [...highlights].flatMap(([name, highlight]) => {
    const ranges = [...highlight].slice(0, MAX_RANGES);
    return [
      ...[name, highlight.size, highlight.priority, highlight.type],
      ...ranges.flatMap((one) => [one.startContainer, one.startOffset, one.endContainer, one.endOffset]),
    ];
  });
};

/** Whether a sheet counts, and of how many rules it is; that of another site tells nobody. */
const countOf = (sheet) => {
  try {
    return `${sheet.disabled ? "-" : ""}${sheet.cssRules.length}`;
  } catch {
    return sheet.disabled ? "-" : "+";
  }
};

// Where a document stands, in what no mutation and no event tells: the focus, the caret, what fields hold, the entry of
// the history, and what is shown around the target of an action. Compared before an action and after it.


const FIELDS$1 = ["input", "textarea", "select"];
/** More fields, and elements around the target, are not compared: an action does not wait for that. */
const MAX_FIELDS$1 = 1000;
const MAX_SEEN = 150;
/** So many elements up from the target what is shown is looked at first, the nearest of each. */
const LEVELS$1 = 4;
const MAX_OF_LEVEL = 30;
/** What the mouse over an element may change, beside the size and the visibility of those around it. */
const STYLES = ["transform", "clipPath", "zIndex", "filter", "color", "backgroundColor", "opacity", "content"];
const LAYERS = [null, "::before", "::after"];

/**
 * @typedef {{focus: Element|null, caret: any[]|null, entry: string, fields: [Element, any][],
 *   hasMoreFields: boolean, silent: import("./silent_states.js").Silent, moving: Set<Animation>,
 *   scene: [Element, number|string][], look: (element: Element) => number|string}} Standing `moving`: the animations that
 *   run; `look`: how the elements of the scene are looked at
 */

/** @param {Iterable<Node>} roots the document, and the shadow roots and documents in it @returns {Standing} */
const standing = (roots) => {
  const focus = innermostActive();
  return {
    ...{ focus, caret: caretOf(focus), entry: entryOf(), ...fieldsIn$1(roots), silent: silentStates(roots) },
    ...{ moving: new Set(allAnimations()), scene: [], look: lookOf },
  };
};

/** Once the target has got the focus for its keys, that is not an effect of them. @param {Standing} before */
const takeFocusFor = (before) => {
  before.focus = innermostActive();
  before.caret = caretOf(before.focus);
};

/**
 * What is shown around `element`, and of the rest of the page, as far as it is looked at.
 * @param {Standing} before
 * @param {Element} element
 * @param {boolean} byHover whether colours and the like count, too: of what is pressed they change in any case
 */
const addScene = (before, element, byHover) => {
  if (before.scene.length) return;
  if (byHover) before.look = (one) => `${lookOf(one)} ${styleOf(one)}`;
  const seen = new Set([element, ...first(elementsIn(element), MAX_OF_LEVEL)]);
  let around = element;
  for (let level = 0; level < LEVELS$1; level += 1) {
    const parent = flatParent(around);
    if (!parent || !isElement(parent) || tag(parent) === "html") break;
    for (const one of first(elementsBeside(around), MAX_OF_LEVEL)) seen.add(one);
    seen.add(parent);
    around = parent;
  }
  for (const one of elementsIn(document)) {
    if (seen.size >= MAX_SEEN) break;
    seen.add(one);
  }
  for (const one of seen) before.scene.push([one, before.look(one)]);
};

/** @param {Node} root */
function* elementsIn(root) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT);
  for (let one = walker.nextNode(); one; one = walker.nextNode()) yield /** @type {Element} */ (one);
}

/** The siblings of an element with what is in them, the nearest first. @param {Element} element */
function* elementsBeside(element) {
  let [after, before] = [nextElement(element), previousElement(element)];
  while (after || before)
    for (const one of [after, before]) {
      if (!one) continue;
      yield one;
      yield* elementsIn(one);
      if (one === after) after = nextElement(one);
      else before = previousElement(one);
    }
}

/**
 * @template T
 * @param {Iterable<T>} all
 * @param {number} most
 */
function* first(all, most) {
  let number = 0;
  for (const one of all) {
    if (number === most) return;
    number += 1;
    yield one;
  }
}

/**
 * What stands otherwise than before.
 * @param {Standing} before
 * @param {Iterable<Node>} roots those that it was noted of
 * @param {Element|null} target what was acted on
 * @param {boolean} byPress whether it was pressed, which moves focus and caret without more coming of it
 * @returns {{isSure: boolean, isLook: boolean, moved: Element|null}} isSure: something does; else `moved` does, but does so
 *   by itself, too; isLook: what is sure is only how something looks
 */
const standsOtherwise = (before, roots, target, byPress) => {
  const fields = before.fields.filter(([field, held]) => isConnected(field) && heldBy$1(field) !== held);
  const begun = animations$1().filter((one) => !before.moving.has(one));
  const looks = lookingOtherwise(before);
  const isElse =
    before.entry !== entryOf() ||
    hasFocusMoved(before, target, byPress) ||
    fields.some(([field]) => !changesBetweenLooks(field)) ||
    begun.some((one) => !changesBetweenLooks(targetOf(one)));
  const isLook = !sameSilence(before.silent, silentStates(roots)) || looks.isSure;
  const moved = fields[0]?.[0] ?? targetOf(begun[0]) ?? looks.moved;
  return { isSure: isElse || isLook, isLook: isLook && !isElse, moved };
};

/**
 * What looks otherwise; what is part of an animation that runs on does, whatever was done.
 * @param {Standing} before
 * @returns {{isSure: boolean, moved: Element|null}} `moved`: an animation of it has ended meanwhile
 */
const lookingOtherwise = ({ scene, look, moving }) => {
  const others = scene.filter(([element, looked]) => look(element) !== looked).map(([element]) => element);
  if (!others.length) return { isSure: false, moved: null };
  const running = new Set(allAnimations());
  /** @type {Element|null} */
  let moved = null;
  for (const element of others) {
    const its = [...moving].filter((one) => isPartOf(element, targetOf(one)));
    const gone = its.filter((one) => !running.has(one));
    if (!its.length || gone.some(({ effect }) => effect?.getComputedTiming().endTime === Infinity))
      return { isSure: true, moved };
    if (gone.length) moved = element;
  }
  return { isSure: false, moved };
};

const isPartOf = (element, animated) =>
  isElement(animated) && (flatContains(animated, element) || flatContains(element, animated));

/** What stands when an action is over, as far as the page may change it by itself. @param {Iterable<Node>} roots */
const afterwards = (roots) => ({ ...fieldsIn$1(roots), moving: new Set(allAnimations()) });

/** What a page changed since an action, as far as no mutation tells. @param {ReturnType<typeof afterwards>} after @returns {Node[]} */
const changedSinceThen = ({ fields, moving }) => [
  ...fields.filter(([field, held]) => isConnected(field) && heldBy$1(field) !== held).map(([field]) => field),
  ...animations$1()
    .filter((one) => !moving.has(one) && targetOf(one))
    .map(targetOf),
];

/** @param {Animation} [animation] @returns {any} */
const targetOf = (animation) => /** @type {KeyframeEffect|null|undefined} */ (animation?.effect)?.target ?? null;

const hasFocusMoved = ({ focus, caret }, target, byPress) => {
  const now = innermostActive();
  const writes = now !== null && (takesText(now) || isDateField(now) || tag(now) === "select");
  if (now !== focus) {
    if (!byPress || writes) return true;
    const isItsOwn = target && now && (flatContains(now, target) || flatContains(target, now));
    if (now !== null && !isWhole(now) && !isItsOwn) return true;
  }
  const at = byPress && !writes && getSelection()?.isCollapsed ? null : caretOf(now);
  return at !== null && (caret === null || at.some((end, index) => end !== caret[index]));
};

const isWhole = (element) => element === documentBody(document) || element === documentElement(document);

/** Where the caret stands, or what is selected; null where nothing is. */
const caretOf = (active) => {
  if (active && /^(input|textarea)$/.test(tag(active))) {
    const start = active.selectionStart;
    return typeof start === "number" ? [start, active.selectionEnd] : null;
  }
  const view = active ? ownerDocumentView(active) : window;
  const selection = view.getSelection();
  if (!selection || (selection.isCollapsed && !(active && isEditable(active)))) return null;
  return [selection.anchorNode, selection.anchorOffset, selection.focusNode, selection.focusOffset];
};

/** Another entry of the history under the same address, too. */
const entryOf = () => `${history.length} ${globalThis.navigation?.currentEntry?.id ?? ""}`;

/** A script may set what a field holds, which tells nobody. */
const heldBy$1 = (field) =>
  isCheckBox(field)
    ? field.indeterminate
      ? "mixed"
      : field.checked
    : tag(field) === "select" && field.multiple
      ? [...field.selectedOptions].map((option) => option.index).join()
      : isDateField(field)
        ? `${field.value} ${field.validity.badInput}`
        : field.value;

/** @param {Iterable<Node>} roots @returns {{fields: [Element, any][], hasMoreFields: boolean}} */
const fieldsIn$1 = (roots) => {
  /** @type {[Element, any][]} */
  const fields = [];
  for (const root of roots)
    for (const field of queryTags(root, FIELDS$1)) {
      if (fields.length === MAX_FIELDS$1) return { fields, hasMoreFields: true };
      fields.push([field, heldBy$1(field)]);
    }
  return { fields, hasMoreFields: false };
};

const SHOWN = { opacityProperty: true, visibilityProperty: true };

/** Those of a script; what is pressed has transitions of its own. */
const animations$1 = () => allAnimations().filter((one) => Object.getPrototypeOf(one) === Animation.prototype);
const allAnimations = () => Document.prototype.getAnimations.call(document);

/** Its colours, place and the like, and those of what its style draws before and after it. */
const styleOf = (element) => {
  if (!isConnected(element)) return "";
  return LAYERS.flatMap((layer) => {
    const style = getComputedStyle(element, layer);
    // Most elements have neither.
    return layer && style.content === "none" ? [] : STYLES.map((name) => style[name]);
  }).join();
};

/** Whether an element is shown, and how large; moved and coloured alone it looks the same. */
const lookOf = (element) => {
  if (!isConnected(element)) return 0;
  if (!Element.prototype.checkVisibility.call(element, SHOWN)) return 0;
  const { right, bottom, width, height } = rectOf(element);
  if (!width || !height || right + scrollX <= 0 || bottom + scrollY <= 0) return 0;
  if (!HTMLElement.prototype.isPrototypeOf(element)) return 1;
  return 1 + offsetWidth(element) * 65536 + offsetHeight(element);
};

// What a field of HTML's own takes: the format of its value and its options, and whether the browser shows a list or picker for it.


/** So many options a line names, of so many letters. */
const MAX_OPTIONS = 12;
const MAX_OPTION$1 = 40;
/** Fields whose value is in a form of its own, where it is not a plain number. */
const hasFormat = (element) => element.type in SET_FORMATS && element.type !== "range";

/** The format and bounds in words: "YYYY-MM-DD from 2026-01-01"; "" for fields that take any text. */
const formatOf = (element) => {
  if (tag(element) !== "input" || !(hasFormat(element) || /^(range|number)$/.test(element.type))) return "";
  const bound = (name, word) => (attribute(element, name) ? `${word} ${attribute(element, name)}` : "");
  const step = attribute(element, "step");
  return [
    hasFormat(element) ? SET_FORMATS[element.type] : "",
    bound("min", "from"),
    bound("max", "to"),
    step && step !== "1" && step !== "any" ? `step ${step}` : "",
  ]
    .filter(Boolean)
    .join(" ");
};

/** @returns {{texts: string[], count: number}|null} the options of a list that is closed, the first of them, and how many */
const optionsOf = (element) => {
  const all = optionElements(element);
  if (!all || isSecret(element)) return null;
  const texts = all.map((option) => clipped(squeeze(option.label || option.value), MAX_OPTION$1)).filter(Boolean);
  return texts.length ? { texts: texts.slice(0, MAX_OPTIONS), count: texts.length } : null;
};

const optionElements = (element) => {
  const name = tag(element);
  if (name === "select") return element.multiple || element.size > 1 ? null : [...element.options];
  const list = name === "input" && hasAttribute(element, "list") ? byId(element, attribute(element, "list")) : null;
  return list && tag(list) === "datalist" ? [...queryAll(list, "option")] : null;
};

/** Whether the browser shows a list or picker of its own for a field, which is not part of the page. */
const showsPopup = (element) => /^(select|input)$/.test(tag(element)) && matches(element, ":open");

/** @returns {string|null} in words the list or picker the browser shows, and what to do about it */
const openPopup = () => {
  const [field] = queryAll(document, "select:open, input:open");
  if (!field) return null;
  return tag(field) === "select"
    ? `the list of ${inWords(field)} is open; choose with kapturemcp_select, or close it with Escape`
    : `the picker of ${inWords(field)} is open; give it a value with kapturemcp_fill (${formatOf(field)}), or close it with Escape`;
};

// What states an element is in and what it holds: the words of Chrome's accessibility tree, without those that say nothing.


const rolesOf = (words) => new Set(words.split(/\s+/));
/** Which roles can be in a state: on others its attribute means nothing. */
const CHECKABLE = rolesOf("checkbox menuitemcheckbox menuitemradio option radio switch treeitem");
const PARTLY_CHECKED = rolesOf("checkbox menuitemcheckbox option treeitem");
const SELECTABLE = rolesOf("columnheader gridcell option row rowheader tab treeitem");
const MULTISELECTABLE = rolesOf("grid listbox tablist tree treegrid");
const LEVELLED = rolesOf("listitem row treeitem");
const EXPANDABLE = rolesOf(
  `application button checkbox columnheader combobox gridcell link listitem menuitem menuitemcheckbox menuitemradio row
   rowheader switch tab treeitem`,
);
const REQUIRABLE = rolesOf(
  "checkbox columnheader combobox gridcell listbox radiogroup rowheader searchbox spinbutton switch textbox tree treegrid",
);
const READ_ONLY = rolesOf(
  "checkbox columnheader combobox grid gridcell listbox radiogroup rowheader searchbox slider spinbutton switch textbox treegrid",
);
const POPPING = rolesOf(
  "application button checkbox combobox gridcell link menuitem slider switch tab textbox searchbox treeitem",
);
const RANGES = rolesOf("meter progressbar scrollbar separator slider spinbutton");
const WITHOUT_READ_ONLY = /^(button|checkbox|color|file|hidden|image|radio|range|reset|submit)$/;
const WITHOUT_VALUE = /^(button|checkbox|hidden|image|radio|reset|submit)$/;

/** The states in words: "disabled", "checked=mixed", "level=2", … */
const statesOf = (element, role) => {
  const states = [];
  for (const read of STATES) {
    const state = read(element, role);
    if (state) states.push(state);
  }
  return states;
};

/** The value of an aria attribute in small letters; null where it says nothing. */
const ariaOf = (element, name) => {
  const value = attribute(element, `aria-${name}`)?.toLowerCase();
  return value && value !== "undefined" ? value : null;
};
const isTrue = (value) => value !== null && value !== "false";

/** By itself, by the field set or list it is in, or, where it takes the focus, by anything around it. */
const isDisabled$1 = (element) => {
  const name = tag(element);
  const ownWay = name !== "fieldset" && name !== "optgroup";
  if (ownWay && matches(element, name === "option" ? ":disabled, select:disabled option" : ":disabled")) return true;
  const own = ariaOf(element, "disabled");
  if (own !== null) return isTrue(own);
  return isFocusable(element) && isWithinDisabled(element);
};

const isWithinDisabled = (element) => {
  for (let node = element; isElement(node); node = rootOf(node).host) {
    const said = closest(node, "[aria-disabled]:not([aria-disabled=''])");
    if (said) return isTrue(ariaOf(said, "disabled"));
  }
  return false;
};

const checkedOf = (element, role) => {
  if (!CHECKABLE.has(role)) return "";
  const aria = ariaOf(element, "checked");
  const mixed = isCheckBox(element) ? element.indeterminate : aria === "mixed";
  if (mixed) return PARTLY_CHECKED.has(role) ? "checked=mixed" : "";
  return (isCheckBox(element) ? element.checked : aria === null ? showsState(element, "checked") : isTrue(aria))
    ? "checked"
    : "";
};

const isSelected = (element, role) => {
  if (!SELECTABLE.has(role)) return false;
  if (tag(element) === "option") return element.selected && !isOfSecret(element);
  const aria = ariaOf(element, "selected");
  return aria === null ? role === "tab" && isComponent(element) && hasAttribute(element, "active") : isTrue(aria);
};

const isOfSecret = (option) => {
  const list = closest(option, "select");
  return list !== null && isSecret(list);
};

const isComponent = (element) => tag(element).includes("-");

/** A component may tell a state to the browser alone (ElementInternals): then how it looks is all there is to see. */
const showsState = (element, state) => {
  if (!isComponent(element)) return false;
  const shadow = shadowRootOf(element);
  return matches(element, `:state(${state})`) || (shadow !== null && queryAll(shadow, `.${state}`).length > 0);
};

const expandedOf = (element, role) => {
  if (showsPopup(element)) return "expanded";
  const open =
    popoverOpen(element) ??
    (role === "button" && tag(element) === "summary" ? hasAttribute(parentNode(element), "open") : null);
  if (open !== null) return open ? "expanded" : "collapsed";
  const aria = EXPANDABLE.has(role) ? ariaOf(element, "expanded") : null;
  return aria === null ? "" : isTrue(aria) ? "expanded" : "collapsed";
};

/** Whether the popover a button opens is open; null for other elements. */
const popoverOpen = (element) => {
  if (!hasAttribute(element, "popovertarget") && !/-popover$/.test(attribute(element, "command") ?? "")) return null;
  const popover = element.popoverTargetElement ?? element.commandForElement;
  return isElement(popover) && hasAttribute(popover, "popover") ? matches(popover, ":popover-open") : null;
};

const pressedOf = (element, role) => {
  const aria = role === "button" ? ariaOf(element, "pressed") : null;
  return aria === "mixed" ? "pressed=mixed" : isTrue(aria) ? "pressed" : "";
};

const isRequired = (element, role) =>
  matches(element, ":required") || (REQUIRABLE.has(role) && isTrue(ariaOf(element, "required")));

const isReadOnly = (element, role) => {
  if (element.readOnly === true && isNativeField(element) && !WITHOUT_READ_ONLY.test(element.type)) return true;
  return READ_ONLY.has(role) && isTrue(ariaOf(element, "readonly"));
};

/** What the page or the browser holds to be wrong; that something is still missing is told by "required". */
const isInvalid = (element) => {
  const aria = ariaOf(element, "invalid");
  if (aria !== null) return isTrue(aria);
  const name = tag(element);
  if (name === "form" || name === "fieldset" || !matches(element, ":invalid")) return false;
  return !element.validity?.valueMissing || element.validity.customError;
};

const isMultiselectable = (element, role) =>
  MULTISELECTABLE.has(role) &&
  (tag(element) === "select" ? element.multiple : isTrue(ariaOf(element, "multiselectable")));

/** Which element its composite says is the one that keys act on. */
const isActive = (element) => remembered("active", rootOf(element), activeIn).has(element);
const activeIn = (root) =>
  new Set(
    nodeType(root) === 1
      ? []
      : [...queryAll(root, "[aria-activedescendant]")].map((owner) =>
          byId(owner, attribute(owner, "aria-activedescendant")),
        ),
  );

const sortOf = (element, role) => {
  const sort = role === "columnheader" || role === "rowheader" ? ariaOf(element, "sort") : null;
  return /^(ascending|descending|other)$/.test(sort ?? "") ? `sort=${sort}` : "";
};

/** What a press opens, as its author says. */
const popupOf = (element, role) => {
  const popup = POPPING.has(role) ? ariaOf(element, "haspopup") : null;
  if (popup === "true" || popup === "menu") return "haspopup=menu";
  return /^(dialog|grid|listbox|tree)$/.test(popup ?? "") ? `haspopup=${popup}` : "";
};

/** The number behind a value that is told in words. */
const numberOf$1 = (element, role) => {
  const number = RANGES.has(role) && hasAttribute(element, "aria-valuetext") ? ariaOf(element, "valuenow") : null;
  return number !== null && Number.isFinite(Number(number)) ? `valuenow=${Number(number)}` : "";
};

/** A picture that was asked for and cannot be shown. */
const isBroken = (element) =>
  tag(element) === "img" &&
  propertyOf(element, "complete") &&
  propertyOf(element, "naturalWidth") === 0 &&
  ["src", "srcset"].some((name) => attribute(element, name));

const levelOf = (element, role) => {
  const given = attribute(element, "aria-level");
  if (given && (role === "heading" || LEVELLED.has(role))) return `level=${Math.max(1, parseInt(given, 10) || 1)}`;
  return role === "heading" ? `level=${/^h([1-6])$/.exec(tag(element))?.[1] ?? 2}` : "";
};

/** The innermost element that has the focus: keys go there. */
const isFocused = (element) => element === remembered("focused", document, innermostFocused);
const innermostFocused = () => {
  let active = place?.focused === false ? null : activeElement(document);
  for (let deeper = active; deeper && isElement(deeper); deeper = activeWithin(deeper)) active = deeper;
  return active === documentBody(document) ? null : active;
};

const STATES = [
  (element) => isDisabled$1(element) && "disabled",
  checkedOf,
  (element, role) => isSelected(element, role) && "selected",
  expandedOf,
  pressedOf,
  (element, role) => isMultiselectable(element, role) && "multiselectable",
  (element, role) => isRequired(element, role) && "required",
  (element, role) => isReadOnly(element, role) && "readonly",
  (element) => isInvalid(element) && "invalid",
  (element) => isTrue(ariaOf(element, "current")) && "current",
  levelOf,
  sortOf,
  popupOf,
  numberOf$1,
  (element) => isBroken(element) && "broken",
  (element) => isActive(element) && "active",
  (element) => isFocused(element) && "focused",
];

/** What a field or a range holds; of a secret no more than that there is one. */
const valueOf = (element, role) => {
  const name = tag(element);
  if (isSecret(element)) return "•".repeat(Math.min(secretIn(element).length, 8));
  if (name === "input" && element.type === "file") return [...element.files].map((file) => file.name).join(", ");
  if (name === "input") return WITHOUT_VALUE.test(element.type) ? "" : element.value;
  if (name === "textarea") return element.value;
  if (name === "select")
    return role === "combobox" ? [...element.selectedOptions].map((option) => option.label).join(", ") : "";
  if (name === "progress") return hasAttribute(element, "value") ? String(element.value) : "";
  if (name === "meter") return String(element.value);
  if (isEditingHost(element) || role === "textbox" || role === "searchbox")
    return (propertyOf(element, "innerText") ?? "").replace(/\u00a0/g, " ").trimEnd();
  return RANGES.has(role) ? (attribute(element, "aria-valuetext") ?? attribute(element, "aria-valuenow") ?? "") : "";
};

// What the target of an action holds and which states it is in, to be told before the action and after it.


/** Of a value no more letters are told. */
const MAX_VALUE = 80;
/** What carries states, when something in it is pressed. */
const CARRIERS =
  "input, select, textarea, button, summary, option, a[*|href], [role]:not([role=presentation], [role=none])";
const LEVELS = 4;

/**
 * @typedef {{focused: boolean, value: string, checked: boolean|"mixed", selected: boolean, expanded: boolean|null,
 *   pressed: boolean|"mixed", isSecret: boolean}} TargetState `expanded`: null where nothing opens
 * @typedef {{focused?: boolean[], value?: string[], length?: number[], checked?: (boolean|"mixed")[], selected?: boolean[],
 *   expanded?: (boolean|null)[], pressed?: (boolean|"mixed")[]}} TargetChanges as [before, after]; `length`: of a secret
 */

/** The element whose states an action on `element` is about: the control of a label, the button around an icon. */
const carrierOf = (element) => {
  const own = fieldOf(element);
  if (own !== element) return own;
  const label = closest(element, "label");
  if (label && fieldOf(label) !== label) return fieldOf(label);
  for (let node = element, level = 0; node && level < LEVELS; node = flatParent(node), level += 1)
    if (isElement(node) && matches(node, CARRIERS)) return node;
  return element;
};

/** @returns {TargetState|null} null: it is in the page no more */
const targetState = (element) => {
  if (!isConnected(element)) return null;
  return remembering(() => {
    const role = roleOf(element);
    const states = new Set(statesOf(element, role));
    const threefold = (name) => (states.has(`${name}=mixed`) ? "mixed" : states.has(name));
    const secret = isSecret(element);
    return {
      focused: hasFocus(element),
      value: secret ? secretIn(element) : valueOf(element, role),
      checked: threefold("checked"),
      selected: states.has("selected"),
      expanded: states.has("expanded") ? true : states.has("collapsed") ? false : null,
      pressed: threefold("pressed"),
      isSecret: secret,
    };
  });
};

/** What of a state says that the target itself took the action. */
const OWN = /** @type {const} */ (["checked", "selected", "expanded", "pressed"]);

/**
 * What is different after an action; of a secret only how long it is.
 * @param {TargetState} before
 * @param {TargetState} after
 * @returns {TargetChanges}
 */
const changesOf = (before, after) => {
  /** @type {Record<string, any[]>} */
  const changes = {};
  for (const name of /** @type {const} */ (["focused", ...OWN]))
    if (before[name] !== after[name]) changes[name] = [before[name], after[name]];
  if (before.value !== after.value)
    Object.assign(
      changes,
      before.isSecret || after.isSecret
        ? { length: [before.value.length, after.value.length] }
        : { value: [clipped(before.value, MAX_VALUE), clipped(after.value, MAX_VALUE)] },
    );
  return changes;
};

/** Whether the target's own state is another one, whatever has the focus. @param {TargetChanges} changes */
const isOwnChange = (changes) => Object.keys(changes).some((name) => name !== "focused");

/** What stands in a field: its value, of a secret how long it is. @returns {{value?: string, length?: number}} */
const standsIn = (element) => {
  const state = targetState(element);
  if (!state) return {};
  return state.isSecret ? { length: state.value.length } : { value: clipped(state.value, MAX_VALUE) };
};

const isPicture = (element) => /^(canvas|video|audio|embed|object)$/.test(tag(element));

// What an action did to the page: mutations and events between `observe` and `settled`, what no event tells of
// (standing.js), and the states of its target. The first effect ends the watching; from `settled` on it is watched again,
// for what the page does by itself, and for a dialog that opens by itself: behind one nothing can be begun.


/**
 * Before an action shadow roots are looked for among so many elements: more take longer than a frame. Of larger documents
 * those are watched that are known, and after an action of which nothing is seen it is looked whether there are others.
 */
const MAX_BEFORE = 1000;
/** Not even then among more. */
const MAX_AFTER = 20_000;
/** What was looked through just now is not looked through again. */
const FRESH_MS = 1000;

/** The page is scrolled to bring the target into view, which nobody asked it for. */
const watch = new PageWatch(
  ({ type }) => type === "scroll" && baseline !== null && baseline.byPress && !isPressed(baseline),
);
watch.onUnread = () => baseline && (baseline.copied = true);

/**
 * What the action under way is measured against.
 * @typedef {{since: number, before: import("./standing.js").Standing, element: Element|null, carrier: Element|null, root: any, refused: any,
 *   state: import("./target_state.js").TargetState|null, byPress: boolean, isGiven: boolean, copied: boolean,
 *   writes: boolean, hadUnwatched: boolean, doubt: string|null, isLookedAt: boolean, isBegun: boolean,
 *   expected: (() => boolean|null)[]}} Baseline `since`: as `Date.now()` has it;
 *   `root`: where the carrier was; `refused`: the first field whose
 *   value was refused; `byPress`: the target is pressed; `isGiven`: the action gives it the focus; `writes`: text is put into it;
 *   `hadUnwatched`: a shadow root was found only after it; `doubt`: in words what changed but may not be its effect;
 *   `isLookedAt`: it was asked before what changed; `isBegun`: its target was found; `expected`: what shall hold once all is done, null where that cannot be
 *   told any more
 */

/** @type {Baseline|null} */
let baseline = null;

/** When shadow roots were last looked for in all of the document, as `performance.now()` has it. */
let lookedAt = -Infinity;

/** What was so when the last action was over. @type {ReturnType<typeof afterwards>|null} */
let after = null;

/** An action begins, or the page is only watched until the next one. */
const observe = (isAction = true) => {
  driven();
  const focus = innermostActive();
  const known = [...watch.roots, focus && rootOf(focus)].filter((root) => root && isThere(root));
  const roots = new Set([document, ...rootsBelow(document, MAX_BEFORE), ...known]);
  if (after) noteLook(changedSinceThen(after));
  baseline = {
    since: Date.now(),
    before: standing(roots),
    element: null,
    carrier: null,
    root: null,
    refused: null,
    state: null,
    byPress: false,
    isGiven: false,
    copied: false,
    writes: false,
    hadUnwatched: false,
    doubt: null,
    isLookedAt: false,
    isBegun: false,
    expected: [],
  };
  if (isAction) readSheets(roots);
  else readSheetsLater(roots);
  watch.begin(roots, isAction);
};

/** From now on it is noted what the page does by itself; what an action does is told from `observe` on. */
const noteOwnMotion = () => watch.roots.size === 0 && watch.begin([document], false);

/** The target was waited for: what changed meanwhile is not the action's effect. */
const beginNow = () => {
  if (!baseline || baseline.isBegun) return;
  baseline.isBegun = true;
  if (!watch.forgetEarlier()) return;
  const { scene, look } = baseline.before;
  baseline.before = { ...standing(watch.roots), look, scene: scene.map(([element]) => [element, look(element)]) };
};

/** Whether a shadow root, or the document of a frame, is shown still. */
const isThere = (root) => (nodeType(root) === 9 ? defaultView(root) !== null : isConnected(root));

/** How many elements there are; a document keeps the count until it changes. */
const countBelow = (root) => (nodeType(root) === 9 ? allIn(root) : queryAll(root, "*")).length;

/** The shadow roots, of at most `most` elements, and the documents of frames that can be read. */
function* rootsBelow(root, most) {
  if (countBelow(root) <= most)
    for (const element of queryAll(root, "*")) {
      const inside = openRootOf(element) ?? closedRoots.get(element);
      if (inside) yield* [inside, ...rootsBelow(inside, most)];
    }
  // A document knows of how many frames there are outside its shadow roots; to look for them takes going through all of it.
  if (nodeType(root) === 9 && !defaultView(root)?.length) return;
  for (const frame of queryAll(root, "iframe, frame, object, embed")) {
    const inside = isFrame(frame) ? frameDocument(frame) : null;
    if (inside) yield* [inside, ...rootsBelow(inside, most)];
  }
}

/** Watch, from now on, the roots that were not known before the action; whether there are any. */
const findUnwatched = () => {
  if (performance.now() - lookedAt < FRESH_MS) return false;
  lookedAt = performance.now();
  const before = watch.roots.size;
  for (const root of rootsBelow(document, MAX_AFTER)) watch.watch(root);
  return watch.roots.size > before;
};

/** Resolves at the first change since the last look. */
const firstSign = () =>
  new Promise((resolve) => {
    if (!baseline || watch.changed) resolve(null);
    else watch.onSign = () => resolve(null);
  });

/** Whether anything changed since the last look, which goes on. */
const changedSince = () => baseline !== null && watch.changed;

/**
 * What the action is done to: it, and the shadow root or frame it is in, is watched for as long as anything is.
 * @param {Element} element
 * @param {{byPress?: boolean, byHover?: boolean, looksAround?: boolean}} how `byPress`: it is scrolled to and pressed;
 *   `byHover`: or the mouse moves over it; `looksAround`: what is shown around it may be all that changes
 */
const watchTarget = (element, { byPress = false, byHover = false, looksAround = true } = {}) => {
  const root = rootOf(element);
  watch.watch(root);
  if (!baseline || (baseline.element && isConnected(baseline.element))) return;
  const carrier = carrierOf(element);
  Object.assign(baseline, { element, carrier, root: rootOf(carrier), state: targetState(carrier), byPress });
  if (looksAround) addScene(baseline.before, element, byHover);
};

/** Once the target was given the focus: what comes now is the keys' effect. @param {boolean} writes text is put into it */
const watchKeys = (element, writes = false) => {
  if (!baseline) return;
  Object.assign(baseline, { byPress: false, writes });
  if (element) takeFocusFor(baseline.before);
};

/** The action gives its target the focus, which is not news then. */
const giveFocus = () => baseline && (baseline.isGiven = true);

/** What shall hold when the action is told. @param {() => boolean|null} holds */
const expect = (holds) => baseline?.expected.push(holds);

/**
 * What changed so far; of a document nobody watched it cannot be said that nothing did.
 * @param {number|null} press the number of the one whose guard ends (press_guard.js)
 */
const observed = (press = null) => {
  if (press !== null) endGuard$1(press);
  return look(true);
};

/** @param {boolean} isLast whether it is not asked again where nothing was seen */
const look = (isLast) => {
  const facts = baseline ? factsOf(baseline, watch.changed, isLast) : { changed: true };
  const roots = watch.roots.size ? watch.roots : [document];
  watch.onSign();
  watch.onSign = () => {};
  watch.begin(roots, !(isLast || facts.changed));
  after = afterwards(roots);
  if (isLast || facts.changed) readSheetsLater(roots);
  return { ...facts, ...state() };
};

/**
 * @param {Baseline} about
 * @param {boolean} hasChanged
 * @param {boolean} isLast
 */
const factsOf = (about, hasChanged, isLast) => {
  const { state: before, byPress, expected, writes } = about;
  const carrier = about.carrier && (isConnected(about.carrier) ? about.carrier : remadeOf(about));
  const now = carrier && before && targetState(carrier);
  const target = now ? changesOf(before, now) : {};
  // Whatever is pressed gets the focus; of a field that takes text it is why it was pressed.
  if (target.focused?.[1] && (about.isGiven || (byPress && !takesText(carrier) && !isDateField(carrier))))
    delete target.focused;
  const isOwn = isOwnChange(target);
  about.doubt ??= watch.doubt;
  const changed = hasChanged || isOwn || isOtherwise(about, isLast);
  about.isLookedAt = true;
  about.refused ??= watch.refused;
  const invalid = about.refused ? invalidIn(about.refused) : [];
  const held = expected.map((holds) => holds());
  return {
    changed,
    ...(Object.keys(target).length && { target }),
    ...(isOwn && { isOwn }),
    ...(invalid.length && { invalid }),
    ...(held.length && { holds: !held.includes(false) }),
    ...(writes && now && { stands: standsIn(carrier) }),
    hasInput: isPressed(about),
    ...(!changed && unseenBy(about)),
  };
};

/** The element that a page has made anew under the target's id. @param {Baseline} about @returns {Element|null} */
const remadeOf = ({ carrier, root }) => {
  const id = attribute(carrier, "id");
  const other = id && root && isThere(root) ? [...queryAll(root, `#${CSS.escape(id)}`)] : [];
  return other.length === 1 && tag(other[0]) === tag(carrier) ? other[0] : null;
};

const MAX_INVALID = 5;
const MAX_MESSAGE = 150;

/** The fields of a form that are refused, with the browser's words, or those of the page. @returns {{field: string, message: string}[]} */
const invalidIn = (first) => {
  const { form } = first;
  const fields = form ? [...formElements(form)].filter((field) => matches(field, ":invalid:not(fieldset)")) : [first];
  return fields
    .filter((field) => field.validationMessage)
    .slice(0, MAX_INVALID)
    .map((field) => ({
      field: [clipped(nameOf(field), MAX_FIELD), inWords(field)].filter(Boolean).join(" "),
      message: clipped(field.validationMessage, MAX_MESSAGE),
    }));
};
const MAX_FIELD = 60;

/**
 * Whether anything stands otherwise; where something moved by itself meanwhile, looks and style sheets may have changed with
 * that.
 */
const isOtherwise = (about, isLast) => {
  const { isSure, isLook, moved } = standsOtherwise(about.before, watch.roots, about.element, about.byPress);
  if (isSure && !(isLook && about.doubt)) return true;
  if (moved) about.doubt ??= ownDoing(moved);
  if (about.doubt || !(isLast || hasFewRules(watch.roots))) return false;
  const rules = readOtherwise(watch.roots);
  if (rules === null) about.doubt = "the page has more style rules than were compared";
  return rules === true;
};

/** Whether the mouse or a key was pressed since the action began, in this document or in that of the focus. */
const isPressed = ({ since }) => {
  const active = innermostActive();
  const views = [window, active && ownerDocumentView(active)];
  return views.some((view) => (view?.kapture?.lastInput() ?? -Infinity) >= since);
};

/** @returns {{unseen?: string}} in words what may have changed where no look at the page shows it */
const unseenBy = (about) => {
  const { carrier, element, copied, byPress, doubt } = about;
  about.hadUnwatched ||= findUnwatched();
  if (doubt) return { unseen: doubt };
  if (about.before.hasMoreFields) return { unseen: "the page has more fields than are compared" };
  if (about.hadUnwatched) return { unseen: "a part of the page (a shadow root) was not watched before" };
  if (copied || (carrier && writesToClipboard(carrier))) return { unseen: "the clipboard is not read" };
  const active = byPress ? null : innermostActive();
  if (active && isDateField(active))
    return { unseen: "what a date field shows is not read until its date is complete" };
  const drawn = [carrier, active].find((one) => one && isPicture(one)) ?? anyCanvas(watch.roots);
  if (drawn) return { unseen: `what a <${tag(drawn)}> shows is not read` };
  const custom = [carrier, element].find((one) => one && hasInnerStates(one));
  if (custom) return { unseen: `states that a <${tag(custom)}> gives itself (ElementInternals) are not read` };
  const elsewhere = carrier && otherTabOf(carrier);
  return elsewhere ? { unseen: `it opens in the tab or window called ${JSON.stringify(elsewhere)}` } : {};
};

/** Whether it is a custom element, which may change without a word to its document. */
const hasInnerStates = (element) => tag(element).includes("-") && matches(element, ":defined");

/** Smaller ones show no more than an icon. */
const MIN_CANVAS_PX = 24;
/** @param {Iterable<Node>} roots */
const anyCanvas = (roots) => {
  for (const root of roots)
    for (const canvas of queryAll(root, "canvas")) {
      const { width, height } = rectOf(canvas);
      if (width >= MIN_CANVAS_PX && height >= MIN_CANVAS_PX) return canvas;
    }
  return null;
};

/** The name of another tab or window, which may have been open, that a link or the button of a form leads to. */
const otherTabOf = (element) => {
  const link = callOn(element, "closest", "a[*|href], area[href]");
  const form = matches(element, "[type=submit], [type=image], button:not([type])") && propertyOf(element, "form");
  const name = link
    ? attribute(link, "target")
    : form && (attribute(element, "formtarget") ?? attribute(form, "target"));
  if (!name || name.startsWith("_")) return null;
  const isFrame = [...queryAll(document, "iframe[name], frame[name]")].some(
    (frame) => attribute(frame, "name") === name,
  );
  return isFrame ? null : name;
};

/** The action that was asked about goes on: its requests are waited for. */
const goOn = () => watch.goOn();

/** What changed up to the next frame. @param {number|null} press whose guard ends before that */
const settled = async (press = null) => {
  if (press !== null) endGuard$1(press);
  await nextFrame();
  return look(baseline === null || baseline.isLookedAt);
};

const state = () => ({ url: document.location.href, title: documentTitle(document) });

// Bringing elements into view, and what scrolls.


/**
 * Scroll what is around an element until a point of it is in the middle; only in documents that can be read from
 * here, since a browser scrolls other processes' documents later.
 * @returns how far the point has moved
 */
const centre = (element, point) => {
  const before = middleOf(element);
  const shift = () => {
    const now = middleOf(element);
    return { x: now.x - before.x, y: now.y - before.y };
  };
  for (let box = flatParent(element); box; box = flatParent(box)) {
    if (!isElement(box)) continue;
    const root = isRoot(box);
    if (!root && !scrolls(box)) continue;
    const { innerWidth: width, innerHeight: height } = ownerDocumentView(box);
    const area = toTop(box, root ? { x: 0, y: 0, width, height } : rectOf(box));
    const moved = shift();
    const away = {
      x: point.x + moved.x - (area.left + area.right) / 2,
      y: point.y + moved.y - (area.top + area.bottom) / 2,
    };
    const { x: left, y: top } = unturned(layOf(box), away);
    callOn(box, "scrollBy", { left, top, behavior: "instant" });
  }
  return shift();
};

/** Scroll to an element, which stands for `meant`. @returns whether it had to scroll */
const bringIntoView = async (element, meant = element) => {
  if (inView(element, meant)) return false;
  scrollToMiddle(element);
  // The compositor needs two frames before input goes where the page shows it; those of a frame of another origin
  // are waited for when the frames around it are scrolled, too.
  if (!place) await twoFrames();
  return true;
};

const scrollToMiddle = (element) => {
  if (place || !hasOwnBox(element)) centre(element, middleOf(element));
  else callOn(element, "scrollIntoView", { block: "center", inline: "center", behavior: "instant" });
};

/** The middle of what is seen of an element first. */
const middleOf = (element) => {
  const { left, top, width, height } = boxesOf(element)[0] ?? rectOf(element);
  return outward(layOf(element), { x: left + width / 2, y: top + height / 2 });
};

/** Whether its own box is all there is to see of it. */
const hasOwnBox = (element) => {
  const { left, top, width, height } = rectOf(element);
  const [box] = boxesOf(element);
  return box?.left === left && box.top === top && box.width === width && box.height === height;
};

const inView = (element, meant) => {
  const { x, y } = middleOf(element);
  if (!within$2(ownWindow(), x, y)) return false;
  const hit = hitAt(x, y);
  return hit !== null && (belongsTo(hit, meant) || flatContains(element, hit));
};

/** The element itself or its nearest ancestor that scrolls along this way. */
const scrollBoxOf = (element, by) => {
  for (let box = element; box; box = flatParent(box)) {
    if (isElement(box) && (isRoot(box) ? pageScrolls(box, by) : scrolls(box, by))) return box;
  }
  return scrollingElement(document);
};

const isRoot = (box) => box === scrollingElement(ownerDocument(box));

/** Whether the document of this root scrolls along this way, and has not been kept from that. */
const pageScrolls = (root, { x, y }) => {
  const styles = [documentElement(ownerDocument(root)), documentBody(ownerDocument(root))].filter(Boolean).map(styleOf$1);
  // What the first of them says that says anything goes for the window.
  const { overflowX, overflowY } = styles.find((style) => style.overflowY !== "visible") ?? styles[0];
  const allowed = (overflow, by) => (/hidden|clip/.test(overflow) ? 0 : by);
  return hasRoom(root, { x: allowed(overflowX, x), y: allowed(overflowY, y) });
};

/** Whether there is more of what a box holds than it shows, along this way. */
const hasRoom = (box, { x, y }) =>
  Boolean((y && scrollHeight(box) > clientHeight(box)) || (x && scrollWidth(box) > clientWidth(box)));

const ANY_WAY = { x: 1, y: 1 };

const scrolls = (box, { x, y } = ANY_WAY) => {
  const style = styleOf$1(box);
  const allowed = (overflow, by) => (/auto|scroll|overlay/.test(overflow) ? by : 0);
  return hasRoom(box, { x: allowed(style.overflowX, x), y: allowed(style.overflowY, y) });
};

// What moves on the page by itself: scrolls under way and animations.


/**
 * When a scroll under way was last heard of; null when it has ended.
 * @type {number|null}
 */
let scrolledAt = null;
/** The browser does not tell the end of every scroll: of one it has not told for so long, none is under way. */
const SCROLL_MS = 150;
const isScrolling = () => scrolledAt !== null && performance.now() - scrolledAt < SCROLL_MS;

const animations = (root) =>
  Document.prototype.getAnimations.call(root).filter(({ playState }) => playState === "running");
const hasAnimation = (root) => animations(root).length > 0;
/** A scroll, or an animation that ends, is under way; one without end, such as a spinner, is waited for by nobody. */
const isMoving = (root) =>
  isScrolling() || animations(root).some(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);

/** While something moves, an element has to be in the same place in two frames. */
const demandStill = async (element) => {
  if (!isMoving(ownerDocument(element))) return;
  const before = rectOf(element);
  await nextFrame();
  const now = rectOf(element);
  if (["left", "top", "width", "height"].some((side) => Math.abs(before[side] - now[side]) > STILL_PX))
    throw new NotReady("ELEMENT_NOT_VISIBLE", `${inWords(element)} is moving`, "wait until it stands still");
};
const STILL_PX = 0.5;

/** From now on scrolls are heard of. */
const watchScrolling = () => {
  listen(document, "scroll", () => (scrolledAt = performance.now()), { capture: true, passive: true });
  listen(document, "scrollend", () => (scrolledAt = null), { capture: true, passive: true });
};

// Where an element can be pressed.


/** Where in a box it is looked first, as parts of its width and height. */
const PROBES = [
  [0.5, 0.5],
  [0.25, 0.5],
  [0.75, 0.5],
  [0.5, 0.25],
  [0.5, 0.75],
];
/** Where it is looked after that, and as near to each side. */
const FINE = [0.1, 0.3, 0.5, 0.7, 0.9];
const EDGE_PX = 2;
/** Of an element in many pieces so many are looked at closely. */
const MAX_FINE = 10;
/** So far beyond the middle, as a part of the box, a drag ends. */
const BEYOND = 0.2;

/** A little beyond the middle, along the longer side of the way. */
const beyond = ({ x, y }) => [
  Math.abs(x) > Math.abs(y) ? [0.5 + BEYOND * Math.sign(x), 0.5] : [0.5, 0.5 + BEYOND * Math.sign(y)],
];

const probe$1 = ({ left, top, width, height }, parts) =>
  parts.map(([across, down]) => ({ x: left + width * across, y: top + height * down }));

const finely = ({ left, top, width, height }) => {
  const along = (start, size) => [start + EDGE_PX, ...FINE.map((part) => start + size * part), start + size - EDGE_PX];
  return along(left, width).flatMap((x) => along(top, height).map((y) => ({ x, y })));
};

/** Points where an element may be met, in its document's viewport, in rounds: the next one is for when all before miss. */
function* rounds(face, way) {
  const boxes = boxesOf(face);
  yield boxes.flatMap((box) => probe$1(box, [...(way ? beyond(way) : []), ...PROBES]));
  yield boxes.slice(0, MAX_FINE).flatMap(finely);
  yield strokeOf(face);
  yield boxesInside(face).flatMap((box) => probe$1(box, PROBES));
}

/** Whether it is pressed for its own sake, and not only there for the one control in it, as the snapshot tells it. */
const isCard = (element) => {
  if (tag(element).includes("-") || !isPressed$1(element)) return false;
  const controls = [...queryAll(element, INNER)].filter(isShown);
  if (controls.length !== 1 || squeeze(textContent(controls[0])) !== squeeze(textContent(element))) return true;
  // A card may say nothing and show a picture.
  return [...queryAll(element, "img")].some((image) => isShown(image) && !contains(controls[0], image));
};

/**
 * Where `element` is met on what stands for it: points of the top viewport. A control or a card is met beside the
 * controls in it, and what takes no presses on what is in it, if there is such a place. In a frame of another origin
 * all points of a round are told, otherwise the first.
 * @param {Element} face
 * @param {Element} element
 * @param {{way?: {x: number, y: number}|null, area?: ReturnType<typeof ownWindow>}} options `way`: of a drag, which
 *   presses nothing where it ends; `area`: nothing else counts
 * @returns {{points: {x: number, y: number}[], own: boolean, cover: Element|null, inside: boolean}} `own`: no control in it
 *   gets a press there, as is demanded of this one; `inside`: some of it is in the area
 */
const meet = (face, element, { way = null, area = ownWindow() } = {}) => {
  const lay = layOf(face);
  const demandsOwn = isControl$1(element) || (!way && isCard(element));
  /** @type {Element|null} */
  let cover = null;
  let inside = false;
  const second = [];
  for (const round of rounds(face, way)) {
    const points = [];
    for (const local of round) {
      const point = outward(lay, local);
      if (!within$2(area, point.x, point.y)) continue;
      inside = true;
      const hit = hitAt(point.x, point.y);
      if (!hit || !belongsTo(hit, element)) cover ??= hit;
      else if (demandsOwn ? !isOwn(hit, element) : isPassedUp(hit, element)) second.push(point);
      else if (place) points.push(point);
      else return { points: [point], own: demandsOwn, cover: null, inside };
    }
    if (points.length) return { points, own: demandsOwn, cover: null, inside };
  }
  return { points: second, own: false, cover: second.length ? null : cover, inside };
};

/**
 * A point of the top viewport, `own` as `meet` says; in a frame of another origin with all such `points`, and whether
 * something was scrolled.
 * @typedef {{x: number, y: number, own?: boolean, points?: {x: number, y: number}[], moved?: boolean}} FreeSpot
 */

/**
 * Bring an element, or what stands for it, into view, and find a point on it that nothing covers.
 * @param {Element} element
 * @param {{way?: {x: number, y: number}|null, still?: boolean}} options `way`: of a drag, from its start, which ends a
 *   little beyond the middle that way, as a hand does; `still`: it must not be moving
 * @returns {Promise<FreeSpot>}
 */
const freeSpot = async (element, { way = null, still = false } = {}) => {
  let moved = false;
  /** @type {ReturnType<typeof meet>|null} */
  let first = null;
  for (const face of facesOf(element)) {
    moved = (await bringIntoView(face, element)) || moved;
    if (still) await demandStill(face);
    const { points, own, cover, inside } = meet(face, element, { way });
    if (points.length) return { ...points[0], own, ...(place && { points, moved }) };
    first ??= { points, own, cover, inside };
  }
  const [why, nextStep] = first?.inside
    ? [`is covered by ${first.cover ? inWords(first.cover) : "another frame"}`, "close or scroll that away first"]
    : ["cannot be scrolled into view", "choose another element"];
  throw new NotReady("ELEMENT_NOT_VISIBLE", `${inWords(element)} ${why}`, nextStep, detailsOf(element));
};

// What an action needs of the page before and after its trusted input.


/**
 * A point of the top viewport where the target can be clicked: in view, enabled, still, not covered.
 * @param options `field`: a label stands for its control; `guard`: the number of the press that follows, and `capture`
 *   whether its release goes to what was pressed (press_guard.js); `way`: of a drag, from its start, which ends a little beyond the
 *   middle that way, as a hand does; `drop`: its number, for the release to be looked at; `hover`: the mouse stays over it
 * @returns {Promise<import("./spots.js").FreeSpot & {element: string, over: boolean}>} `over`: the mouse is there already
 */
const locate = async (
  target,
  { enabled = true, field = false, guard = null, capture = true, way = null, drop = null, hover = false } = {},
) => {
  const found = (drop && meantDrop(drop)) || find(target);
  const element = field ? fieldOf(found) : found;
  watchTarget(element, { byPress: true, byHover: hover });
  // Alone it stands for links only in documents without a doctype.
  const over = matches(element, ":is(:hover)");
  if (target.x !== undefined && !field) {
    if (enabled) demandEnabled(element);
    if (guard) guardPress(guard, element, target, { capture, anything: true });
    if (drop) expectDrop(drop, "any");
    return { x: target.x, y: target.y, element: inWords(element), over };
  }
  demandVisible(element);
  if (enabled) demandEnabled(element);
  const spot = await freeSpot(element, { way, still: true });
  beginNow();
  if (guard) guardPress(guard, element, spot, { capture });
  if (drop) expectDrop(drop, element);
  return { ...spot, element: inWords(element), over };
};

/** Of a field in a frame of another origin: where nothing covers it in its document, for those around to be asked. */
const pointsWithin = async (target) => {
  find(target); // or the way to it
  if (!place) return {};
  const { points, moved } = await locate(target, { field: true });
  return { points, moved };
};

/** The middle of where the drag `drop` shall end, in view or not. */
const startDrop = (target, drop) => {
  if (target.x !== undefined) return { x: target.x, y: target.y };
  const element = find(target);
  meanDrop(drop, element);
  return middleOf(element);
};

const boxOf = async (target) => {
  const element = find(target);
  demandVisible(element);
  await bringIntoView(element);
  const { left, top, right, bottom } = toTop(element, rectOf(element));
  return {
    element: inWords(element),
    x: left,
    y: top,
    width: right - left,
    height: bottom - top,
    ...(place && { points: [middleOf(element)] }),
  };
};

const within = (value, most) => Math.max(Math.min(0, most), Math.min(value, Math.max(0, most)));

/** How far the page scrolls across: a negative number where it begins at the right. Its body decides, if it has one. */
const mostAcross = (page) => {
  const { direction, writingMode } = styleOf$1(documentBody(document) ?? documentElement(document));
  const isFromRight = writingMode === "horizontal-tb" ? direction === "rtl" : writingMode.endsWith("-rl");
  return (scrollWidth(page) - clientWidth(page)) * (isFromRight ? -1 : 1);
};

const isInWindow = ({ x, y }) => x >= 0 && y >= 0 && x <= innerWidth && y <= innerHeight;

/** To a place of the page, or to the target; `isThere`: it is in view now. */
const scroll = async (target, { toX = scrollX, toY = scrollY }) => {
  const element = isTarget(target) ? find(target) : null;
  if (element) scrollToMiddle(element);
  else window.scrollTo({ left: toX, top: toY, behavior: "instant" });
  await nextFrame();
  const page = scrollingElement(document);
  const isThere = element
    ? place || isInWindow(middleOf(element))
    : Math.abs(scrollLeft(page) - within(toX, mostAcross(page))) < 1 &&
      Math.abs(scrollTop(page) - within(toY, scrollHeight(page) - clientHeight(page))) < 1;
  return {
    isThere,
    x: Math.round(scrollLeft(page)),
    y: Math.round(scrollTop(page)),
    maxX: Math.round(scrollWidth(page) - clientWidth(page)),
    maxY: Math.round(scrollHeight(page) - clientHeight(page)),
    ...(element && place && { points: [middleOf(element)] }),
  };
};

const viewport = () => ({
  width: innerWidth,
  height: innerHeight,
  scrollX,
  scrollY,
  devicePixelRatio,
  ...pageSize(documentElement(document)),
});

/** A document may have lost its root. */
const pageSize = (whole) => ({
  pageWidth: Math.max(whole ? scrollWidth(whole) : 0, innerWidth),
  pageHeight: Math.max(whole ? scrollHeight(whole) : 0, innerHeight),
});

// What a person acts on in a tab they have stepped into, and what they point at, in words for the agent afterwards: never
// what was typed.


/** What a person would say they pressed, if the place lies in one. */
const PRESSED =
  /^(button|link|checkbox|radio|switch|tab|option|menuitem.*|treeitem|textbox|searchbox|combobox|listbox|slider|spinbutton|img|canvas)$/;
const MAX_UP = 8;
const MAX_NAME = 60;

/** What lies at a point of the top viewport: {role, name}. */
const pressedAt$1 = (x, y) => {
  const hit = hitAt(x, y);
  const pressed = pressedIn(hit);
  if (pressed) return described(pressed);
  return hit ? { role: "", name: "" } : null;
};

/**
 * What a person means who points at a place, as an agent can act on it: what they would say they press there, or else
 * what lies there.
 * @param numbers of refs, as `startRefs` takes them
 * @param {number} x
 * @param {number} y
 * @returns {{told: {role: string, name: string, tag: string, ref: string, selector: string|null}|null, nextRef: number}}
 */
const meantAt = (numbers, x, y) => {
  startRefs(numbers);
  const meant = remembering(() => {
    const hit = hitAt(x, y);
    const element = pressedIn(hit) ?? hit;
    if (!element) return null;
    const { role, name, tag, ref } = told$1(element);
    keepPlaces(false);
    return { role, name: clipped(name, MAX_NAME), tag, ref, selector: pathOf(element).selector };
  });
  return { told: meant, nextRef };
};

const pressedIn = (hit) => {
  let node = hit;
  for (let up = 0; node && up < MAX_UP; up += 1, node = flatParent(node))
    if (isElement(node) && PRESSED.test(roleOf(node))) return node;
  return null;
};

/** The field that has the focus: {role, name}. */
const typedAt = () => {
  const active = innermostActive();
  return active ? described(active) : null;
};

const described = (element) => {
  const role = roleOf(element);
  return { role, name: clipped(nameOf(element, role), MAX_NAME) };
};

// What names an element beyond the life of its page: for the history and what is made of it, never for agents.


/** Page functions whose first argument is the target of a command; with some a label stands for its control. */
const TAKES_TARGET = new Set([
  "locate",
  "boxOf",
  "startFill",
  "startType",
  "select",
  "startUpload",
  "scroll",
  "startWheel",
  "waitFor",
]);
const TAKES_FIELD = new Set(["startFill", "startType", "select", "startUpload"]);
/** Without a target these act on what has the focus. */
const TAKES_FOCUS = new Set(["startType", "demandCaret", "watchFocus"]);

/**
 * `through` says of each >>> of the selector whether it enters a "frame" or a "shadow" root; `alone`: nothing else of
 * the document has this role and name.
 * @typedef {{
 *   selector: string|null, through: ("frame"|"shadow")[], role: string, name: string, alone?: true, type?: string, secret?: true,
 * }} Recorded
 */

/** The element that the last call is about, or null. @type {Element|null} */
let meant = null;

/**
 * A function that tells where the element of this call is now: its box in the top viewport, undefined without one.
 * @returns {() => {x: number, y: number, width: number, height: number}|undefined}
 */
const whereMeant = () => {
  const element = meant;
  return () => {
    const { width = 0, height = 0, left = 0, top = 0 } = element && isConnected(element) ? rectOf(element) : {};
    if (!element || !width || !height) return undefined;
    const { left: x, top: y, right, bottom } = toTop(element, { x: left, y: top, width, height });
    return { x, y, width: right - x, height: bottom - y };
  };
};

/**
 * The element a call is about, before it acts.
 * @param {string} name
 * @param {any[]} args
 * @returns {Recorded | {focus: true, secret?: true} | undefined} `focus`: no element was named, and what has it is meant
 */
const targetOfCall = (name, [target]) => {
  meant = null;
  if (TAKES_FOCUS.has(name) && !(target && isTarget(target))) {
    const active = innermostActive();
    return active && isDoor(active) ? undefined : { focus: true, ...(active && isSecret(active) && { secret: true }) };
  }
  if (!TAKES_TARGET.has(name) || !isTarget(target)) return undefined;
  try {
    return remembering(() => {
      const element = find(target);
      meant = TAKES_FIELD.has(name) ? fieldOf(element) : element;
      return recorded(meant);
    });
  } catch (error) {
    // What is wrong with the target, or where it goes on, is told by the function itself.
    if (error instanceof Failure || error instanceof Crossing) return undefined;
    throw error;
  }
};

const MAX_RECORDED_NAME = 100;

/** @returns {Recorded} */
const recorded = (element) => {
  const role = roleOf(element);
  const name = nameOf(element);
  const control = /^(input|select|textarea)$/.test(tag(element));
  return {
    ...pathOf(element),
    role,
    name: clipped(name, MAX_RECORDED_NAME),
    ...(isAlone(element, role, name) && { alone: true }),
    ...(control && { type: element.type }),
    ...(isSecret(element) && { secret: true }),
  };
};

/** More than this many like it are not compared: an action does not wait for that. */
const MAX_COMPARED = 500;

/** What has a role without saying so; of a role that is not here nobody claims that an element is alone with it. */
const HAVE = {
  button: "button, input, summary",
  checkbox: "input",
  combobox: "select, input",
  heading: "h1, h2, h3, h4, h5, h6",
  img: "img, svg",
  link: "a, area",
  listbox: "select",
  menuitem: "",
  menuitemcheckbox: "",
  menuitemradio: "",
  option: "option",
  radio: "input",
  region: "section",
  searchbox: "input",
  slider: "input",
  spinbutton: "input",
  switch: "input",
  tab: "",
  textbox: "input, textarea, [contenteditable]",
  treeitem: "",
};
/** What gives an element another name than its text. */
const NAMES = "[alt], [aria-label], [aria-labelledby], [title], svg, input, select, textarea";

const isAlone = (element, role, name) => {
  if (!role || !name || name.length > MAX_RECORDED_NAME || !Object.hasOwn(HAVE, role)) return false;
  const others = queryAll(rootOf(element), [`[role=${quoted(role)}]`, HAVE[role]].filter(Boolean).join(", "));
  if (others.length > MAX_COMPARED) return false;
  const isCalledByText = (one) => !matches(one, NAMES) && queryAll(one, NAMES).length === 0;
  const said = isCalledByText(element) ? squeeze(textContent(element)) : null;
  return ![...others].some(
    (one) =>
      one !== element &&
      (said === null || !isCalledByText(one) || squeeze(textContent(one)) === said) &&
      roleOf(one) === role &&
      nameOf(one) === name,
  );
};

// Ways to name an element a person has picked, for the target of a command. The best come first.


const MAX_CANDIDATES$1 = 8;
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
const candidates = (picked) => {
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
    candidates: distinct.sort((one, other) => rank(one) - rank(other)).slice(0, MAX_CANDIDATES$1),
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

// What tells a command that waits for its target that it may look again: anything that changes on the page, and its
// animations. It is listened for, never asked for on a clock.


const CHANGE_EVENTS = [
  "transitionend",
  "transitioncancel",
  "animationend",
  "load",
  "error",
  "toggle",
  "scroll",
  "scrollend",
  "resize",
  "input",
  "change",
  "focusin",
  "focusout",
];

/**
 * While a command waits: how many changes were seen, what to do at the next, and how it ends.
 * @type {{count: number, wake: () => void, stop: () => void}|null}
 */
let watched$1 = null;

/** Begin to listen. @returns as `nextChange` */
const watchChanges = () => {
  watched$1 ??= startWatching();
  return { seen: watched$1.count, quiet: false };
};

const startWatching = () => {
  /** @type {Set<Document|ShadowRoot>} */
  const roots = new Set();
  const state = { count: 0, wake: () => {}, stop: () => {} };
  const changed = () => {
    state.count += 1;
    state.wake();
  };
  const observer = new MutationObserver((records) => {
    for (const { addedNodes } of records) for (const node of addedNodes) if (isElement(node)) addRootsIn(node);
    changed();
  });
  const addRootsIn = (top) => {
    for (const element of [top, ...queryAll(top, "*")]) {
      const root = isElement(element) && innerRoot(element);
      if (root) addRoot(root);
    }
  };
  const addRoot = (root) => {
    if (roots.has(root)) return;
    roots.add(root);
    observer.observe(root, CHANGES);
    for (const kind of CHANGE_EVENTS) listen(root, kind, onEvent, true);
    addRootsIn(root);
  };
  // A frame that has loaded shows another document.
  const onEvent = ({ type, target }) => {
    if (type === "load" && isElement(target)) addRootsIn(target);
    changed();
  };
  addRoot(document);
  listen(window, "resize", onEvent, true);
  state.stop = () => {
    observer.disconnect();
    for (const root of roots) for (const kind of CHANGE_EVENTS) unlisten(root, kind, onEvent, true);
    unlisten(window, "resize", onEvent, true);
    state.wake();
  };
  return state;
};

/**
 * Resolves at the frame after something changed beyond the `seen` changes, at the next frame while something moves, or
 * after `quietMs` in which nothing did.
 * @returns {Promise<{seen: number, quiet: boolean}>} quiet: nothing changed, and no animation runs
 */
const nextChange = async (seen, quietMs) => {
  const state = watched$1 ?? (watched$1 = startWatching());
  let quiet = false;
  if (state.count === seen && !isMoving(document)) quiet = await quietFor(state, quietMs);
  if (!quiet) await nextFrame();
  return { seen: state.count, quiet: quiet && !hasAnimation(document) };
};

/**
 * Resolves once nothing has changed for `quietMs` and nothing moves, or after `mostMs`.
 * @returns {Promise<boolean>} whether anything changed until then
 */
const comeToRest = async (quietMs, mostMs) => {
  await nextFrame();
  const until = performance.now() + mostMs;
  let changed = false;
  for (let now = watchChanges(); ;) {
    now = await nextChange(now.seen, quietMs);
    changed ||= !now.quiet;
    if (now.quiet || performance.now() > until) break;
  }
  stopWatchingChanges();
  return changed;
};

const quietFor = (state, quietMs) =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, quietMs, true);
    state.wake = () => {
      clearTimeout(timer);
      resolve(false);
    };
  });

const stopWatchingChanges = () => {
  watched$1?.stop();
  watched$1 = null;
};

// Choosing options of a list.


/**
 * Choose the options with one value, several, or labels.
 * @param {HTMLSelectElement} element
 * @param {{value?: string, values?: string[], labels?: string[]}} wanted
 */
const choose = (element, { value, values, labels }) => {
  const options = [...element.options];
  const text = (option) => squeeze(option.label || textContent(option));
  const wanted = (labels ?? values ?? [value]).map((name) => {
    const found = labels
      ? options.find((option) => text(option) === squeeze(name))
      : (options.find((option) => option.value === name) ??
        (values ? undefined : options.find((option) => text(option) === squeeze(name))));
    if (!found) {
      const known = options
        .slice(0, 30)
        .map((option) => JSON.stringify(labels ? text(option) : option.value))
        .join(", ");
      throw new NotReady(
        "INVALID_PARAMS",
        `${inWords(element)} has no option ${shownFor(element, name)}`,
        `it has ${known}${options.length > 30 ? ", …" : ""}`,
      );
    }
    if (found.disabled || found.closest("optgroup:disabled"))
      throw new NotReady(
        "ELEMENT_NOT_VISIBLE",
        `the option ${shownFor(element, name)} is disabled`,
        "do first what enables it",
      );
    return found;
  });
  if (!element.multiple && wanted.length !== 1)
    throw new Failure(
      "INVALID_PARAMS",
      `${inWords(element)} takes exactly one option, not ${wanted.length}`,
      wanted.length ? "leave out the others" : "give one",
    );
  const before = options.map((option) => option.selected);
  for (const option of options) option.selected = wanted.includes(option);
  if (options.some((option, index) => option.selected !== before[index])) announce(element);
  // Of the options there are now: a page may have made them again.
  const stands = () => {
    const chosen = [...element.selectedOptions];
    return chosen.length === new Set(wanted).size && chosen.every((option) => wanted.includes(option));
  };
  expect(() => (isConnected(element) ? stands() : null));
  // A page may have chosen something else meanwhile, as lists do that begin again after each choice.
  const chosen = stands() ? wanted : options.filter((option) => option.selected);
  if (isSecret(element)) return { values: chosen.map(() => HIDDEN_VALUE), labels: chosen.map(() => HIDDEN_VALUE) };
  return { values: chosen.map((option) => option.value), labels: chosen.map(text) };
};

/** @returns {Promise<{values: string[], labels: string[]} | {way: "choose", takesText: boolean}>} the second: it is not a <select> (list_choice.js) */
const select = async (target, params) => {
  const element = fieldOf(find(target));
  if (tag(element) !== "select") return { way: "choose", takesText: takesText(element) };
  watchTarget(element, { byPress: true });
  demandVisible(element);
  demandEnabled(element);
  await freeSpot(element);
  return choose(element, params);
};

// Points that lead into a frame of another origin.


/**
 * Which of these points of the top viewport lead into the frame, scrolling to it if none does.
 * @param strict whether it is an error that something else covers all of them
 * @returns {{points, moved: boolean}} the points where they are now
 */
const passThrough = (number, points, strict) => {
  const frame = doorElement(number);
  if (!frame) throw new Failure("STALE_REF", "the frame was taken out of the page", "take a new snapshot");
  const open = (shift) =>
    points.map(({ x, y }) => ({ x: x + shift.x, y: y + shift.y })).filter(({ x, y }) => hitAt(x, y) === frame);
  const here = open({ x: 0, y: 0 });
  if (here.length) return { points: here, moved: false };
  const shift = centre(frame, points[0]);
  const there = open(shift);
  if (there.length) return { points: there, moved: true };
  if (!strict) return { points: points.map(({ x, y }) => ({ x: x + shift.x, y: y + shift.y })), moved: true };
  const covering = hitAt(points[0].x + shift.x, points[0].y + shift.y);
  throw new NotReady(
    "ELEMENT_NOT_VISIBLE",
    `the target is in ${inWords(frame)}, which ${covering ? `${inWords(covering)} covers there` : "cannot be scrolled into view"}`,
    "close or scroll that away first",
  );
};

/** Which of these points of the top viewport lead into the frame, without scrolling. @returns {{points, cover}} in words */
const uncovered = (number, points) => {
  const frame = doorElement(number);
  const hits = points.map(({ x, y }) => hitAt(x, y));
  const cover = hits.find((hit) => hit && hit !== frame);
  return { points: points.filter((_, index) => hits[index] === frame), cover: cover ? inWords(cover) : null };
};

// Giving a file field its files, and making files of pieces where the browser may not read them by their paths.


/** The file field that the running upload is for. @type {HTMLInputElement|null} */
let taking = null;
/** A field of ours, outside the page, by which the browser shows whether it can read files. @type {HTMLInputElement|null} */
let probe = null;
/** Resolves once `probe`, or the field, has been given files. @type {Promise<File[]>|null} */
let arriving = null;
/** What has come of files in pieces. @type {Blob[]} */
let pieces = [];
/** @type {File[]} */
let made = [];

/** What opens a file chooser when it is pressed, if anything does. */
const PRESSABLE =
  "button, a[*|href], summary, input[type=button], input[type=submit], input[type=image], [role=button], [role=link], [role=menuitem], [role=tab]";

/**
 * What files can be given to by a target: a file field, the field a label stands for, or the only one within it;
 * what opens a chooser when it is pressed; else a place for a drop.
 * @param target
 * @param {{files: number, folders: number}} given
 * @returns {{way: "field", element: string, folder: boolean} | {way: "press"|"drop"}}
 */
const startUpload = (target, given) => {
  const element = fieldOf(find(target));
  const field = isFileField(element) ? element : fieldWithin(element);
  if (field) {
    demandEnabled(field);
    return { way: "field", ...takeField(field, given) };
  }
  if (takesText(element) || tag(element) === "select" || (tag(element) === "input" && !matches(element, PRESSABLE)))
    throw new Failure(
      "INVALID_PARAMS",
      `${inWords(element)} is not a file field`,
      "name the <input type=file>, what opens a file chooser, or a place for drops",
    );
  return { way: isPressable$1(element) ? "press" : "drop" };
};

const isFileField = (element) => tag(element) === "input" && element.type === "file";

/** @returns {HTMLInputElement|null} */
const fieldWithin = (element) => {
  const shadow = shadowRootOf(element);
  const roots = [element, ...(shadow ? [shadow, ...openRoots(shadow)] : []), ...openRoots(element)];
  const fields = roots.flatMap((root) => [...queryAll(root, "input[type=file]")]);
  return fields.length === 1 ? fields[0] : null;
};

/** What is inside a button is pressed with it. */
const isPressable$1 = (element) => {
  for (let node = element; node; node = flatParent(node)) if (isElement(node) && matches(node, PRESSABLE)) return true;
  return false;
};

/** The upload is for this field from now on. */
const takeField = (field, { files, folders }) => {
  const words = inWords(field);
  const folder = hasAttribute(field, "webkitdirectory");
  if (folders && !folder)
    throw new Failure("INVALID_PARAMS", `${words} takes files, not a folder`, "give the files in it");
  if (folder && files)
    throw new Failure("INVALID_PARAMS", `${words} takes a folder, not single files`, "give the folder's path");
  if (files + folders > 1 && (folder || !field.multiple))
    throw new Failure(
      "INVALID_PARAMS",
      `${words} takes one ${folder ? "folder" : "file"}, not ${files + folders}`,
      "give one",
    );
  watchTarget(field, { byPress: true });
  taking = field;
  return { element: words, folder };
};

/** The field for the browser, which has to know it by more than a name; from here on its files are waited for. */
const takingField = () => {
  if (taking) arriving = filesOf(taking);
  return taking;
};

/** A field outside the page; it never was in it, so the page hears nothing of it. */
const probeField = (folder) => {
  probe = Object.assign(document.createElement("input"), { type: "file", multiple: true, webkitdirectory: folder });
  arriving = filesOf(probe);
  return probe;
};

/**
 * The files a field is given: a page may take them out of it as soon as it hears of them.
 * @param {HTMLInputElement} field
 * @returns {Promise<File[]>}
 */
const filesOf = (field) => {
  /** @type {PromiseWithResolvers<File[]>} */
  const { promise, resolve } = Promise.withResolvers();
  const kinds = ["input", "change", "cancel"];
  const taken = () => {
    for (const kind of kinds) unlisten(field, kind, taken, true);
    resolve([...(field.files ?? [])]);
  };
  for (const kind of kinds) listen(field, kind, taken, true);
  return promise;
};

/**
 * Whether the browser can read every file that was put into the field outside the page.
 * @returns {Promise<{unreadable: string|null, files: number}>}
 */
const probed = async () => {
  const files = (await arriving) ?? [];
  probe = null;
  for (const file of files)
    try {
      await file.slice(0, 1).arrayBuffer();
    } catch {
      return { unreadable: file.name, files: files.length };
    }
  return { unreadable: null, files: files.length };
};

/** What the field has been given by the browser, of so many files that were meant for it. @param {number} meant */
const taken = async (meant) => {
  const field = taking;
  const files = (await arriving) ?? [];
  taking = arriving = null;
  // The page may have taken them out of the field meanwhile, as those do that send them at once.
  const isWhole = meant ? files.length >= meant : !files.length;
  if (field) expect(() => (isConnected(field) ? isWhole && field.files?.length === files.length : null));
  return told(files);
};

/** @param {File[]} files */
const told = (files) => files.map(({ name, size, webkitRelativePath }) => ({ name: webkitRelativePath || name, size }));

/** A piece of a file, in base64, behind those that have come. */
const addPiece = (data) => {
  const text = atob(data);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  pieces.push(new Blob([bytes]));
};

/** The pieces that have come are a file. */
const endFile = ({ name, type, modified }) => {
  made.push(new File(pieces.splice(0), name, { type, lastModified: modified }));
};

/** Nothing is left of an upload that was given up. */
const dropPieces = () => {
  pieces = [];
  made = [];
};

/** The files made of pieces, which are nobody's from here on. */
const takeMade = () => made.splice(0);

/** Give the field the files made of pieces, or none: so many are meant for it. @param {number} meant */
const setMade = async (meant) => {
  const field = takingField();
  if (!field) throw new Failure("ELEMENT_NOT_FOUND", "the file field is gone", "take a new snapshot");
  const transfer = new DataTransfer();
  for (const file of takeMade()) transfer.items.add(file);
  field.files = transfer.files;
  announce(field);
  return taken(meant);
};

// Dropping files on an element: whether the page takes them, and what got them.


/** The last that was dragged over the page. @type {DragEvent|null} */
let over = null;
/** What got the drop, in words. @type {string|null} */
let dropped = null;
/** @type {Window[]} */
let watched = [];

const onOver = (event) => (over = event);
const onDrop = (event) => (dropped ??= inWords(event.composedPath()[0]));

/** From now on drags over the document that a point of the top viewport lies in are looked at. @param {{x: number, y: number}} point */
const watchDrop = ({ x, y }) => {
  stopWatching();
  over = dropped = null;
  const element = hitAt(x, y);
  watched = [element ? ownerDocumentView(element) : window];
  for (const view of watched) {
    listen(view, "dragover", onOver, true);
    listen(view, "drop", onDrop, true);
  }
};

const stopWatching = () => {
  for (const view of watched) {
    unlisten(view, "dragover", onOver, true);
    unlisten(view, "drop", onDrop, true);
  }
  watched = [];
};

/**
 * What became of it.
 * @param {boolean} isOver nothing more comes
 * @returns {{accepts: boolean, dropped: string|null}} `accepts`: the page wants what is dragged over it; `dropped`:
 *   what got it, in words
 */
const dropSeen = (isOver) => {
  if (isOver) stopWatching();
  return { accepts: Boolean(over?.defaultPrevented), dropped };
};

/**
 * Drop the files made of pieces at a point of the top viewport, by events of ours: where the browser may read no files
 * by their paths there is no other way.
 * @param {{x: number, y: number}} point
 */
const dropMade = ({ x, y }) => {
  const transfer = new DataTransfer();
  for (const file of takeMade()) transfer.items.add(file);
  transfer.effectAllowed = "all";
  const element = hitAt(x, y);
  if (!element) return { accepts: false, dropped: null };
  const { left, top, width, height } = rectOf(element);
  const fire = (kind) => {
    const event = new DragEvent(kind, {
      bubbles: true,
      cancelable: kind !== "dragleave",
      composed: true,
      dataTransfer: transfer,
      view: ownerDocumentView(element),
      clientX: left + width / 2,
      clientY: top + height / 2,
    });
    element.dispatchEvent(event);
    return event.defaultPrevented;
  };
  fire("dragenter");
  if (!fire("dragover")) {
    fire("dragleave");
    return { accepts: false, dropped: null };
  }
  fire("drop");
  return { accepts: true, dropped: inWords(element) };
};

// Questions about single elements: what matches, how it looks, in what state it is.


/**
 * What lies over an element in this document.
 * @returns {{points, cover}} the points of the top viewport where nothing does, or what does over all of them
 */
const coverOf = (element) => meet(element, element, { area: view() });

const queryDom = ({ selector, limit }, into) =>
  listed(selectAll$1(selector, Infinity, into), limit, (element, name) => {
    const text = readingOf(element, MAX_NAME$1).replace(/\n/g, " ");
    const value = valueOf(element, roleOf(element));
    return {
      id: attribute(element, "id") || undefined,
      class: attribute(element, "class") || undefined,
      text: text === name ? undefined : clipped(text, MAX_NAME$1) || undefined,
      value: value ? clipped(value, MAX_NAME$1) : undefined,
      visible: isShown(element) ? undefined : false,
    };
  });

const countElements = ({ selector }, into) => {
  const all = selectAll$1(selector, Infinity, into);
  return { count: all.length, visible: all.filter(isShown).length };
};

const checkVisibility = ({ selector }) => {
  const element = bySelector(selector);
  const { left, top, right, bottom } = toTop(element, rectOf(element));
  const box = { x: left, y: top, width: right - left, height: bottom - top };
  for (const side of Object.keys(box)) box[side] = Math.round(box[side] * 10) / 10;
  const visible = isShown(element);
  const { points, cover } = visible ? coverOf(element) : { points: [], cover: null };
  return {
    ...told$1(element),
    visible,
    box,
    reason: visible ? undefined : whyHiddenThrough(element),
    coveredBy: cover ? inWords(cover) : undefined,
    ...(place && points.length && { points }),
  };
};

const checkElementState = ({ selector }) => {
  const element = bySelector(selector);
  const states = new Set(statesOf(element, roleOf(element)));
  const name = tag(element);
  const form = /^(input|select|textarea)$/.test(name);
  const has = (...aria) => aria.some((one) => hasAttribute(element, `aria-${one}`));
  const disabled =
    states.has("disabled") || matches(element, ":disabled") || closest(element, "[aria-disabled=true]") !== null;
  const readOnly = states.has("readonly") || attribute(element, "aria-readonly") === "true";
  const writable =
    name === "textarea" ||
    (name === "input" && (TEXT_INPUTS.test(element.type) || element.type in SET_FORMATS)) ||
    isEditable(element);
  const checkable = (name === "input" && /^(checkbox|radio)$/.test(element.type)) || has("checked");
  return {
    ...told$1(element),
    visible: isShown(element),
    enabled: !disabled && closest(element, "[inert]") === null,
    editable: writable && !disabled && !readOnly,
    focused: hasFocus(element) && (place?.focused ?? true),
    readOnly: form || readOnly ? readOnly : undefined,
    required: form || has("required") ? states.has("required") : undefined,
    valid: form || has("invalid") ? !states.has("invalid") && (!form || element.validity.valid) : undefined,
    checked: checkable ? (states.has("checked=mixed") ? "mixed" : states.has("checked")) : undefined,
    selected: name === "option" || has("selected") ? states.has("selected") : undefined,
    expanded: states.has("expanded") || (states.has("collapsed") ? false : undefined),
    pressed: has("pressed") ? states.has("pressed") : undefined,
  };
};

const USUAL_STYLES = `display visibility opacity position z-index width height margin padding border overflow color
  background-color background-image font-family font-size font-weight line-height text-align cursor pointer-events transform`.split(
  /\s+/,
);

const getComputedStyles = ({ selector, properties }) => {
  const element = bySelector(selector);
  const style = styleOf$1(element);
  const named = properties?.length ? properties : USUAL_STYLES;
  const pairs = named.map((property) => {
    const name = property.startsWith("--")
      ? property
      : property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    if (!name.startsWith("--") && !(name in style))
      throw new Failure(
        "INVALID_PARAMS",
        `${JSON.stringify(property)} is not a CSS property`,
        "write one like background-color",
      );
    return [property, clipped(style.getPropertyValue(name), MAX_VALUE$1)];
  });
  return { ...told$1(element), styles: Object.fromEntries(pairs) };
};

const getAttributes = ({ selector, attributes }) => {
  const element = bySelector(selector);
  const named = attributes?.length ? attributes : Element.prototype.getAttributeNames.call(element);
  return {
    ...told$1(element),
    attributes: Object.fromEntries(named.map((name) => [name, attributeToTell(element, name)])),
  };
};

const attributeToTell = (element, name) => {
  const text = attribute(element, name);
  if (text === null) return null;
  return text !== "" && isSecretText(element, name, text) ? HIDDEN_VALUE : clipped(text, MAX_VALUE$1);
};

// What the fields of a form or a page hold.


const MAX_FIELDS = 200;

const FIELDS =
  "input:not([type=button i], [type=submit i], [type=reset i], [type=image i]), textarea, select, [contenteditable]:not([contenteditable=false i])";

/** `selector`: of the form; without it all fields of the page. */
const getFormValues = ({ selector }, into) => {
  const form = selector === undefined ? null : bySelector(selector);
  const fields = fieldsIn(form, into);
  return {
    count: fields.length,
    fields: fields.slice(0, MAX_FIELDS).map((element) => ({
      ...told$1(element),
      field: attribute(element, "name") ?? attribute(element, "id") ?? undefined,
      type: tag(element) === "input" ? element.type : undefined,
      ...heldBy(element),
      required: element.required === true || undefined,
      disabled: matches(element, ":disabled") || undefined,
    })),
  };
};

/** The fields of a form (those outside it that belong to it, too), of any other element, or of the page. */
const fieldsIn = (form, into) => {
  const own = form && tag(form) === "form" ? [...formElements(form)].filter((element) => matches(element, FIELDS)) : [];
  const within = form ? [form, innerRoot(form)].filter(Boolean) : [document];
  const roots = within.flatMap((root) => [root, ...openRoots(root)]);
  into.push(...doorsIn(roots).map((frame) => wayInto(frame, WHOLE$1)));
  const self = form && matches(form, FIELDS) ? [form] : [];
  const all = new Set([...self, ...own, ...roots.flatMap((root) => [...queryAll(root, FIELDS)])]);
  return [...all];
};

const heldBy = (element) => {
  const name = tag(element);
  if (isSecret(element) || isToken(element)) return { secret: true, filled: secretIn(element) !== "" };
  if (name === "select") {
    const chosen = [...element.selectedOptions];
    const label = (option) => squeeze(option.label);
    if (element.multiple) return { values: chosen.map((option) => option.value), labels: chosen.map(label) };
    return { value: element.value, label: chosen.map(label)[0] };
  }
  if (name === "input" && /^(checkbox|radio)$/.test(element.type))
    return { checked: element.checked, value: element.value };
  if (name === "input" && element.type === "file") return { files: [...element.files].map((file) => file.name) };
  return { value: clipped(textOf(element) ?? "", MAX_VALUE$1) };
};

// What a page says of itself.


const getPageMetadata = () => {
  const all = (selector) => [...queryAll(document, selector)];
  const meta = {};
  for (const element of all("meta[content]")) {
    const name = attribute(element, "name") ?? attribute(element, "property") ?? attribute(element, "http-equiv");
    if (name && !isToken(element) && Object.keys(meta).length < 100)
      meta[`${clipped(name, 100)}`] ??= clipped(attribute(element, "content"), 500);
  }
  const link = (relation) => all(`link[rel~="${relation}" i][href]`)[0]?.href;
  const root = documentElement(document);
  return {
    title: documentTitle(document),
    url: document.location.href,
    language: (root && attribute(root, "lang")) || undefined,
    charset: characterSet(document),
    readyState: readyState(document),
    scroll: scrollX || scrollY ? { x: Math.round(scrollX), y: Math.round(scrollY) } : undefined,
    canonical: link("canonical"),
    icon: link("icon"),
    feeds: unlessEmpty(
      all('link[rel~="alternate" i][type$="+xml" i][href]')
        .slice(0, 10)
        .map(({ href }) => href),
    ),
    meta,
    headings: unlessEmpty(
      all("h1, h2")
        .filter(isShown)
        .slice(0, 20)
        .map((heading) => clipped(nameOf(heading), MAX_NAME$1)),
    ),
    structuredData: unlessEmpty(
      all('script[type="application/ld+json" i]')
        .slice(0, 20)
        .flatMap((script) => typesIn(textContent(script))),
    ),
  };
};

/** What each thing in a piece of JSON-LD says it is. */
const typesIn = (source) => {
  try {
    const data = JSON.parse(source);
    const things = Array.isArray(data) ? data : (data?.["@graph"] ?? [data]);
    return [...things]
      .map((thing) => String(thing?.["@type"] ?? ""))
      .filter(Boolean)
      .slice(0, 20);
  } catch {
    return []; // not JSON: a page's own mistake
  }
};

// Which elements could be what a ref meant that is stale.


const MAX_CANDIDATES = 5;

/**
 * The elements of the same role and name that can be seen, else the ref's own as it is now; each gets a ref.
 * @param {{ref: string}} params
 * @returns {{count: number, candidates: {ref: string, role: string, name: string, where: string}[]}}
 */
const likeRef = ({ ref }) => {
  const meant = meantBy(ref);
  if (!meant) return { count: 0, candidates: [] };
  const { role, name, element } = meant;
  const like = [document, ...openRoots(document)]
    .flatMap((root) => [...queryAll(root, "*")])
    .filter((one) => isElement(one) && roleOf(one) === role && nameOf(one) === name && isShown(one));
  const found = like.length ? like : [element].filter((own) => own && isShown(own));
  return { count: found.length, candidates: found.slice(0, MAX_CANDIDATES).map(candidate) };
};

const candidate = (element) => {
  const role = roleOf(element);
  const name = nameOf(element);
  return {
    ref: newRefOf(element, role, name),
    role: role || "generic",
    name: clipped(name, MAX_NAME$1),
    where: whereIs(element),
  };
};

// Questions about the text a reader sees.


/** What acts on a click: text found inside is told as this. */
const ACTS = new Set("button link option menuitem menuitemcheckbox menuitemradio tab checkbox radio switch".split(" "));

const findByText = ({ text, selector, exact, limit }, into) => {
  const wanted = squeeze(text);
  if (!wanted) throw new Failure("INVALID_PARAMS", "text holds nothing but spaces", "give the words to find");
  const lower = wanted.toLowerCase();
  const holds = exact ? (shown) => squeeze(shown) === wanted : (shown) => squeeze(shown).toLowerCase().includes(lower);
  /** Each element with the words in it that were meant. @type {Map<any, string>} */
  const found = new Map();
  const reading = new Reading(Infinity, (element, shown) => {
    const hit = [shown, ...ownWords$1(element)].find(holds);
    const actor = hit === undefined ? null : actorOf(element);
    if (actor && !found.has(actor)) found.set(actor, squeeze(hit));
    return actor !== null;
  });
  const starts =
    selector === undefined
      ? [documentBody(document) ?? documentElement(document)]
      : selectAll$1(selector, Infinity, into);
  for (const start of starts) if (start && isRendered$1(start)) reading.read(start);
  into.push(...reading.frames.map(({ frame }) => wayInto(frame, WHOLE$1)));
  return listed([...found.keys()], limit, (element, name) => {
    const said = found.get(element) ?? "";
    return { text: said === name ? undefined : around(said, said.toLowerCase().indexOf(lower), wanted.length) };
  });
};

/** Some of a long text: what was found in it, with what stands about it. */
const around = (text, at, length) => {
  if (text.length <= MAX_NAME$1) return text;
  const start = Math.max(0, Math.min(at - (MAX_NAME$1 - length) / 2, text.length - MAX_NAME$1));
  const cut = text.slice(Math.floor(start), Math.floor(start) + MAX_NAME$1).toWellFormed();
  return `${start > 0 ? "…" : ""}${cut}${start + MAX_NAME$1 < text.length ? "…" : ""}`;
};

/** Words on an element that are not text in the page. */
const ownWords$1 = (element) => {
  const words = [authorName(element), attribute(element, "title"), attribute(element, "placeholder")];
  const name = tag(element);
  const button = name === "input" && /^(button|submit|reset|image)$/.test(element.type);
  if (name === "img" || name === "area" || button) words.push(nameOf(element));
  return words.filter(Boolean);
};

const actorOf = (element) => {
  for (let node = element; node; node = flatParent(node)) if (isElement(node) && ACTS.has(roleOf(node))) return node;
  return element;
};

/** The text in pieces; between two of them belongs the text of a frame of another origin. */
const getVisibleText = ({ selector, maxLength }, into) => {
  const start = selector === undefined ? (documentBody(document) ?? documentElement(document)) : bySelector(selector);
  if (!start || !isRendered$1(start)) return [""];
  const reading = new Reading(maxLength);
  reading.read(start);
  into.push(...reading.frames.map(({ frame }) => wayInto(frame, WHOLE$1)));
  return reading.pieces;
};

// Questions about the page's elements: what is there, how it looks, what it holds. Nothing is changed.


/**
 * Answer a question of `QUESTIONS`; refs continue the tab's numbering.
 * @param {{selector?: string}} target which may lead into a frame of another origin
 * @returns {{answer: any, doors: object[], nextRef: number}} `doors` lead into frames of another origin that have a part in the answer
 */
const explore = (target, question, params, numbers) => {
  startRefs(numbers);
  const told = ask(target, question, params);
  return { ...told, nextRef };
};

/** The same for a question whose answer has no refs. */
const ask = (target, question, params) => {
  const into = [];
  const answer = remembering(() => {
    const found = QUESTIONS[question]({ ...params, ...target }, into);
    keepPlaces(false);
    return found;
  });
  return { answer, doors: into };
};

const QUESTIONS = {
  queryDom,
  countElements,
  checkVisibility,
  checkElementState,
  getComputedStyles,
  getAttributes,
  getPageMetadata,
  getFormValues,
  findByText,
  getVisibleText,
  likeRef,
  standIn,
};

// The guard of a replacement. Between the moment all that a field holds is selected and the one the text comes that
// replaces it, an editor may put a selection of its own back, and the text would land beside the old one. So the first
// input is looked at before the page sees it: one that would replace nothing is swallowed, and the extension begins again.


/** An input the extension never came to makes the guard end by itself, before it can meet a person's own. */
const GUARD_MS$1 = 3000;

/**
 * The field whose content is to be replaced, and whether an input was kept from it.
 * @type {{field: Element, until: number, isHeld: boolean}|null}
 */
let guard$1 = null;

/** @param {InputEvent} event */
const onInput = (event) => {
  if (!guard$1 || !event.isTrusted || performance.now() > guard$1.until) return endGuard();
  if (!contains(guard$1.field, /** @type {Node} */ (event.composedPath()[0]))) return;
  if (!guard$1.isHeld && !ownerDocumentView(guard$1.field).getSelection().isCollapsed) return endGuard();
  guard$1.isHeld = true;
  event.stopImmediatePropagation();
  event.preventDefault();
};

/**
 * From now on the first input of a field replaces what is selected in it, or nothing comes of it.
 * @param {Element} field
 */
const guardReplacement = (field) => {
  endGuard();
  guard$1 = { field, until: performance.now() + GUARD_MS$1, isHeld: false };
  listen(ownerDocumentView(field), "beforeinput", onInput, true);
};

const endGuard = () => {
  if (guard$1) unlisten(ownerDocumentView(guard$1.field), "beforeinput", onInput, true);
  guard$1 = null;
};

/** End the guard. @returns {boolean} whether it kept an input away */
const heldReplacement = () => {
  const isHeld = Boolean(guard$1?.isHeld);
  endGuard();
  return isHeld;
};

// Giving a field the focus, and selecting what it holds.


/** Give the focus, and a page that hands it on the time to do so. @returns the field that has it then */
const focusOn = async (element, target) => {
  const had = hasFocus(element);
  giveFocus();
  callOn(element, "focus", { preventScroll: true });
  if (!hasFocus(element))
    throw new Failure(
      "ELEMENT_NOT_VISIBLE",
      `${inWords(element)} does not take the focus, so nothing was typed`,
      "choose a field or what takes keys",
    );
  // A page in the background draws no frame to wait for.
  if (had || propertyOf(document, "visibilityState") === "hidden") return element;
  await Promise.all([nextFrame(), new Promise((resolve) => setTimeout(resolve))]);
  const field = focusedFor(element, target);
  if (!field)
    throw new Failure(
      "ELEMENT_NOT_VISIBLE",
      `${inWords(element)} does not keep the focus, which the page moves to ${focusInWords()}`,
      "nothing was typed, choose that or another field",
    );
  return field;
};

/** What has the focus for a target: its element, or the one the page has put in its place meanwhile; null if neither has. */
const focusedFor = (element, target) => {
  if (hasFocus(element)) return element;
  if (!target) return null;
  try {
    const now = fieldOf(find(target));
    return hasFocus(now) ? now : null;
  } catch (error) {
    if (error instanceof Failure || error instanceof Crossing) return null;
    throw error;
  }
};

/**
 * Select all that a field holds. An editor with a selection of its own has heard of it before a key comes.
 * @returns {Promise<{guarded?: true}>} guarded: nothing but what replaces the selection arrives (replacement.js)
 */
const selectContent = async (element) => {
  if (tag(element) === "input" || tag(element) === "textarea") {
    element.select();
    return {};
  }
  const selection = ownerDocumentView(element).getSelection();
  const ends = () => [selection.anchorNode, selection.anchorOffset, selection.focusNode, selection.focusOffset];
  const before = ends();
  selection.selectAllChildren(element);
  // In some shadow roots, and where there is nothing, a selection shows as none.
  const isShown = !selection.isCollapsed;
  if (isShown) guardReplacement(element);
  if (ends().some((end, index) => end !== before[index])) await once(ownerDocument(element), "selectionchange");
  return isShown ? { guarded: true } : {};
};

/**
 * The next event of this kind, or the end of the longest that Chrome takes to send one.
 * @returns {Promise<void>}
 */
const once = (root, kind) =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      unlisten(root, kind, end, true);
      resolve();
    };
    const timer = setTimeout(end, EVENT_DEADLINE_MS);
    listen(root, kind, end, true);
  });

const EVENT_DEADLINE_MS = 250;

// Where the list of options is that belongs to a widget, and which options it shows.


/** The lists that were shown before the widget was asked for its own, and what each said. @type {{list: WeakRef<Element>, said: string}[]} */
let before = [];

/** The widget is about to be asked for its list: one that is shown already is another's, unless the widget says that its own is. */
const noteLists = (element) => {
  const shown = attribute(element, "aria-expanded") === "true" ? [] : listsFor(element);
  before = shown.map((list) => ({ list: new WeakRef(list), said: saidIn(list) }));
};

/** Whether one of these is not shown any more: it was the widget's, which closed it. */
const hasClosed = () =>
  before.some(({ list }) => {
    const known = list.deref();
    return !known || !isConnected(known) || !isOpen(known);
  });

/** Of those that were shown before and still are the one that touches the widget or has the focus: it does not toggle. */
const keptList = (element) => {
  if (attribute(element, "aria-expanded") === "false") return null;
  const kept = before
    .map(({ list }) => list.deref())
    .filter((list) => list && isConnected(list) && isOpen(list))
    .filter((list) => hasFocusIn(list) || touches(rectOf(list), rectOf(element)));
  return kept.length === 1 ? kept[0] : null;
};

const hasFocusIn = (list) => inside(list).includes(innermostActive());
const NEAR_PX = 8;
const touches = (one, other) =>
  one.left < other.right + NEAR_PX &&
  other.left < one.right + NEAR_PX &&
  one.top < other.bottom + NEAR_PX &&
  other.top < one.bottom + NEAR_PX;

const isNew = (list) => before.find((one) => one.list.deref() === list)?.said !== saidIn(list);
const saidIn = (list) => optionsIn(list).map(textContent).join("\n");

/**
 * The list that belongs to a widget, if it is shown.
 * @param {boolean} isAsked whether the widget was asked for it (noteLists)
 */
const listOf = (element, isAsked) => {
  if (roleOf(element) === "listbox") return element;
  const named = ["aria-controls", "aria-owns"].flatMap((name) =>
    (attribute(element, name) ?? "").split(/\s+/).map((id) => id && (byId(element, id) ?? document.getElementById(id))),
  );
  const active = attribute(element, "aria-activedescendant");
  const option = active && (byId(element, active) ?? document.getElementById(active));
  const own = [...named, option].filter(Boolean).map(asList).find(Boolean);
  if (own && isOpen(own)) return own;
  // Some tell assistive technology of a list that nobody sees, beside the one that is shown.
  if (own) return attribute(element, "aria-expanded") === "true" ? popupAround(own) : null;
  const within = inside(element).find((node) => roleOf(node) === "listbox" && isOpen(node));
  if (within) return within;
  const expanded = attribute(element, "aria-expanded");
  if (expanded === "false" || !(isAsked || expanded === "true")) return null;
  // Of those that came when it was asked the last to be made.
  return (isAsked ? listsFor(element).filter(isNew) : listsFor(element)).at(-1) ?? null;
};

/** The lists a widget may mean that names none: those of no other widget. */
const listsFor = (element) =>
  queryLists(rootOf(element)).concat(rootOf(element) === document ? [] : queryLists(document));

const queryLists = (root) =>
  [...queryAll(root, "[role=listbox]")].filter(
    (list) => isOpen(list) && !queryAll(root, `[aria-controls~="${CSS.escape(attribute(list, "id") || "-")}"]`).length,
  );

const asList = (node) => {
  for (let around = node; around && isElement(around); around = flatParent(around))
    if (roleOf(around) === "listbox") return around;
  return inside(node).find((one) => roleOf(one) === "listbox") ?? null;
};

const isOpen = (list) => isShown(list) || (styleOf$1(list).overflow === "visible" && optionsIn(list).length > 0);

const popupAround = (list) => {
  let popup = flatParent(list);
  while (popup && isElement(popup) && !isShown(popup)) popup = flatParent(popup);
  return popup && isElement(popup) && !/^(body|html|form|main)$/.test(tag(popup)) ? popup : null;
};

/** All elements below one, as they are shown. */
const inside = (element) => elementsIn$1(element).flatMap((child) => [child, ...inside(child)]);

const optionsIn = (list) => {
  const shown = inside(list).filter(isShown);
  if (roleOf(list) === "listbox") return shown.filter((node) => roleOf(node) === "option");
  return shown.filter((node) => wordsOf(node) && !elementsIn$1(node).some((child) => wordsOf(child)));
};

// What an editor shows, read as a person reads it: by where its text stands, for editors draw only the lines in sight,
// in any order, and hold elsewhere what they were given.


/** An editor has drawn what it was given by then. */
const DRAWN_MS = 500;
/** Of the editor's area the part with its text covers so much; the rest is numbers of lines, bars, hints. */
const MIN_PART = 0.5;
/** How deep below the editor its text begins. */
const MAX_DEPTH = 8;
/** Signs nobody sees. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u2060\ufeff]/g;
const bare$1 = (text) => text.replace(INVISIBLE, "").replace(/\s/gu, "");

/**
 * Whether an editor shows this text and no other, once it has drawn it.
 * @param {Element} field what is typed into
 * @param {string} value
 * @returns {Promise<{isRight: boolean, text: string}>} `text`: what it shows
 */
const showsText = async (field, value) => {
  const editors = isProxy(field) ? editorsAround(field) : [field];
  const until = performance.now() + DRAWN_MS;
  for (;;) {
    for (const editor of editors) {
      const rows = partShowing(editor, field, value);
      if (rows) return { isRight: true, text: inLines$1(rows) };
    }
    const leftMs = until - performance.now();
    if (leftMs <= 0) return { isRight: false, text: inLines$1(inRows(readable(rowsOf(editors[0] ?? field, field)))) };
    await nextMutation(editors.at(-1) ?? field, leftMs);
    await nextFrame();
  }
};

/**
 * Resolves at the next change below an element, or after so long.
 * @returns {Promise<void>}
 */
const nextMutation = (element, ms) =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      observer.disconnect();
      resolve();
    };
    const observer = new MutationObserver(end);
    const timer = setTimeout(end, ms);
    observer.observe(element, CHANGES);
  });

/**
 * What of an editor shows this text and no other, as its rows: all of it, or a large part beside what else it draws.
 * @returns {string[]|null}
 */
const partShowing = (editor, field, value, depth = 0) => {
  const rows = rowsOf(editor, field);
  const right = [rows, rows.map(withoutNumber)].map(inRows).find((read) => fitsRows(value, read));
  // No text is not a sign of the part it would stand in.
  if (right || depth === MAX_DEPTH || !isProxy(field) || value === "") return right ?? null;
  const enough = MIN_PART * areaOf(rectOf(editor));
  for (const part of flatChildren(editor).filter((node) => isElement(node) && areaOf(rectOf(node)) >= enough)) {
    const found = partShowing(part, field, value, depth + 1);
    if (found) return found;
  }
  return null;
};

const inLines$1 = (rows) => rows.join("\n").replace(/^\s*\n|\s+$/g, "");

const inRows = (rows) =>
  rows.map((row) =>
    row
      .join("")
      .replace(INVISIBLE, "")
      .replace(/\u00a0/g, " "),
  );

/** Without the number of the line before it. */
const withoutNumber = (row) => {
  const first = row.findIndex(bare$1);
  return first >= 0 && /^\d+$/.test(bare$1(row[first])) ? row.slice(first + 1) : row;
};

/** Without numbers where every row has one. */
const readable = (rows) => {
  const bareRows = rows.map(withoutNumber);
  return bareRows.some((row, index) => row === rows[index]) ? rows : bareRows;
};

/**
 * The rows of text below an element from top to bottom, each as its pieces.
 * @param {Element} element
 * @param {Element} field whose own content is not text of the editor, unless the editor is the field
 * @returns {string[][]}
 */
const rowsOf = (element, field) => {
  const pieces = piecesIn(element, field).map((piece, index) => ({ ...piece, index }));
  pieces.sort((one, other) => one.top - other.top || one.index - other.index);
  /** @type {(typeof pieces)[]} */
  const rows = [];
  let middle = -Infinity;
  for (const piece of pieces) {
    const row = rows.at(-1);
    if (row && piece.top < middle) row.push(piece);
    else {
      rows.push([piece]);
      middle = piece.top + piece.height / 2;
    }
  }
  return rows.map((row) => row.toSorted((one, other) => one.index - other.index).map(({ text }) => text));
};

/** @returns {{text: string, top: number, height: number}[]} */
const piecesIn = (element, field) =>
  flatChildren(element).flatMap((node) => {
    if (nodeType(node) === 3) return pieceOf(node, element);
    if (!isElement(node) || node === field || isAside(node, field)) return [];
    return piecesIn(node, field);
  });

/** What stands in an editor and is not text of it: a hint where nothing is written, or what nobody can write into. */
const isAside = (element, field) =>
  /placeholder/i.test(attribute(element, "class") ?? "") ||
  (!isProxy(field) && attribute(element, "contenteditable") === "false");

const pieceOf = (node, around) => {
  const text = textContent(node);
  if (!text || styleOf$1(around).visibility !== "visible") return [];
  const range = ownerDocument(node).createRange();
  range.selectNodeContents(node);
  const [box] = range.getClientRects();
  return box ? [{ text, top: box.top, height: box.height }] : [];
};

/**
 * Whether rows are the lines of a text, broken where there was no more room; or, after the text was written to its end,
 * its last lines, with those before out of sight.
 * @param {string} value
 * @param {string[]} read
 */
const fitsRows = (value, read) => {
  const lines = value
    .split(/\r\n?|\n/)
    .map(bare$1)
    .filter(Boolean);
  const rows = read.map(bare$1).filter(Boolean);
  if (!rows.length || !lines.length) return rows.length === lines.length;
  return lines.some((line, start) => {
    const isStart = (from) => line.startsWith(rows[0], from) && runs(lines, { start, from }, rows);
    if (isStart(0)) return start === 0 || rows.length >= MIN_ROWS;
    // The first row in sight may be the rest of a long line.
    return rows.length >= MIN_ROWS && tails(line, rows[0]).some(isStart);
  });
};

/** So few rows are all there is. */
const MIN_ROWS = 3;

/** Where a row may begin within a line. */
const tails = (line, row) => {
  const found = [];
  for (let at = line.indexOf(row, 1); at > 0; at = line.indexOf(row, at + 1)) found.push(at);
  return found;
};

/** Whether the lines from there on run through the rows to their end. By index: a long text is not copied for each line. */
const runs = (lines, { start, from }, rows) => {
  let [at, done] = [start, from];
  for (const row of rows) {
    if (done === lines[at].length) [at, done] = [at + 1, 0];
    if (!lines[at]?.startsWith(row, done)) return false;
    done += row.length;
  }
  return at === lines.length - 1 && done === lines[at].length;
};

// Numbers as people write them: with a sign, a currency, groups of thousands, and either sign for decimals.

/**
 * What a text may say as a number; in none of these ways, if it is no number.
 * @param {string} text
 * @param {{own?: boolean}} how `own`: it was given by an agent, whose single point is that of decimals, and whose
 *   single comma that of thousands, where it may be either
 * @returns {string[]} such as "-1250.5"
 */
const readingsOf = (text, { own = false } = {}) => {
  const plain = text
    .normalize("NFKC")
    .replace(/[\p{Sc}%]/gu, "")
    .replace(/[‐-―−]/g, "-")
    .trim();
  const [, sign, number] = /^([-+]?)\s*(\d(?:[\d.,'’\s]*\d)?|[.,]\d+)[.,]?$/.exec(plain) ?? [];
  if (number === undefined) return [];
  const groups = number.split(/\D/);
  const between = number.match(/\D/g)?.map((one) => one.replace(/[\s’]/, "'")) ?? [];
  const found = [...inDecimals(groups, between), ...inThousands(groups, between)];
  const meant = { ".": found.slice(0, 1), ",": found.slice(-1) };
  const kept = own && between.length === 1 ? meant[between[0]] : undefined;
  return (kept ?? found).map(([whole, part]) => written(sign === "-" ? "-" : "", whole, part));
};

/** @returns {[string, string][]} what is before the sign for decimals, and behind it */
const inDecimals = (groups, between) => {
  const point = between.at(-1);
  const head = inThousands(groups.slice(0, -1), between.slice(0, -1));
  const isPoint = point !== undefined && point !== "'" && !between.slice(0, -1).includes(point);
  return isPoint && head.length ? [[head[0][0], groups.at(-1)]] : [];
};

/** @returns {[string, string][]} */
const inThousands = (groups, between) => {
  const [first, ...others] = groups;
  const isGrouped =
    /^[1-9]\d{0,2}$/.test(first) &&
    others.every((group, at) => group.length === 3 || (group.length === 2 && at < others.length - 1));
  return !others.length || (isGrouped && new Set(between).size === 1) ? [[groups.join(""), ""]] : [];
};

const written = (sign, whole, part) => {
  const [digits, decimals] = [whole.replace(/^0+/, "") || "0", part.replace(/0+$/, "")];
  return `${digits === "0" && !decimals ? "" : sign}${digits}${decimals && `.${decimals}`}`;
};

// Whether a field holds a text, however its page writes it: a page may write a text in other groups, never another text.


const inLines = (text) =>
  text
    .replace(/\r\n?/g, "\n")
    .replace(/\u00a0/g, " ")
    .replace(/\n+$/, "");

/** Whether a field that holds `taken` holds `text` and nothing else. */
const holdsOnly = (field, taken, text) =>
  inLines(taken) === inLines(text) ||
  (!isVerbatim(field, text) &&
    hasWord(text) &&
    (isEditable(field) ? bare(taken) === bare(text) : isWritten(taken, text)));

/** Whether `text` stands in what a field holds. */
const holdsText = (field, taken, text) => {
  if (inLines(taken).includes(inLines(text)) || holdsOnly(field, taken, text)) return true;
  if (isVerbatim(field, text) || !hasWord(text)) return false;
  return isEditable(field) ? bare(taken).includes(bare(text)) : isWrittenWithin(taken, text);
};

/** A password is another one for each sign that is, also in a field that shows it; a number of somebody may be in groups. */
const isVerbatim = (field, text) => secretKind(field) === "password" && /\D/.test(text);

/** An editor makes lists and headings of signs, which are not in its text any more. */
const bare = (text) => text.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();
const hasWord = (text) => bare(text) !== "";

/** The same number, or the same text in other groups. */
const isWritten = (taken, text) => {
  const numbers = IP_ADDRESS.test(text.trim()) ? [] : readingsOf(text, { own: true });
  const found = numbers.length ? readingsOf(taken) : [];
  const isSame = found.some((number, index) => numbers.includes(number) && !isDoubtful(index, found, taken, text));
  // With zeros before it, it is a code, of which they are a part, and a point in it is none of decimals.
  const isCode = /^0\d+$/.test(text.trim()) && (isSame || /^0\d/.test(taken.trim()));
  if (found.length && !isCode) return isSame;
  const [one, other] = [signsOf(taken), signsOf(text)];
  return one.words.length === other.words.length && isGroupedAt(one, other, 0);
};

/** Of what may say two numbers, the one with decimals counts only with the sign of the text: "1,234" is not "1.234". */
const isDoubtful = (index, found, taken, text) =>
  index === 0 && found.length > 1 && /[.,]/.exec(taken)?.[0] !== /[.,]/.exec(text)?.[0];

const isWrittenWithin = (taken, text) => {
  const [whole, part] = [signsOf(taken), signsOf(text)];
  // What holds no more signs than that is read as a whole.
  for (let at = 0; at < whole.words.length - part.words.length + 1; at += 1)
    if (whole.words.length > part.words.length && isGroupedAt(whole, part, at)) return true;
  return false;
};

/**
 * Letters and digits, and what stands before each, between them and at the end; `isCode`: digits in groups that are no
 * number, of somebody's telephone, say.
 */
const signsOf = (text) => {
  const parts = alike(text).split(/([\p{L}\p{N}])/u);
  return {
    words: parts.filter((_, index) => index % 2),
    gaps: parts.filter((_, index) => index % 2 === 0),
    isCode: /^[+(]*\d[-./()\d]*$/.test(text.trim()) && !readingsOf(text, { own: true }).length,
    isAddress: IP_ADDRESS.test(text.trim()),
  };
};
const IP_ADDRESS = /^(25[0-5]|2[0-4]\d|1?\d?\d)(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}(?![.\d])/;

/** Quotes, dashes and blanks have many shapes; of a code the page makes capitals. */
const alike = (text) =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[‘’‚ʼ`´]/g, "'")
    .replace(/[“”„«»]/g, '"')
    .replace(/[‐-―−]+|-+/g, "-")
    .replace(/\s+/g, " ");

const isGroupedAt = (taken, text, at) => {
  const { words, gaps, isCode, isAddress } = text;
  if (words.some((word, index) => taken.words[at + index] !== word)) return false;
  const digits = words.filter(isDigit).length;
  return gaps.every((was, index) =>
    mayBecome(was, taken.gaps[at + index], {
      before: words[index - 1],
      after: words[index],
      digits,
      isCode,
      isAddress,
    }),
  );
};

const isDigit = (word) => /^\p{N}$/u.test(word ?? "");
/** Fewer digits are a range or a score, not a number in groups: "1-3" is not "13". */
const MIN_GROUPED = 6;

/** Whether a page may write `is` for the signs `was` between two letters or digits: it adds what it likes. */
const mayBecome = (was, is, { before, after, digits, isCode, isAddress }) => {
  const [signs, instead] = [was, is].map((gap) => gap.replaceAll(" ", ""));
  if (instead.includes(signs)) return is !== "" || was === "" || !before || !after || mayJoin(before, after, digits);
  if (!before) return instead.includes(signs.replace(/[+(\p{Sc}]/gu, ""));
  if (!after) return instead.includes(signs.replace(/[)\p{Sc}]/gu, ""));
  if (/^[-()]+$/.test(signs) && mayJoin(before, after, digits)) return true;
  if (!isDigit(before) || !isDigit(after) || !/^[-.,:/]$/.test(signs)) return false;
  // A date, say, has its parts divided in another way, and a telephone number in any.
  if (/^[-.,:/]$/.test(instead)) return true;
  return isCode && digits >= MIN_GROUPED && (is === "" ? !isAddress : /^[-.,:/() ]+$/.test(is));
};

const mayJoin = (before, after, digits) =>
  isDigit(before) && isDigit(after) ? digits >= MIN_GROUPED : isDigit(before) || isDigit(after);

// Controls a page makes of other elements than HTML's own, told by their role: what they hold, and getting them ready.


const TICKED = new Set(["checkbox", "menuitemcheckbox", "menuitemradio", "radio", "switch"]);
const STEPPED = new Set(["slider", "spinbutton"]);

/**
 * How a widget is filled: ticked by a click, stepped by keys, or chosen in from its list.
 * @returns {"tick"|"step"|"choose"|null} null for what is HTML's own, or takes text
 */
const widgetKind = (element) => {
  const role = roleOf(element);
  const name = tag(element);
  if (name === "select" || name === "textarea") return null;
  if (opensList(element)) return name === "input" && !showsOnly(element) ? null : "choose";
  if (name === "input") return null;
  if (TICKED.has(role)) return "tick";
  if (STEPPED.has(role)) return "step";
  return role === "listbox" ? "choose" : null;
};

/** A field that takes no text and shows what was chosen. */
const showsOnly = (input) =>
  input.readOnly || attribute(input, "aria-readonly") === "true" || attribute(input, "inputmode") === "none";

/** Whether a list of options belongs to it that opens. */
const opensList = (element) =>
  tag(element) !== "select" &&
  ((roleOf(element) === "combobox" && attribute(element, "role") !== null) ||
    attribute(element, "aria-haspopup") === "listbox");

/** The widget of a target, ready to be acted on. @returns {Element} */
const widgetAt = (target) => {
  const element = fieldOf(find(target));
  watchTarget(element, { byPress: true });
  demandVisible(element);
  // A field that only shows what was chosen cannot be typed into, and is not read-only for that.
  if (tag(element) === "input" && opensList(element)) demandEnabled(element);
  else demandWritable(element);
  return element;
};

/** @returns {"true"|"false"|"mixed"} */
const tickOf = (element) => {
  const states = statesOf(element, roleOf(element));
  if (states.includes("checked=mixed")) return "mixed";
  return states.includes("checked") ? "true" : "false";
};

/**
 * Where to click a checkbox, switch or radio button so that it is what `value` says, or that it is.
 * @returns {Promise<{is: string, done: true} | {is: string, x: number, y: number, element: string}>}
 */
const tickSpot = async (target, value, { guard }) => {
  const element = widgetAt(target);
  const wanted = value.toLowerCase();
  if (wanted !== "true" && wanted !== "false")
    throw new Failure(
      "INVALID_PARAMS",
      `${inWords(element)} takes "true" or "false", not ${JSON.stringify(value)}`,
      "nothing was filled",
    );
  const is = tickOf(element);
  if (is === wanted) return { is, done: true };
  if (wanted === "false" && /radio$/.test(roleOf(element)))
    throw new Failure(
      "INVALID_PARAMS",
      "a chosen radio button cannot be cleared",
      `fill another one of its group with "true"`,
    );
  const spot = await freeSpot(element, { still: true });
  guardPress(guard, element, spot, { capture: true });
  return { is, ...spot, element: inWords(element) };
};

/** What a checkbox is after a click on it that was `before`. @returns {{value: string}} */
const tickedNow = (target, before) => {
  const element = fieldOf(find(target));
  const is = isCheckBox(element) ? String(element.checked) : tickOf(element);
  if (is === before)
    throw new NotReady(
      "EXECUTION_ERROR",
      `${inWords(element)} was clicked and did not change: the page kept it ${is === "true" ? "checked" : is === "false" ? "unchecked" : is}`,
    );
  expect(() => (isConnected(element) ? tickOf(element) === is : null));
  return { value: is };
};

const numberOf = (element, name) => (hasAttribute(element, name) ? Number(attribute(element, name)) : null);

/**
 * What a slider or spin button holds.
 * @typedef {{now: number|null, text: string, min: number|null, max: number|null, typed: boolean, words: string}} Range
 *   `text`: as it is told; `typed`: it takes digits
 */

/** @returns {Range} */
const rangeOf = (target) => {
  const element = fieldOf(find(target));
  return {
    now: numberOf(element, "aria-valuenow"),
    text: attribute(element, "aria-valuetext") ?? wordsOf(element),
    min: numberOf(element, "aria-valuemin"),
    max: numberOf(element, "aria-valuemax"),
    typed: roleOf(element) === "spinbutton" || isEditable(element),
    words: inWords(element),
  };
};

/** The same once it is another than `before`. @param {Range} before @returns {Range} */
const rangeAfter = (target, before) => {
  const range = rangeOf(target);
  if (range.now === before.now && range.text === before.text)
    throw new NotReady("EXECUTION_ERROR", `${range.words} stays at ${JSON.stringify(range.text || range.now)}`, "", {
      unchanged: true,
    });
  return range;
};

// Filling a field: getting it ready, what cannot be typed into it, and whether it took what it was given.


/**
 * Get a field ready for `value`; `guard` is the number of the press that may follow (press_guard.js).
 * @returns {Promise<{way: "text", empty: boolean, keys?: string, guarded?: true, lists?: true} | {way: "click", x: number, y: number}
 *   | {way: "done"} | {way: "tick"|"step"|"choose"}>} text is focused and selected, to be replaced by trusted input, or to
 *   be selected by these keys, `guarded` that it may be kept from it, and `lists` that options may come for it; click means a trusted click at x, y brings the
 *   wanted state; done means the value is set; the others are the kinds of widgets (widget.js)
 */
const startFill = async (target, value, { guard = null } = {}) => {
  const element = fieldOf(find(target));
  // Text that is put in tells of itself; without any, what the focus shows may be all that happens.
  watchTarget(element, { byPress: true, looksAround: value === "" || !takesText(element) });
  const kind = widgetKind(element);
  if (kind) return { way: kind };
  demandVisible(element);
  demandWritable(element);
  const name = tag(element);
  if (!isUnderItsOwn(element)) await freeSpot(element);
  if (name === "select") return { way: "done", ...choose(element, { value }) };
  if (name === "input" && (element.type === "checkbox" || element.type === "radio"))
    return startCheck(element, value, guard);
  if (name === "input" && SET_FORMATS[element.type]) return setValue(element, value);
  if (!takesText(element))
    throw new Failure(
      "INVALID_PARAMS",
      `${inWords(element)}${name === "input" ? ` of type ${element.type}` : ""} cannot be filled`,
      `${name === "input" && element.type === "file" ? "use kapturemcp_upload_file" : "choose a field"}`,
    );
  if (
    name === "input" &&
    element.type === "number" &&
    value !== "" &&
    !/^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value)
  )
    throw new Failure(
      "INVALID_PARAMS",
      `${inWords(element)} takes a number like -1.5, not ${shownFor(element, value)}`,
      "nothing was filled",
    );
  if (opensList(element)) noteLists(element);
  const field = await focusOn(element, target);
  if (selectsByKeys(field)) return { way: "text", empty: false, keys: SELECT_ALL };
  const selected = await selectContent(field);
  return { way: "text", empty: textOf(field) === "", ...selected, ...(opensList(field) && { lists: true }) };
};

/** A range that what is drawn for it lies over: it is set, not pressed. */
const isUnderItsOwn = (element) => {
  if (tag(element) !== "input" || element.type !== "range") return false;
  const { x, y } = middleOf(element);
  const hit = hitAt(x, y);
  return hit !== null && flatContains(hit, element);
};

/** @returns {Promise<{way: "click", x: number, y: number} | {way: "done", value: string}>} */
const startCheck = async (element, value, guard) => {
  if (!/^(true|false)$/i.test(value))
    throw new Failure(
      "INVALID_PARAMS",
      `${inWords(element)} takes "true" or "false", not ${JSON.stringify(value)}`,
      "nothing was filled",
    );
  const wanted = /^true$/i.test(value);
  if (element.checked === wanted) {
    expect(() => (isConnected(element) ? element.checked === wanted : null));
    return { way: "done", value: String(wanted) };
  }
  if (element.type === "radio" && !wanted)
    throw new Failure(
      "INVALID_PARAMS",
      "a chosen radio button cannot be cleared",
      `fill another one of its group with "true"`,
    );
  const spot = await freeSpot(element, { still: true });
  if (guard) guardPress(guard, element, spot, { capture: true });
  return { way: "click", ...spot };
};

/** @returns {{way: "done", value: string}} */
const setValue = (element, value) => {
  const { set } = /** @type {{set: (value: string) => void}} */ (
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")
  );
  const before = element.value;
  set.call(element, value);
  const taken = element.value;
  const right =
    element.type === "range"
      ? Number(taken) === Number(value)
      : taken.toLowerCase() === value.toLowerCase() || (value !== "" && taken.startsWith(value));
  if (!right) {
    set.call(element, before);
    throw new Failure(
      "INVALID_PARAMS",
      `${inWords(element)} of type ${element.type} does not take ${shownFor(element, value)}`,
      `it wants ${SET_FORMATS[element.type]}${bounds(element)}`,
    );
  }
  announce(element);
  expect(() => (isConnected(element) ? element.value === taken : null));
  return { way: "done", value: isSecret(element) ? HIDDEN_VALUE : taken };
};

const bounds = (element) => {
  const parts = ["min", "max", "step"]
    .filter((name) => hasAttribute(element, name))
    .map((name) => `${name} ${attribute(element, name)}`);
  return parts.length ? ` (${parts.join(", ")})` : "";
};

/** Check that a field holds what was typed; pages may format it (a card number with spaces). */
const endFill = async (target, value) => {
  const element = fieldOf(find(target));
  if (tag(element) === "input" && /^(checkbox|radio)$/.test(element.type)) {
    if (String(element.checked) === value.toLowerCase()) {
      const { checked } = element;
      expect(() => (isConnected(element) ? element.checked === checked : null));
      return { value: String(checked) };
    }
    throw new Failure(
      "EXECUTION_ERROR",
      `${inWords(element)} did not change: the page kept it ${element.checked ? "checked" : "unchecked"}`,
    );
  }
  let taken = textOf(element) ?? "";
  const isAsked = (text) => holdsOnly(element, text, value);
  if (!isProxy(element) && isAsked(taken)) {
    expect(() => (isConnected(element) ? isAsked(textOf(element) ?? "") : null));
    return isSecret(element) ? { length: taken.length } : { value: taken };
  }
  if (isProxy(element) || isEditable(element)) {
    const { isRight, text } = await showsText(element, value);
    if (isRight) return isSecret(element) ? { length: text.length } : { value: text };
    taken = text;
  }
  throw new Failure(
    "EXECUTION_ERROR",
    `after filling, ${inWords(element)} holds ${isSecret(element) ? "another value" : JSON.stringify(taken.slice(0, 100))}${hasFocus(element) ? "" : ` and the focus is on ${focusInWords()}`}: the page changed or refused the text`,
  );
};

/**
 * What a field of a form holds once all of it was filled: a page may have set it for another one.
 * @returns {{value: string}|null} null: it is a secret, or shows another thing than its value
 */
const heldNow = (target) => {
  const element = fieldOf(find(target));
  if (!isNativeField(element) || isSecret(element) || isProxy(element) || widgetKind(element)) return null;
  return { value: isCheckBox(element) ? String(element.checked) : element.value };
};

// Where keys go, through frames of another origin too.


/** How long the browser may take to tell a document that the focus went into a frame of it. */
const FOCUS_DEADLINE_MS = 1000;

/** Resolves once the focus is in the frame: the browser hands it over between processes. */
const focusArrived = (number) =>
  new Promise((resolve, reject) => {
    const frame = doorElement(number);
    const end = (settle, ...outcome) => {
      clearTimeout(timer);
      for (const kind of ["focus", "focusin"]) unlisten(document, kind, look, true);
      removeEventListener("blur", look);
      settle(...outcome);
    };
    const look = () => frame && hasFocus(frame) && end(resolve);
    const timer = setTimeout(
      end,
      FOCUS_DEADLINE_MS,
      reject,
      new Failure(
        "ELEMENT_NOT_VISIBLE",
        "the frame does not take the focus, so nothing was typed",
        "choose a field in it",
      ),
    );
    for (const kind of ["focus", "focusin"]) listen(document, kind, look, true);
    addEventListener("blur", look);
    look();
  });

/** What has the focus beside a frame, in words, or null when it is in the frame. */
const focusBeside = (number) => {
  const frame = doorElement(number);
  return frame && hasFocus(frame) ? null : focusInWords();
};

/** The innermost element that has the focus. */
const focused = () => {
  const active = innermostActive();
  if (active && isDoor(active)) throw new Crossing([wayInto(active)]);
  return active;
};

/** Whatever the keyboard goes to is watched for changes, in whichever frame it is. */
const watchFocus = () => {
  const active = focused();
  if (active) watchTarget(active);
  watchKeys(active);
  return active;
};

// What the panel allows a command to touch, looked at in the same turn in which it begins to act.


/** Functions that act on their target, or without one on what has the focus. */
const NEEDS_GRANT = new Set([
  "locate",
  "pointsWithin",
  "startFill",
  "startType",
  "select",
  "startUpload",
  "tickSpot",
  "choiceStep",
  "scroll",
  "startWheel",
  "demandCaret",
  "watchFocus",
  "demandGranted",
]);

const SCROLLS = new Set(["scroll", "startWheel"]);

/** @typedef {{origins: "*"|string[], secret: "*"|string[]}} Grant */

/** What the command under way may touch; null: everything. @type {Grant|null} */
let granted = null;

const originHere = () => `${location.protocol}//${location.host}`;
/** @param {"*"|string[]} origins */
const coverHere = (origins) => origins === "*" || origins.includes(originHere());

/** Whether the command under way has a yes for the secret fields of this document. */
const mayTouchSecrets = () => !granted || coverHere(granted.secret);

const isGranted = (field) => mayTouchSecrets() || !isSecret(field);

/**
 * Nothing is done to a document whose origin was not granted, nor to a secret field unless its origin was
 * granted for those, too.
 * @param {string} name the function that is to be called
 * @param {any[]} args what it is to be called with
 * @param {Grant} [grant]
 */
const demandGrant = (name, [target, options], grant) => {
  granted = grant ?? null;
  if (!granted || !NEEDS_GRANT.has(name)) return;
  const element = target && isTarget(target) ? fieldOf(find(target)) : SCROLLS.has(name) ? null : focused();
  // Looking at a place, or letting go there, tells a field nothing.
  const looks = SCROLLS.has(name) || options?.enabled === false;
  const fieldKind = element && !mayTouchSecrets() && !looks ? secretKind(element) : null;
  if (!fieldKind && coverHere(granted.origins)) return;
  throw new Failure("NEEDS_APPROVAL", "a person is asked first", "", {
    origin: originHere(),
    site: location.host || location.protocol,
    url: location.href,
    title: documentTitle(document),
    ...(fieldKind && { fieldKind }),
    ...(element && { box: boxNow(element) }),
  });
};

/** Where an element is in the top viewport, without bringing it there. */
const boxNow = (element) => {
  const { left, top, right, bottom } = toTop(element, rectOf(element));
  return { x: left, y: top, width: right - left, height: bottom - top };
};

/** Only look whether a target may be acted on. */
const demandGranted = () => null;

// Choosing in lists that a page makes of other elements than <select>: what is wanted of the options, and the next step.


/** So many options an error lists. */
const MAX_TOLD = 30;
const MAX_OPTION = 80;

/**
 * @typedef {{options: string[], typed?: boolean}} Wanted `typed`: the text stands in the field; an option is chosen only
 *   if it says the same and leads nowhere
 * @typedef {{way: "done"|"scrolled"|"typed"|"open"|"press", values?: string[], stays?: boolean, x?: number, y?: number, option?: string}} Step
 *   `done` with the values, and whether the list `stays` open; `typed`: no option is what was typed; `open` and `press`: where
 */

/** @typedef {{guard: number, pressed: string[], isOpened: boolean, isAsked: boolean, isScrolled: boolean}} SoFar
 *   `pressed`: options that were clicked; `isAsked`: by a key, too, after the press brought no list */

/**
 * The next step on the way to what is wanted in the list of a target.
 * @param {Wanted} wanted
 * @param {SoFar} soFar
 * @returns {Promise<Step>}
 */
const choiceStep = async (target, wanted, soFar) => {
  const { guard, pressed } = soFar;
  // What lies behind a list that is open may be inert meanwhile.
  const element = soFar.isOpened ? fieldOf(find(target)) : widgetAt(target);
  if (roleOf(element) !== "listbox" && !opensList(element))
    throw new Failure(
      "INVALID_PARAMS",
      `${inWords(element)} is not a list of options and does not open one`,
      "click it and choose from what opens",
    );
  const list =
    listOf(element, soFar.isOpened || wanted.typed === true) ??
    (soFar.isOpened && soFar.isAsked ? keptList(element) : null);
  if (!list) return withoutList(element, wanted, soFar);
  const options = optionsIn(list);
  const { found, missing } = lookUp(options, wanted.options);
  if (missing.length) return withoutOption({ element, list, options, missing, wanted, soFar });
  if (wanted.typed && found.some((option) => leadsAway(option, element))) return { way: "typed" };
  const next = nextOption({ element, list, options, found, pressed });
  if (!next) {
    // A list of which one was chosen closes by itself.
    const stays =
      list !== element && isShown(list) && (takesSeveral(element, list) || found.length > 1 || !pressed.length);
    return { way: "done", values: found.map(textOfOption), stays };
  }
  const option = textOfOption(next);
  if (isDisabled(next))
    throw new NotReady(
      "ELEMENT_NOT_VISIBLE",
      `the option ${JSON.stringify(option)} is disabled`,
      "do first what enables it",
    );
  if (pressed.includes(option))
    throw new NotReady("EXECUTION_ERROR", `the option ${JSON.stringify(option)} was clicked and did not change`);
  return { way: "press", option, ...(await spotOn$1(next, guard)) };
};

const spotOn$1 = async (element, guard) => {
  const spot = await freeSpot(element, { still: true });
  guardPress(guard, element, spot, { capture: true });
  return { ...spot, element: inWords(element) };
};

/**
 * The list is not shown: it is opened, or has closed over what was chosen.
 * @param {Wanted} wanted
 * @returns {Promise<Step>}
 */
const withoutList = async (element, wanted, { guard, pressed, isOpened }) => {
  const { options, typed } = wanted;
  const shown = shownBy(element, options);
  if (pressed.length) {
    if (shown) return { way: "done", values: pressed };
    throw new NotReady(
      "EXECUTION_ERROR",
      `the option ${JSON.stringify(pressed.at(-1))} was clicked, but ${inWords(element)} does not show it`,
    );
  }
  if (typed || isOpened)
    throw new NotReady("ELEMENT_NOT_FOUND", `${inWords(element)} shows no list of options`, "click it and look", {
      closed: hasClosed(),
    });
  const spot = await spotOn$1(element, guard);
  noteLists(element);
  return { way: "open", ...spot };
};

/** What a widget shows as chosen stands in it, or beside the field it is chosen with. */
const LEVELS_BESIDE = 4;
const shownBy = (element, options) => {
  let node = element;
  for (let level = 0; node && isElement(node) && level < LEVELS_BESIDE; level += 1) {
    const said = `${wordsOf(node)} ${node === element && tag(node) === "input" ? node.value : ""}`.toLowerCase();
    if (options.every((option) => said.includes(squeeze(option).toLowerCase()))) return true;
    node = flatParent(node);
  }
  return false;
};

/** @param {{element: any, list: any, options: any[], missing: string[], wanted: Wanted, soFar: SoFar}} looked @returns {Step} */
const withoutOption = ({ element, list, options, missing, wanted, soFar }) => {
  if (wanted.typed)
    throw new NotReady(
      "ELEMENT_NOT_FOUND",
      `no option of ${inWords(element)} is ${JSON.stringify(missing[0])}`,
      "look at what it shows",
      {
        options: toldOf(options),
      },
    );
  if (scrolledOn(list, soFar.isScrolled)) return { way: "scrolled" };
  const known = toldOf(options).map((text) => JSON.stringify(text));
  const more = options.length > MAX_TOLD ? ", …" : "";
  const has = known.length ? `it has ${known.join(", ")}${more}` : "it shows none";
  throw new NotReady("INVALID_PARAMS", `${inWords(element)} has no option ${JSON.stringify(missing[0])}`, has);
};

const toldOf = (options) => options.slice(0, MAX_TOLD).map((option) => clipped(textOfOption(option), MAX_OPTION));

/** Lists that keep but a part of their options in the page show others when they are scrolled: from the top on. */
const scrolledOn = (list, isScrolled) => {
  const hidden = ({ scrollHeight, clientHeight }) => scrollHeight - clientHeight;
  const [box] = [list, ...queryAll(list, "*")].sort((one, other) => hidden(other) - hidden(one));
  const before = box.scrollTop;
  if (isScrolled || !before) box.scrollBy({ top: box.clientHeight / 2, behavior: "instant" });
  else box.scrollTo({ top: 0, behavior: "instant" });
  return box.scrollTop !== before;
};

const textOfOption = (option) => nameOf(option) || wordsOf(option);
const valueOfOption = (option) =>
  attribute(option, "data-value") ?? attribute(option, "value") ?? attribute(option, "data-key");
const isDisabled = (option) => statesOf(option, "option").includes("disabled");
const isChosen = (option, list) => {
  const told =
    roleOf(option) === "option"
      ? option
      : inside(list).find((node) => roleOf(node) === "option" && textOfOption(node) === textOfOption(option));
  const states = told ? statesOf(told, "option") : [];
  return states.includes("selected") || states.includes("checked");
};

/** Options by their text, else by their value, else by their text in other letters, if only one has it. */
const lookUp = (options, names) => {
  const found = [];
  const missing = [];
  for (const name of names) {
    const text = squeeze(name);
    const alike = options.filter((option) => textOfOption(option).toLowerCase() === text.toLowerCase());
    const option =
      options.find((one) => textOfOption(one) === text) ??
      options.find((one) => valueOfOption(one) === name) ??
      (alike.length === 1 ? alike[0] : undefined);
    if (option) found.push(option);
    else missing.push(name);
  }
  return { found, missing };
};

/** A suggestion that is a link, or of a search, would do more than fill the field. */
const leadsAway = (option, field) =>
  option.closest("a[href]") !== null ||
  queryAll(option, "a[href]").length > 0 ||
  field.type === "search" ||
  field.closest("[role=search], search") !== null;

const takesSeveral = (...nodes) => nodes.some((node) => attribute(node, "aria-multiselectable") === "true");

/** The option to click next, or null when those that are wanted are chosen, and of several no others. */
const nextOption = ({ element, list, options, found, pressed }) => {
  // A field tells of it seldom: with its list open, it is tried.
  const several = takesSeveral(element, list) || (list !== element && found.length > 1);
  if (!several && found.length !== 1)
    throw new Failure(
      "INVALID_PARAMS",
      `${inWords(element)} takes exactly one option, not ${found.length}`,
      found.length ? "leave out the others" : "give one",
    );
  const missing = found.find((option) => !isChosen(option, list));
  const surplus = several ? options.find((option) => isChosen(option, list) && !found.includes(option)) : undefined;
  // A list that stays open may tell of a choice on its field alone.
  if (
    missing &&
    pressed.includes(textOfOption(missing)) &&
    shownBy(element, [textOfOption(missing)]) &&
    list !== element
  )
    return surplus ?? null;
  return missing ?? surplus ?? null;
};

// When the mouse or a key was last pressed in this document, by a person or for an agent.


/** @type {number|null} */
let pressedAt = null;

/** From now on it is noted. */
const watchInput = () => {
  const note = (event) => event.isTrusted && (pressedAt = Date.now());
  for (const kind of ["pointerdown", "keydown"]) listen(window, kind, note, { capture: true, passive: true });
};

/** @returns {number|null} as `Date.now()` has it, or null when nothing has been pressed here */
const lastInput = () => pressedAt;

// Handing an editor a text at once, as a paste does: what is typed into it, it may indent, complete and pair.


/** @returns whether what has the focus took it; where nothing of a page minds pastes, it is the browser's to do */
const paste = (text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true, composed: true });
  const active = innermostActive();
  if (!active) return false;
  const view = ownerDocumentView(active);
  let arrived = false;
  const onPaste = () => (arrived = true);
  listen(view, "paste", onPaste);
  callOn(active, "dispatchEvent", event);
  unlisten(view, "paste", onPaste);
  return event.defaultPrevented || !arrived;
};

// How to act on the elements that a value of an agent's code holds.


/**
 * @param numbers of refs, as `startRefs` takes them
 * @param {Node[]} nodes
 * @returns {{told: ({selector: string|null, ref: string}|null)[], nextRef: number}} null: it is not an element of the page
 */
const tellNodes = (numbers, ...nodes) => {
  startRefs(numbers);
  const all = remembering(() => {
    const found = nodes.map((node) =>
      isElement(node) && isConnected(node) ? { selector: pathOf(node).selector, ref: told$1(node).ref } : null,
    );
    keepPlaces(false);
    return found;
  });
  return { told: all, nextRef };
};

// The registrations of the page's origin: chrome.debugger offers no ServiceWorker domain.

const serviceWorkers = async () => {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return { impossible: "it is not served over https or from localhost" };
  const worker = (one) => one && { url: one.scriptURL, state: one.state };
  let registrations;
  try {
    registrations = await serviceWorker.getRegistrations();
  } catch (error) {
    return { impossible: error.message }; // a blank or sandboxed document
  }
  return {
    controller: serviceWorker.controller?.scriptURL ?? null,
    registrations: registrations.map(({ scope, active, waiting, installing }) => ({
      scope,
      active: worker(active),
      waiting: worker(waiting),
      installing: worker(installing),
    })),
  };
};

// How something pressable looks, for those who must tell one nameless box from the next.


const CLEAR = /^rgba\(.*, 0\)$/;
/** A canvas is looked at through so many points a side, and told by so many of their colours. */
const POINTS = 16;
const MAX_COLORS = 3;

/**
 * Where something is and in which colours.
 * @returns {{box: number[], color?: string, background?: string, drawn?: string[]}} `box`: x, y, width, height in the top
 *   viewport, in whole CSS pixels; `drawn`: the colours of a canvas or of the shapes of an SVG picture, the most frequent
 *   first
 */
const appearanceOf = (element) => {
  const { left, top, right, bottom } = toTop(element, rectOf(element));
  const { style } = lookOf$1(element);
  const box = [left, top, right - left, bottom - top].map(Math.round);
  if (element instanceof SVGElement) return { box, drawn: paintedIn(element) };
  return {
    box,
    color: textContent(element).trim() ? inShort(style.color) : undefined,
    background: backgroundOf(element),
    drawn: tag(element) === "canvas" ? drawnOn(element) : undefined,
  };
};

/**
 * As it stands in a line.
 * @param {ReturnType<typeof appearanceOf>} appearance
 */
const inLine = ({ box, color, background, drawn }) =>
  [
    `box=${box.join(",")}`,
    color && `color=${color}`,
    background && `background=${background}`,
    drawn && `drawn=${drawn.join(",")}`,
  ]
    .filter(Boolean)
    .join(" ");

/** Its own background, or that of what fills it. */
const backgroundOf = (element) => {
  for (let node = element; node; node = firstElementChild(node)) {
    const { backgroundColor } = lookOf$1(node).style;
    if (!CLEAR.test(backgroundColor)) return inShort(backgroundColor);
  }
  return undefined;
};

/** #rrggbb where it is one. */
const inShort = (color) => {
  const parts = /^rgb\((\d+), (\d+), (\d+)\)$/.exec(color);
  return parts ? hexOf(parts.slice(1).map(Number)) : color.replace(/\s+/g, "");
};
const hexOf = (parts) => `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;

const SHAPES = "rect, circle, ellipse, line, path, polygon, polyline, text";
/** Of a picture with more shapes the first so many tell. */
const MAX_SHAPES = 50;

/** What fills an SVG shape, else its stroke; of one around shapes theirs. */
const paintedIn = (element) => {
  const inner = [...queryAll(element, SHAPES)].slice(0, MAX_SHAPES);
  const paints = (inner.length ? inner : [element])
    .map((shape) => lookOf$1(shape).style)
    .map(({ fill, stroke }) => (isPaint(fill) ? fill : stroke))
    .filter(isPaint);
  return mostFrequent(paints.map(inShort));
};

const isPaint = (paint) => paint !== "none" && !CLEAR.test(paint);

/** @param {string[]} colors @returns {string[]|undefined} */
const mostFrequent = (colors) => {
  const counts = new Map();
  for (const color of colors) counts.set(color, (counts.get(color) ?? 0) + 1);
  const often = [...counts].sort(([, one], [, other]) => other - one).slice(0, MAX_COLORS);
  return often.length ? often.map(([color]) => color) : undefined;
};

/** The page's own context of a canvas stays untouched; what came from another origin cannot be read. */
const drawnOn = (canvas) => {
  if (!canvas.width || !canvas.height) return undefined;
  const copy = /** @type {OffscreenCanvasRenderingContext2D} */ (
    new OffscreenCanvas(POINTS, POINTS).getContext("2d", { willReadFrequently: true })
  );
  copy.imageSmoothingEnabled = false;
  copy.drawImage(canvas, 0, 0, POINTS, POINTS);
  let data;
  try {
    ({ data } = copy.getImageData(0, 0, POINTS, POINTS));
  } catch (error) {
    if (error.name !== "SecurityError") throw error;
    return undefined;
  }
  const colors = [];
  for (let at = 0; at < data.length; at += 4)
    if (data[at + 3] > 0) colors.push(hexOf([data[at], data[at + 1], data[at + 2]]));
  return mostFrequent(colors);
};

// A word on what shows nothing but a picture, or is an unnamed field: what its author called it.


const MAX_HINT = 40;
const NAMING =
  "data-icon data-lucide data-feather data-title data-tooltip data-placeholder data-name data-color data-action icon name".split(
    " ",
  );
const ICON_CLASS =
  /^(?:fa|fas|far|fab|bi|mdi|ti|ri|lucide|feather|octicon|codicon|glyphicon|icofont|icon|ico)-(?=[a-z])/i;
/** Words of icon classes that say how it looks, not what it is. */
const HOW = /^(?:fw|lg|sm|xs|xl|\dx|spin|pulse|solid|regular|outline)$/i;

/** @returns {string} "" where nothing says anything */
const hintOf = (element) => {
  const within = [element, ...[...queryAll(element, "*")].slice(0, 12)];
  for (const read of [titleOf, dataOf, fragmentOf, iconOf, fileOf])
    for (const one of within) {
      const hint = squeeze(read(one) ?? "");
      if (hint) return clipped(hint, MAX_HINT);
    }
  return clipped(ownWords(element), MAX_HINT);
};

const titleOf = (element) => attribute(element, "title") ?? (tag(element) === "img" ? attribute(element, "alt") : null);

const dataOf = (element) => NAMING.map((name) => attribute(element, name)).find(Boolean);

/** <use href="#trash">: the picture in a sheet of pictures. */
const fragmentOf = (element) => (tag(element) === "use" ? hrefOf$1(element)?.split("#").at(-1) : undefined);

const classesOf = (element) =>
  (attribute(element, "class") ?? "").split(/\s+/).filter((name) => name && !looksMade(name));

const iconOf = (element) =>
  classesOf(element)
    .filter((name) => ICON_CLASS.test(name))
    .map((name) => name.replace(ICON_CLASS, ""))
    .find((name) => !HOW.test(name));

/** The last part of a picture's address, or of where it leads. */
const fileOf = (element) => {
  const address = tag(element) === "img" ? attribute(element, "src") : hrefOf$1(element);
  if (!address || /^(?:data|blob|javascript):/i.test(address)) return undefined;
  return address.split(/[?#]/)[0].replace(/\/$/, "").split("/").at(-1);
};

/** Classes that say what kind of thing it is, not which one. */
const KIND = /^(?:btn|button|link|nav-link|ic|icon|item|input|field|form-control|form-select)(?:-|$)/i;

/** Its own classes, its id or a test's name for it, where a person wrote them. */
const ownWords = (element) => {
  const classes = classesOf(element).slice(0, 2);
  const names = ["id", "data-testid", "data-test"].map((name) => attribute(element, name));
  const named = names.find((word) => word && !looksMade(word));
  return (classes.every((name) => KIND.test(name)) && named) || classes.join(" ");
};

// A run of text as a reader sees it: blanks as one, breaks as lines, code with its indentation.


const KEEPS_LINES = /^(pre|break-spaces)/;
const KEEPS_BLANKS = /^(pre$|pre-wrap|break-spaces)/;

class TextRun {
  /** The line under way, and those before it. */
  #line = "";
  #isKept = false;
  /** @type {string[]|null} */
  #lines = null;

  /** @param {string} text @param {CSSStyleDeclaration} style of the element it is in */
  add(text, style) {
    // Asking is dear, and most text has nothing to keep.
    const whiteSpace = /[\n\t]| {2}/.test(text) ? style.whiteSpace : "normal";
    if (!KEEPS_LINES.test(whiteSpace)) {
      this.#line += this.#isKept ? text.replace(/\s+/g, " ") : text;
      return;
    }
    const isKept = KEEPS_BLANKS.test(whiteSpace);
    for (const [index, line] of text.split("\n").entries()) {
      if (index > 0) this.break();
      this.#join(line, isKept);
    }
  }

  break() {
    (this.#lines ??= []).push(this.#said());
    this.#line = "";
    this.#isKept = false;
  }

  #join(text, isKept) {
    if (isKept && text !== "" && !this.#isKept) {
      this.#line = this.#line.replace(/\s+/g, " ");
      this.#isKept = true;
    }
    this.#line += text;
  }

  #said() {
    return this.#isKept ? this.#line.replace(/\u00a0/g, " ").trimEnd() : squeeze(this.#line);
  }

  #takeLine() {
    const said = this.#said();
    this.#line = "";
    this.#isKept = false;
    return said.trim() === "" ? "" : said;
  }

  /** What was added since the last time, without empty lines around it; "" where there was nothing but blanks. */
  take() {
    if (this.#line === "" && !this.#lines) return "";
    if (!this.#lines) return this.#takeLine();
    this.break();
    const lines = this.#lines;
    this.#lines = null;
    const said = lines.findIndex((line) => line !== "");
    return said < 0 ? "" : lines.slice(said, lines.findLastIndex((line) => line !== "") + 1).join("\n");
  }
}

// What can be pressed although its author hid it from screen readers (aria-hidden): a person sees it and presses it.


/** More are not asked for: behind a dialog that hides all of a page nothing can be reached. */
const MAX_ASKED = 100;

/** The outermost of what can be pressed in an element that is hidden so. @param {Element} element @returns {Element[]} */
const pressedUnspoken = (element) => {
  // What is drawn in a control is pressed as part of it.
  if (!isOwnControl(element) && closest(element, "a[*|href], button, label, summary, select")) return [];
  /** @type {Element[]} */
  const found = [];
  let left = MAX_ASKED;
  const look = (node) => {
    if (left <= 0 || !isElement(node) || SKIPPED.has(tag(node)) || hasAttribute(node, "inert")) return;
    const style = lookOf$1(node);
    if (style.display === "none" || style.contentVisibility === "hidden") return;
    if (style.visibility === "visible" && isPressable(node)) {
      left -= 1;
      if (isReached(node) && !isRepeated(node)) return void found.push(node);
    }
    for (const child of flatChildren(node)) look(child);
  };
  look(element);
  return found;
};

const isOwnControl = (element) => /^(a|button|select|summary|input|textarea)$/.test(tag(element));

const isPressable = (element) => INTERACTIVE.has(roleOf(element)) || pressOf(element) !== "";

/** A place in this page, or where the link beside it leads, too: pictures of cards, anchors of headings. */
const isRepeated = (element) => {
  const address = tag(element) === "a" ? hrefOf$1(element) : null;
  if (address === null) return false;
  if (address.startsWith("#")) return true;
  const around = closest(element, "li, article, section, tr, td") ?? element.parentElement;
  return [...(around?.getElementsByTagName("a") ?? [])].some(
    (other) => hrefOf$1(other) === address && closest(other, "[aria-hidden=true]") === null,
  );
};

/** Whether a press on its middle would reach it; what is out of view can be scrolled to, unless a dialog is open. */
const isReached = (element) => {
  const { left, top, right, bottom } = toTop(element, rectOf(element));
  if (right - left < 1 || bottom - top < 1) return false;
  if (!inViewport(element)) return !hasDialog(ownerDocument(element));
  const hit = hitAt((left + right) / 2, (top + bottom) / 2);
  return hit !== null && belongsTo(hit, element);
};

const hasDialog = (doc) =>
  [...queryAll(doc, ":modal, [aria-modal=true], [role=dialog], [role=alertdialog]")].some(
    (dialog) => lookOf$1(dialog).display !== "none" && rectOf(dialog).width > 0,
  );

// The page's structure as text, one line a node: - role "name" [ref=e5] [state] value=… offscreen


/** Roles whose name says what is inside: only further controls are told below them. */
const LEAVES = new Set([...NAME_FROM_CONTENT, "textbox", "searchbox", "spinbutton", "slider", "img"]);
/** Structure that is never a target: a ref would only cost. */
const WITHOUT_REF = new Set(["listitem", "row", "cell", "columnheader", "rowheader", "separator", "alert", "status"]);
const MAX_TEXT = 400;

/**
 * Walk the page.
 * @param {import("../lookup.js").Target} target what to walk instead of all
 * @param {{interactiveOnly?: boolean, maxDepth?: number, roles?: string[], look?: boolean, depth?: number, nodes?: boolean|string[]}} options
 *   `depth`: of the outermost nodes; `nodes`: also as objects, true or only if a line holds one of these texts
 * @returns {{lines: string[], nodes: object[]|null, doors: object[], nextRef: number, title: string, url: string}} `doors`
 *   lead into frames that cannot be read from here, whose nodes belong before the line `at`, at `depth`
 */
const snapshot = (target, { nodes = false, ...options }, numbers) => {
  startRefs(numbers);
  const whole = !isTarget(target) && options.maxDepth === undefined;
  const walked = remembering(() => {
    const all = walkPage({ ...options, target });
    keepPlaces(whole);
    return all;
  });
  const found = [];
  const into = [];
  for (const node of walked) {
    if (node.frame) into.push({ ...wayInto(node.frame), at: found.length, depth: node.depth });
    else found.push(node);
  }
  const lines = found.map(lineOf);
  const asked = Array.isArray(nodes) ? lines.some((line) => nodes.some((sign) => line.includes(sign))) : nodes;
  return {
    lines,
    nodes: asked ? found.map(({ element: _, ...node }) => node) : null,
    doors: into,
    nextRef,
    title: documentTitle(document),
    url: document.location.href,
  };
};

/**
 * The nodes in the order of the page, each with its element.
 * @param {{interactiveOnly?: boolean, maxDepth?: number, roles?: string[], look?: boolean, depth?: number, target?: object}} options
 */
const walkPage = ({ interactiveOnly = false, maxDepth = Infinity, roles, look = false, depth = 0, target = {} }) => {
  const asked = roles ? new Set(roles.map((role) => role.toLowerCase())) : null;
  for (const role of asked ?? [])
    if (!isRole(role))
      throw new Failure(
        "INVALID_PARAMS",
        `roles: ${JSON.stringify(role)} is not a role`,
        "use such as button, link, textbox or heading",
      );
  const walk = { nodes: [], run: new TextRun(), interactiveOnly, maxDepth, roles: asked, look };
  const named = isTarget(target);
  const start = named ? find(target) : (documentBody(document) ?? documentElement(document));
  if (named) walkElement(walk, start, depth);
  else if (start) walkBody(walk, start, depth);
  return walk.nodes;
};

/** The body of a document is told where it is an editor. */
const walkBody = (walk, body, depth) => (isEditingHost(body) ? walkElement : walkChildren)(walk, body, depth);

const walkElement = (walk, element, depth) => {
  const name = tag(element);
  if (SKIPPED.has(name)) return;
  if (hasAttributes(element) && isTakenOut(element)) return walkUnspoken(walk, element, depth);
  const style = lookOf$1(element);
  if (style.display === "none" || style.contentVisibility === "hidden") return;
  const shown = style.visibility === "visible";
  const names = isToldAsName(element, name);
  const role = shown && !names ? roleOf(element) : "";
  const pressed = shown && !names && !INTERACTIVE.has(role) && pressOf(element) !== "";
  const named = role || pressed ? nameOf(element, role) : "";
  const called = pressed && isUncalled(element, role) ? "clickable" : role;
  const listed = pressed ? listsPressed(walk, called) : role !== "" && lists(walk, role, named);
  const start = walk.nodes.length;
  if (listed) {
    if (depth >= walk.maxDepth) return;
    const node = nodeOf(element, called, named, depth, { pressed });
    if (walk.look && (pressed || name === "canvas")) node.look = inLine(appearanceOf(element));
    walk.nodes.push(node);
  }
  const next = listed ? depth + 1 : depth;
  if (names) return walkNaming(walk, element, next, role);
  if (name === "img") walkAreas(walk, element, next);
  if (isFrame(element)) {
    const content = frameDocument(element);
    const body = content && documentBody(content);
    if (body) walkBody(walk, body, next);
    else if (!content && shown && next < walk.maxDepth) walk.nodes.push({ frame: element, depth: next });
    return;
  }
  if (role === "combobox" && name === "select") return;
  if (isSecret(element)) {
    // What it says is its value: its line has dots for that, and where it has none they stand alone.
    if (shown && !listed) walk.run.add(valueOf(element, role), style.style);
    tellText(walk, next);
    return walkInside(walk, element, next, called);
  }
  if (called === "clickable" && listed) {
    walkPressed(walk, element, next, start);
    if (walk.nodes[start]?.element === element) nameByWords(walk, walk.nodes[start], element);
    return;
  }
  if (role === "listitem" && !walk.interactiveOnly && !walk.roles) return walkItem(walk, element, depth);
  if (listed && LEAVES.has(role) && (named || role === "textbox")) walkInside(walk, element, next, role);
  else walkChildren(walk, element, next);
  if (listed && pressed) nameByWords(walk, walk.nodes[start], element);
};

/** Where the text in it is not told, what can be pressed is told by its words. */
const nameByWords = ({ interactiveOnly, roles }, node, element) => {
  if (node.name || node.hint || !(interactiveOnly || roles) || textContent(element).length > MAX_READ) return;
  node.name = clipped(wordsOf(element), MAX_WORDS);
};
const MAX_READ = 2000;
const MAX_WORDS = 80;

const isTakenOut = (element) => hasAttribute(element, "inert") || attribute(element, "aria-hidden") === "true";

/** What is hidden from screen readers alone can be pressed; nothing more of it is told. */
const walkUnspoken = (walk, element, depth) => {
  if (depth >= walk.maxDepth || hasAttribute(element, "inert")) return;
  for (const one of pressedUnspoken(element)) {
    const role = roleOf(one);
    const pressed = !INTERACTIVE.has(role);
    const called = pressed && isUncalled(one, role) ? "clickable" : role;
    const named = nameOf(one, role);
    if (pressed ? !listsPressed(walk, called) : !lists(walk, role, named)) continue;
    const node = nodeOf(one, called, named, depth, { pressed });
    if (walk.look && pressed) node.look = inLine(appearanceOf(one));
    walk.nodes.push(node);
  }
};

/** What names a control, a group or a table is told as their name, if that is told. */
const isToldAsName = (element, name) => {
  if (name === "label")
    return Boolean(element.control) && (isPressedByLabel(element.control) || isDrawn(element.control));
  if (name !== "legend" && name !== "caption") return false;
  const named = parentNode(element);
  return isElement(named) && nameOf(named).includes(wordsOf(element));
};

/** A label is told as its control, where that is not to be seen and the label is pressed for it. */
const walkNaming = (walk, element, depth, role) => {
  const control = tag(element) === "label" ? element.control : null;
  if (!control || !isPressedByLabel(control) || isDrawn(control)) return walkInside(walk, element, depth, role);
  const controlRole = roleOf(control);
  const named = nameOf(control, controlRole);
  if (lookOf$1(element).visibility !== "visible" || !lists(walk, controlRole, named)) return;
  if (depth < walk.maxDepth) walk.nodes.push(nodeOf(control, controlRole, named, depth, { seen: element }));
};

const isDrawn = (element) => Element.prototype.checkVisibility.call(element, { visibilityProperty: true });

/** The areas of an image are drawn by it, wherever they stand. */
const walkAreas = (walk, image, depth) => {
  if (!hasAttribute(image, "usemap") || depth >= walk.maxDepth) return;
  for (const area of areasOf(image)) {
    const role = roleOf(area);
    const named = nameOf(area, role);
    if (lists(walk, role, named)) walk.nodes.push(nodeOf(area, role, named, depth));
  }
};

/** An item of a list gets a line of its own when it holds more than one thing, or is in a state. */
const walkItem = (walk, element, depth) => {
  const start = walk.nodes.length;
  walkChildren(walk, element, depth + 1);
  const inside = walk.nodes.slice(start);
  const tops = inside.filter((node) => node.depth === depth + 1).length;
  const item = nodeOf(element, "listitem", "", depth);
  if (tops > 1 || item.states.length) walk.nodes.splice(start, 0, item);
  else for (const node of inside) node.depth -= 1;
};

/** Whether an element that can be pressed has no role worth a word. */
const isUncalled = (element, role) => role === "" || (PLAIN.has(role) && role !== "canvas" && !authorName(element));

const listsPressed = ({ roles }, called) => !roles || roles.has("clickable") || roles.has(called.toLowerCase());

/**
 * What is in something pressable. It has no line where it is only there for a control in it: for the one that says the
 * same, or as a component around its own.
 */
const walkPressed = (walk, element, depth, start) => {
  if (isLeaf(element)) return walkInside(walk, element, depth, "clickable");
  walkChildren(walk, element, depth);
  const [own, ...inside] = walk.nodes.slice(start);
  const controls = inside.filter(isControl);
  const isShell = tag(element).includes("-") && controls.length > 0;
  if (isShell || (controls.length === 1 && inside.length === 1 && controls[0].name === textIn$1(element))) {
    for (const node of inside) node.depth -= 1;
    walk.nodes.splice(start, 1);
  } else if (!own.name && inside.length && inside.every(({ role }) => role === "text")) {
    own.name = clipped(squeeze(inside.map(({ name }) => name).join(" ")), MAX_NAME$1);
    if (inside.every(({ name }) => own.name.includes(squeeze(name)))) walk.nodes.splice(start + 1);
  }
};
const isControl = ({ role, states }) => INTERACTIVE.has(role) || role === "clickable" || states?.includes("clickable");
const textIn$1 = (element) => clipped(squeeze(textContent(element)), MAX_NAME$1);

const lists = ({ interactiveOnly, roles }, role, name) => {
  if (roles) return roles.has(role.toLowerCase());
  if (INTERACTIVE.has(role) || role === "heading") return true;
  if (interactiveOnly) return false;
  return name !== "" || !PLAIN.has(role);
};

/** Inside a leaf only further controls count: its text is already its name. */
const walkInside = (walk, element, depth, role) => {
  if (role === "textbox" && isEditingHost(element)) return;
  for (const node of flatChildren(element)) {
    if (!isElement(node)) continue;
    const inside = roleOf(node);
    if (INTERACTIVE.has(inside) || inside === "img" || inside === "heading" || isPressedIn(role, node))
      walkElement(walk, node, depth);
    else if (!isHidden(node)) walkInside(walk, node, depth, role);
  }
};

/** Of what is drawn in a control, the pointer's shape says nothing more, and a button is pressed as a whole. */
const isPressedIn = (role, node) =>
  !WHOLE.has(role) &&
  pressOf(node) !== "" &&
  (pressOf(node) === "handled" || !INTERACTIVE.has(role)) &&
  !isHidden(node);
const WHOLE = new Set(["button", "checkbox", "radio", "switch"]);

const walkChildren = (walk, element, depth) => {
  for (const node of flatChildren(element)) {
    if (!isElement(node) || isInlineText(node)) addText(walk.run, node, element);
    else {
      tellText(walk, depth);
      walkElement(walk, node, depth);
    }
  }
  tellText(walk, depth);
};

const tellText = (walk, depth) => {
  const text = walk.run.take();
  if (text && !walk.interactiveOnly && !walk.roles && depth < walk.maxDepth)
    walk.nodes.push({ role: "text", name: clipped(text, MAX_TEXT), depth });
};

/** Add what a node among the children of `holder` says in its line. */
const addText = (run, node, holder) => {
  if (!isElement(node)) {
    if (node.nodeType === 3 && lookOf$1(holder).visibility === "visible")
      run.add(textContent(node), lookOf$1(holder).style);
  } else if (tag(node) === "br") run.break();
  else if (!isHidden(node))
    if (!firstElementChild(node)) run.add(textContent(node), lookOf$1(node).style);
    else for (const inner of flatChildren(node)) addText(run, inner, node);
};

/** Inline markup without a role of its own, such as <b> or a bare <span>: part of the text around it. */
const isInlineText = (element) => {
  if (!firstElementChild(element)) return isInlineMarkup(element);
  return !BLOCKS.has(tag(element)) && remembered("inline", element, readInlineText);
};
const BLOCKS = new Set(
  "article aside div dl dt dd fieldset footer form header li main nav ol p pre section table tbody td th tr ul".split(
    " ",
  ),
);
const readInlineText = (element) =>
  isInlineMarkup(element) && flatChildren(element).every((node) => !isElement(node) || isInlineText(node));
const isInlineMarkup = (element) =>
  tag(element) === "br" ||
  (lookOf$1(element).display === "inline" &&
    !shadowRootOf(element) &&
    !/^(slot|label)$/.test(tag(element)) &&
    !SKIPPED.has(tag(element)) &&
    isPlainInline(roleOf(element)) &&
    pressOf(element) === "" &&
    !isSecret(element));
const isPlainInline = (role) => role === "" || (PLAIN.has(role) && !/^(canvas|video|audio)$/.test(role));

/**
 * {role, name, depth} and, where they say something, ref, states, value, format, options, url, hint, offscreen; `seen` is
 * what is seen of it.
 */
const nodeOf = (element, role, name, depth, { pressed = false, seen = element } = {}) => {
  const node = { element, role, name: clipped(name, MAX_NAME$1), depth };
  if (pressed || !WITHOUT_REF.has(role)) {
    node.ref = refOf(element, role === "clickable" ? roleOf(element) : role, name);
    node.offscreen = !inViewport(seen);
  }
  node.states = statesOf(element, role);
  if (pressed && role !== "clickable") node.states.push("clickable");
  const value = valueOf(element, role);
  if (value) node.value = clipped(value, MAX_NAME$1);
  const format = formatOf(element);
  if (format) node.format = format;
  const options = optionsOf(element);
  if (options) node.options = options;
  const url = ADDRESSED.get(role)?.(element);
  if (url && !/^javascript:/i.test(url)) node.url = clipped(inOneWord(url), MAX_NAME$1);
  if (!name && !node.url && (HINTED.has(role) || (pressed && PICTURED.has(role) && isLeaf(element)))) {
    const hint = hintOf(element);
    if (hint) node.hint = hint;
  }
  return node;
};

/** Controls that have nothing but a name to tell them by. */
const HINTED = new Set(
  "button link menuitem option tab treeitem textbox searchbox combobox listbox checkbox radio switch slider spinbutton".split(
    " ",
  ),
);
const PICTURED = new Set(["canvas", "clickable", "img"]);

/** Roles that lead somewhere, and what says where. */
const ADDRESSED = new Map([
  ["link", hrefOf$1],
  ["embed", (element) => attribute(element, "src")],
  ["object", (element) => attribute(element, "data")],
]);

/** An address as the browser reads it: line ends dropped, blanks escaped, so it cannot pass for more of the line. */
const inOneWord = (url) =>
  url
    .replace(/[\t\n\r]/g, "")
    .trim()
    .replace(/\s/g, "%20");

/** Whether an address tells more than the line without it: not a place in this page, nor what the name says. */
const tellsMore = (url, name) => !url.startsWith("#") && withoutScheme(url) !== withoutScheme(name);
const withoutScheme = (url) => url.replace(/^(?:https?:\/\/|mailto:|tel:)/i, "").replace(/\/$/, "");

const lineOf = ({ role, name, depth, ref, states = [], value, format, options, url, hint, look, offscreen }) => {
  const start = `${" ".repeat(depth)}- ${role}`;
  // Lines and indentation are told as JSON tells them.
  if (role === "text") return `${start}: ${name === squeeze(name) ? name : JSON.stringify(name)}`;
  const parts = [start];
  if (name) parts.push(JSON.stringify(name));
  if (ref) parts.push(`[ref=${ref}]`);
  parts.push(...states.map((state) => `[${state}]`));
  if (value) parts.push(`value=${JSON.stringify(value)}`);
  if (format) parts.push(`format=${JSON.stringify(format)}`);
  if (options) {
    const more = options.count > options.texts.length ? ` … ${options.count} in all` : "";
    parts.push(`options=${options.texts.map((text) => JSON.stringify(text)).join(" ")}${more}`);
  }
  if (url && tellsMore(url, name)) parts.push(`url=${url}`);
  if (hint) parts.push(`hint=${JSON.stringify(hint)}`);
  if (look) parts.push(look);
  if (offscreen) parts.push("offscreen");
  return parts.join(" ");
};

// The guard of typing without a yes for secret fields. The field was none when the typing began; a page may make it one
// meanwhile, or give such a field the focus. So each key is looked at before the page sees it, and from the first that
// would reach a secret field on all are swallowed.


const KEY_EVENTS = ["keydown", "keypress", "beforeinput", "keyup"];
/** A key the extension never came to makes the guard end by itself, before it can meet a person's own. */
const GUARD_MS = 3000;

/**
 * `until` by `performance.now()`; `kind` of the secret field that keys were kept from, in words.
 * @type {{until: number, lastMs: number, kind: string|null, kept: number}|null}
 */
let guard = null;
/** The window of a frame that can be read from here, in which the field is. @type {any} */
let inner = null;

/**
 * From now on no key of ours reaches a secret field, unless that was granted.
 * @param {Element|null} field what is typed into
 * @param {number} delayMs between two keys
 */
const guardSecrets = (field, delayMs) => {
  endSecretGuard();
  if (mayTouchSecrets()) return;
  armSecretGuard(GUARD_MS + delayMs);
  inner = field && ownerDocumentView(field) !== window ? ownerDocumentView(field) : null;
  inner?.kapture?.armSecretGuard(GUARD_MS + delayMs);
};

/** The same in the document of a frame. @param {number} lastMs */
const armSecretGuard = (lastMs) => {
  guard = { until: performance.now() + lastMs, lastMs, kind: null, kept: 0 };
};

/**
 * What was kept from a secret field so far; the guard goes on with the next keys.
 * @returns {{kind: string, kept: number}|null} how many keys, and which kind of field
 */
const keptFromSecret = () => {
  const within = inner?.kapture?.keptFromSecret();
  if (!guard) return null;
  guard.until = performance.now() + guard.lastMs;
  const { kind, kept } = guard;
  return kind ? { kind, kept } : (within ?? null);
};

/** What was kept from a secret field; nothing more is. */
const endSecretGuard = () => {
  const kept = keptFromSecret();
  inner?.kapture?.endSecretGuard();
  guard = inner = null;
  return kept;
};

/** @param {Event} event */
const onKey = (event) => {
  if (!guard || !event.isTrusted || performance.now() > guard.until) return;
  const active = innermostActive();
  guard.kind ??= active && secretKind(active);
  if (!guard.kind) return;
  // A sign without a key of its own comes as input alone; of one with a key that input was prevented.
  if (event.type === "keydown" || event.type === "beforeinput") guard.kept += 1;
  event.stopImmediatePropagation();
  event.preventDefault();
};

/** From now on keys are looked at, before the page's own listeners get them. */
const watchKeysForSecrets = () => {
  for (const kind of KEY_EVENTS) listen(window, kind, onKey, true);
};

// Typing into a field, and where the keyboard is afterwards.


/**
 * Focus the target for typing; with `clear`, its content is selected to be deleted; with `caret`, it must take text.
 * `text` is what is put there then, null for keys alone; `delay` is in milliseconds between many keys, which are kept from
 * secret fields, null when one input follows.
 * @returns {Promise<{keys?: string, guarded?: true}>} what selects the content where the browser's own selection does
 *   not; `guarded`: the key that deletes it may be kept from it
 */
const startType = async (target, { clear, caret = false, text = null, delay = null }) => {
  if (!isTarget(target)) {
    const active = watchFocus();
    if (delay !== null) guardSecrets(active, delay);
    if (active) expectText(active, text, clear);
    return clear && active ? selectAll(active) : {};
  }
  const element = fieldOf(find(target));
  watchTarget(element);
  demandVisible(element);
  demandWritable(element);
  if (caret && !takesText(element))
    throw new Failure("INVALID_PARAMS", `${inWords(element)} takes no text`, "name a text field");
  await freeSpot(element);
  // Before it has the focus: a page may make another kind of field of it then.
  if (delay !== null) guardSecrets(element, delay);
  const field = await focusOn(element, target);
  watchKeys(field);
  expectText(field, text, clear);
  const selected = clear ? await selectAll(field) : {};
  const before = clear || !takesText(field) ? "" : textOf(field);
  typing = { target, field: new WeakRef(field), words: inWords(field), before, followed: undefined };
  return selected;
};

/** When the action is told, the field shall hold what was put into it, and says what it holds. */
const expectText = (field, text, clear) => {
  if (text === null || !takesText(field) || isProxy(field)) return;
  watchKeys(field, true);
  const before = textOf(field);
  if (text === "" || text.endsWith("\n")) return; // what was begun by Enter may have taken it away
  expect(() => {
    if (!isConnected(field)) return null;
    const now = textOf(field);
    return (clear || now !== before) && holdsText(field, now, text);
  });
};

const selectAll = async (field) => (selectsByKeys(field) ? { keys: SELECT_ALL } : selectContent(field));

/**
 * The field `startType` got ready, and what it held; `followed`: in words, where the page has handed the focus on.
 * @type {null | {target: object|null, field: WeakRef<Element>, words: string, before: string, followed: string|undefined}}
 */
let typing = null;

/**
 * Where the keyboard is after `text` was typed into the field that was got ready. A field that is full may hand the
 * focus on, as those of a code with a field for each sign do: then the next one is followed.
 * @param elsewhere in words what has the focus outside this document, if that is so
 * @returns {{kept: true, focus: string|undefined}
 *   | {kept: false, secret: {kind: string, kept: number}}
 *   | {kept: false, full: boolean, whole: boolean, field: string, holds: number, focus: string}} kept: the field has the
 *   focus, or the one it was handed on to, whose words `focus` are. Or whether the field is full and holds all the text,
 *   how many characters it holds, and in words where the focus is; `secret`: keys were kept from such a field
 */
const typedInto = (text, elsewhere = null) => {
  if (!typing) throw new Error("nothing was got ready for typing");
  const secret = keptFromSecret() && endSecretGuard();
  if (secret) return { kept: false, secret };
  const field = typing.field.deref();
  const now = !elsewhere && field && focusedFor(field, typing.target);
  if (now) {
    typing.field = new WeakRef(now);
    return { kept: true, focus: typing.followed };
  }
  const full = Boolean(field) && isFull(field);
  const next = elsewhere ? null : innermostActive();
  if (full && next && takesText(next) && isGranted(next)) {
    typing = { target: null, field: new WeakRef(next), words: inWords(next), before: "", followed: inWords(next) };
    return { kept: true, focus: typing.followed };
  }
  const taken = field && takesText(field) ? textOf(field) : "";
  const whole = Boolean(field) && taken !== typing.before && holdsText(field, taken, text);
  return { kept: false, full, whole, field: typing.words, holds: taken.length, focus: elsewhere ?? focusInWords() };
};

const isFull = (element) =>
  /^(input|textarea)$/.test(tag(element)) && element.maxLength > 0 && element.value.length >= element.maxLength;

/**
 * Text can be inserted where the caret is, and only there.
 * @param {object} _target none
 * @param {string|null} text what is inserted then
 */
const demandCaret = (_target, text = null) => {
  const active = focused();
  if (!active || !takesText(active))
    throw new Failure("ELEMENT_NOT_FOUND", "no text field has the focus", "name a target");
  demandWritable(active);
  watchTarget(active);
  watchKeys(active);
  expectText(active, text, false);
};

// A wheel turned over an element: the page gets it as a person's, and what it leaves of it is scrolled here.


/**
 * @typedef {{x: number, y: number}} Point
 * @typedef {{box: Element, by: Point, from: Point, listened: EventTarget[], event: WheelEvent|null, isOurs: boolean}} Turn
 *   `isOurs`: the page left the event, and the browser was kept from scrolling
 */

/**
 * The one under way; null: whatever comes is a person's.
 * @type {Turn|null}
 */
let turn = null;

const OPTIONS = { capture: false, passive: false };
const FIRST = { capture: true, passive: false };

/**
 * From now on a wheel is looked for.
 * @returns {Promise<{x?: number, y?: number, points?: Point[], moved?: boolean}>} a point of the top viewport to turn it
 *   at, in a frame of another origin all `points`; none where a wheel has nothing to reach
 */
const startWheel = async (target, by) => {
  dropWheel();
  const page = scrollingElement(document);
  const { element, points, moved } = isTarget(target) ? await spotOn(target, by) : spotOfPage(page, by);
  const [point] = points;
  const hit = point && hitAt(point.x, point.y);
  // A target that was found by its point is entered by that.
  if (hit && isDoor(hit) && !target.stay)
    throw new Crossing([wayInto(hit, { selector: null, xpath: null, ref: null, ...point })]);
  const isWithin = hit && element && ownerDocument(hit) !== ownerDocument(element);
  const box = element ? scrollBoxOf(isWithin ? hit : element, by) : page;
  turn = { box, by, from: positionOf(box), listened: [], event: null, isOurs: false };
  if (!hit) return {};
  watchTarget(hit);
  // Added now it comes after the page's own; taken away again, scrolling stays the compositor's.
  const view = ownerDocumentView(hit);
  listen(view, "wheel", onFirst, FIRST);
  turn.listened.push(view);
  return { ...point, ...(place && target.x === undefined && { points, moved }) };
};

/** The page as a whole; one that does not scroll leaves that to what lies in the middle of the window. */
const spotOfPage = (page, by) => {
  if (!(by.x || by.y) || pageScrolls(page, by)) return { element: null, points: [], moved: false };
  const point = { x: innerWidth / 2, y: innerHeight / 2 };
  return { element: hitAt(point.x, point.y), points: [point], moved: false };
};

const spotOn = async (target, by) => {
  const element = find(target);
  if (!(by.x || by.y)) return { element, points: [], moved: false };
  if (target.x !== undefined) return { element, points: [{ x: target.x, y: target.y }], moved: false };
  const box = scrollBoxOf(element, by);
  const isPage = box === scrollingElement(ownerDocument(box));
  // What is scrolled out of its box is not brought back first: its box is what scrolls.
  const meant = isPage ? [element] : [element, box];
  const points = met(meant);
  if (points.length || !facesOf(element).length) return { element, points, moved: false };
  const moved = await bringIntoView(isPage ? element : box);
  return { element, points: met(meant), moved };
};

const met = (elements) => {
  for (const element of elements)
    for (const face of facesOf(element)) {
      const { points } = meet(face, element);
      if (points.length) return points;
    }
  return [];
};

/** Whoever on its way stops it decides, so each of them is asked, after the page's own listeners there. */
const onFirst = (event) => {
  if (!turn || !event.isTrusted) return;
  turn.event = event;
  for (const node of event.composedPath()) {
    listen(node, "wheel", onLast, OPTIONS);
    turn.listened.push(node);
  }
};

const onLast = (event) => {
  if (!turn || event !== turn.event || event.defaultPrevented) return;
  if (!event.cancelBubble && event.currentTarget !== turn.listened[0]) return;
  // Nobody else hears of it: it is scrolled here, at once and in the box that is meant.
  event.preventDefault();
  turn.isOurs = event.defaultPrevented;
};

/** What the page left of the wheel is scrolled. @returns how far that got, and where it may get */
const endWheel = async () => {
  if (!turn) throw new Error("no wheel was begun");
  const { box, by, from, event, isOurs } = turn;
  dropWheel();
  const taken = event !== null && event.defaultPrevented && !isOurs;
  // The browser scrolls by itself what was kept from all other listeners, and is through by the next frame.
  if (event && !event.defaultPrevented) await nextFrame();
  // With Control held a wheel scrolls nothing.
  if (!taken && !event?.ctrlKey) {
    const now = positionOf(box);
    const rest = { left: by.x - (now.x - from.x), top: by.y - (now.y - from.y) };
    callOn(box, "scrollBy", { ...rest, behavior: "instant" });
  }
  await nextFrame();
  const { x, y } = positionOf(box);
  return {
    x: Math.round(x),
    y: Math.round(y),
    maxX: Math.round(scrollWidth(box) - clientWidth(box)),
    maxY: Math.round(scrollHeight(box) - clientHeight(box)),
    movedX: Math.round(x - from.x),
    movedY: Math.round(y - from.y),
    ...(taken && { tookWheel: true }),
  };
};

/** Whatever comes now is a person's. */
const dropWheel = () => {
  for (const node of turn?.listened ?? []) {
    unlisten(node, "wheel", onFirst, FIRST);
    unlisten(node, "wheel", onLast, OPTIONS);
  }
  turn = null;
};

const positionOf = (box) => (isConnected(box) ? { x: scrollLeft(box), y: scrollTop(box) } : { x: 0, y: 0 });

// Waiting by observation: a condition is looked at when the page changed, never on a clock.


/** @type {null | {look: () => void, stop: () => void}} */
let waiting = null;

const SIGNS = ["transitionend", "animationend", "load", "toggle"];

/** Resolves when the target is in the wanted state: visible if any of its matches is, hidden if none is. */
const waitFor = (target, { state }) => until(() => elementIs(target, state));

/**
 * Resolves once this document says something else of a text than what is `known`.
 * @returns {Promise<{there: boolean, ways: object[], known: string}|null>} `ways` into the frames that cannot be read
 *   from here; null when it is no longer waited for
 */
const watchText = ({ text, state }, known) => {
  const wanted = squeeze(text).toLowerCase();
  if (!wanted) throw new Failure("INVALID_PARAMS", "text holds nothing but spaces", "give the words to wait for");
  return until(() => {
    const roots = [document, ...openRoots(document)];
    const frames = doorsIn(roots);
    const there = squeeze(textIn(roots, state)).toLowerCase().includes(wanted);
    const now = [there, ...frames.map((frame) => `${doorOf(frame)} ${isShown(frame)}`)].join();
    return now === known ? null : { there, ways: frames.map((frame) => wayInto(frame)), known: now };
  });
};

/** Resolves to what `ask` answers, once that is not null. */
const until = (ask) => {
  stopWaiting();
  return new Promise((resolve, reject) => {
    const seen = new Set();
    const observer = new MutationObserver((records) => {
      if (records.some(({ addedNodes }) => addedNodes.length)) observeAll();
      look();
    });
    const observeAll = () => {
      for (const root of [document, ...openRoots(document)]) {
        if (seen.has(root)) continue;
        seen.add(root);
        observer.observe(root, CHANGES);
        for (const sign of SIGNS) listen(root, sign, onSign, true);
      }
    };
    const onSign = () => {
      observeAll();
      look();
    };
    const end = (settle, outcome) => {
      observer.disconnect();
      for (const root of seen) for (const sign of SIGNS) unlisten(root, sign, onSign, true);
      waiting = null;
      settle(outcome);
    };
    const look = () => {
      try {
        const answer = ask();
        if (answer !== null) end(resolve, answer);
        else if (opaque.size) end(reject, new Opaque());
      } catch (error) {
        end(reject, error);
      }
    };
    waiting = { look: onSign, stop: () => end(resolve, null) };
    onSign();
  });
};

/** A frame shows another document, or this one is shown elsewhere: no event in the page tells that in time. */
const lookAgain = () => waiting?.look();

const stopWaiting = () => waiting?.stop();

const elementIs = (target, state) => {
  let all = [];
  const ways = [];
  try {
    all = findAll(target, ways);
  } catch (error) {
    if (!["ELEMENT_NOT_FOUND", "STALE_REF"].includes(error.code)) throw error;
  }
  // No event tells that a script fades something in.
  const seen = all.find((element) => takesPlace(element));
  if (state === "hidden" && !seen && ways.length) throw new Crossing(ways); // a frame there may show one still
  const holds = { attached: all.length > 0, visible: Boolean(seen), hidden: !seen }[state];
  const [element = null] = seen ? [seen] : all;
  return holds ? { found: element === null ? null : inWords(element) } : null;
};

/** The text of these documents and shadow roots: all there is, or what is shown. */
const textIn = (roots, state) => {
  if (state === "attached")
    return roots
      .map((root) => (nodeType(root) === 9 ? documentElement(root) : root))
      .map((top) => (top ? textContent(top) : ""))
      .join("\n");
  return roots.filter(isRootShown).flatMap(shownIn).join("\n");
};

const isRootShown = (root) => {
  if (nodeType(root) === 11) return Element.prototype.checkVisibility.call(root.host, { visibilityProperty: true });
  const frame = defaultView(root)?.frameElement;
  return frame ? isShown(frame) : (place?.shown ?? true);
};

const innerText = getter(HTMLElement.prototype, "innerText");
const shownIn = (root) => {
  const nodes = nodeType(root) === 9 ? [documentBody(root) ?? documentElement(root)] : [...childNodes(root)];
  return nodes.map((node) => {
    if (!node || (isElement(node) && SKIPPED.has(tag(node)))) return "";
    return "innerText" in node ? innerText(node) : textContent(node);
  });
};

// The isolated world's one global: the panel's side calls these by name.


const FUNCTIONS = {
  addPiece,
  dropMade,
  dropPieces,
  dropSeen,
  endFile,
  probed,
  setMade,
  startUpload,
  taken,
  watchDrop,
  allDoors,
  ask,
  boxOf,
  candidates,
  changedSince,
  choiceStep,
  comeToRest,
  demandCaret,
  demandGranted,
  doorsBeyond,
  drawn,
  endDrop,
  endFill,
  dropWheel,
  endGuard: endGuard$1,
  endSecretGuard,
  endWheel,
  explore,
  firstSign,
  goOn,
  focusArrived,
  focusBeside,
  frame: nextFrame,
  isOnline: () => navigator.onLine,
  guardOthers,
  heldNow,
  heldReplacement,
  isOverDrop,
  knowsRef,
  locate,
  lookAgain,
  meantAt,
  nextChange,
  observe: (isAction) => {
    endSecretGuard(); // that of a command which was cut while it typed
    observe(isAction);
  },
  observed,
  openPopup,
  passThrough,
  paste,
  placeOfDoor,
  pointsWithin,
  pressedAt: pressedAt$1,
  rangeAfter,
  rangeOf,
  scroll,
  select,
  serviceWorkers,
  settled,
  lastInput,
  snapshot,
  startDrop,
  startFill,
  startType,
  startWheel,
  state,
  stopWaiting,
  stopWatchingChanges,
  tickSpot,
  tickedNow,
  twoFrames,
  typedAt,
  typedInto,
  uncovered,
  viewport,
  waitFor,
  watchChanges,
  watchText,
  watchFocus: () => void watchFocus(),
};

/** What answers differently once closed shadow roots are handed in, and may be called again. */
const LOOKS = new Set(["ask", "explore", "snapshot"]);

/**
 * Call a function by name.
 * @param {keyof typeof FUNCTIONS} name
 * @param {any[]} args
 * @param {typeof import("./place.js").place} [at] where this document is, unless it is the top one
 * @param {import("./grant.js").Grant} [grant] what the command may touch (grant.js); without one, everything
 * @returns {Promise<{value?: any, error?: object, ways?: object[], target?: object, box?: object, several?: object|null, opaque?: true}>}
 *   `box` is where that is now; `ways` lead into the frames of another origin where the target is; `target` tells the history which element was meant;
 *   `several`: of how many it is the first; `opaque`: there is something to hand in (closed_roots.js) and to call again for
 */
const call = async (name, args, at, grant) => {
  standAt(at);
  if (LOOKS.has(name)) noteOwnMotion();
  forgetSeveral();
  opaque.clear();
  const target = targetOfCall(name, args);
  const where = whereMeant();
  try {
    demandGrant(name, args, grant);
    const value = (await FUNCTIONS[name](...args)) ?? null;
    return { value, target, box: where(), several, opaque: (LOOKS.has(name) && opaque.size > 0) || undefined };
  } catch (error) {
    // Targets are looked for before anything is done.
    if (error instanceof Opaque || (opaque.size && error.code === "ELEMENT_NOT_FOUND")) return { opaque: true };
    if (error instanceof Crossing) return { ways: error.ways };
    if (error instanceof Failure)
      return {
        error: {
          code: error.code,
          message: error.message + amongSeveral(),
          nextStep: error.nextStep,
          details: error.details,
          waits: error instanceof NotReady,
        },
        target,
      };
    throw error;
  }
};

const amongSeveral = () => (several ? ` (the first of ${several.count} that match ${JSON.stringify(several.by)})` : "");

/** `door`: the frame itself, for the browser to say which it is. */
globalThis.kapture = Object.assign(call, {
  door: doorElement,
  takeOpaque,
  handIn,
  armGuard,
  armSecretGuard,
  endSecretGuard,
  keptFromSecret,
  takingField,
  probeField,
  takeField,
  noteListening,
  tellNodes,
  lastInput,
});

keepFromPrograms();
watchPresses();
watchKeysForSecrets();
watchInput();
watchScrolling();

})();
