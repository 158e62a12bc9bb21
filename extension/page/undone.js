// Whether mutations that came together leave anything: a page may set something and set it back before it is drawn.

import { attribute, parentNode } from "./dom.js";

/** More are not followed one by one. */
const MAX_RECORDS = 50;
/** Without one they are the same as empty ones. */
const MAY_BE_EMPTY = new Set(["class", "style"]);

/**
 * @param {MutationRecord[]} records with their old values
 * @returns {"nothing"|"undone"|"lasting"} nothing: what was set was there already
 */
export const whatIsLeftOf = (records) => {
  if (records.length > MAX_RECORDS) return "lasting";
  /** The first record of each thing that changed. @type {Map<Node, Map<string|Node, {record: MutationRecord, count: number}>>} */
  const firsts = new Map();
  for (const record of records)
    for (const what of thingsOf(record)) {
      const ofTarget = firsts.get(record.target) ?? new Map();
      const known = ofTarget.get(what);
      if (known) known.count += 1;
      else ofTarget.set(what, { record, count: 1 });
      firsts.set(record.target, ofTarget);
    }
  let isOften = false;
  for (const ofTarget of firsts.values())
    for (const [what, { record, count }] of ofTarget) {
      if (!isAsBefore(record, what)) return "lasting";
      isOften ||= count > 1;
    }
  return isOften ? "undone" : "nothing";
};

const thingsOf = ({ type, attributeName, attributeNamespace, addedNodes, removedNodes }) =>
  type === "childList"
    ? [...addedNodes, ...removedNodes]
    : [type === "attributes" ? `${attributeNamespace ?? ""} ${attributeName}` : type];

const isAsBefore = (record, what) => {
  const { type, target, attributeName, attributeNamespace, oldValue } = record;
  if (type === "characterData") return target.data === oldValue;
  if (type === "childList") return isWhereItWas(record, what);
  if (attributeNamespace) return false;
  const now = attribute(target, attributeName);
  return now === oldValue || (MAY_BE_EMPTY.has(attributeName) && (now ?? "") === (oldValue ?? ""));
};

const isWhereItWas = ({ target, removedNodes, previousSibling, nextSibling }, node) => {
  const wasThere = [...removedNodes].includes(node);
  const isThere = parentNode(node) === target;
  if (!wasThere || !isThere) return wasThere === isThere;
  return removedNodes.length === 1 && node.previousSibling === previousSibling && node.nextSibling === nextSibling;
};
