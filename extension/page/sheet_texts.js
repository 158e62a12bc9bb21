// Whether a script rewrote rules of a style sheet, which tells nobody. To read all rules takes longer than a frame on a
// large page: there they are read after an action, while nothing happens, and once more after one of which nothing else
// was seen.

import { sheetsOf } from "./style_sheets.js";

/** So many rules are read at once before an action. */
const MAX_AT_ONCE = 300;
/** So many in a row while nothing happens. */
const MAX_IN_A_ROW = 200;
/** More are not compared. */
const MAX_RULES = 10_000;

/** Sheet → a sum over the texts of its rules, and after which action it was made. @type {WeakMap<CSSStyleSheet, {sum: number, after: number}>} */
const known = new WeakMap();
/** How many actions were over; whether everything is read again after the last. */
let actions = 0;
let isRead = false;
/** What is still to be read. @type {CSSStyleSheet[]} */
let unread = [];
let isReading = false;

/** The sheets whose rules can be read: those of another site no script can write either. @param {Iterable<Node>} roots */
const readable = (roots) => {
  /** @type {Map<CSSStyleSheet, CSSRuleList>} */
  const all = new Map();
  for (const root of roots)
    for (const sheet of sheetsOf(root))
      try {
        all.set(sheet, sheet.cssRules);
      } catch {
        continue;
      }
  return all;
};

const countOf = (sheets) => [...sheets.values()].reduce((count, { length }) => count + length, 0);

const added = (sum, text) => {
  for (let index = 0; index < text.length; index += 1) sum = (Math.imul(sum, 31) + text.charCodeAt(index)) | 0;
  return sum;
};

/** @param {CSSStyleSheet} sheet @returns {Generator<void, number>} pauses after some rules */
function* summing(sheet) {
  const rules = sheet.cssRules;
  let sum = added(rules.length, sheet.media.mediaText);
  for (let index = 0; index < rules.length; index += 1) {
    sum = added(sum, rules[index].cssText);
    if (index % MAX_IN_A_ROW === MAX_IN_A_ROW - 1) yield;
  }
  return sum;
}

const sumOf = (sheet) => {
  const steps = summing(sheet);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return /** @type {number} */ (value);
  }
};

/** An action begins: of a small page everything is read anew. @param {Iterable<Node>} roots */
export const readSheets = (roots) => {
  unread = [];
  const sheets = readable(roots);
  if (!isRead) actions += 1;
  isRead = false;
  if (countOf(sheets) > MAX_AT_ONCE) return;
  for (const sheet of sheets.keys()) known.set(sheet, { sum: sumOf(sheet), after: actions });
};

/** An action is over: of a large page everything is read again soon. @param {Iterable<Node>} roots */
export const readSheetsLater = (roots) => {
  actions += 1;
  isRead = true;
  const sheets = readable(roots);
  const count = countOf(sheets);
  unread = count > MAX_AT_ONCE && count <= MAX_RULES ? [...sheets.keys()] : [];
  if (unread.length && !isReading) readOn();
};

const readOn = () => {
  isReading = true;
  /** @type {CSSStyleSheet|undefined} */
  let sheet;
  /** @type {Generator<void, number>|undefined} */
  let steps;
  const step = (deadline) => {
    do {
      if (sheet !== unread[0]) [sheet, steps] = [unread[0], unread.length ? summing(unread[0]) : undefined];
      if (!steps) return void (isReading = false);
      const { done, value } = steps.next();
      if (!done) continue;
      known.set(/** @type {any} */ (unread.shift()), { sum: value, after: actions });
    } while (deadline.timeRemaining() > 1);
    requestIdleCallback(step);
  };
  requestIdleCallback(step);
};

/** Whether so few rules are there that they were read just before the action. @param {Iterable<Node>} roots */
export const hasFewRules = (roots) => countOf(readable(roots)) <= MAX_AT_ONCE;

/**
 * Whether any rule reads otherwise than before the action.
 * @param {Iterable<Node>} roots
 * @returns {boolean|null} null: nobody knows, since not all was read just before it
 */
export const readOtherwise = (roots) => {
  const sheets = readable(roots);
  if (countOf(sheets) > MAX_RULES) return null;
  /** @type {boolean|null} */
  let isOther = false;
  for (const sheet of sheets.keys()) {
    const before = known.get(sheet);
    const sum = sumOf(sheet);
    if (before?.sum === sum) continue;
    if (before?.after === actions) return true;
    isOther = null;
  }
  return isOther;
};
