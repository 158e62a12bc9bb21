// Accessible names (accname 1.2), as far as a reader of the page can tell them apart, and with them the roles.

import { NAME_FROM_CONTENT, PLAIN, SILENT, VALUED } from "./aria.js";
import {
  attribute,
  children,
  closest,
  hasAttribute,
  isElement,
  matches,
  nodeType,
  queryAll,
  tag,
  textContent,
} from "./dom.js";
import { flatChildren } from "./flat_tree.js";
import { generatedText, mayGenerate, replacedText } from "./generated_text.js";
import { lookOf, remembering } from "./memo.js";
import { isOwned, ownedBy } from "./owned.js";
import { isNamedByPress } from "./pressable.js";
import { labelsOf, roleOf } from "./roles.js";
import { isSecret } from "./secrets.js";
import { squeeze } from "./text.js";
import { isHidden, isUnseen } from "./visibility.js";

export { roleOf };

/**
 * The accessible name. `path`, below: the elements whose names are being made, against cycles, and
 * `referring` (within aria-labelledby, which is followed once), `unseen` (a hidden reference is read whole), `read`
 * (what was referred to, which is not read again at its own place) and `whole` (what names nobody is read, too).
 */
export const nameOf = (element, role = roleOf(element)) => remembering(() => nameAlong(element, role, newPath()));

const newPath = (referring = false, unseen = false, read = new Set()) => ({
  elements: new Set(),
  referring,
  unseen,
  read,
  whole: false,
});

/** All a reader finds in an element, with what its fields hold. */
export const wordsOf = (element) => squeeze(pieceOf(element, { ...newPath(), whole: true }));

const nameAlong = (element, role, path) =>
  (path.referring && embeddedValue(element, role)) ||
  authorName(element, path) ||
  nativeName(element, role, path) ||
  (NAME_FROM_CONTENT.has(role) || path.referring || (isNameless(role) && isNamedByPress(element))
    ? squeeze(contentText(element, path))
    : "") ||
  fallbackName(element, role);

const isNameless = (role) => role === "" || PLAIN.has(role);

/** aria-labelledby and aria-label: what the author names an element with, whatever it is. */
export const authorName = (element, path) => {
  if (!path?.referring) {
    const labels = labelsOf(element);
    const texts = labels.map((label) => {
      const along = newPath(true, isUnseen(label), path?.read);
      // Within what names it, it is not part of its own name.
      if (label !== element) along.elements.add(element);
      return nameAlong(label, roleOf(label), along);
    });
    for (const label of labels) path?.read.add(label);
    const text = squeeze(texts.join(" "));
    if (text) return text;
  }
  const label = attribute(element, "aria-label");
  return label ? squeeze(label) : "";
};

const attributeName =
  (...names) =>
  (element) => {
    const found = names.map((name) => attribute(element, name)).find((value) => value !== null);
    return squeeze(found ?? "");
  };

/** What HTML itself has to name an element. */
const NATIVE_NAMES = {
  __proto__: null,
  img: attributeName("alt"),
  area: attributeName("alt"),
  optgroup: attributeName("label"),
  option: attributeName("label"),
  iframe: attributeName("title"),
  frame: attributeName("title"),
  fieldset: (element, path) => childText(element, "legend", path),
  table: (element, path) => childText(element, "caption", path) || squeeze(attribute(element, "summary") ?? ""),
  svg: (element, path) => childText(element, "title", path),
  input: (element, path) => labelText(element, path) || (INPUT_NAMES[element.type]?.(element) ?? ""),
};
for (const name of ["select", "textarea", "meter", "progress", "output", "button"])
  NATIVE_NAMES[name] = (element, path) => labelText(element, path);

const INPUT_NAMES = {
  button: attributeName("value"),
  submit: (input) => squeeze(attribute(input, "value") ?? "Submit"),
  reset: (input) => squeeze(attribute(input, "value") ?? "Reset"),
  image: (input) => attributeName("alt", "value", "title")(input) || "Submit",
};

/** What an author took the role from has nothing of its tag any more, nor a tip. */
const isPresented = (element, role) =>
  role === "" && hasAttribute(element, "role") && matches(element, "[role=none], [role=presentation]");

const nativeName = (element, role, path) =>
  isPresented(element, role) ? "" : (NATIVE_NAMES[tag(element)]?.(element, path) ?? "");

const fallbackName = (element, role = roleOf(element)) => {
  if (isDecoration(element) || isPresented(element, role)) return "";
  const text =
    attribute(element, "title") ?? attribute(element, "placeholder") ?? attribute(element, "aria-placeholder");
  if (text) return squeeze(text);
  if (tag(element) !== "input" || element.type !== "file") return "";
  return element.multiple ? "Choose Files" : "Choose File";
};

/** A picture that its author gave no words on purpose. */
const isDecoration = (element) => tag(element) === "img" && attribute(element, "alt") === "";

const labelText = (control, path) => {
  const labels = control.labels;
  if (!labels?.length || path.elements.has(control)) return "";
  path.elements.add(control);
  const texts = [...labels]
    .filter((label) => !isUnseen(label))
    .map((label) => authorName(label, path) || squeeze(contentText(label, path)) || fallbackName(label));
  path.elements.delete(control);
  return squeeze(texts.join(" "));
};

const childText = (element, name, path = newPath()) => {
  const child = [...children(element)].find((candidate) => tag(candidate) === name);
  if (!child) return "";
  if (name === "title") return squeeze(textContent(child));
  return isHidden(child) && !path.unseen ? "" : squeeze(contentText(child, path));
};

/** The text a reader finds inside: what images, fields and styles add included, hidden parts left out. */
const contentText = (element, path) => {
  if (path.elements.has(element) || isSecret(element)) return "";
  path.elements.add(element);
  const replaced = replacedText(lookOf(element).style);
  const text = replaced ?? innerText(element, lookOf(element), path);
  path.elements.delete(element);
  return text;
};

const innerText = (element, { style, visibility }, path) => {
  const transform = TRANSFORMS[style.textTransform];
  const written = path.unseen || visibility === "visible";
  const generates = mayGenerate(element);
  let text = generates ? generatedText(element, "::before") : "";
  for (const node of flatChildren(element)) {
    if (nodeType(node) === 3) {
      if (written) text += transform ? transform(textContent(node)) : textContent(node);
    } else if (isElement(node) && !isOwned(node)) text += pieceOf(node, path);
  }
  for (const owned of ownedBy(element)) text += ` ${pieceOf(owned, path)} `;
  return generates ? text + generatedText(element, "::after") : text;
};

const TRANSFORMS = {
  uppercase: (text) => text.toUpperCase(),
  lowercase: (text) => text.toLowerCase(),
  capitalize: (text) => text.replace(/(^|[\s\-–—/("“])(\p{L})/gu, (_, before, letter) => before + letter.toUpperCase()),
};

const pieceOf = (element, path) => {
  const name = tag(element);
  // A control within its own label, say, is not told, but parts the words around it.
  if (BREAKS.has(name) || path.elements.has(element)) return " ";
  if (
    UNREAD.has(name) ||
    (name === "rt" && !path.whole) ||
    hasAttribute(element, "inert") ||
    (path.read.has(element) && !hasAttribute(element, "aria-labelledby"))
  )
    return "";
  const style = lookOf(element);
  if (!path.unseen && isHidden(element, style)) return within(element, style, path);
  const role = roleOf(element);
  const piece = embeddedText(element, role, path);
  return isRunOn(style) && !PARTING.has(role) && !authorName(element, path) ? piece : ` ${piece} `;
};
const BREAKS = new Set(["br", "wbr"]);
const UNREAD = new Set(["style", "script", "template", "noscript"]);
/** Roles that stand apart from the words around them, whatever box they have. */
const PARTING = new Set([
  ...[...VALUED, "button", "checkbox", "img", "radio", "switch"],
  ...["iframe", "video", "audio", "object", "embed"],
]);
const isRunOn = ({ display }) => display === "inline" || display === "contents";

/** What is visible of something hidden by `visibility`, which what is inside may take back. */
const within = (element, style, path) =>
  style.visibility !== "visible" && isRendered(element, style) ? contentText(element, path) : "";
const isRendered = (element, { display, contentVisibility }) =>
  display !== "none" && contentVisibility !== "hidden" && attribute(element, "aria-hidden") !== "true";

const embeddedText = (element, role, path) => {
  const named = embeddedValue(element, role) || authorName(element, path) || nativeName(element, role, path);
  if (named) return named;
  if (tag(element) === "img" && !isDecoration(element) && !isPresented(element, role))
    return squeeze(attribute(element, "title") ?? "");
  if (SILENT.has(role) && !path.unseen && !path.whole && !(TABULAR.has(role) && onlyLaysOut(element))) return "";
  const text = contentText(element, path);
  return text || isDecoration(element) || isPresented(element, role)
    ? text
    : squeeze(attribute(element, "title") ?? "");
};

/** What a field stands for inside a name is its value, unless that is a secret. */
const embeddedValue = (element, role) => {
  if (!VALUED.has(role) || isSecret(element)) return "";
  const name = tag(element);
  if (name === "select") return [...element.selectedOptions].map((option) => option.label).join(" ");
  if (name === "input" || name === "textarea") return element.value;
  if (name === "meter" || (name === "progress" && hasAttribute(element, "value"))) return String(element.value);
  return (
    chosenIn(element, role) ??
    attribute(element, "aria-valuetext") ??
    attribute(element, "aria-valuenow") ??
    squeeze(textContent(element))
  );
};

/** What is chosen of a list's options, or of the list a box owns; null where there are none to choose from. */
const chosenIn = (element, role) => {
  if (role !== "listbox" && role !== "combobox") return null;
  const options = [element, ...ownedBy(element)].flatMap((root) => [...queryAll(root, "[role=option]")]);
  if (!options.length) return null;
  const chosen = options.filter((option) => attribute(option, "aria-selected") === "true");
  return chosen.map((option) => authorName(option) || squeeze(textContent(option))).join(" ");
};

const TABULAR = new Set(["table", "row", "rowgroup"]);
const DATA_TABLE = "[role], :has(> caption, > thead, > tfoot, > tr > th, > tbody > tr > th)";
/** Whether an element belongs to a table without headers or a caption, which may only put things side by side. */
const onlyLaysOut = (element) => {
  const table = closest(element, "table");
  return table !== null && !hasAttribute(element, "role") && !matches(table, DATA_TABLE);
};
