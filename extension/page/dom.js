// Reading the DOM past whatever a page has named its elements: `form.id` may be an <input name=id>.
// Isolated worlds have prototypes of their own, so only such clobbering has to be guarded against.

const getter = (prototype, name) => {
  const { get } = Object.getOwnPropertyDescriptor(prototype, name);
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
    return frame.contentDocument;
  } catch {
    return null; // of another origin
  }
};

const activeElement = (root) => (nodeType(root) === 9 ? documentActive : shadowActive)(root);
const documentActive = getter(Document.prototype, "activeElement");
const shadowActive = getter(ShadowRoot.prototype, "activeElement");

const listen = (target, ...kindAndListener) => EventTarget.prototype.addEventListener.apply(target, kindAndListener);
const unlisten = (target, ...kindAndListener) => EventTarget.prototype.removeEventListener.apply(target, kindAndListener);
const attribute = (element, name) => Element.prototype.getAttribute.call(element, name);
const hasAttribute = (element, name) => Element.prototype.hasAttribute.call(element, name);
const rootOf = (node) => Node.prototype.getRootNode.call(node);
const contains = (outer, inner) => Node.prototype.contains.call(outer, inner);
const rectOf = (element) => Element.prototype.getBoundingClientRect.call(element);
const rectsOf = (element) => Element.prototype.getClientRects.call(element);
const matches = (element, selector) => Element.prototype.matches.call(element, selector);
const closest = (element, selector) => Element.prototype.closest.call(element, selector);
const styleOf = (element) => ownerDocumentView(element).getComputedStyle(element);
const ownerDocumentView = (element) => defaultView(ownerDocument(element)) ?? window;
const isFrame = (element) => tag(element) === "iframe" || tag(element) === "frame";
const isElement = (node) => Boolean(node) && nodeType(node) === 1;

const queryAll = (root, selector) =>
  nodeType(root) === 9
    ? Document.prototype.querySelectorAll.call(root, selector)
    : nodeType(root) === 11
      ? DocumentFragment.prototype.querySelectorAll.call(root, selector)
      : Element.prototype.querySelectorAll.call(root, selector);

const byId = (element, id) => {
  const root = rootOf(element);
  return nodeType(root) === 9
    ? Document.prototype.getElementById.call(root, id)
    : nodeType(root) === 11
      ? DocumentFragment.prototype.getElementById.call(root, id)
      : null;
};

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

/** An element in the words of an error message: <button id="buy">. */
const inWords = (element) => {
  const id = attribute(element, "id");
  const name = attribute(element, "class")?.trim().split(/\s+/)[0];
  const shown = id ? ` id="${id}"` : name ? ` class="${name}"` : "";
  return `<${tag(element)}${shown}>`;
};

class Failure extends Error {
  constructor(code, message, details = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}
