// Questions about the text a reader sees.

import { attribute, documentBody, documentElement, isElement, tag } from "./dom.js";
import { wayInto } from "./doors.js";
import { Failure } from "./failure.js";
import { flatParent } from "./flat_tree.js";
import { bySelector, selectAll } from "./lookup.js";
import { Reading } from "./reading.js";
import { authorName, nameOf, roleOf } from "./role_and_name.js";
import { WHOLE, listed } from "./telling.js";
import { MAX_NAME, squeeze } from "./text.js";
import { isRendered } from "./visibility.js";

/** What acts on a click: text found inside is told as this. */
const ACTS = new Set("button link option menuitem menuitemcheckbox menuitemradio tab checkbox radio switch".split(" "));

export const findByText = ({ text, selector, exact, limit }, into) => {
  const wanted = squeeze(text);
  if (!wanted) throw new Failure("INVALID_PARAMS", "text holds nothing but spaces", "give the words to find");
  const lower = wanted.toLowerCase();
  const holds = exact ? (shown) => squeeze(shown) === wanted : (shown) => squeeze(shown).toLowerCase().includes(lower);
  /** Each element with the words in it that were meant. @type {Map<any, string>} */
  const found = new Map();
  const reading = new Reading(Infinity, (element, shown) => {
    const hit = [shown, ...ownWords(element)].find(holds);
    const actor = hit === undefined ? null : actorOf(element);
    if (actor && !found.has(actor)) found.set(actor, squeeze(hit));
    return actor !== null;
  });
  const starts =
    selector === undefined
      ? [documentBody(document) ?? documentElement(document)]
      : selectAll(selector, Infinity, into);
  for (const start of starts) if (start && isRendered(start)) reading.read(start);
  into.push(...reading.frames.map(({ frame }) => wayInto(frame, WHOLE)));
  return listed([...found.keys()], limit, (element, name) => {
    const said = found.get(element) ?? "";
    return { text: said === name ? undefined : around(said, said.toLowerCase().indexOf(lower), wanted.length) };
  });
};

/** Some of a long text: what was found in it, with what stands about it. */
const around = (text, at, length) => {
  if (text.length <= MAX_NAME) return text;
  const start = Math.max(0, Math.min(at - (MAX_NAME - length) / 2, text.length - MAX_NAME));
  const cut = text.slice(Math.floor(start), Math.floor(start) + MAX_NAME).toWellFormed();
  return `${start > 0 ? "…" : ""}${cut}${start + MAX_NAME < text.length ? "…" : ""}`;
};

/** Words on an element that are not text in the page. */
const ownWords = (element) => {
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
export const getVisibleText = ({ selector, maxLength }, into) => {
  const start = selector === undefined ? (documentBody(document) ?? documentElement(document)) : bySelector(selector);
  if (!start || !isRendered(start)) return [""];
  const reading = new Reading(maxLength);
  reading.read(start);
  into.push(...reading.frames.map(({ frame }) => wayInto(frame, WHOLE)));
  return reading.pieces;
};
