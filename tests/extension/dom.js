/** A document for the extension's own pages, in jsdom, and what a person does in it. */
import { JSDOM } from "jsdom";
import { settle } from "./fakes.js";

const { window } = new JSDOM("");
window.Element.prototype.scrollIntoView = () => {}; // jsdom lays nothing out

/** The document again; `html` may be the text of a page. */
export function showDocument(html = "") {
  globalThis.document = window.document;
  document.replaceChildren(new window.DOMParser().parseFromString(html, "text/html").documentElement);
}

/** An event at an element; resolves once all is done that it led to. */
export async function emit(element, kind, init = {}) {
  const Kind = kind.startsWith("key") ? window.KeyboardEvent : window.Event;
  element.dispatchEvent(
    new Kind(kind, { bubbles: !["blur", "toggle", "error"].includes(kind), cancelable: true, ...init }),
  );
  await settle();
}

export async function click(element) {
  element.click();
  await settle();
}

/** What a person does to a field. */
export async function enter(element, value) {
  element.value = value;
  await emit(element, "input");
}
