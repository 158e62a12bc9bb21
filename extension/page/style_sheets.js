// What a document's style sheets say at all: asking for the style of every element is dear.

import { getter, nodeType } from "./dom.js";

const styleSheets = getter(Document.prototype, "styleSheets");
const adoptedStyleSheets = getter(Document.prototype, "adoptedStyleSheets");

/** The sheets of a document or shadow root; what is in no document has none. @param {any} root @returns {CSSStyleSheet[]} */
export const sheetsOf = (root) => {
  if (nodeType(root) === 9) return [...styleSheets(root), ...adoptedStyleSheets(root)];
  return nodeType(root) === 11 && root.host ? [...root.styleSheets, ...root.adoptedStyleSheets] : [];
};

/**
 * Whether a rule of a document's sheets passes a test; a sheet of another origin may hold anything.
 * @param {string} kind the test's name, for what is kept of sheets that have not changed
 * @param {(rule: CSSRule) => boolean} test
 * @returns {boolean}
 */
export const someRule = (document, kind, test) => sheetsOf(document).some((sheet) => sheetHas(sheet, kind, test));

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

/** Sheet → the names of states, of how many rules they were told. @type {WeakMap<CSSStyleSheet, {count: number, names: string[]}>} */
const statesRead = new WeakMap();

/** The states that custom elements give themselves which a sheet has rules for. @param {CSSStyleSheet} sheet @returns {string[]} */
export const namesOfStates = (sheet) => {
  let rules;
  try {
    rules = sheet.cssRules;
  } catch {
    return []; // of another origin
  }
  const known = statesRead.get(sheet);
  if (known && known.count === rules.length) return known.names;
  const names = [...statesIn(rules)];
  statesRead.set(sheet, { count: rules.length, names });
  return names;
};

/** @param {CSSRuleList} rules @returns {Generator<string>} */
function* statesIn(rules) {
  for (const rule of /** @type {Iterable<any>} */ (rules)) {
    for (const [, name] of rule.selectorText?.matchAll(STATE) ?? []) yield name;
    if (rule.cssRules?.length) yield* statesIn(rule.cssRules);
  }
}
const STATE = /:state\(([^()]+)\)/g;
