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

/** @typedef {{origins: "*"|string[], secret: boolean}} Grant */

/** What the command under way may touch; null: everything. @type {Grant|null} */
let granted = null;

export const isGranted = (field) => !granted || granted.secret || !isSecret(field);

/** Whether the command under way has a yes for secret fields. */
export const mayTouchSecrets = () => !granted || granted.secret;

/**
 * Nothing is done to a document whose origin was not granted, nor to a secret field unless that was.
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
  const fieldKind = element && !granted.secret && !looks ? secretKind(element) : null;
  const origin = `${location.protocol}//${location.host}`;
  if (!fieldKind && (granted.origins === "*" || granted.origins.includes(origin))) return;
  throw new Failure("NEEDS_APPROVAL", "a person is asked first", "", {
    origin,
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
