/** As much of a document as the pages of the extension use: a tree with attributes, events that bubble, the focus. */
const REFLECTED = ["hidden", "disabled", "checked", "open"];
const PLAIN = ["id", "title", "src", "href", "alt", "type", "name"];
const kebab = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

class FakeElement {
  constructor(tag, document) {
    Object.assign(this, { tagName: tag.toUpperCase(), ownerDocument: document, childNodes: [], attributes: new Map(), listeners: {}, parent: null, tabIndex: 0, selectedIndex: 0, scrollTop: 0, scrollHeight: 0, clientHeight: 0 });
    this.dataset = new Proxy({}, {
      get: (_target, name) => this.attributes.get(`data-${kebab(name)}`),
      set: (_target, name, value) => Boolean(this.attributes.set(`data-${kebab(name)}`, String(value))),
    });
    const classes = () => new Set(this.className.split(" ").filter(Boolean));
    this.classList = {
      contains: (name) => classes().has(name),
      toggle: (name, on) => {
        const all = classes();
        if (on ?? !all.has(name)) all.add(name);
        else all.delete(name);
        this.className = [...all].join(" ");
      },
    };
  }

  get value() {
    return this.entered ?? this.getAttribute("value") ?? "";
  }

  set value(text) {
    this.entered = String(text ?? "");
  }

  get className() {
    return this.attributes.get("class") ?? "";
  }

  set className(value) {
    this.attributes.set("class", value);
  }

  get children() {
    return this.childNodes.filter((child) => child instanceof FakeElement);
  }

  get childElementCount() {
    return this.children.length;
  }

  get firstElementChild() {
    return this.children[0];
  }

  get lastElementChild() {
    return this.children.at(-1);
  }

  get textContent() {
    return this.childNodes.map((child) => (typeof child === "string" ? child : child.textContent)).join("");
  }

  set textContent(words) {
    this.replaceChildren(...(words === "" ? [] : [String(words)]));
  }

  append(...nodes) {
    for (const node of nodes) {
      node.remove?.();
      if (node instanceof FakeElement) node.parent = this;
      this.childNodes.push(node instanceof FakeElement ? node : String(node));
    }
  }

  prepend(node) {
    node.remove();
    node.parent = this;
    this.childNodes.unshift(node);
  }

  remove() {
    if (this.parent) this.parent.childNodes = this.parent.childNodes.filter((child) => child !== this);
    this.parent = null;
  }

  replaceChildren(...nodes) {
    for (const child of this.children) child.parent = null;
    this.childNodes = [];
    this.append(...nodes);
  }

  setAttribute(name, value) {
    this.attributes.set(name, value);
  }

  getAttribute(name) {
    return this.attributes.get(name) ?? null;
  }

  removeAttribute(name) {
    this.attributes.delete(name);
  }

  addEventListener(type, listener) {
    (this.listeners[type] ??= []).push(listener);
  }

  /** An event here; returns what the listeners of this element promise. */
  emit(type, init = {}) {
    const event = { target: this, preventDefault() {}, stopPropagation() {}, ...init };
    const told = [];
    for (let node = this; node; node = node.parent) for (const listener of node.listeners[type] ?? []) told.push(listener({ ...event, currentTarget: node }));
    return Promise.all(told);
  }

  click() {
    return this.disabled ? Promise.resolve() : this.emit("click");
  }

  /** What a person does to a field. */
  enter(value) {
    this.value = value;
    return this.emit("input");
  }

  /** What a person does to one of several. */
  pick() {
    for (const other of this.root.querySelectorAll("input")) if (other.name === this.name && this.type === "radio") other.checked = false;
    this.checked = this.type === "radio" || !this.checked;
    this.emit("input");
    return this.emit("change");
  }

  get root() {
    return this.parent ? this.parent.root : this;
  }

  focus() {
    this.ownerDocument.activeElement = this;
  }

  scrollIntoView() {}

  matches(selector) {
    const [, tag, rest] = selector.match(/^([\w-]*)(.*)$/);
    if (tag && tag.toUpperCase() !== this.tagName) return false;
    return [...rest.matchAll(/\.([\w-]+)|#([\w-]+)|\[([\w-]+)(?:="?([^\]"]*)"?)?\]/g)].every(([, name, id, attribute, value]) => {
      if (name) return this.classList.contains(name);
      if (id) return this.id === id;
      return value === undefined ? this.attributes.has(attribute) : this.attributes.get(attribute) === value;
    });
  }

  querySelectorAll(selector) {
    return this.children.flatMap((child) => [...(child.matches(selector) ? [child] : []), ...child.querySelectorAll(selector)]);
  }

  querySelector(selector) {
    return this.querySelectorAll(selector)[0] ?? null;
  }
}

for (const name of REFLECTED)
  Object.defineProperty(FakeElement.prototype, name, {
    get() {
      return this.attributes.has(name);
    },
    set(on) {
      if (on) this.attributes.set(name, "");
      else this.attributes.delete(name);
    },
  });
for (const name of PLAIN)
  Object.defineProperty(FakeElement.prototype, name, {
    get() {
      return this.attributes.get(name) ?? "";
    },
    set(value) {
      this.attributes.set(name, value);
    },
  });

/** A document; `html` may be the text of a page, whose elements with an id are in it, all in its body. */
export function fakeDocument(html = "") {
  const document = { activeElement: null, title: "" };
  document.createElement = (tag) => new FakeElement(tag, document);
  document.createElementNS = (_space, tag) => new FakeElement(tag, document);
  document.body = document.createElement("body");
  document.getElementById = (id) => document.body.querySelector(`#${id}`);
  for (const [, tag, attributes] of html.matchAll(/<(\w+)((?:\s+[\w-]+(?:="[^"]*")?)*)\s*\/?>/g)) {
    if (!/\sid="/.test(attributes)) continue;
    const made = document.createElement(tag);
    for (const [, name, value = ""] of attributes.matchAll(/([\w-]+)(?:="([^"]*)")?/g)) made.setAttribute(name, value);
    document.body.append(made);
  }
  return document;
}
