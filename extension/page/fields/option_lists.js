// Where the list of options is that belongs to a widget, and which options it shows.

import {
  attribute,
  byId,
  isConnected,
  isElement,
  queryAll,
  rectOf,
  rootOf,
  styleOf,
  tag,
  textContent,
} from "../dom.js";
import { elementsIn, flatParent } from "../flat_tree.js";
import { innermostActive } from "../focus.js";
import { roleOf, wordsOf } from "../role_and_name.js";
import { isShown } from "../visibility.js";

/** The lists that were shown before the widget was asked for its own, and what each said. @type {{list: WeakRef<Element>, said: string}[]} */
let before = [];

/** The widget is about to be asked for its list: one that is shown already is another's, unless the widget says that its own is. */
export const noteLists = (element) => {
  const shown = attribute(element, "aria-expanded") === "true" ? [] : listsFor(element);
  before = shown.map((list) => ({ list: new WeakRef(list), said: saidIn(list) }));
};

/** Whether one of these is not shown any more: it was the widget's, which closed it. */
export const hasClosed = () =>
  before.some(({ list }) => {
    const known = list.deref();
    return !known || !isConnected(known) || !isOpen(known);
  });

/** Of those that were shown before and still are the one that touches the widget or has the focus: it does not toggle. */
export const keptList = (element) => {
  if (attribute(element, "aria-expanded") === "false") return null;
  const kept = before
    .map(({ list }) => list.deref())
    .filter((list) => list && isConnected(list) && isOpen(list))
    .filter((list) => hasFocusIn(list) || touches(rectOf(list), rectOf(element)));
  return kept.length === 1 ? kept[0] : null;
};

const hasFocusIn = (list) => inside(list).includes(innermostActive());
const NEAR_PX = 8;
const touches = (one, other) =>
  one.left < other.right + NEAR_PX &&
  other.left < one.right + NEAR_PX &&
  one.top < other.bottom + NEAR_PX &&
  other.top < one.bottom + NEAR_PX;

const isNew = (list) => before.find((one) => one.list.deref() === list)?.said !== saidIn(list);
const saidIn = (list) => optionsIn(list).map(textContent).join("\n");

/**
 * The list that belongs to a widget, if it is shown.
 * @param {boolean} isAsked whether the widget was asked for it (noteLists)
 */
export const listOf = (element, isAsked) => {
  if (roleOf(element) === "listbox") return element;
  const named = ["aria-controls", "aria-owns"].flatMap((name) =>
    (attribute(element, name) ?? "").split(/\s+/).map((id) => id && (byId(element, id) ?? document.getElementById(id))),
  );
  const active = attribute(element, "aria-activedescendant");
  const option = active && (byId(element, active) ?? document.getElementById(active));
  const own = [...named, option].filter(Boolean).map(asList).find(Boolean);
  if (own && isOpen(own)) return own;
  // Some tell assistive technology of a list that nobody sees, beside the one that is shown.
  if (own) return attribute(element, "aria-expanded") === "true" ? popupAround(own) : null;
  const within = inside(element).find((node) => roleOf(node) === "listbox" && isOpen(node));
  if (within) return within;
  const expanded = attribute(element, "aria-expanded");
  if (expanded === "false" || !(isAsked || expanded === "true")) return null;
  // Of those that came when it was asked the last to be made.
  return (isAsked ? listsFor(element).filter(isNew) : listsFor(element)).at(-1) ?? null;
};

/** The lists a widget may mean that names none: those of no other widget. */
const listsFor = (element) =>
  queryLists(rootOf(element)).concat(rootOf(element) === document ? [] : queryLists(document));

const queryLists = (root) =>
  [...queryAll(root, "[role=listbox]")].filter(
    (list) => isOpen(list) && !queryAll(root, `[aria-controls~="${CSS.escape(attribute(list, "id") || "-")}"]`).length,
  );

const asList = (node) => {
  for (let around = node; around && isElement(around); around = flatParent(around))
    if (roleOf(around) === "listbox") return around;
  return inside(node).find((one) => roleOf(one) === "listbox") ?? null;
};

const isOpen = (list) => isShown(list) || (styleOf(list).overflow === "visible" && optionsIn(list).length > 0);

const popupAround = (list) => {
  let popup = flatParent(list);
  while (popup && isElement(popup) && !isShown(popup)) popup = flatParent(popup);
  return popup && isElement(popup) && !/^(body|html|form|main)$/.test(tag(popup)) ? popup : null;
};

/** All elements below one, as they are shown. */
export const inside = (element) => elementsIn(element).flatMap((child) => [child, ...inside(child)]);

export const optionsIn = (list) => {
  const shown = inside(list).filter(isShown);
  if (roleOf(list) === "listbox") return shown.filter((node) => roleOf(node) === "option");
  return shown.filter((node) => wordsOf(node) && !elementsIn(node).some((child) => wordsOf(child)));
};
