// What every answer about an element tells of it.

import { tag } from "./dom.js";
import { inViewport } from "./in_view.js";
import { refOf } from "./refs/refs.js";
import { nameOf, roleOf } from "./role_and_name.js";
import { MAX_NAME, clipped } from "./text.js";
import { isUnseen } from "./visibility.js";

export const MAX_VALUE = 2000;

/** What is hidden has no name, but options and areas are drawn by their list or picture. */
const isUntold = (element) => !/^(area|optgroup|option)$/.test(tag(element)) && isUnseen(element);

/** What every answer tells of an element. */
export const told = (element) => {
  const role = roleOf(element);
  const name = nameOf(element);
  return {
    ref: refOf(element, role, name),
    role: role || "generic",
    name: isUntold(element) ? "" : clipped(name, MAX_NAME),
    tag: tag(element),
    inViewport: inViewport(element),
  };
};

/**
 * A list of elements; of each is left out what most of them have in common.
 * @param {(element: any, name: string) => object} more what else to tell of each
 */
export const listed = (all, limit, more) => ({
  count: all.length,
  elements: all.slice(0, limit).map((element) => {
    const { name, inViewport: isInViewport, ...rest } = told(element);
    return {
      ...rest,
      name: name || undefined,
      inViewport: isInViewport ? undefined : false,
      ...more(element, name),
    };
  }),
});

export const unlessEmpty = (list) => (list.length ? list : undefined);

/** Of a frame within what was asked for everything has a part in the answer. */
export const WHOLE = { selector: null };
