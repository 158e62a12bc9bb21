// What states an element is in and what it holds: the words of Chrome's accessibility tree, without those that say nothing.

import { shadowRootOf } from "./closed_roots.js";
import {
  activeElement,
  attribute,
  byId,
  closest,
  documentBody,
  hasAttribute,
  isElement,
  matches,
  nodeType,
  parentNode,
  propertyOf,
  queryAll,
  rootOf,
  tag,
} from "./dom.js";
import { showsPopup } from "./fields/field_hints.js";
import { isCheckBox, isEditingHost, isNativeField } from "./fields/field_kinds.js";
import { activeWithin } from "./focus.js";
import { remembered } from "./memo.js";
import { place } from "./place.js";
import { isFocusable } from "./roles.js";
import { isSecret, secretIn } from "./secrets.js";

const rolesOf = (words) => new Set(words.split(/\s+/));
/** Which roles can be in a state: on others its attribute means nothing. */
const CHECKABLE = rolesOf("checkbox menuitemcheckbox menuitemradio option radio switch treeitem");
const PARTLY_CHECKED = rolesOf("checkbox menuitemcheckbox option treeitem");
const SELECTABLE = rolesOf("columnheader gridcell option row rowheader tab treeitem");
const MULTISELECTABLE = rolesOf("grid listbox tablist tree treegrid");
const LEVELLED = rolesOf("listitem row treeitem");
const EXPANDABLE = rolesOf(
  `application button checkbox columnheader combobox gridcell link listitem menuitem menuitemcheckbox menuitemradio row
   rowheader switch tab treeitem`,
);
const REQUIRABLE = rolesOf(
  "checkbox columnheader combobox gridcell listbox radiogroup rowheader searchbox spinbutton switch textbox tree treegrid",
);
const READ_ONLY = rolesOf(
  "checkbox columnheader combobox grid gridcell listbox radiogroup rowheader searchbox slider spinbutton switch textbox treegrid",
);
const POPPING = rolesOf(
  "application button checkbox combobox gridcell link menuitem slider switch tab textbox searchbox treeitem",
);
const RANGES = rolesOf("meter progressbar scrollbar separator slider spinbutton");
const WITHOUT_READ_ONLY = /^(button|checkbox|color|file|hidden|image|radio|range|reset|submit)$/;
const WITHOUT_VALUE = /^(button|checkbox|hidden|image|radio|reset|submit)$/;

/** The states in words: "disabled", "checked=mixed", "level=2", … */
export const statesOf = (element, role) => {
  const states = [];
  for (const read of STATES) {
    const state = read(element, role);
    if (state) states.push(state);
  }
  return states;
};

/** The value of an aria attribute in small letters; null where it says nothing. */
const ariaOf = (element, name) => {
  const value = attribute(element, `aria-${name}`)?.toLowerCase();
  return value && value !== "undefined" ? value : null;
};
const isTrue = (value) => value !== null && value !== "false";

/** By itself, by the field set or list it is in, or, where it takes the focus, by anything around it. */
const isDisabled = (element) => {
  const name = tag(element);
  const ownWay = name !== "fieldset" && name !== "optgroup";
  if (ownWay && matches(element, name === "option" ? ":disabled, select:disabled option" : ":disabled")) return true;
  const own = ariaOf(element, "disabled");
  if (own !== null) return isTrue(own);
  return isFocusable(element) && isWithinDisabled(element);
};

const isWithinDisabled = (element) => {
  for (let node = element; isElement(node); node = rootOf(node).host) {
    const said = closest(node, "[aria-disabled]:not([aria-disabled=''])");
    if (said) return isTrue(ariaOf(said, "disabled"));
  }
  return false;
};

const checkedOf = (element, role) => {
  if (!CHECKABLE.has(role)) return "";
  const aria = ariaOf(element, "checked");
  const mixed = isCheckBox(element) ? element.indeterminate : aria === "mixed";
  if (mixed) return PARTLY_CHECKED.has(role) ? "checked=mixed" : "";
  return (isCheckBox(element) ? element.checked : aria === null ? showsState(element, "checked") : isTrue(aria))
    ? "checked"
    : "";
};

const isSelected = (element, role) => {
  if (!SELECTABLE.has(role)) return false;
  if (tag(element) === "option") return element.selected && !isOfSecret(element);
  const aria = ariaOf(element, "selected");
  return aria === null ? role === "tab" && isComponent(element) && hasAttribute(element, "active") : isTrue(aria);
};

const isOfSecret = (option) => {
  const list = closest(option, "select");
  return list !== null && isSecret(list);
};

const isComponent = (element) => tag(element).includes("-");

/** A component may tell a state to the browser alone (ElementInternals): then how it looks is all there is to see. */
const showsState = (element, state) => {
  if (!isComponent(element)) return false;
  const shadow = shadowRootOf(element);
  return matches(element, `:state(${state})`) || (shadow !== null && queryAll(shadow, `.${state}`).length > 0);
};

const expandedOf = (element, role) => {
  if (showsPopup(element)) return "expanded";
  const open =
    popoverOpen(element) ??
    (role === "button" && tag(element) === "summary" ? hasAttribute(parentNode(element), "open") : null);
  if (open !== null) return open ? "expanded" : "collapsed";
  const aria = EXPANDABLE.has(role) ? ariaOf(element, "expanded") : null;
  return aria === null ? "" : isTrue(aria) ? "expanded" : "collapsed";
};

/** Whether the popover a button opens is open; null for other elements. */
const popoverOpen = (element) => {
  if (!hasAttribute(element, "popovertarget") && !/-popover$/.test(attribute(element, "command") ?? "")) return null;
  const popover = element.popoverTargetElement ?? element.commandForElement;
  return isElement(popover) && hasAttribute(popover, "popover") ? matches(popover, ":popover-open") : null;
};

const pressedOf = (element, role) => {
  const aria = role === "button" ? ariaOf(element, "pressed") : null;
  return aria === "mixed" ? "pressed=mixed" : isTrue(aria) ? "pressed" : "";
};

const isRequired = (element, role) =>
  matches(element, ":required") || (REQUIRABLE.has(role) && isTrue(ariaOf(element, "required")));

const isReadOnly = (element, role) => {
  if (element.readOnly === true && isNativeField(element) && !WITHOUT_READ_ONLY.test(element.type)) return true;
  return READ_ONLY.has(role) && isTrue(ariaOf(element, "readonly"));
};

/** What the page or the browser holds to be wrong; that something is still missing is told by "required". */
const isInvalid = (element) => {
  const aria = ariaOf(element, "invalid");
  if (aria !== null) return isTrue(aria);
  const name = tag(element);
  if (name === "form" || name === "fieldset" || !matches(element, ":invalid")) return false;
  return !element.validity?.valueMissing || element.validity.customError;
};

const isMultiselectable = (element, role) =>
  MULTISELECTABLE.has(role) &&
  (tag(element) === "select" ? element.multiple : isTrue(ariaOf(element, "multiselectable")));

/** Which element its composite says is the one that keys act on. */
const isActive = (element) => remembered("active", rootOf(element), activeIn).has(element);
const activeIn = (root) =>
  new Set(
    nodeType(root) === 1
      ? []
      : [...queryAll(root, "[aria-activedescendant]")].map((owner) =>
          byId(owner, attribute(owner, "aria-activedescendant")),
        ),
  );

const sortOf = (element, role) => {
  const sort = role === "columnheader" || role === "rowheader" ? ariaOf(element, "sort") : null;
  return /^(ascending|descending|other)$/.test(sort ?? "") ? `sort=${sort}` : "";
};

/** What a press opens, as its author says. */
const popupOf = (element, role) => {
  const popup = POPPING.has(role) ? ariaOf(element, "haspopup") : null;
  if (popup === "true" || popup === "menu") return "haspopup=menu";
  return /^(dialog|grid|listbox|tree)$/.test(popup ?? "") ? `haspopup=${popup}` : "";
};

/** The number behind a value that is told in words. */
const numberOf = (element, role) => {
  const number = RANGES.has(role) && hasAttribute(element, "aria-valuetext") ? ariaOf(element, "valuenow") : null;
  return number !== null && Number.isFinite(Number(number)) ? `valuenow=${Number(number)}` : "";
};

/** A picture that was asked for and cannot be shown. */
const isBroken = (element) =>
  tag(element) === "img" &&
  propertyOf(element, "complete") &&
  propertyOf(element, "naturalWidth") === 0 &&
  ["src", "srcset"].some((name) => attribute(element, name));

const levelOf = (element, role) => {
  const given = attribute(element, "aria-level");
  if (given && (role === "heading" || LEVELLED.has(role))) return `level=${Math.max(1, parseInt(given, 10) || 1)}`;
  return role === "heading" ? `level=${/^h([1-6])$/.exec(tag(element))?.[1] ?? 2}` : "";
};

/** The innermost element that has the focus: keys go there. */
const isFocused = (element) => element === remembered("focused", document, innermostFocused);
const innermostFocused = () => {
  let active = place?.focused === false ? null : activeElement(document);
  for (let deeper = active; deeper && isElement(deeper); deeper = activeWithin(deeper)) active = deeper;
  return active === documentBody(document) ? null : active;
};

const STATES = [
  (element) => isDisabled(element) && "disabled",
  checkedOf,
  (element, role) => isSelected(element, role) && "selected",
  expandedOf,
  pressedOf,
  (element, role) => isMultiselectable(element, role) && "multiselectable",
  (element, role) => isRequired(element, role) && "required",
  (element, role) => isReadOnly(element, role) && "readonly",
  (element) => isInvalid(element) && "invalid",
  (element) => isTrue(ariaOf(element, "current")) && "current",
  levelOf,
  sortOf,
  popupOf,
  numberOf,
  (element) => isBroken(element) && "broken",
  (element) => isActive(element) && "active",
  (element) => isFocused(element) && "focused",
];

/** What a field or a range holds; of a secret no more than that there is one. */
export const valueOf = (element, role) => {
  const name = tag(element);
  if (isSecret(element)) return "•".repeat(Math.min(secretIn(element).length, 8));
  if (name === "input" && element.type === "file") return [...element.files].map((file) => file.name).join(", ");
  if (name === "input") return WITHOUT_VALUE.test(element.type) ? "" : element.value;
  if (name === "textarea") return element.value;
  if (name === "select")
    return role === "combobox" ? [...element.selectedOptions].map((option) => option.label).join(", ") : "";
  if (name === "progress") return hasAttribute(element, "value") ? String(element.value) : "";
  if (name === "meter") return String(element.value);
  if (isEditingHost(element) || role === "textbox" || role === "searchbox")
    return (propertyOf(element, "innerText") ?? "").replace(/\u00a0/g, " ").trimEnd();
  return RANGES.has(role) ? (attribute(element, "aria-valuetext") ?? attribute(element, "aria-valuenow") ?? "") : "";
};
