// Giving a file field its files, and making files of pieces where the browser may not read them by their paths.

import { shadowRootOf } from "./closed_roots.js";
import { demandEnabled } from "./demands.js";
import { hasAttribute, inWords, isConnected, isElement, listen, matches, queryAll, tag, unlisten } from "./dom.js";
import { Failure } from "./failure.js";
import { announce, fieldOf, takesText } from "./fields/field_kinds.js";
import { flatParent, openRoots } from "./flat_tree.js";
import { find } from "./lookup.js";
import { expect, watchTarget } from "./observe.js";

/** The file field that the running upload is for. @type {HTMLInputElement|null} */
let taking = null;
/** A field of ours, outside the page, by which the browser shows whether it can read files. @type {HTMLInputElement|null} */
let probe = null;
/** Resolves once `probe`, or the field, has been given files. @type {Promise<File[]>|null} */
let arriving = null;
/** What has come of files in pieces. @type {Blob[]} */
let pieces = [];
/** @type {File[]} */
let made = [];

/** What opens a file chooser when it is pressed, if anything does. */
const PRESSABLE =
  "button, a[*|href], summary, input[type=button], input[type=submit], input[type=image], [role=button], [role=link], [role=menuitem], [role=tab]";

/**
 * What files can be given to by a target: a file field, the field a label stands for, or the only one within it;
 * what opens a chooser when it is pressed; else a place for a drop.
 * @param target
 * @param {{files: number, folders: number}} given
 * @returns {{way: "field", element: string, folder: boolean} | {way: "press"|"drop"}}
 */
export const startUpload = (target, given) => {
  const element = fieldOf(find(target));
  const field = isFileField(element) ? element : fieldWithin(element);
  if (field) {
    demandEnabled(field);
    return { way: "field", ...takeField(field, given) };
  }
  if (takesText(element) || tag(element) === "select" || (tag(element) === "input" && !matches(element, PRESSABLE)))
    throw new Failure(
      "INVALID_PARAMS",
      `${inWords(element)} is not a file field`,
      "name the <input type=file>, what opens a file chooser, or a place for drops",
    );
  return { way: isPressable(element) ? "press" : "drop" };
};

const isFileField = (element) => tag(element) === "input" && element.type === "file";

/** @returns {HTMLInputElement|null} */
const fieldWithin = (element) => {
  const shadow = shadowRootOf(element);
  const roots = [element, ...(shadow ? [shadow, ...openRoots(shadow)] : []), ...openRoots(element)];
  const fields = roots.flatMap((root) => [...queryAll(root, "input[type=file]")]);
  return fields.length === 1 ? fields[0] : null;
};

/** What is inside a button is pressed with it. */
const isPressable = (element) => {
  for (let node = element; node; node = flatParent(node)) if (isElement(node) && matches(node, PRESSABLE)) return true;
  return false;
};

/** The upload is for this field from now on. */
export const takeField = (field, { files, folders }) => {
  const words = inWords(field);
  const folder = hasAttribute(field, "webkitdirectory");
  if (folders && !folder)
    throw new Failure("INVALID_PARAMS", `${words} takes files, not a folder`, "give the files in it");
  if (folder && files)
    throw new Failure("INVALID_PARAMS", `${words} takes a folder, not single files`, "give the folder's path");
  if (files + folders > 1 && (folder || !field.multiple))
    throw new Failure(
      "INVALID_PARAMS",
      `${words} takes one ${folder ? "folder" : "file"}, not ${files + folders}`,
      "give one",
    );
  watchTarget(field, { byPress: true });
  taking = field;
  return { element: words, folder };
};

/** The field for the browser, which has to know it by more than a name; from here on its files are waited for. */
export const takingField = () => {
  if (taking) arriving = filesOf(taking);
  return taking;
};

/** A field outside the page; it never was in it, so the page hears nothing of it. */
export const probeField = (folder) => {
  probe = Object.assign(document.createElement("input"), { type: "file", multiple: true, webkitdirectory: folder });
  arriving = filesOf(probe);
  return probe;
};

/**
 * The files a field is given: a page may take them out of it as soon as it hears of them.
 * @param {HTMLInputElement} field
 * @returns {Promise<File[]>}
 */
const filesOf = (field) => {
  /** @type {PromiseWithResolvers<File[]>} */
  const { promise, resolve } = Promise.withResolvers();
  const kinds = ["input", "change", "cancel"];
  const taken = () => {
    for (const kind of kinds) unlisten(field, kind, taken, true);
    resolve([...(field.files ?? [])]);
  };
  for (const kind of kinds) listen(field, kind, taken, true);
  return promise;
};

/**
 * Whether the browser can read every file that was put into the field outside the page.
 * @returns {Promise<{unreadable: string|null, files: number}>}
 */
export const probed = async () => {
  const files = (await arriving) ?? [];
  probe = null;
  for (const file of files)
    try {
      await file.slice(0, 1).arrayBuffer();
    } catch {
      return { unreadable: file.name, files: files.length };
    }
  return { unreadable: null, files: files.length };
};

/** What the field has been given by the browser, of so many files that were meant for it. @param {number} meant */
export const taken = async (meant) => {
  const field = taking;
  const files = (await arriving) ?? [];
  taking = arriving = null;
  // The page may have taken them out of the field meanwhile, as those do that send them at once.
  const isWhole = meant ? files.length >= meant : !files.length;
  if (field) expect(() => (isConnected(field) ? isWhole && field.files?.length === files.length : null));
  return told(files);
};

/** @param {File[]} files */
const told = (files) => files.map(({ name, size, webkitRelativePath }) => ({ name: webkitRelativePath || name, size }));

/** A piece of a file, in base64, behind those that have come. */
export const addPiece = (data) => {
  const text = atob(data);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  pieces.push(new Blob([bytes]));
};

/** The pieces that have come are a file. */
export const endFile = ({ name, type, modified }) => {
  made.push(new File(pieces.splice(0), name, { type, lastModified: modified }));
};

/** Nothing is left of an upload that was given up. */
export const dropPieces = () => {
  pieces = [];
  made = [];
};

/** The files made of pieces, which are nobody's from here on. */
export const takeMade = () => made.splice(0);

/** Give the field the files made of pieces, or none: so many are meant for it. @param {number} meant */
export const setMade = async (meant) => {
  const field = takingField();
  if (!field) throw new Failure("ELEMENT_NOT_FOUND", "the file field is gone", "take a new snapshot");
  const transfer = new DataTransfer();
  for (const file of takeMade()) transfer.items.add(file);
  field.files = transfer.files;
  announce(field);
  return taken(meant);
};
