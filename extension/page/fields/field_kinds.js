// Fields by their tag and type: what takes text, what it holds, and telling the page of a change.

import { attribute, documentBody, frameDocument, isFrame, propertyOf, tag } from "../dom.js";

export const isEditingHost = (element) => {
  const value = attribute(element, "contenteditable");
  return value !== null && value.toLowerCase() !== "false";
};

export const TEXT_INPUTS = /^(text|search|email|tel|url|password|number)$/;
export const SET_FORMATS = {
  date: "YYYY-MM-DD",
  time: "HH:MM",
  "datetime-local": "YYYY-MM-DDTHH:MM",
  month: "YYYY-MM",
  week: "YYYY-Www",
  color: "#rrggbb",
  range: "a number within its range",
};

export const isEditable = (element) => propertyOf(element, "isContentEditable") === true;

/** Whether it takes text through an interface of its own, and is not a field by any mark. */
const hasEditContext = (element) => Boolean(propertyOf(element, "editContext"));

/** A label stands for its control, a frame for the editor that is all of its document. */
export const fieldOf = (element) => {
  if (tag(element) === "label" && element.control) return element.control;
  const content = isFrame(element) ? frameDocument(element) : null;
  const body = content && documentBody(content);
  return body && isEditable(body) ? body : element;
};

export const announce = (element) => {
  // Goes out before the page may show a dialog, behind which nothing is answered.
  /** @type {any} */ (globalThis).kapturePress?.(JSON.stringify({ isSet: true }));
  element.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
  element.dispatchEvent(new Event("change", { bubbles: true }));
};

export const textOf = (element) =>
  tag(element) === "input" || tag(element) === "textarea" ? element.value : propertyOf(element, "innerText");

export const takesText = (element) =>
  tag(element) === "textarea" ||
  (tag(element) === "input" && TEXT_INPUTS.test(element.type)) ||
  isEditable(element) ||
  hasEditContext(element);

export const isNativeField = (element) => /^(input|select|textarea)$/.test(tag(element));

export const isCheckBox = (element) => tag(element) === "input" && /^(checkbox|radio)$/.test(element.type);

/** It shows a date that is not whole yet to the person alone: its value stays empty. */
export const isDateField = (element) =>
  tag(element) === "input" && /^(date|time|month|week|datetime-local)$/.test(element.type);
