// Waiting by observation: a condition is looked at when the page changed, never on a clock.

import { Opaque, opaque } from "./closed_roots.js";
import {
  childNodes,
  defaultView,
  documentBody,
  documentElement,
  getter,
  inWords,
  isElement,
  listen,
  nodeType,
  tag,
  textContent,
  unlisten,
} from "./dom.js";
import { Crossing, doorOf, doorsIn, wayInto } from "./doors.js";
import { SKIPPED, openRoots } from "./flat_tree.js";
import { Failure } from "./failure.js";
import { findAll } from "./lookup.js";
import { CHANGES } from "./page_watch.js";
import { place } from "./place.js";
import { squeeze } from "./text.js";
import { isShown, takesPlace } from "./visibility.js";

/** @type {null | {look: () => void, stop: () => void}} */
let waiting = null;

const SIGNS = ["transitionend", "animationend", "load", "toggle"];

/** Resolves when the target is in the wanted state: visible if any of its matches is, hidden if none is. */
export const waitFor = (target, { state }) => until(() => elementIs(target, state));

/**
 * Resolves once this document says something else of a text than what is `known`.
 * @returns {Promise<{there: boolean, ways: object[], known: string}|null>} `ways` into the frames that cannot be read
 *   from here; null when it is no longer waited for
 */
export const watchText = ({ text, state }, known) => {
  const wanted = squeeze(text).toLowerCase();
  if (!wanted) throw new Failure("INVALID_PARAMS", "text holds nothing but spaces", "give the words to wait for");
  return until(() => {
    const roots = [document, ...openRoots(document)];
    const frames = doorsIn(roots);
    const there = squeeze(textIn(roots, state)).toLowerCase().includes(wanted);
    const now = [there, ...frames.map((frame) => `${doorOf(frame)} ${isShown(frame)}`)].join();
    return now === known ? null : { there, ways: frames.map((frame) => wayInto(frame)), known: now };
  });
};

/** Resolves to what `ask` answers, once that is not null. */
const until = (ask) => {
  stopWaiting();
  return new Promise((resolve, reject) => {
    const seen = new Set();
    const observer = new MutationObserver((records) => {
      if (records.some(({ addedNodes }) => addedNodes.length)) observeAll();
      look();
    });
    const observeAll = () => {
      for (const root of [document, ...openRoots(document)]) {
        if (seen.has(root)) continue;
        seen.add(root);
        observer.observe(root, CHANGES);
        for (const sign of SIGNS) listen(root, sign, onSign, true);
      }
    };
    const onSign = () => {
      observeAll();
      look();
    };
    const end = (settle, outcome) => {
      observer.disconnect();
      for (const root of seen) for (const sign of SIGNS) unlisten(root, sign, onSign, true);
      waiting = null;
      settle(outcome);
    };
    const look = () => {
      try {
        const answer = ask();
        if (answer !== null) end(resolve, answer);
        else if (opaque.size) end(reject, new Opaque());
      } catch (error) {
        end(reject, error);
      }
    };
    waiting = { look: onSign, stop: () => end(resolve, null) };
    onSign();
  });
};

/** A frame shows another document, or this one is shown elsewhere: no event in the page tells that in time. */
export const lookAgain = () => waiting?.look();

export const stopWaiting = () => waiting?.stop();

const elementIs = (target, state) => {
  let all = [];
  const ways = [];
  try {
    all = findAll(target, ways);
  } catch (error) {
    if (!["ELEMENT_NOT_FOUND", "STALE_REF"].includes(error.code)) throw error;
  }
  // No event tells that a script fades something in.
  const seen = all.find((element) => takesPlace(element));
  if (state === "hidden" && !seen && ways.length) throw new Crossing(ways); // a frame there may show one still
  const holds = { attached: all.length > 0, visible: Boolean(seen), hidden: !seen }[state];
  const [element = null] = seen ? [seen] : all;
  return holds ? { found: element === null ? null : inWords(element) } : null;
};

/** The text of these documents and shadow roots: all there is, or what is shown. */
const textIn = (roots, state) => {
  if (state === "attached")
    return roots
      .map((root) => (nodeType(root) === 9 ? documentElement(root) : root))
      .map((top) => (top ? textContent(top) : ""))
      .join("\n");
  return roots.filter(isRootShown).flatMap(shownIn).join("\n");
};

const isRootShown = (root) => {
  if (nodeType(root) === 11) return Element.prototype.checkVisibility.call(root.host, { visibilityProperty: true });
  const frame = defaultView(root)?.frameElement;
  return frame ? isShown(frame) : (place?.shown ?? true);
};

const innerText = getter(HTMLElement.prototype, "innerText");
const shownIn = (root) => {
  const nodes = nodeType(root) === 9 ? [documentBody(root) ?? documentElement(root)] : [...childNodes(root)];
  return nodes.map((node) => {
    if (!node || (isElement(node) && SKIPPED.has(tag(node)))) return "";
    return "innerText" in node ? innerText(node) : textContent(node);
  });
};
