// What a walk over the page has read once: nothing of it can change before the walk ends.

import { styleOf } from "./dom.js";

/**
 * Roles, styles and sheets while a walk lasts: the page cannot change meanwhile, and all are asked for repeatedly.
 * @type {Record<string, Map<any, any>> | null}
 */
let memo = null;
/**
 * Remember while `work` lasts. @template T @param {() => T} work
 * @returns {T}
 */
export const remembering = (work) => {
  if (memo) return work();
  memo = {
    roles: new Map(),
    styles: new Map(),
    generating: new Map(),
    lays: new Map(),
    static: new Map(),
    absolute: new Map(),
    fixed: new Map(),
    focused: new Map(),
    owners: new Map(),
    inline: new Map(),
    active: new Map(),
    presses: new Map(),
    pointing: new Map(),
    pointed: new Map(),
    parts: new Map(),
    said: new Map(),
    held: new Map(),
  };
  try {
    return work();
  } finally {
    memo = null;
  }
};
export const remembered = (kind, key, read) => {
  if (!memo) return read(key);
  let value = memo[kind].get(key);
  if (value === undefined) memo[kind].set(key, (value = read(key)));
  return value;
};

/** What of a style is asked for again and again: each question of the browser is dear. `style` has the rest. */
class Look {
  constructor(style) {
    this.style = style;
    this.display = style.display;
    this.visibility = style.visibility;
  }

  get contentVisibility() {
    return this.style.contentVisibility;
  }
}
export const lookOf = (element) => remembered("styles", element, readLook);
const readLook = (element) => new Look(styleOf(element));
