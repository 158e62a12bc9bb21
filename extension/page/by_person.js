// What a person who has stepped in acts on, in words for the agent afterwards: never what was typed.

import { flatParent } from "./flat_tree.js";
import { isElement } from "./dom.js";
import { innermostActive } from "./focus.js";
import { hitAt } from "./hit_test.js";
import { nameOf, roleOf } from "./role_and_name.js";
import { clipped } from "./text.js";

/** What a person would say they pressed, if the place lies in one. */
const PRESSED =
  /^(button|link|checkbox|radio|switch|tab|option|menuitem.*|treeitem|textbox|searchbox|combobox|listbox|slider|spinbutton|img|canvas)$/;
const MAX_UP = 8;
const MAX_NAME = 60;

/** What lies at a point of the top viewport: {role, name}. */
export const pressedAt = (x, y) => {
  const hit = hitAt(x, y);
  let node = hit;
  for (let up = 0; node && up < MAX_UP; up += 1, node = flatParent(node))
    if (isElement(node) && PRESSED.test(roleOf(node))) return described(node);
  return hit ? { role: "", name: "" } : null;
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
