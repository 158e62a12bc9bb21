// Reading the DOM past whatever a page has named its elements: `form.id` may be an <input name=id>.
// Isolated worlds have prototypes of their own, so only such clobbering has to be guarded against.

/**
 * A property as the prototype has it. @param {object} prototype @param {string} name
 * @returns {(node: any) => any}
 */
export const getter = (prototype, name) => {
  const { get } = /** @type {{get: () => any}} */ (Object.getOwnPropertyDescriptor(prototype, name));
  return (node) => get.call(node);
};

/** A property past what a page has named over it, of whatever kind of element or document; getters know their own. */
export const propertyOf = (node, name) => Reflect.get(Object.getPrototypeOf(node), name, node);
export const callOn = (node, name, ...args) => propertyOf(node, name).apply(node, args);

export const nodeType = getter(Node.prototype, "nodeType");
export const parentNode = getter(Node.prototype, "parentNode");
export const childNodes = getter(Node.prototype, "childNodes");
export const firstChild = getter(Node.prototype, "firstChild");
export const lastChild = getter(Node.prototype, "lastChild");
export const nextSibling = getter(Node.prototype, "nextSibling");
export const firstElementChild = getter(Element.prototype, "firstElementChild");
export const nextElement = getter(Element.prototype, "nextElementSibling");
export const previousElement = getter(Element.prototype, "previousElementSibling");
export const textContent = getter(Node.prototype, "textContent");
export const isConnected = getter(Node.prototype, "isConnected");
export const ownerDocument = getter(Node.prototype, "ownerDocument");
export const openRootOf = getter(Element.prototype, "shadowRoot");
export const hostOf = getter(ShadowRoot.prototype, "host");
export const children = getter(Element.prototype, "children");
export const assignedSlotOf = getter(Element.prototype, "assignedSlot");
export const clientLeft = getter(Element.prototype, "clientLeft");
export const clientTop = getter(Element.prototype, "clientTop");
export const clientWidth = getter(Element.prototype, "clientWidth");
export const clientHeight = getter(Element.prototype, "clientHeight");
export const scrollLeft = getter(Element.prototype, "scrollLeft");
export const scrollTop = getter(Element.prototype, "scrollTop");
export const scrollWidth = getter(Element.prototype, "scrollWidth");
export const scrollHeight = getter(Element.prototype, "scrollHeight");
export const offsetWidth = getter(HTMLElement.prototype, "offsetWidth");
export const offsetHeight = getter(HTMLElement.prototype, "offsetHeight");
export const documentElement = getter(Document.prototype, "documentElement");
/** What scrolls when a document does. */
export const scrollingElement = (root) => propertyOf(root, "scrollingElement") ?? documentElement(root);
export const defaultView = getter(Document.prototype, "defaultView");
export const tag = getter(Element.prototype, "localName");
export const documentTitle = getter(Document.prototype, "title");
export const documentBody = getter(Document.prototype, "body");
export const characterSet = getter(Document.prototype, "characterSet");
export const readyState = getter(Document.prototype, "readyState");
export const formElements = getter(HTMLFormElement.prototype, "elements");
export const frameDocument = (frame) => {
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

export const activeElement = (root) => (nodeType(root) === 9 ? documentActive : shadowActive)(root);
const documentActive = getter(Document.prototype, "activeElement");
const shadowActive = getter(ShadowRoot.prototype, "activeElement");

export const listen = (target, kind, listener, options) =>
  EventTarget.prototype.addEventListener.call(target, kind, listener, options);
export const unlisten = (target, kind, listener, options) =>
  EventTarget.prototype.removeEventListener.call(target, kind, listener, options);
export const attribute = (element, name) => Element.prototype.getAttribute.call(element, name);
/** Where an element leads; in a picture (SVG) it may be said as in XML. Selectors find both by `[*|href]`. */
export const hrefOf = (element) =>
  attribute(element, "href") ?? Element.prototype.getAttributeNS.call(element, XLINK, "href");
const XLINK = "http://www.w3.org/1999/xlink";
export const hasAttributes = (element) => Element.prototype.hasAttributes.call(element);
export const hasAttribute = (element, name) => Element.prototype.hasAttribute.call(element, name);
/** @returns {any} the document, shadow root or detached element a node is in */
export const rootOf = (node) => Node.prototype.getRootNode.call(node);
export const contains = (outer, inner) => Node.prototype.contains.call(outer, inner);
export const rectOf = (element) => Element.prototype.getBoundingClientRect.call(element);
export const rectsOf = (element) => Element.prototype.getClientRects.call(element);
export const matches = (element, selector) => Element.prototype.matches.call(element, selector);
export const closest = (element, selector) => Element.prototype.closest.call(element, selector);
export const styleOf = (element) => ownerDocumentView(element).getComputedStyle(element);
export const ownerDocumentView = (element) => defaultView(ownerDocument(element)) ?? window;
export const isFrame = (element) => FRAMES[tag(element)]?.(element) ?? false;
const FRAMES = {
  __proto__: null,
  iframe: () => true,
  frame: () => true,
  // One that shows a picture has no window, and nobody can look into the viewer of a PDF.
  object: (object) => Boolean(object.contentWindow) && !/\bpdf$/i.test(attribute(object, "type") ?? object.data),
  embed: (embed) => embeddedDocument(embed) !== null,
};
export const isElement = (node) => Boolean(node) && nodeType(node) === 1;

/** All elements of a document but those of its shadow roots, live. */
export const allIn = (doc) => Document.prototype.getElementsByTagName.call(doc, "*");

/** @returns {NodeListOf<any>} */
export const queryAll = (root, selector) =>
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
export const queryTags = (root, tags, state = "") => {
  const first = (name) => Document.prototype.getElementsByTagNameNS.call(root, "*", name)[0];
  if (nodeType(root) === 9 && !tags.some(first)) return [];
  return queryAll(root, tags.map((name) => name + state).join());
};

export const byId = (element, id) => {
  const root = rootOf(element);
  return nodeType(root) === 9
    ? Document.prototype.getElementById.call(root, id)
    : nodeType(root) === 11
      ? DocumentFragment.prototype.getElementById.call(root, id)
      : null;
};

/** An element in the words of an error message: <button id="buy">. */
export const inWords = (element) => {
  const id = attribute(element, "id");
  const name = attribute(element, "class")?.trim().split(/\s+/)[0];
  const shown = id ? ` id="${id}"` : name ? ` class="${name}"` : "";
  return `<${tag(element)}${shown}>`;
};
