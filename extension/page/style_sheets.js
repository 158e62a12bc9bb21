// What a document's style sheets say at all: asking for the style of every element is dear.

import { getter } from "./dom.js";

const styleSheets = getter(Document.prototype, "styleSheets");
const adoptedStyleSheets = getter(Document.prototype, "adoptedStyleSheets");

/**
 * Whether a rule of a document's sheets passes a test; a sheet of another origin may hold anything.
 * @param {string} kind the test's name, for what is kept of sheets that have not changed
 * @param {(rule: CSSRule) => boolean} test
 * @returns {boolean}
 */
export const someRule = (document, kind, test) =>
  [...styleSheets(document), ...adoptedStyleSheets(document)].some((sheet) => sheetHas(sheet, kind, test));

/** Sheet → by kind, of how many rules it was told. @type {WeakMap<CSSStyleSheet, Record<string, {count, has}>>} */
const sheetsRead = new WeakMap();

const sheetHas = (sheet, kind, test) => {
  let rules;
  try {
    rules = sheet.cssRules;
  } catch {
    return true; // of another origin
  }
  const known = sheetsRead.get(sheet) ?? {};
  if (known[kind]?.count === rules.length) return known[kind].has;
  const has = rulesHave(rules, kind, test);
  sheetsRead.set(sheet, { ...known, [kind]: { count: rules.length, has } });
  return has;
};

const rulesHave = (rules, kind, test) => {
  for (const rule of rules) {
    if (test(rule)) return true;
    if (
      rule.styleSheet
        ? sheetHas(rule.styleSheet, kind, test)
        : rule.cssRules?.length && rulesHave(rule.cssRules, kind, test)
    )
      return true;
  }
  return false;
};
