/** @typedef {NonNullable<import("../wire/protocol.js").Response["outcome"]>} Outcome */

/**
 * What is known of an action once it is over; what nobody could tell is left out.
 * @typedef {object} Facts
 * @property {boolean} [readBack] what was asked for was read back from the target, or was not there
 * @property {boolean} [isOwn] a state of the target's own was read before and after, and is another one
 * @property {boolean} [arrived] whether its event was seen to reach the target
 * @property {boolean} [hasEffect] an effect was seen
 * @property {string} [unseen] in words what may have changed where nobody looks
 */

/**
 * What came of an action, in one word: the only place where that is decided.
 * @param {Facts} facts
 * @returns {Outcome}
 */
export function outcomeOf({ readBack, isOwn, arrived, hasEffect, unseen }) {
  if (readBack ?? isOwn) return { outcome: "confirmed" };
  if (arrived === false) return { outcome: "unverifiable", reason: "the page did not show that it was reached" };
  if (hasEffect) return { outcome: "done" };
  if (unseen) return { outcome: "unverifiable", reason: unseen };
  return { outcome: "no_effect" };
}

/** Effects that say that something happened; console errors alone may be anybody's. */
const HAPPENED = ["url", "newTabs", "dialogs", "downloads", "fileChooser", "programs", "requests", "pending"];

/**
 * Whether these effects tell of anything.
 * @param {Record<string, any>} effects
 */
export const tellsOfAny = (effects) => effects.changed === true || HAPPENED.some((name) => effects[name]);
