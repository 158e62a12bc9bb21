// The text that styles add before and after an element.

import { shadowRootOf } from "./closed_roots.js";
import { isElement, nodeType, ownerDocumentView, parentNode, rootOf, tag } from "./dom.js";
import { remembered } from "./memo.js";
import { someRule } from "./style_sheets.js";

/** Text of ::before or ::after, as far as it is text. */
export const generatedText = (element, pseudo) => {
  const { content, display, visibility } = ownerDocumentView(element).getComputedStyle(element, pseudo);
  if (content === "none" || content === "normal" || content === "" || display === "none") return "";
  if (visibility !== "visible") return "";
  const { text, isApart } = saidBy(content);
  return display === "inline" && !isApart ? text : ` ${text} `;
};

/** What stands for an element whose styles put a picture in its place; null for any other. */
export const replacedText = ({ content }) =>
  /^(?:url|image-set)\(/.test(content) ? ` ${saidBy(content).text} ` : null;

/** Asking for the style of a pseudo-element is dear, and most pages' sheets style none. */
export const mayGenerate = (element) => {
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
