// A run of text as a reader sees it: blanks as one, breaks as lines, code with its indentation.

import { squeeze } from "../text.js";

const KEEPS_LINES = /^(pre|break-spaces)/;
const KEEPS_BLANKS = /^(pre$|pre-wrap|break-spaces)/;

export class TextRun {
  /** The line under way, and those before it. */
  #line = "";
  #isKept = false;
  /** @type {string[]|null} */
  #lines = null;

  /** @param {string} text @param {CSSStyleDeclaration} style of the element it is in */
  add(text, style) {
    // Asking is dear, and most text has nothing to keep.
    const whiteSpace = /[\n\t]| {2}/.test(text) ? style.whiteSpace : "normal";
    if (!KEEPS_LINES.test(whiteSpace)) {
      this.#line += this.#isKept ? text.replace(/\s+/g, " ") : text;
      return;
    }
    const isKept = KEEPS_BLANKS.test(whiteSpace);
    for (const [index, line] of text.split("\n").entries()) {
      if (index > 0) this.break();
      this.#join(line, isKept);
    }
  }

  break() {
    (this.#lines ??= []).push(this.#said());
    this.#line = "";
    this.#isKept = false;
  }

  #join(text, isKept) {
    if (isKept && text !== "" && !this.#isKept) {
      this.#line = this.#line.replace(/\s+/g, " ");
      this.#isKept = true;
    }
    this.#line += text;
  }

  #said() {
    return this.#isKept ? this.#line.replace(/\u00a0/g, " ").trimEnd() : squeeze(this.#line);
  }

  #takeLine() {
    const said = this.#said();
    this.#line = "";
    this.#isKept = false;
    return said.trim() === "" ? "" : said;
  }

  /** What was added since the last time, without empty lines around it; "" where there was nothing but blanks. */
  take() {
    if (this.#line === "" && !this.#lines) return "";
    if (!this.#lines) return this.#takeLine();
    this.break();
    const lines = this.#lines;
    this.#lines = null;
    const said = lines.findIndex((line) => line !== "");
    return said < 0 ? "" : lines.slice(said, lines.findLastIndex((line) => line !== "") + 1).join("\n");
  }
}
