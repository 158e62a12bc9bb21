// A page of many refs, and how much work it is to remember them. A file imports this before any module of the page.
import { show } from "../jsdom.js";

/** Short arrays are gone through for each element. */
const LONG = 20;
/** Characters of text that were read, places compared, and entries of long arrays gone through since the last count. */
const work = { read: 0, compared: 0, entries: 0 };

const { get } = Object.getOwnPropertyDescriptor(Node.prototype, "textContent");
Object.defineProperty(Node.prototype, "textContent", {
  get() {
    const text = get.call(this);
    work.read += text?.length ?? 0;
    return text;
  },
});
// jsdom draws nothing.
Element.prototype.checkVisibility = () => true;
const compare = Node.prototype.compareDocumentPosition;
Node.prototype.compareDocumentPosition = function (other) {
  work.compared += 1;
  return compare.call(this, other);
};
/** Ways of going through an array, as they are. */
const ways = [Symbol.iterator, "filter", "map", "join"].map((name) => ({ name, go: Array.prototype[name] }));
const counted = ways.map(({ name, go }) => ({
  name,
  go(...args) {
    if (this.length > LONG) work.entries += this.length;
    return Reflect.apply(go, this, args);
  },
}));
const goThrough = (all) => all.forEach(({ name, go }) => (Array.prototype[name] = go));

const { remembering } = await import("../../../../extension/page/memo.js");
const { keepPlaces, nextRef, refOf, startRefs } = await import("../../../../extension/page/refs/refs.js");

/** @returns {typeof work} what it takes to give the buttons and links of a page refs */
export function workFor(html) {
  show(html);
  const elements = [...document.querySelectorAll("button, a")].map((element) => [element, element.innerHTML]);
  Object.assign(work, { read: 0, compared: 0, entries: 0 });
  startRefs({ from: nextRef, accepted: nextRef });
  goThrough(counted);
  try {
    remembering(() => {
      for (const [element, name] of elements) refOf(element, "button", name);
      keepPlaces(true);
    });
  } finally {
    goThrough(ways);
  }
  return { ...work };
}
