// What the target of an action holds and which states it is in, to be told before the action and after it.

import { closest, isConnected, isElement, matches, tag } from "./dom.js";
import { fieldOf } from "./fields/field_kinds.js";
import { hasFocus } from "./focus.js";
import { flatParent } from "./flat_tree.js";
import { remembering } from "./memo.js";
import { roleOf } from "./role_and_name.js";
import { isSecret, secretIn } from "./secrets.js";
import { statesOf, valueOf } from "./states.js";
import { clipped } from "./text.js";

/** Of a value no more letters are told. */
const MAX_VALUE = 80;
/** What carries states, when something in it is pressed. */
const CARRIERS =
  "input, select, textarea, button, summary, option, a[*|href], [role]:not([role=presentation], [role=none])";
const LEVELS = 4;

/**
 * @typedef {{focused: boolean, value: string, checked: boolean|"mixed", selected: boolean, expanded: boolean|null,
 *   pressed: boolean|"mixed", isSecret: boolean}} TargetState `expanded`: null where nothing opens
 * @typedef {{focused?: boolean[], value?: string[], length?: number[], checked?: (boolean|"mixed")[], selected?: boolean[],
 *   expanded?: (boolean|null)[], pressed?: (boolean|"mixed")[]}} TargetChanges as [before, after]; `length`: of a secret
 */

/** The element whose states an action on `element` is about: the control of a label, the button around an icon. */
export const carrierOf = (element) => {
  const own = fieldOf(element);
  if (own !== element) return own;
  const label = closest(element, "label");
  if (label && fieldOf(label) !== label) return fieldOf(label);
  for (let node = element, level = 0; node && level < LEVELS; node = flatParent(node), level += 1)
    if (isElement(node) && matches(node, CARRIERS)) return node;
  return element;
};

/** @returns {TargetState|null} null: it is in the page no more */
export const targetState = (element) => {
  if (!isConnected(element)) return null;
  return remembering(() => {
    const role = roleOf(element);
    const states = new Set(statesOf(element, role));
    const threefold = (name) => (states.has(`${name}=mixed`) ? "mixed" : states.has(name));
    const secret = isSecret(element);
    return {
      focused: hasFocus(element),
      value: secret ? secretIn(element) : valueOf(element, role),
      checked: threefold("checked"),
      selected: states.has("selected"),
      expanded: states.has("expanded") ? true : states.has("collapsed") ? false : null,
      pressed: threefold("pressed"),
      isSecret: secret,
    };
  });
};

/** What of a state says that the target itself took the action. */
const OWN = /** @type {const} */ (["checked", "selected", "expanded", "pressed"]);

/**
 * What is different after an action; of a secret only how long it is.
 * @param {TargetState} before
 * @param {TargetState} after
 * @returns {TargetChanges}
 */
export const changesOf = (before, after) => {
  /** @type {Record<string, any[]>} */
  const changes = {};
  for (const name of /** @type {const} */ (["focused", ...OWN]))
    if (before[name] !== after[name]) changes[name] = [before[name], after[name]];
  if (before.value !== after.value)
    Object.assign(
      changes,
      before.isSecret || after.isSecret
        ? { length: [before.value.length, after.value.length] }
        : { value: [clipped(before.value, MAX_VALUE), clipped(after.value, MAX_VALUE)] },
    );
  return changes;
};

/** Whether the target's own state is another one, whatever has the focus. @param {TargetChanges} changes */
export const isOwnChange = (changes) => Object.keys(changes).some((name) => name !== "focused");

/** What stands in a field: its value, of a secret how long it is. @returns {{value?: string, length?: number}} */
export const standsIn = (element) => {
  const state = targetState(element);
  if (!state) return {};
  return state.isSecret ? { length: state.value.length } : { value: clipped(state.value, MAX_VALUE) };
};

export const isPicture = (element) => /^(canvas|video|audio|embed|object)$/.test(tag(element));
