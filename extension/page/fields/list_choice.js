// Choosing in lists that a page makes of other elements than <select>: what is wanted of the options, and the next step.

import { attribute, inWords, isElement, queryAll, tag } from "../dom.js";
import { Failure, NotReady } from "../failure.js";
import { fieldOf } from "./field_kinds.js";
import { flatParent } from "../flat_tree.js";
import { find } from "../lookup.js";
import { hasClosed, inside, keptList, listOf, noteLists, optionsIn } from "./option_lists.js";
import { guardPress } from "../press_guard.js";
import { nameOf, roleOf, wordsOf } from "../role_and_name.js";
import { freeSpot } from "../spots.js";
import { statesOf } from "../states.js";
import { clipped, squeeze } from "../text.js";
import { isShown } from "../visibility.js";
import { opensList, widgetAt } from "./widget.js";

/** So many options an error lists. */
const MAX_TOLD = 30;
const MAX_OPTION = 80;

/**
 * @typedef {{options: string[], typed?: boolean}} Wanted `typed`: the text stands in the field; an option is chosen only
 *   if it says the same and leads nowhere
 * @typedef {{way: "done"|"scrolled"|"typed"|"open"|"press", values?: string[], stays?: boolean, x?: number, y?: number, option?: string}} Step
 *   `done` with the values, and whether the list `stays` open; `typed`: no option is what was typed; `open` and `press`: where
 */

/** @typedef {{guard: number, pressed: string[], isOpened: boolean, isAsked: boolean, isScrolled: boolean}} SoFar
 *   `pressed`: options that were clicked; `isAsked`: by a key, too, after the press brought no list */

/**
 * The next step on the way to what is wanted in the list of a target.
 * @param {Wanted} wanted
 * @param {SoFar} soFar
 * @returns {Promise<Step>}
 */
export const choiceStep = async (target, wanted, soFar) => {
  const { guard, pressed } = soFar;
  // What lies behind a list that is open may be inert meanwhile.
  const element = soFar.isOpened ? fieldOf(find(target)) : widgetAt(target);
  if (roleOf(element) !== "listbox" && !opensList(element))
    throw new Failure(
      "INVALID_PARAMS",
      `${inWords(element)} is not a list of options and does not open one`,
      "click it and choose from what opens",
    );
  const list =
    listOf(element, soFar.isOpened || wanted.typed === true) ??
    (soFar.isOpened && soFar.isAsked ? keptList(element) : null);
  if (!list) return withoutList(element, wanted, soFar);
  const options = optionsIn(list);
  const { found, missing } = lookUp(options, wanted.options);
  if (missing.length) return withoutOption({ element, list, options, missing, wanted, soFar });
  if (wanted.typed && found.some((option) => leadsAway(option, element))) return { way: "typed" };
  const next = nextOption({ element, list, options, found, pressed });
  if (!next) {
    // A list of which one was chosen closes by itself.
    const stays =
      list !== element && isShown(list) && (takesSeveral(element, list) || found.length > 1 || !pressed.length);
    return { way: "done", values: found.map(textOfOption), stays };
  }
  const option = textOfOption(next);
  if (isDisabled(next))
    throw new NotReady(
      "ELEMENT_NOT_VISIBLE",
      `the option ${JSON.stringify(option)} is disabled`,
      "do first what enables it",
    );
  if (pressed.includes(option))
    throw new NotReady("EXECUTION_ERROR", `the option ${JSON.stringify(option)} was clicked and did not change`);
  return { way: "press", option, ...(await spotOn(next, guard)) };
};

const spotOn = async (element, guard) => {
  const spot = await freeSpot(element, { still: true });
  guardPress(guard, element, spot, { capture: true });
  return { ...spot, element: inWords(element) };
};

/**
 * The list is not shown: it is opened, or has closed over what was chosen.
 * @param {Wanted} wanted
 * @returns {Promise<Step>}
 */
const withoutList = async (element, wanted, { guard, pressed, isOpened }) => {
  const { options, typed } = wanted;
  const shown = shownBy(element, options);
  if (pressed.length) {
    if (shown) return { way: "done", values: pressed };
    throw new NotReady(
      "EXECUTION_ERROR",
      `the option ${JSON.stringify(pressed.at(-1))} was clicked, but ${inWords(element)} does not show it`,
    );
  }
  if (typed || isOpened)
    throw new NotReady("ELEMENT_NOT_FOUND", `${inWords(element)} shows no list of options`, "click it and look", {
      closed: hasClosed(),
    });
  const spot = await spotOn(element, guard);
  noteLists(element);
  return { way: "open", ...spot };
};

/** What a widget shows as chosen stands in it, or beside the field it is chosen with. */
const LEVELS_BESIDE = 4;
const shownBy = (element, options) => {
  let node = element;
  for (let level = 0; node && isElement(node) && level < LEVELS_BESIDE; level += 1) {
    const said = `${wordsOf(node)} ${node === element && tag(node) === "input" ? node.value : ""}`.toLowerCase();
    if (options.every((option) => said.includes(squeeze(option).toLowerCase()))) return true;
    node = flatParent(node);
  }
  return false;
};

/** @param {{element: any, list: any, options: any[], missing: string[], wanted: Wanted, soFar: SoFar}} looked @returns {Step} */
const withoutOption = ({ element, list, options, missing, wanted, soFar }) => {
  if (wanted.typed)
    throw new NotReady(
      "ELEMENT_NOT_FOUND",
      `no option of ${inWords(element)} is ${JSON.stringify(missing[0])}`,
      "look at what it shows",
      {
        options: toldOf(options),
      },
    );
  if (scrolledOn(list, soFar.isScrolled)) return { way: "scrolled" };
  const known = toldOf(options).map((text) => JSON.stringify(text));
  const more = options.length > MAX_TOLD ? ", …" : "";
  const has = known.length ? `it has ${known.join(", ")}${more}` : "it shows none";
  throw new NotReady("INVALID_PARAMS", `${inWords(element)} has no option ${JSON.stringify(missing[0])}`, has);
};

const toldOf = (options) => options.slice(0, MAX_TOLD).map((option) => clipped(textOfOption(option), MAX_OPTION));

/** Lists that keep but a part of their options in the page show others when they are scrolled: from the top on. */
const scrolledOn = (list, isScrolled) => {
  const hidden = ({ scrollHeight, clientHeight }) => scrollHeight - clientHeight;
  const [box] = [list, ...queryAll(list, "*")].sort((one, other) => hidden(other) - hidden(one));
  const before = box.scrollTop;
  if (isScrolled || !before) box.scrollBy({ top: box.clientHeight / 2, behavior: "instant" });
  else box.scrollTo({ top: 0, behavior: "instant" });
  return box.scrollTop !== before;
};

const textOfOption = (option) => nameOf(option) || wordsOf(option);
const valueOfOption = (option) =>
  attribute(option, "data-value") ?? attribute(option, "value") ?? attribute(option, "data-key");
const isDisabled = (option) => statesOf(option, "option").includes("disabled");
const isChosen = (option, list) => {
  const told =
    roleOf(option) === "option"
      ? option
      : inside(list).find((node) => roleOf(node) === "option" && textOfOption(node) === textOfOption(option));
  const states = told ? statesOf(told, "option") : [];
  return states.includes("selected") || states.includes("checked");
};

/** Options by their text, else by their value, else by their text in other letters, if only one has it. */
const lookUp = (options, names) => {
  const found = [];
  const missing = [];
  for (const name of names) {
    const text = squeeze(name);
    const alike = options.filter((option) => textOfOption(option).toLowerCase() === text.toLowerCase());
    const option =
      options.find((one) => textOfOption(one) === text) ??
      options.find((one) => valueOfOption(one) === name) ??
      (alike.length === 1 ? alike[0] : undefined);
    if (option) found.push(option);
    else missing.push(name);
  }
  return { found, missing };
};

/** A suggestion that is a link, or of a search, would do more than fill the field. */
const leadsAway = (option, field) =>
  option.closest("a[href]") !== null ||
  queryAll(option, "a[href]").length > 0 ||
  field.type === "search" ||
  field.closest("[role=search], search") !== null;

const takesSeveral = (...nodes) => nodes.some((node) => attribute(node, "aria-multiselectable") === "true");

/** The option to click next, or null when those that are wanted are chosen, and of several no others. */
const nextOption = ({ element, list, options, found, pressed }) => {
  // A field tells of it seldom: with its list open, it is tried.
  const several = takesSeveral(element, list) || (list !== element && found.length > 1);
  if (!several && found.length !== 1)
    throw new Failure(
      "INVALID_PARAMS",
      `${inWords(element)} takes exactly one option, not ${found.length}`,
      found.length ? "leave out the others" : "give one",
    );
  const missing = found.find((option) => !isChosen(option, list));
  const surplus = several ? options.find((option) => isChosen(option, list) && !found.includes(option)) : undefined;
  // A list that stays open may tell of a choice on its field alone.
  if (
    missing &&
    pressed.includes(textOfOption(missing)) &&
    shownBy(element, [textOfOption(missing)]) &&
    list !== element
  )
    return surplus ?? null;
  return missing ?? surplus ?? null;
};
