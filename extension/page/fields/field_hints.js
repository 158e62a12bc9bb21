// What a field of HTML's own takes: the format of its value and its options, and whether the browser shows a list or picker for it.

import { attribute, byId, hasAttribute, inWords, matches, queryAll, tag } from "../dom.js";
import { SET_FORMATS } from "./field_kinds.js";
import { isSecret } from "../secrets.js";
import { clipped, squeeze } from "../text.js";

/** So many options a line names, of so many letters. */
const MAX_OPTIONS = 12;
const MAX_OPTION = 40;
/** Fields whose value is in a form of its own, where it is not a plain number. */
const hasFormat = (element) => element.type in SET_FORMATS && element.type !== "range";

/** The format and bounds in words: "YYYY-MM-DD from 2026-01-01"; "" for fields that take any text. */
export const formatOf = (element) => {
  if (tag(element) !== "input" || !(hasFormat(element) || /^(range|number)$/.test(element.type))) return "";
  const bound = (name, word) => (attribute(element, name) ? `${word} ${attribute(element, name)}` : "");
  const step = attribute(element, "step");
  return [
    hasFormat(element) ? SET_FORMATS[element.type] : "",
    bound("min", "from"),
    bound("max", "to"),
    step && step !== "1" && step !== "any" ? `step ${step}` : "",
  ]
    .filter(Boolean)
    .join(" ");
};

/** @returns {{texts: string[], count: number}|null} the options of a list that is closed, the first of them, and how many */
export const optionsOf = (element) => {
  const all = optionElements(element);
  if (!all || isSecret(element)) return null;
  const texts = all.map((option) => clipped(squeeze(option.label || option.value), MAX_OPTION)).filter(Boolean);
  return texts.length ? { texts: texts.slice(0, MAX_OPTIONS), count: texts.length } : null;
};

const optionElements = (element) => {
  const name = tag(element);
  if (name === "select") return element.multiple || element.size > 1 ? null : [...element.options];
  const list = name === "input" && hasAttribute(element, "list") ? byId(element, attribute(element, "list")) : null;
  return list && tag(list) === "datalist" ? [...queryAll(list, "option")] : null;
};

/** Whether the browser shows a list or picker of its own for a field, which is not part of the page. */
export const showsPopup = (element) => /^(select|input)$/.test(tag(element)) && matches(element, ":open");

/** @returns {string|null} in words the list or picker the browser shows, and what to do about it */
export const openPopup = () => {
  const [field] = queryAll(document, "select:open, input:open");
  if (!field) return null;
  return tag(field) === "select"
    ? `the list of ${inWords(field)} is open; choose with kapturemcp_select, or close it with Escape`
    : `the picker of ${inWords(field)} is open; give it a value with kapturemcp_fill (${formatOf(field)}), or close it with Escape`;
};
