// How to act on the elements that a value of an agent's code holds.

import { isConnected, isElement } from "../dom.js";
import { remembering } from "../memo.js";
import { pathOf } from "../path.js";
import { keepPlaces, nextRef, startRefs } from "./refs.js";
import { told } from "../telling.js";

/**
 * @param numbers of refs, as `startRefs` takes them
 * @param {Node[]} nodes
 * @returns {{told: ({selector: string|null, ref: string}|null)[], nextRef: number}} null: it is not an element of the page
 */
export const tellNodes = (numbers, ...nodes) => {
  startRefs(numbers);
  const all = remembering(() => {
    const found = nodes.map((node) =>
      isElement(node) && isConnected(node) ? { selector: pathOf(node).selector, ref: told(node).ref } : null,
    );
    keepPlaces(false);
    return found;
  });
  return { told: all, nextRef };
};
