// What the panel allows a command to touch, looked at in the same turn in which it begins to act.

import { documentTitle, rectOf } from "./dom.js";
import { Failure } from "./failure.js";
import { fieldOf } from "./fields/field_kinds.js";
import { toTop } from "./geometry.js";
import { focused } from "./keyboard.js";
import { find, isTarget } from "./lookup.js";
import { isSecret, secretKind } from "./secrets.js";

/** Functions that act on their target, or without one on what has the focus. */
const NEEDS_GRANT = new Set([
  "locate",
  "pointsWithin",
  "startFill",
  "startType",
  "select",
  "startUpload",
  "tickSpot",
  "choiceStep",
  "scroll",
  "startWheel",
  "demandCaret",
  "watchFocus",
  "demandGranted",
]);

const SCROLLS = new Set(["scroll", "startWheel"]);

/** @typedef {{origins: "*"|string[], secret: "*"|string[]}} Grant */

/** What the command under way may touch; null: everything. @type {Grant|null} */
let granted = null;

const originHere = () => `${location.protocol}//${location.host}`;
/** @param {"*"|string[]} origins */
const coverHere = (origins) => origins === "*" || origins.includes(originHere());

/** Whether the command under way has a yes for the secret fields of this document. */
export const mayTouchSecrets = () => !granted || coverHere(granted.secret);

export const isGranted = (field) => mayTouchSecrets() || !isSecret(field);

/**
 * Nothing is done to a document whose origin was not granted, nor to a secret field unless its origin was
 * granted for those, too.
 * @param {string} name the function that is to be called
 * @param {any[]} args what it is to be called with
 * @param {Grant} [grant]
 */
export const demandGrant = (name, [target, options], grant) => {
  granted = grant ?? null;
  if (!granted || !NEEDS_GRANT.has(name)) return;
  const element = target && isTarget(target) ? fieldOf(find(target)) : SCROLLS.has(name) ? null : focused();
  // Looking at a place, or letting go there, tells a field nothing.
  const looks = SCROLLS.has(name) || options?.enabled === false;
  const fieldKind = element && !mayTouchSecrets() && !looks ? secretKind(element) : null;
  if (!fieldKind && coverHere(granted.origins)) return;
  throw new Failure("NEEDS_APPROVAL", "a person is asked first", "", {
    origin: originHere(),
    site: location.host || location.protocol,
    url: location.href,
    title: documentTitle(document),
    ...(fieldKind && { fieldKind }),
    ...(element && { box: boxNow(element) }),
  });
};

/** Where an element is in the top viewport, without bringing it there. */
const boxNow = (element) => {
  const { left, top, right, bottom } = toTop(element, rectOf(element));
  return { x: left, y: top, width: right - left, height: bottom - top };
};

/** Only look whether a target may be acted on. */
export const demandGranted = () => null;
