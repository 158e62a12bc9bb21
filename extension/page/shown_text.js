// What an editor shows, read as a person reads it: by where its text stands, for editors draw only the lines in sight,
// in any order, and hold elsewhere what they were given.

import { nextFrame } from "./animation_frames.js";
import { attribute, isElement, nodeType, ownerDocument, rectOf, styleOf, textContent } from "./dom.js";
import { editorsAround, isProxy } from "./fields/editors.js";
import { flatChildren } from "./flat_tree.js";
import { areaOf } from "./geometry.js";
import { CHANGES } from "./page_watch.js";

/** An editor has drawn what it was given by then. */
const DRAWN_MS = 500;
/** Of the editor's area the part with its text covers so much; the rest is numbers of lines, bars, hints. */
const MIN_PART = 0.5;
/** How deep below the editor its text begins. */
const MAX_DEPTH = 8;
/** Signs nobody sees. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u2060\ufeff]/g;
const bare = (text) => text.replace(INVISIBLE, "").replace(/\s/gu, "");

/**
 * Whether an editor shows this text and no other, once it has drawn it.
 * @param {Element} field what is typed into
 * @param {string} value
 * @returns {Promise<{isRight: boolean, text: string}>} `text`: what it shows
 */
export const showsText = async (field, value) => {
  const editors = isProxy(field) ? editorsAround(field) : [field];
  const until = performance.now() + DRAWN_MS;
  for (;;) {
    for (const editor of editors) {
      const rows = partShowing(editor, field, value);
      if (rows) return { isRight: true, text: inLines(rows) };
    }
    const leftMs = until - performance.now();
    if (leftMs <= 0) return { isRight: false, text: inLines(inRows(readable(rowsOf(editors[0] ?? field, field)))) };
    await nextMutation(editors.at(-1) ?? field, leftMs);
    await nextFrame();
  }
};

/**
 * Resolves at the next change below an element, or after so long.
 * @returns {Promise<void>}
 */
const nextMutation = (element, ms) =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      observer.disconnect();
      resolve();
    };
    const observer = new MutationObserver(end);
    const timer = setTimeout(end, ms);
    observer.observe(element, CHANGES);
  });

/**
 * What of an editor shows this text and no other, as its rows: all of it, or a large part beside what else it draws.
 * @returns {string[]|null}
 */
const partShowing = (editor, field, value, depth = 0) => {
  const rows = rowsOf(editor, field);
  const right = [rows, rows.map(withoutNumber)].map(inRows).find((read) => fitsRows(value, read));
  // No text is not a sign of the part it would stand in.
  if (right || depth === MAX_DEPTH || !isProxy(field) || value === "") return right ?? null;
  const enough = MIN_PART * areaOf(rectOf(editor));
  for (const part of flatChildren(editor).filter((node) => isElement(node) && areaOf(rectOf(node)) >= enough)) {
    const found = partShowing(part, field, value, depth + 1);
    if (found) return found;
  }
  return null;
};

const inLines = (rows) => rows.join("\n").replace(/^\s*\n|\s+$/g, "");

const inRows = (rows) =>
  rows.map((row) =>
    row
      .join("")
      .replace(INVISIBLE, "")
      .replace(/\u00a0/g, " "),
  );

/** Without the number of the line before it. */
const withoutNumber = (row) => {
  const first = row.findIndex(bare);
  return first >= 0 && /^\d+$/.test(bare(row[first])) ? row.slice(first + 1) : row;
};

/** Without numbers where every row has one. */
const readable = (rows) => {
  const bareRows = rows.map(withoutNumber);
  return bareRows.some((row, index) => row === rows[index]) ? rows : bareRows;
};

/**
 * The rows of text below an element from top to bottom, each as its pieces.
 * @param {Element} element
 * @param {Element} field whose own content is not text of the editor, unless the editor is the field
 * @returns {string[][]}
 */
const rowsOf = (element, field) => {
  const pieces = piecesIn(element, field).map((piece, index) => ({ ...piece, index }));
  pieces.sort((one, other) => one.top - other.top || one.index - other.index);
  /** @type {(typeof pieces)[]} */
  const rows = [];
  let middle = -Infinity;
  for (const piece of pieces) {
    const row = rows.at(-1);
    if (row && piece.top < middle) row.push(piece);
    else {
      rows.push([piece]);
      middle = piece.top + piece.height / 2;
    }
  }
  return rows.map((row) => row.toSorted((one, other) => one.index - other.index).map(({ text }) => text));
};

/** @returns {{text: string, top: number, height: number}[]} */
const piecesIn = (element, field) =>
  flatChildren(element).flatMap((node) => {
    if (nodeType(node) === 3) return pieceOf(node, element);
    if (!isElement(node) || node === field || isAside(node, field)) return [];
    return piecesIn(node, field);
  });

/** What stands in an editor and is not text of it: a hint where nothing is written, or what nobody can write into. */
const isAside = (element, field) =>
  /placeholder/i.test(attribute(element, "class") ?? "") ||
  (!isProxy(field) && attribute(element, "contenteditable") === "false");

const pieceOf = (node, around) => {
  const text = textContent(node);
  if (!text || styleOf(around).visibility !== "visible") return [];
  const range = ownerDocument(node).createRange();
  range.selectNodeContents(node);
  const [box] = range.getClientRects();
  return box ? [{ text, top: box.top, height: box.height }] : [];
};

/**
 * Whether rows are the lines of a text, broken where there was no more room; or, after the text was written to its end,
 * its last lines, with those before out of sight.
 * @param {string} value
 * @param {string[]} read
 */
export const fitsRows = (value, read) => {
  const lines = value
    .split(/\r\n?|\n/)
    .map(bare)
    .filter(Boolean);
  const rows = read.map(bare).filter(Boolean);
  if (!rows.length || !lines.length) return rows.length === lines.length;
  return lines.some((line, start) => {
    const isStart = (from) => line.startsWith(rows[0], from) && runs(lines, { start, from }, rows);
    if (isStart(0)) return start === 0 || rows.length >= MIN_ROWS;
    // The first row in sight may be the rest of a long line.
    return rows.length >= MIN_ROWS && tails(line, rows[0]).some(isStart);
  });
};

/** So few rows are all there is. */
const MIN_ROWS = 3;

/** Where a row may begin within a line. */
const tails = (line, row) => {
  const found = [];
  for (let at = line.indexOf(row, 1); at > 0; at = line.indexOf(row, at + 1)) found.push(at);
  return found;
};

/** Whether the lines from there on run through the rows to their end. By index: a long text is not copied for each line. */
const runs = (lines, { start, from }, rows) => {
  let [at, done] = [start, from];
  for (const row of rows) {
    if (done === lines[at].length) [at, done] = [at + 1, 0];
    if (!lines[at]?.startsWith(row, done)) return false;
    done += row.length;
  }
  return at === lines.length - 1 && done === lines[at].length;
};
