// Controls a page makes of other elements than HTML's own, told by their role: what they hold, and getting them ready.

import { demandEnabled, demandVisible, demandWritable } from "../demands.js";
import { attribute, hasAttribute, inWords, isConnected, tag } from "../dom.js";
import { Failure, NotReady } from "../failure.js";
import { fieldOf, isCheckBox, isEditable } from "./field_kinds.js";
import { find } from "../lookup.js";
import { expect, watchTarget } from "../observe.js";
import { guardPress } from "../press_guard.js";
import { roleOf, wordsOf } from "../role_and_name.js";
import { freeSpot } from "../spots.js";
import { statesOf } from "../states.js";

const TICKED = new Set(["checkbox", "menuitemcheckbox", "menuitemradio", "radio", "switch"]);
const STEPPED = new Set(["slider", "spinbutton"]);

/**
 * How a widget is filled: ticked by a click, stepped by keys, or chosen in from its list.
 * @returns {"tick"|"step"|"choose"|null} null for what is HTML's own, or takes text
 */
export const widgetKind = (element) => {
  const role = roleOf(element);
  const name = tag(element);
  if (name === "select" || name === "textarea") return null;
  if (opensList(element)) return name === "input" && !showsOnly(element) ? null : "choose";
  if (name === "input") return null;
  if (TICKED.has(role)) return "tick";
  if (STEPPED.has(role)) return "step";
  return role === "listbox" ? "choose" : null;
};

/** A field that takes no text and shows what was chosen. */
const showsOnly = (input) =>
  input.readOnly || attribute(input, "aria-readonly") === "true" || attribute(input, "inputmode") === "none";

/** Whether a list of options belongs to it that opens. */
export const opensList = (element) =>
  tag(element) !== "select" &&
  ((roleOf(element) === "combobox" && attribute(element, "role") !== null) ||
    attribute(element, "aria-haspopup") === "listbox");

/** The widget of a target, ready to be acted on. @returns {Element} */
export const widgetAt = (target) => {
  const element = fieldOf(find(target));
  watchTarget(element, { byPress: true });
  demandVisible(element);
  // A field that only shows what was chosen cannot be typed into, and is not read-only for that.
  if (tag(element) === "input" && opensList(element)) demandEnabled(element);
  else demandWritable(element);
  return element;
};

/** @returns {"true"|"false"|"mixed"} */
const tickOf = (element) => {
  const states = statesOf(element, roleOf(element));
  if (states.includes("checked=mixed")) return "mixed";
  return states.includes("checked") ? "true" : "false";
};

/**
 * Where to click a checkbox, switch or radio button so that it is what `value` says, or that it is.
 * @returns {Promise<{is: string, done: true} | {is: string, x: number, y: number, element: string}>}
 */
export const tickSpot = async (target, value, { guard }) => {
  const element = widgetAt(target);
  const wanted = value.toLowerCase();
  if (wanted !== "true" && wanted !== "false")
    throw new Failure(
      "INVALID_PARAMS",
      `${inWords(element)} takes "true" or "false", not ${JSON.stringify(value)}`,
      "nothing was filled",
    );
  const is = tickOf(element);
  if (is === wanted) return { is, done: true };
  if (wanted === "false" && /radio$/.test(roleOf(element)))
    throw new Failure(
      "INVALID_PARAMS",
      "a chosen radio button cannot be cleared",
      `fill another one of its group with "true"`,
    );
  const spot = await freeSpot(element, { still: true });
  guardPress(guard, element, spot, { capture: true });
  return { is, ...spot, element: inWords(element) };
};

/** What a checkbox is after a click on it that was `before`. @returns {{value: string}} */
export const tickedNow = (target, before) => {
  const element = fieldOf(find(target));
  const is = isCheckBox(element) ? String(element.checked) : tickOf(element);
  if (is === before)
    throw new NotReady(
      "EXECUTION_ERROR",
      `${inWords(element)} was clicked and did not change: the page kept it ${is === "true" ? "checked" : is === "false" ? "unchecked" : is}`,
    );
  expect(() => (isConnected(element) ? tickOf(element) === is : null));
  return { value: is };
};

const numberOf = (element, name) => (hasAttribute(element, name) ? Number(attribute(element, name)) : null);

/**
 * What a slider or spin button holds.
 * @typedef {{now: number|null, text: string, min: number|null, max: number|null, typed: boolean, words: string}} Range
 *   `text`: as it is told; `typed`: it takes digits
 */

/** @returns {Range} */
export const rangeOf = (target) => {
  const element = fieldOf(find(target));
  return {
    now: numberOf(element, "aria-valuenow"),
    text: attribute(element, "aria-valuetext") ?? wordsOf(element),
    min: numberOf(element, "aria-valuemin"),
    max: numberOf(element, "aria-valuemax"),
    typed: roleOf(element) === "spinbutton" || isEditable(element),
    words: inWords(element),
  };
};

/** The same once it is another than `before`. @param {Range} before @returns {Range} */
export const rangeAfter = (target, before) => {
  const range = rangeOf(target);
  if (range.now === before.now && range.text === before.text)
    throw new NotReady("EXECUTION_ERROR", `${range.words} stays at ${JSON.stringify(range.text || range.now)}`, "", {
      unchanged: true,
    });
  return range;
};
