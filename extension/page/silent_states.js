// What a page shows or holds without a mutation or an event: highlights, states of its own elements, rules of its style
// sheets, invalid fields, the browser's lists and pickers.

import { defaultView, hostOf, isConnected, matches, nodeType, propertyOf, queryAll, queryTags } from "./dom.js";
import { namesOfStates, sheetsOf } from "./style_sheets.js";

/** More ranges of one highlight are only counted. */
const MAX_RANGES = 1000;

/**
 * @typedef {{highlights: any[], states: Element[], invalid: number, open: Element[], sheets: string, modes: any[]}} Silent
 *   each as a list to be compared: where the highlights are, which elements have a state of their own or an open list
 */

/** @param {Iterable<Node>} roots @returns {Silent} */
export const silentStates = (roots) => {
  const all = [...roots].filter((root) => nodeType(root) === 11 || nodeType(root) === 9);
  const rootsSheets = all.map(sheetsOf);
  const names = new Set(rootsSheets.flatMap((sheets) => sheets.flatMap(namesOfStates)));
  return {
    highlights: all.flatMap(highlightsIn),
    states: [...names].flatMap((name) => all.flatMap((root) => [...withState(root, name)])),
    invalid: all.reduce((count, root) => count + queryAll(root, ":invalid").length, 0),
    open: all.flatMap((root) => [...queryTags(root, ["select", "input"], ":open")]),
    sheets: rootsSheets.flatMap((sheets) => sheets.map(countOf)).join(),
    modes: ["pictureInPictureElement", "pointerLockElement"].map((name) => propertyOf(document, name)),
  };
};

/** @param {Silent} before @param {Silent} now */
export const sameSilence = (before, now) =>
  Object.keys(before).every((name) => {
    const [was, is] = [before[name], now[name]];
    return Array.isArray(was) ? was.length === is.length && was.every((one, at) => one === is[at]) : was === is;
  });

/** Elements of a root, and the host of a shadow root, with a state that a custom element gave itself. */
function* withState(root, name) {
  const selector = `:state(${name})`;
  yield* queryAll(root, selector);
  if (nodeType(root) === 11 && isConnected(root) && matches(hostOf(root), selector)) yield hostOf(root);
}

const highlightsIn = (root) => {
  const highlights = nodeType(root) === 9 ? defaultView(root)?.CSS.highlights : null;
  if (!highlights?.size) return [];
  return [...highlights].flatMap(([name, highlight]) => {
    const ranges = [...highlight].slice(0, MAX_RANGES);
    return [
      ...[name, highlight.size, highlight.priority, highlight.type],
      ...ranges.flatMap((one) => [one.startContainer, one.startOffset, one.endContainer, one.endOffset]),
    ];
  });
};

/** Whether a sheet counts, and of how many rules it is; that of another site tells nobody. */
const countOf = (sheet) => {
  try {
    return `${sheet.disabled ? "-" : ""}${sheet.cssRules.length}`;
  } catch {
    return sheet.disabled ? "-" : "+";
  }
};
