// What names an element beyond the life of its page: for the history and what is made of it, never for agents.

import { attribute, hasAttribute, queryAll, rootOf, tag, textContent } from "./dom.js";
import { Crossing, isDoor } from "./doors.js";
import { Failure } from "./failure.js";
import { fieldOf } from "./fields/field_kinds.js";
import { innermostActive } from "./focus.js";
import { find, isTarget } from "./lookup.js";
import { remembering } from "./memo.js";
import { pathOf, quoted } from "./path.js";
import { nameOf, roleOf } from "./role_and_name.js";
import { isSecret } from "./secrets.js";
import { clipped, squeeze } from "./text.js";

/** Page functions whose first argument is the target of a command; with some a label stands for its control. */
const TAKES_TARGET = new Set([
  "locate",
  "boxOf",
  "startFill",
  "startType",
  "select",
  "startUpload",
  "scroll",
  "startWheel",
  "waitFor",
]);
const TAKES_FIELD = new Set(["startFill", "startType", "select", "startUpload"]);
/** Without a target these act on what has the focus. */
const TAKES_FOCUS = new Set(["startType", "demandCaret", "watchFocus"]);

/**
 * `through` says of each >>> of the selector whether it enters a "frame" or a "shadow" root; `alone`: nothing else of
 * the document has this role and name.
 * @typedef {{
 *   selector: string|null, through: ("frame"|"shadow")[], role: string, name: string, alone?: true, type?: string, secret?: true,
 * }} Recorded
 */

/**
 * The element a call is about, before it acts.
 * @param {string} name
 * @param {any[]} args
 * @returns {Recorded | {focus: true, secret?: true} | undefined} `focus`: no element was named, and what has it is meant
 */
export const targetOfCall = (name, [target]) => {
  if (TAKES_FOCUS.has(name) && !(target && isTarget(target))) {
    const active = innermostActive();
    return active && isDoor(active) ? undefined : { focus: true, ...(active && isSecret(active) && { secret: true }) };
  }
  if (!TAKES_TARGET.has(name) || !isTarget(target)) return undefined;
  try {
    return remembering(() => {
      const element = find(target);
      return recorded(TAKES_FIELD.has(name) ? fieldOf(element) : element);
    });
  } catch (error) {
    // What is wrong with the target, or where it goes on, is told by the function itself.
    if (error instanceof Failure || error instanceof Crossing) return undefined;
    throw error;
  }
};

export const MAX_RECORDED_NAME = 100;

/** @returns {Recorded} */
const recorded = (element) => {
  const role = roleOf(element);
  const name = nameOf(element);
  const control = /^(input|select|textarea)$/.test(tag(element));
  return {
    ...pathOf(element),
    role,
    name: clipped(name, MAX_RECORDED_NAME),
    ...(isAlone(element, role, name) && { alone: true }),
    ...(control && { type: element.type }),
    ...(isSecret(element) && { secret: true }),
  };
};

/** More than this many like it are not compared: an action does not wait for that. */
const MAX_COMPARED = 500;

const isAlone = (element, role, name) => {
  if (!role || !name || name.length > MAX_RECORDED_NAME) return false;
  const sameRole = `[role=${quoted(role)}]`;
  const others = queryAll(
    rootOf(element),
    hasAttribute(element, "role") ? sameRole : `${CSS.escape(tag(element))}, ${sameRole}`,
  );
  if (others.length > MAX_COMPARED) return false;
  const say = (one) => squeeze(attribute(one, "aria-label") ?? textContent(one));
  const said = say(element);
  return ![...others].some(
    (one) => one !== element && say(one) === said && roleOf(one) === role && nameOf(one) === name,
  );
};
