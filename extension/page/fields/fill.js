// Filling a field: getting it ready, what cannot be typed into it, and whether it took what it was given.

import { choose } from "./choice.js";
import { demandVisible, demandWritable } from "../demands.js";
import { attribute, hasAttribute, inWords, isConnected, tag } from "../dom.js";
import { SELECT_ALL, isProxy, selectsByKeys } from "./editors.js";
import { Failure } from "../failure.js";
import { focusOn, selectContent } from "./field_focus.js";
import {
  SET_FORMATS,
  announce,
  fieldOf,
  isCheckBox,
  isEditable,
  isNativeField,
  takesText,
  textOf,
} from "./field_kinds.js";
import { focusInWords, hasFocus } from "../focus.js";
import { flatContains } from "../flat_tree.js";
import { hitAt } from "../hit_test.js";
import { find } from "../lookup.js";
import { expect, watchTarget } from "../observe.js";
import { noteLists } from "./option_lists.js";
import { guardPress } from "../press_guard.js";
import { middleOf } from "../scrolling.js";
import { HIDDEN_VALUE, isSecret, shownFor } from "../secrets.js";
import { showsText } from "../shown_text.js";
import { freeSpot } from "../spots.js";
import { holdsOnly } from "../text_match.js";
import { opensList, widgetKind } from "./widget.js";

/**
 * Get a field ready for `value`; `guard` is the number of the press that may follow (press_guard.js).
 * @returns {Promise<{way: "text", empty: boolean, keys?: string, guarded?: true, lists?: true} | {way: "click", x: number, y: number}
 *   | {way: "done"} | {way: "tick"|"step"|"choose"}>} text is focused and selected, to be replaced by trusted input, or to
 *   be selected by these keys, `guarded` that it may be kept from it, and `lists` that options may come for it; click means a trusted click at x, y brings the
 *   wanted state; done means the value is set; the others are the kinds of widgets (widget.js)
 */
export const startFill = async (target, value, { guard = null } = {}) => {
  const element = fieldOf(find(target));
  // Text that is put in tells of itself; without any, what the focus shows may be all that happens.
  watchTarget(element, { byPress: true, looksAround: value === "" || !takesText(element) });
  const kind = widgetKind(element);
  if (kind) return { way: kind };
  demandVisible(element);
  demandWritable(element);
  const name = tag(element);
  if (!isUnderItsOwn(element)) await freeSpot(element);
  if (name === "select") return { way: "done", ...choose(element, { value }) };
  if (name === "input" && (element.type === "checkbox" || element.type === "radio"))
    return startCheck(element, value, guard);
  if (name === "input" && SET_FORMATS[element.type]) return setValue(element, value);
  if (!takesText(element))
    throw new Failure(
      "INVALID_PARAMS",
      `${inWords(element)}${name === "input" ? ` of type ${element.type}` : ""} cannot be filled`,
      `${name === "input" && element.type === "file" ? "use kapturemcp_upload_file" : "choose a field"}`,
    );
  if (
    name === "input" &&
    element.type === "number" &&
    value !== "" &&
    !/^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value)
  )
    throw new Failure(
      "INVALID_PARAMS",
      `${inWords(element)} takes a number like -1.5, not ${shownFor(element, value)}`,
      "nothing was filled",
    );
  if (opensList(element)) noteLists(element);
  const field = await focusOn(element, target);
  if (selectsByKeys(field)) return { way: "text", empty: false, keys: SELECT_ALL };
  const selected = await selectContent(field);
  return { way: "text", empty: textOf(field) === "", ...selected, ...(opensList(field) && { lists: true }) };
};

/** A range that what is drawn for it lies over: it is set, not pressed. */
const isUnderItsOwn = (element) => {
  if (tag(element) !== "input" || element.type !== "range") return false;
  const { x, y } = middleOf(element);
  const hit = hitAt(x, y);
  return hit !== null && flatContains(hit, element);
};

/** @returns {Promise<{way: "click", x: number, y: number} | {way: "done", value: string}>} */
const startCheck = async (element, value, guard) => {
  if (!/^(true|false)$/i.test(value))
    throw new Failure(
      "INVALID_PARAMS",
      `${inWords(element)} takes "true" or "false", not ${JSON.stringify(value)}`,
      "nothing was filled",
    );
  const wanted = /^true$/i.test(value);
  if (element.checked === wanted) {
    expect(() => (isConnected(element) ? element.checked === wanted : null));
    return { way: "done", value: String(wanted) };
  }
  if (element.type === "radio" && !wanted)
    throw new Failure(
      "INVALID_PARAMS",
      "a chosen radio button cannot be cleared",
      `fill another one of its group with "true"`,
    );
  const spot = await freeSpot(element, { still: true });
  if (guard) guardPress(guard, element, spot, { capture: true });
  return { way: "click", ...spot };
};

/** @returns {{way: "done", value: string}} */
const setValue = (element, value) => {
  const { set } = /** @type {{set: (value: string) => void}} */ (
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")
  );
  const before = element.value;
  set.call(element, value);
  const taken = element.value;
  const right =
    element.type === "range"
      ? Number(taken) === Number(value)
      : taken.toLowerCase() === value.toLowerCase() || (value !== "" && taken.startsWith(value));
  if (!right) {
    set.call(element, before);
    throw new Failure(
      "INVALID_PARAMS",
      `${inWords(element)} of type ${element.type} does not take ${shownFor(element, value)}`,
      `it wants ${SET_FORMATS[element.type]}${bounds(element)}`,
    );
  }
  announce(element);
  expect(() => (isConnected(element) ? element.value === taken : null));
  return { way: "done", value: isSecret(element) ? HIDDEN_VALUE : taken };
};

const bounds = (element) => {
  const parts = ["min", "max", "step"]
    .filter((name) => hasAttribute(element, name))
    .map((name) => `${name} ${attribute(element, name)}`);
  return parts.length ? ` (${parts.join(", ")})` : "";
};

/** Check that a field holds what was typed; pages may format it (a card number with spaces). */
export const endFill = async (target, value) => {
  const element = fieldOf(find(target));
  if (tag(element) === "input" && /^(checkbox|radio)$/.test(element.type)) {
    if (String(element.checked) === value.toLowerCase()) {
      const { checked } = element;
      expect(() => (isConnected(element) ? element.checked === checked : null));
      return { value: String(checked) };
    }
    throw new Failure(
      "EXECUTION_ERROR",
      `${inWords(element)} did not change: the page kept it ${element.checked ? "checked" : "unchecked"}`,
    );
  }
  let taken = textOf(element) ?? "";
  const isAsked = (text) => holdsOnly(element, text, value);
  if (!isProxy(element) && isAsked(taken)) {
    expect(() => (isConnected(element) ? isAsked(textOf(element) ?? "") : null));
    return isSecret(element) ? { length: taken.length } : { value: taken };
  }
  if (isProxy(element) || isEditable(element)) {
    const { isRight, text } = await showsText(element, value);
    if (isRight) return isSecret(element) ? { length: text.length } : { value: text };
    taken = text;
  }
  throw new Failure(
    "EXECUTION_ERROR",
    `after filling, ${inWords(element)} holds ${isSecret(element) ? "another value" : JSON.stringify(taken.slice(0, 100))}${hasFocus(element) ? "" : ` and the focus is on ${focusInWords()}`}: the page changed or refused the text`,
  );
};

/**
 * What a field of a form holds once all of it was filled: a page may have set it for another one.
 * @returns {{value: string}|null} null: it is a secret, or shows another thing than its value
 */
export const heldNow = (target) => {
  const element = fieldOf(find(target));
  if (!isNativeField(element) || isSecret(element) || isProxy(element) || widgetKind(element)) return null;
  return { value: isCheckBox(element) ? String(element.checked) : element.value };
};
