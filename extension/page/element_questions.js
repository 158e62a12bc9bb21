// Questions about single elements: what matches, how it looks, in what state it is.

import { attribute, closest, hasAttribute, inWords, matches, rectOf, styleOf, tag } from "./dom.js";
import { Failure } from "./failure.js";
import { SET_FORMATS, TEXT_INPUTS, isEditable } from "./fields/field_kinds.js";
import { hasFocus } from "./focus.js";
import { toTop, view } from "./geometry.js";
import { bySelector, selectAll } from "./lookup.js";
import { place } from "./place.js";
import { readingOf } from "./reading.js";
import { roleOf } from "./role_and_name.js";
import { HIDDEN_VALUE, isSecretText } from "./secrets.js";
import { meet } from "./spots.js";
import { valueOf, statesOf } from "./states.js";
import { MAX_VALUE, listed, told } from "./telling.js";
import { MAX_NAME, clipped } from "./text.js";
import { isShown, whyHiddenThrough } from "./visibility.js";

/**
 * What lies over an element in this document.
 * @returns {{points, cover}} the points of the top viewport where nothing does, or what does over all of them
 */
const coverOf = (element) => meet(element, element, { area: view() });

export const queryDom = ({ selector, limit }, into) =>
  listed(selectAll(selector, Infinity, into), limit, (element, name) => {
    const text = readingOf(element, MAX_NAME).replace(/\n/g, " ");
    const value = valueOf(element, roleOf(element));
    return {
      id: attribute(element, "id") || undefined,
      class: attribute(element, "class") || undefined,
      text: text === name ? undefined : clipped(text, MAX_NAME) || undefined,
      value: value ? clipped(value, MAX_NAME) : undefined,
      visible: isShown(element) ? undefined : false,
    };
  });

export const countElements = ({ selector }, into) => {
  const all = selectAll(selector, Infinity, into);
  return { count: all.length, visible: all.filter(isShown).length };
};

export const checkVisibility = ({ selector }) => {
  const element = bySelector(selector);
  const { left, top, right, bottom } = toTop(element, rectOf(element));
  const box = { x: left, y: top, width: right - left, height: bottom - top };
  for (const side of Object.keys(box)) box[side] = Math.round(box[side] * 10) / 10;
  const visible = isShown(element);
  const { points, cover } = visible ? coverOf(element) : { points: [], cover: null };
  return {
    ...told(element),
    visible,
    box,
    reason: visible ? undefined : whyHiddenThrough(element),
    coveredBy: cover ? inWords(cover) : undefined,
    ...(place && points.length && { points }),
  };
};

export const checkElementState = ({ selector }) => {
  const element = bySelector(selector);
  const states = new Set(statesOf(element, roleOf(element)));
  const name = tag(element);
  const form = /^(input|select|textarea)$/.test(name);
  const has = (...aria) => aria.some((one) => hasAttribute(element, `aria-${one}`));
  const disabled =
    states.has("disabled") || matches(element, ":disabled") || closest(element, "[aria-disabled=true]") !== null;
  const readOnly = states.has("readonly") || attribute(element, "aria-readonly") === "true";
  const writable =
    name === "textarea" ||
    (name === "input" && (TEXT_INPUTS.test(element.type) || element.type in SET_FORMATS)) ||
    isEditable(element);
  const checkable = (name === "input" && /^(checkbox|radio)$/.test(element.type)) || has("checked");
  return {
    ...told(element),
    visible: isShown(element),
    enabled: !disabled && closest(element, "[inert]") === null,
    editable: writable && !disabled && !readOnly,
    focused: hasFocus(element) && (place?.focused ?? true),
    readOnly: form || readOnly ? readOnly : undefined,
    required: form || has("required") ? states.has("required") : undefined,
    valid: form || has("invalid") ? !states.has("invalid") && (!form || element.validity.valid) : undefined,
    checked: checkable ? (states.has("checked=mixed") ? "mixed" : states.has("checked")) : undefined,
    selected: name === "option" || has("selected") ? states.has("selected") : undefined,
    expanded: states.has("expanded") || (states.has("collapsed") ? false : undefined),
    pressed: has("pressed") ? states.has("pressed") : undefined,
  };
};

const USUAL_STYLES = `display visibility opacity position z-index width height margin padding border overflow color
  background-color background-image font-family font-size font-weight line-height text-align cursor pointer-events transform`.split(
  /\s+/,
);

export const getComputedStyles = ({ selector, properties }) => {
  const element = bySelector(selector);
  const style = styleOf(element);
  const named = properties?.length ? properties : USUAL_STYLES;
  const pairs = named.map((property) => {
    const name = property.startsWith("--")
      ? property
      : property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    if (!name.startsWith("--") && !(name in style))
      throw new Failure(
        "INVALID_PARAMS",
        `${JSON.stringify(property)} is not a CSS property`,
        "write one like background-color",
      );
    return [property, clipped(style.getPropertyValue(name), MAX_VALUE)];
  });
  return { ...told(element), styles: Object.fromEntries(pairs) };
};

export const getAttributes = ({ selector, attributes }) => {
  const element = bySelector(selector);
  const named = attributes?.length ? attributes : Element.prototype.getAttributeNames.call(element);
  return {
    ...told(element),
    attributes: Object.fromEntries(named.map((name) => [name, attributeToTell(element, name)])),
  };
};

const attributeToTell = (element, name) => {
  const text = attribute(element, name);
  if (text === null) return null;
  return text !== "" && isSecretText(element, name, text) ? HIDDEN_VALUE : clipped(text, MAX_VALUE);
};
