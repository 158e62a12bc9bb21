/** @typedef {{selector?: string, xpath?: string, ref?: string, x?: number, y?: number}} Target */

/**
 * The part of the parameters that names an element.
 * @param {Record<string, any>} params
 * @returns {Target}
 */
export function targetOf({ selector, xpath, ref, x, y }) {
  return JSON.parse(JSON.stringify({ selector, xpath, ref, x, y }));
}
