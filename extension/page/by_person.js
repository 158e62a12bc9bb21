// What a person acts on in a tab they have stepped into, and what they point at, in words for the agent afterwards: never
// what was typed.

import { flatParent } from "./flat_tree.js";
import { isElement } from "./dom.js";
import { innermostActive } from "./focus.js";
import { hitAt } from "./hit_test.js";
import { remembering } from "./memo.js";
import { pathOf } from "./path.js";
import { keepPlaces, nextRef, startRefs } from "./refs/refs.js";
import { nameOf, roleOf } from "./role_and_name.js";
import { told } from "./telling.js";
import { clipped } from "./text.js";

/** What a person would say they pressed, if the place lies in one. */
const PRESSED =
  /^(button|link|checkbox|radio|switch|tab|option|menuitem.*|treeitem|textbox|searchbox|combobox|listbox|slider|spinbutton|img|canvas)$/;
const MAX_UP = 8;
const MAX_NAME = 60;

/** What lies at a point of the top viewport: {role, name}. */
export const pressedAt = (x, y) => {
  const hit = hitAt(x, y);
  const pressed = pressedIn(hit);
  if (pressed) return described(pressed);
  return hit ? { role: "", name: "" } : null;
};

/**
 * What a person means who points at a place, as an agent can act on it: what they would say they press there, or else
 * what lies there.
 * @param numbers of refs, as `startRefs` takes them
 * @param {number} x
 * @param {number} y
 * @returns {{told: {role: string, name: string, tag: string, ref: string, selector: string|null}|null, nextRef: number}}
 */
export const meantAt = (numbers, x, y) => {
  startRefs(numbers);
  const meant = remembering(() => {
    const hit = hitAt(x, y);
    const element = pressedIn(hit) ?? hit;
    if (!element) return null;
    const { role, name, tag, ref } = told(element);
    keepPlaces(false);
    return { role, name: clipped(name, MAX_NAME), tag, ref, selector: pathOf(element).selector };
  });
  return { told: meant, nextRef };
};

const pressedIn = (hit) => {
  let node = hit;
  for (let up = 0; node && up < MAX_UP; up += 1, node = flatParent(node))
    if (isElement(node) && PRESSED.test(roleOf(node))) return node;
  return null;
};

/** The field that has the focus: {role, name}. */
export const typedAt = () => {
  const active = innermostActive();
  return active ? described(active) : null;
};

const described = (element) => {
  const role = roleOf(element);
  return { role, name: clipped(nameOf(element, role), MAX_NAME) };
};
