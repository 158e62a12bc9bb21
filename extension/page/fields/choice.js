// Choosing options of a list.

import { demandEnabled, demandVisible } from "../demands.js";
import { inWords, isConnected, tag, textContent } from "../dom.js";
import { Failure, NotReady } from "../failure.js";
import { announce, fieldOf, takesText } from "./field_kinds.js";
import { find } from "../lookup.js";
import { expect, watchTarget } from "../observe.js";
import { HIDDEN_VALUE, isSecret, shownFor } from "../secrets.js";
import { freeSpot } from "../spots.js";
import { squeeze } from "../text.js";

/**
 * Choose the options with one value, several, or labels.
 * @param {HTMLSelectElement} element
 * @param {{value?: string, values?: string[], labels?: string[]}} wanted
 */
export const choose = (element, { value, values, labels }) => {
  const options = [...element.options];
  const text = (option) => squeeze(option.label || textContent(option));
  const wanted = (labels ?? values ?? [value]).map((name) => {
    const found = labels
      ? options.find((option) => text(option) === squeeze(name))
      : (options.find((option) => option.value === name) ??
        (values ? undefined : options.find((option) => text(option) === squeeze(name))));
    if (!found) {
      const known = options
        .slice(0, 30)
        .map((option) => JSON.stringify(labels ? text(option) : option.value))
        .join(", ");
      throw new NotReady(
        "INVALID_PARAMS",
        `${inWords(element)} has no option ${shownFor(element, name)}`,
        `it has ${known}${options.length > 30 ? ", …" : ""}`,
      );
    }
    if (found.disabled || found.closest("optgroup:disabled"))
      throw new NotReady(
        "ELEMENT_NOT_VISIBLE",
        `the option ${shownFor(element, name)} is disabled`,
        "do first what enables it",
      );
    return found;
  });
  if (!element.multiple && wanted.length !== 1)
    throw new Failure(
      "INVALID_PARAMS",
      `${inWords(element)} takes exactly one option, not ${wanted.length}`,
      wanted.length ? "leave out the others" : "give one",
    );
  const before = options.map((option) => option.selected);
  for (const option of options) option.selected = wanted.includes(option);
  if (options.some((option, index) => option.selected !== before[index])) announce(element);
  // Of the options there are now: a page may have made them again.
  const stands = () => {
    const chosen = [...element.selectedOptions];
    return chosen.length === new Set(wanted).size && chosen.every((option) => wanted.includes(option));
  };
  expect(() => (isConnected(element) ? stands() : null));
  // A page may have chosen something else meanwhile, as lists do that begin again after each choice.
  const chosen = stands() ? wanted : options.filter((option) => option.selected);
  if (isSecret(element)) return { values: chosen.map(() => HIDDEN_VALUE), labels: chosen.map(() => HIDDEN_VALUE) };
  return { values: chosen.map((option) => option.value), labels: chosen.map(text) };
};

/** @returns {Promise<{values: string[], labels: string[]} | {way: "choose", takesText: boolean}>} the second: it is not a <select> (list_choice.js) */
export const select = async (target, params) => {
  const element = fieldOf(find(target));
  if (tag(element) !== "select") return { way: "choose", takesText: takesText(element) };
  watchTarget(element, { byPress: true });
  demandVisible(element);
  demandEnabled(element);
  await freeSpot(element);
  return choose(element, params);
};
