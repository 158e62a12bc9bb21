// What the fields of a form or a page hold.

import { attribute, formElements, matches, queryAll, tag } from "../dom.js";
import { doorsIn, wayInto } from "../doors.js";
import { textOf } from "./field_kinds.js";
import { innerRoot, openRoots } from "../flat_tree.js";
import { bySelector } from "../lookup.js";
import { isSecret, isToken, secretIn } from "../secrets.js";
import { MAX_VALUE, WHOLE, told } from "../telling.js";
import { clipped, squeeze } from "../text.js";

const MAX_FIELDS = 200;

const FIELDS =
  "input:not([type=button i], [type=submit i], [type=reset i], [type=image i]), textarea, select, [contenteditable]:not([contenteditable=false i])";

/** `selector`: of the form; without it all fields of the page. */
export const getFormValues = ({ selector }, into) => {
  const form = selector === undefined ? null : bySelector(selector);
  const fields = fieldsIn(form, into);
  return {
    count: fields.length,
    fields: fields.slice(0, MAX_FIELDS).map((element) => ({
      ...told(element),
      field: attribute(element, "name") ?? attribute(element, "id") ?? undefined,
      type: tag(element) === "input" ? element.type : undefined,
      ...heldBy(element),
      required: element.required === true || undefined,
      disabled: matches(element, ":disabled") || undefined,
    })),
  };
};

/** The fields of a form (those outside it that belong to it, too), of any other element, or of the page. */
const fieldsIn = (form, into) => {
  const own = form && tag(form) === "form" ? [...formElements(form)].filter((element) => matches(element, FIELDS)) : [];
  const within = form ? [form, innerRoot(form)].filter(Boolean) : [document];
  const roots = within.flatMap((root) => [root, ...openRoots(root)]);
  into.push(...doorsIn(roots).map((frame) => wayInto(frame, WHOLE)));
  const self = form && matches(form, FIELDS) ? [form] : [];
  const all = new Set([...self, ...own, ...roots.flatMap((root) => [...queryAll(root, FIELDS)])]);
  return [...all];
};

const heldBy = (element) => {
  const name = tag(element);
  if (isSecret(element) || isToken(element)) return { secret: true, filled: secretIn(element) !== "" };
  if (name === "select") {
    const chosen = [...element.selectedOptions];
    const label = (option) => squeeze(option.label);
    if (element.multiple) return { values: chosen.map((option) => option.value), labels: chosen.map(label) };
    return { value: element.value, label: chosen.map(label)[0] };
  }
  if (name === "input" && /^(checkbox|radio)$/.test(element.type))
    return { checked: element.checked, value: element.value };
  if (name === "input" && element.type === "file") return { files: [...element.files].map((file) => file.name) };
  return { value: clipped(textOf(element) ?? "", MAX_VALUE) };
};
