// What names an element beyond the life of its page: for the history and what is made of it, never for agents.

import { isConnected, matches, queryAll, rectOf, rootOf, tag, textContent } from "./dom.js";
import { Crossing, isDoor } from "./doors.js";
import { Failure } from "./failure.js";
import { fieldOf } from "./fields/field_kinds.js";
import { innermostActive } from "./focus.js";
import { toTop } from "./geometry.js";
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

/** The element that the last call is about, or null. @type {Element|null} */
let meant = null;

/**
 * A function that tells where the element of this call is now: its box in the top viewport, undefined without one.
 * @returns {() => {x: number, y: number, width: number, height: number}|undefined}
 */
export const whereMeant = () => {
  const element = meant;
  return () => {
    const { width = 0, height = 0, left = 0, top = 0 } = element && isConnected(element) ? rectOf(element) : {};
    if (!element || !width || !height) return undefined;
    const { left: x, top: y, right, bottom } = toTop(element, { x: left, y: top, width, height });
    return { x, y, width: right - x, height: bottom - y };
  };
};

/**
 * The element a call is about, before it acts.
 * @param {string} name
 * @param {any[]} args
 * @returns {Recorded | {focus: true, secret?: true} | undefined} `focus`: no element was named, and what has it is meant
 */
export const targetOfCall = (name, [target]) => {
  meant = null;
  if (TAKES_FOCUS.has(name) && !(target && isTarget(target))) {
    const active = innermostActive();
    return active && isDoor(active) ? undefined : { focus: true, ...(active && isSecret(active) && { secret: true }) };
  }
  if (!TAKES_TARGET.has(name) || !isTarget(target)) return undefined;
  try {
    return remembering(() => {
      const element = find(target);
      meant = TAKES_FIELD.has(name) ? fieldOf(element) : element;
      return recorded(meant);
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

/** What has a role without saying so; of a role that is not here nobody claims that an element is alone with it. */
const HAVE = {
  button: "button, input, summary",
  checkbox: "input",
  combobox: "select, input",
  heading: "h1, h2, h3, h4, h5, h6",
  img: "img, svg",
  link: "a, area",
  listbox: "select",
  menuitem: "",
  menuitemcheckbox: "",
  menuitemradio: "",
  option: "option",
  radio: "input",
  region: "section",
  searchbox: "input",
  slider: "input",
  spinbutton: "input",
  switch: "input",
  tab: "",
  textbox: "input, textarea, [contenteditable]",
  treeitem: "",
};
/** What gives an element another name than its text. */
const NAMES = "[alt], [aria-label], [aria-labelledby], [title], svg, input, select, textarea";

const isAlone = (element, role, name) => {
  if (!role || !name || name.length > MAX_RECORDED_NAME || !Object.hasOwn(HAVE, role)) return false;
  const others = queryAll(rootOf(element), [`[role=${quoted(role)}]`, HAVE[role]].filter(Boolean).join(", "));
  if (others.length > MAX_COMPARED) return false;
  const isCalledByText = (one) => !matches(one, NAMES) && queryAll(one, NAMES).length === 0;
  const said = isCalledByText(element) ? squeeze(textContent(element)) : null;
  return ![...others].some(
    (one) =>
      one !== element &&
      (said === null || !isCalledByText(one) || squeeze(textContent(one)) === said) &&
      roleOf(one) === role &&
      nameOf(one) === name,
  );
};
