import { ICONS } from "./icons.js";

const SVG = "http://www.w3.org/2000/svg";

/**
 * @template {string} T
 * @typedef {T extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[T] : HTMLElement} OfTag
 */
/**
 * @template {string} K
 * @typedef {K extends `${infer T}.${string}` ? OfTag<T> : OfTag<K>} OfKind
 */

/**
 * Make an element. Words are always text, never markup.
 * @template {string} K
 * @param {K} kind its tag, with classes behind dots: "p.small.secondary"
 * @param {{on?: Record<string, (event: any) => void>} & Record<string, any>} props attributes; `on` holds listeners by event; true is an attribute without value, false and
 *   undefined none
 * @param {...(Node|string)} children
 * @returns {OfKind<K>}
 */
export function element(kind, { on = {}, ...props } = {}, ...children) {
  const [tag, ...classes] = kind.split(".");
  const made = document.createElement(tag);
  if (classes.length) made.className = classes.join(" ");
  for (const [name, value] of Object.entries(props)) put(made, name, value);
  for (const [event, listener] of Object.entries(on)) made.addEventListener(event, listener);
  made.append(...children);
  return /** @type {OfKind<K>} */ (made);
}

/**
 * Set an attribute, or take it away.
 * @param {Element} made
 * @param {string} name
 * @param {any} value true: without value, false and undefined: not there
 */
export function put(made, name, value) {
  if (value === undefined || value === false) made.removeAttribute(name);
  else made.setAttribute(name, value === true ? "" : String(value));
}

/**
 * An icon of the window's set; who needs words for it has them beside it.
 * @param {string} name
 */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  const path = document.createElementNS(SVG, "path");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}
