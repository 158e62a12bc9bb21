/** @import { Handler } from "./executor.js" */

/**
 * A handler that only reads, gives out no refs and changes nothing in the page's half: the next command of this kind need
 * not wait for it.
 * @param {Handler} handler
 * @returns {Handler}
 */
export const overlapping = (handler) => Object.assign(handler, { overlaps: /** @type {const} */ (true) });
