import { EVERYTHING, Grant } from "../wire/grant.js";
/** @import { Entry } from "../wire/catalogue.js" */
/** @import { CommandFrame } from "../wire/protocol.js" */
/** @import { Handler } from "./executor.js" */

/**
 * Whether a command only looks.
 * @param {Entry} entry
 * @param {Record<string, any>} params
 */
export function isRead(entry, params) {
  return entry.class === "read" && params.expression === undefined;
}

/**
 * Whether a command does something to elements of the page, which then begins what follows by itself.
 * @param {Entry} entry
 */
export function isInput({ class: kind, target, immediate, inputSchema }) {
  return (
    (kind === "interact" || kind === "file") &&
    (target !== "none" || immediate === true || "fields" in inputSchema.properties)
  );
}

/**
 * Whether a page may open a file chooser because of a command; what is for a page that answers nothing asks it nothing.
 * @param {Entry} entry
 */
export const opensChoosers = (entry) => !entry.immediate && (isInput(entry) || entry.class === "execute");

/**
 * Reads may look everywhere; waiting for an expression runs code.
 * @param {Entry} entry
 * @param {Record<string, any>} params
 * @param {CommandFrame["grant"]} grant
 */
export function grantOf(entry, params, grant) {
  return isRead(entry, params) ? EVERYTHING : new Grant(grant);
}

/**
 * What a read has in common with those it may run beside; an action runs alone. Of dialogs each gets what its client's
 * rule says, so that those with another rule wait.
 * @param {Entry} entry
 * @param {Handler} handler
 * @param {string} rule
 */
export const besideOf = (entry, { overlaps }, rule) =>
  overlaps && entry.class === "read" ? `read ${rule}` : undefined;
