import { ICONS } from "./icons.js";

const SVG = "http://www.w3.org/2000/svg";

/**
 * Make an element. Words are always text, never markup.
 * @param {string} kind its tag, with classes behind dots: "p.small.secondary"
 * @param {object} props attributes; `on` holds listeners by event; true is an attribute without value, false and
 *   undefined none
 * @param {...(Node|string)} children
 */
export function element(kind, { on = {}, ...props } = {}, ...children) {
  const [tag, ...classes] = kind.split(".");
  const made = document.createElement(tag);
  if (classes.length) made.className = classes.join(" ");
  for (const [name, value] of Object.entries(props)) put(made, name, value);
  for (const [event, listener] of Object.entries(on)) made.addEventListener(event, listener);
  made.append(...children);
  return made;
}

/** Set an attribute, or take it away. */
export function put(made, name, value) {
  if (value === undefined || value === false) made.removeAttribute(name);
  else made.setAttribute(name, value === true ? "" : String(value));
}

/** An icon of the window's set; who needs words for it has them beside it. */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  const path = document.createElementNS(SVG, "path");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}
