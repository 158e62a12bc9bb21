// What a person uses instead of a native field that a widget hides: the widget, which stands beside it or around it.

import {
  attribute,
  byId,
  callOn,
  children,
  hasAttribute,
  isElement,
  matches,
  propertyOf,
  queryAll,
  rectOf,
  rootOf,
  styleOf,
} from "./dom.js";
import { MIN_FIELD_PX } from "./fields/editors.js";
import { fieldOf, isNativeField, takesText } from "./fields/field_kinds.js";
import { flatParent } from "./flat_tree.js";
import { find } from "./lookup.js";
import { readingOf } from "./reading.js";
import { told } from "./telling.js";
import { clipped, squeeze } from "./text.js";
import { isShown } from "./visibility.js";

/** What a person can use, in a widget. */
const USABLE = `:is(a, button, input, select, textarea, iframe, [contenteditable]:not([contenteditable=false]),
  [tabindex]:not([tabindex^="-"]), [aria-haspopup], [role=combobox], [role=listbox], [role=textbox], [role=button],
  [role=checkbox], [role=switch], [role=radio], [role=slider], [role=spinbutton], [role=application])`;
/** A button like these sends the form or is about something of its own, unless it says that it opens a list. */
const NO_WIDGET = `:is(label, button:not([type=button]), input[type=submit], input[type=reset], input[type=image]):not([aria-haspopup], [aria-expanded], [role])`;
/** What is around more than one field. */
const AROUND_FIELDS = ":is(form, fieldset, main, body, html, table, tr, ul, ol, dialog, [role=dialog], [role=form])";
/** A widget is so near to the field it hides. */
const MAX_LEVELS = 3;
const MAX_SIBLINGS = 2;
/** What it says, as far as it is told. */
const MAX_SAID = 60;

/** What stands for a native field that is not to be seen or pressed; null for any other element, or when nothing does. */
export const standInOf = (field) => {
  if (!isNativeField(field)) return null;
  const kinds = [(element) => matches(element, USABLE), isPointedAt];
  // An editor has buttons, too.
  if (takesText(field)) kinds.unshift((element) => takesText(fieldOf(element)));
  for (const named of namers(field)) if (isShown(named)) return named;
  for (const isOfKind of kinds) {
    const found = around(field, isOfKind);
    if (found) return fieldOf(found);
  }
  return null;
};

/** What shows a hand to the pointer takes presses, whatever it is. */
const isPointedAt = (element) => styleOf(element).cursor === "pointer";

/** The nearest of a kind beside the field or around it; beside what is around only while nobody sees that. */
const around = (field, isOfKind) => {
  const fits = (element) =>
    isOfKind(element) && !matches(element, NO_WIDGET) && !isOtherField(element) && isShown(element);
  let node = field;
  let isAlone = true;
  for (let level = 0; level < MAX_LEVELS; level += 1) {
    const beside = isAlone ? siblingsOf(node).filter(isShown) : [];
    for (const element of beside) {
      const found = fits(element) ? element : [...queryAll(element, "*")].find(fits);
      if (found) return found;
    }
    const parent = flatParent(node);
    if (!isElement(parent) || matches(parent, AROUND_FIELDS) || holdsOthers(parent, field)) return null;
    if (fits(parent)) return parent;
    isAlone &&= !isShown(parent);
    node = parent;
  }
  return null;
};

/** What says that it controls or owns the field. */
const namers = (field) => {
  const id = attribute(field, "id");
  if (!id || byId(field, id) !== field) return [];
  const quoted = CSS.escape(id);
  return [...queryAll(rootOf(field), `:is([aria-controls~="${quoted}"], [aria-owns~="${quoted}"])`)];
};

/** The nearest elements beside a node, those after it first. */
const siblingsOf = (node) => {
  const parent = flatParent(node);
  const all = isElement(parent) ? [...children(parent)] : [];
  const at = all.indexOf(node);
  return at < 0
    ? []
    : [...all.slice(at + 1, at + 1 + MAX_SIBLINGS), ...all.slice(Math.max(0, at - MAX_SIBLINGS), at).reverse()];
};

/** A field of its own, with a name to be sent under or a label, is none of the widget. */
const isOtherField = (element) =>
  isNativeField(element) && (hasAttribute(element, "name") || (propertyOf(element, "labels")?.length ?? 0) > 0);

const holdsOthers = (element, field) =>
  [...queryAll(element, "input, select, textarea")].some((one) => one !== field && isOtherField(one));

/** Whether nobody sees a field though it is drawn: too small, clipped, see-through. */
const isConcealed = (field) => {
  const { width, height } = rectOf(field);
  const { clip, clipPath } = styleOf(field);
  const isVisible = callOn(field, "checkVisibility", { opacityProperty: true, visibilityProperty: true });
  return !isVisible || width < MIN_FIELD_PX || height < MIN_FIELD_PX || clip !== "auto" || clipPath !== "none";
};

/** For the error about an element that is hidden or covered: whether there is something to be asked for instead. */
export const detailsOf = (element) =>
  isNativeField(element) && isConcealed(element) && standInOf(element) ? { standsIn: true } : {};

/** What stands for the field a target means, with a ref and what it says; null when nothing does. */
export const standIn = (target) => {
  const found = standInOf(find(target));
  return found && { ...told(found), text: clipped(squeeze(readingOf(found, MAX_SAID)), MAX_SAID) };
};
