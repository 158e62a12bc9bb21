// What tells a command that waits for its target that it may look again: anything that changes on the page, and its
// animations. It is listened for, never asked for on a clock.

import { nextFrame } from "./animation_frames.js";
import { isElement, listen, queryAll, unlisten } from "./dom.js";
import { innerRoot } from "./flat_tree.js";
import { hasAnimation, isMoving } from "./motion.js";
import { CHANGES } from "./page_watch.js";

const CHANGE_EVENTS = [
  "transitionend",
  "transitioncancel",
  "animationend",
  "load",
  "error",
  "toggle",
  "scroll",
  "scrollend",
  "resize",
  "input",
  "change",
  "focusin",
  "focusout",
];

/**
 * While a command waits: how many changes were seen, what to do at the next, and how it ends.
 * @type {{count: number, wake: () => void, stop: () => void}|null}
 */
let watched = null;

/** Begin to listen. @returns as `nextChange` */
export const watchChanges = () => {
  watched ??= startWatching();
  return { seen: watched.count, quiet: false };
};

const startWatching = () => {
  /** @type {Set<Document|ShadowRoot>} */
  const roots = new Set();
  const state = { count: 0, wake: () => {}, stop: () => {} };
  const changed = () => {
    state.count += 1;
    state.wake();
  };
  const observer = new MutationObserver((records) => {
    for (const { addedNodes } of records) for (const node of addedNodes) if (isElement(node)) addRootsIn(node);
    changed();
  });
  const addRootsIn = (top) => {
    for (const element of [top, ...queryAll(top, "*")]) {
      const root = isElement(element) && innerRoot(element);
      if (root) addRoot(root);
    }
  };
  const addRoot = (root) => {
    if (roots.has(root)) return;
    roots.add(root);
    observer.observe(root, CHANGES);
    for (const kind of CHANGE_EVENTS) listen(root, kind, onEvent, true);
    addRootsIn(root);
  };
  // A frame that has loaded shows another document.
  const onEvent = ({ type, target }) => {
    if (type === "load" && isElement(target)) addRootsIn(target);
    changed();
  };
  addRoot(document);
  listen(window, "resize", onEvent, true);
  state.stop = () => {
    observer.disconnect();
    for (const root of roots) for (const kind of CHANGE_EVENTS) unlisten(root, kind, onEvent, true);
    unlisten(window, "resize", onEvent, true);
    state.wake();
  };
  return state;
};

/**
 * Resolves at the frame after something changed beyond the `seen` changes, at the next frame while something moves, or
 * after `quietMs` in which nothing did.
 * @returns {Promise<{seen: number, quiet: boolean}>} quiet: nothing changed, and no animation runs
 */
export const nextChange = async (seen, quietMs) => {
  const state = watched ?? (watched = startWatching());
  let quiet = false;
  if (state.count === seen && !isMoving(document)) quiet = await quietFor(state, quietMs);
  if (!quiet) await nextFrame();
  return { seen: state.count, quiet: quiet && !hasAnimation(document) };
};

/**
 * Resolves once nothing has changed for `quietMs` and nothing moves, or after `mostMs`.
 * @returns {Promise<boolean>} whether anything changed until then
 */
export const comeToRest = async (quietMs, mostMs) => {
  await nextFrame();
  const until = performance.now() + mostMs;
  let changed = false;
  for (let now = watchChanges(); ;) {
    now = await nextChange(now.seen, quietMs);
    changed ||= !now.quiet;
    if (now.quiet || performance.now() > until) break;
  }
  stopWatchingChanges();
  return changed;
};

const quietFor = (state, quietMs) =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, quietMs, true);
    state.wake = () => {
      clearTimeout(timer);
      resolve(false);
    };
  });

export const stopWatchingChanges = () => {
  watched?.stop();
  watched = null;
};
