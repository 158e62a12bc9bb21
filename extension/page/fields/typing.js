// Typing into a field, and where the keyboard is afterwards.

import { demandVisible, demandWritable } from "../demands.js";
import { inWords, isConnected, tag } from "../dom.js";
import { SELECT_ALL, isProxy, selectsByKeys } from "./editors.js";
import { Failure } from "../failure.js";
import { focusOn, focusedFor, selectContent } from "./field_focus.js";
import { fieldOf, takesText, textOf } from "./field_kinds.js";
import { endSecretGuard, guardSecrets, keptFromSecret } from "./secret_guard.js";
import { focusInWords, innermostActive } from "../focus.js";
import { isGranted } from "../grant.js";
import { focused, watchFocus } from "../keyboard.js";
import { find, isTarget } from "../lookup.js";
import { expect, watchKeys, watchTarget } from "../observe.js";
import { freeSpot } from "../spots.js";
import { holdsText } from "../text_match.js";

/**
 * Focus the target for typing; with `clear`, its content is selected to be deleted; with `caret`, it must take text.
 * `text` is what is put there then, null for keys alone; `delay` is in milliseconds between many keys, which are kept from
 * secret fields, null when one input follows.
 * @returns {Promise<{keys?: string, guarded?: true}>} what selects the content where the browser's own selection does
 *   not; `guarded`: the key that deletes it may be kept from it
 */
export const startType = async (target, { clear, caret = false, text = null, delay = null }) => {
  if (!isTarget(target)) {
    const active = watchFocus();
    if (delay !== null) guardSecrets(active, delay);
    if (active) expectText(active, text, clear);
    return clear && active ? selectAll(active) : {};
  }
  const element = fieldOf(find(target));
  watchTarget(element);
  demandVisible(element);
  demandWritable(element);
  if (caret && !takesText(element))
    throw new Failure("INVALID_PARAMS", `${inWords(element)} takes no text`, "name a text field");
  await freeSpot(element);
  // Before it has the focus: a page may make another kind of field of it then.
  if (delay !== null) guardSecrets(element, delay);
  const field = await focusOn(element, target);
  watchKeys(field);
  expectText(field, text, clear);
  const selected = clear ? await selectAll(field) : {};
  const before = clear || !takesText(field) ? "" : textOf(field);
  typing = { target, field: new WeakRef(field), words: inWords(field), before, followed: undefined };
  return selected;
};

/** When the action is told, the field shall hold what was put into it, and says what it holds. */
const expectText = (field, text, clear) => {
  if (text === null || !takesText(field) || isProxy(field)) return;
  watchKeys(field, true);
  const before = textOf(field);
  if (text === "" || text.endsWith("\n")) return; // what was begun by Enter may have taken it away
  expect(() => {
    if (!isConnected(field)) return null;
    const now = textOf(field);
    return (clear || now !== before) && holdsText(field, now, text);
  });
};

const selectAll = async (field) => (selectsByKeys(field) ? { keys: SELECT_ALL } : selectContent(field));

/**
 * The field `startType` got ready, and what it held; `followed`: in words, where the page has handed the focus on.
 * @type {null | {target: object|null, field: WeakRef<Element>, words: string, before: string, followed: string|undefined}}
 */
let typing = null;

/**
 * Where the keyboard is after `text` was typed into the field that was got ready. A field that is full may hand the
 * focus on, as those of a code with a field for each sign do: then the next one is followed.
 * @param elsewhere in words what has the focus outside this document, if that is so
 * @returns {{kept: true, focus: string|undefined}
 *   | {kept: false, secret: {kind: string, kept: number}}
 *   | {kept: false, full: boolean, whole: boolean, field: string, holds: number, focus: string}} kept: the field has the
 *   focus, or the one it was handed on to, whose words `focus` are. Or whether the field is full and holds all the text,
 *   how many characters it holds, and in words where the focus is; `secret`: keys were kept from such a field
 */
export const typedInto = (text, elsewhere = null) => {
  if (!typing) throw new Error("nothing was got ready for typing");
  const secret = keptFromSecret() && endSecretGuard();
  if (secret) return { kept: false, secret };
  const field = typing.field.deref();
  const now = !elsewhere && field && focusedFor(field, typing.target);
  if (now) {
    typing.field = new WeakRef(now);
    return { kept: true, focus: typing.followed };
  }
  const full = Boolean(field) && isFull(field);
  const next = elsewhere ? null : innermostActive();
  if (full && next && takesText(next) && isGranted(next)) {
    typing = { target: null, field: new WeakRef(next), words: inWords(next), before: "", followed: inWords(next) };
    return { kept: true, focus: typing.followed };
  }
  const taken = field && takesText(field) ? textOf(field) : "";
  const whole = Boolean(field) && taken !== typing.before && holdsText(field, taken, text);
  return { kept: false, full, whole, field: typing.words, holds: taken.length, focus: elsewhere ?? focusInWords() };
};

const isFull = (element) =>
  /^(input|textarea)$/.test(tag(element)) && element.maxLength > 0 && element.value.length >= element.maxLength;

/**
 * Text can be inserted where the caret is, and only there.
 * @param {object} _target none
 * @param {string|null} text what is inserted then
 */
export const demandCaret = (_target, text = null) => {
  const active = focused();
  if (!active || !takesText(active))
    throw new Failure("ELEMENT_NOT_FOUND", "no text field has the focus", "name a target");
  demandWritable(active);
  watchTarget(active);
  watchKeys(active);
  expectText(active, text, false);
};
