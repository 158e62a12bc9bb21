// The text a reader sees, in reading order, one line a block; what fields hold is left out.

import { documentBody, frameDocument, isElement, isFrame, nodeType, styleOf, tag, textContent } from "./dom.js";
import { isDoor } from "./doors.js";
import { SKIPPED, flatChildren } from "./flat_tree.js";
import { isSecret } from "./secrets.js";
import { isRendered } from "./visibility.js";

/** Elements whose text is not shown as text. */
const BLOCK_BOX = /^(block|flex|grid|table|list-item|flow-root)/;
const NOT_TEXT = new Set([...SKIPPED, "input", "textarea", "select", "canvas", "video", "audio", "object"]);

export class Reading {
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
    const style = styleOf(element);
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
export const readingOf = (element, limit) => {
  if (!isRendered(element)) return "";
  const reading = new Reading(limit);
  reading.read(element);
  return reading.text.toWellFormed();
};
