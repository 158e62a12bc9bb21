// What an action did to the page: mutations and events between `observe` and `settled`, what no event tells of
// (standing.js), and the states of its target. The first mutation ends the watching; from `settled` on it is watched
// again, for a dialog that opens by itself: behind one nothing can be begun.

import { nextFrame } from "./animation_frames.js";
import { closedRoots } from "./closed_roots.js";
import {
  allIn,
  attribute,
  defaultView,
  documentTitle,
  frameDocument,
  isConnected,
  isFrame,
  listen,
  nodeType,
  openRootOf,
  ownerDocumentView,
  queryAll,
  rectOf,
  rootOf,
  tag,
  textContent,
  unlisten,
} from "./dom.js";
import { takesText } from "./fields/field_kinds.js";
import { innermostActive } from "./focus.js";
import { driven } from "./programs.js";
import { addScene, standing, standsOtherwise, takeFocusFor } from "./standing.js";
import { carrierOf, changesOf, isOwnChange, isPicture, standsIn, targetState } from "./target_state.js";

/** What of a document or shadow root is observed. */
export const CHANGES = { subtree: true, childList: true, attributes: true, characterData: true };

/** Events that tell of a change no mutation does. */
const KINDS = [
  ...["input", "change", "scroll", "toggle", "fullscreenchange"],
  ...["play", "pause", "seeking", "volumechange", "ratechange", "beforeprint"],
];
/** What a page put into the clipboard nobody reads. */
const UNREAD = ["copy", "cut"];
/**
 * Before an action shadow roots are looked for among so many elements: more take longer than a frame. Of larger documents
 * those are watched that are known, and after an action of which nothing is seen it is looked whether there are others.
 */
const MAX_BEFORE = 1000;
/** Not even then among more. */
const MAX_AFTER = 20_000;
/** What was looked through just now is not looked through again. */
const FRESH_MS = 1000;

/**
 * `onSign` hears of the first change.
 * @type {null | {changed: boolean, onSign: () => void, pending: () => boolean, roots: Set<Node>,
 *   watch: (root: Node) => void, stop: () => void}}
 */
let observation = null;

/**
 * What the action under way is measured against.
 * @typedef {{since: number, before: import("./standing.js").Standing, element: Element|null, carrier: Element|null,
 *   state: import("./target_state.js").TargetState|null, byPress: boolean, isGiven: boolean, copied: boolean,
 *   writes: boolean, hadUnwatched: boolean, expected: (() => boolean|null)[]}} Baseline `since`: as `Date.now()` has it;
 *   `byPress`: the target is pressed; `isGiven`: the action gives it the focus; `writes`: text is put into it;
 *   `hadUnwatched`: a shadow root was found only after it; `expected`: what shall hold once all is done, null where that
 *   cannot be told any more
 */

/** @type {Baseline|null} */
let baseline = null;

/** When shadow roots were last looked for in all of the document, as `performance.now()` has it. */
let lookedAt = -Infinity;

/** An action begins. */
export const observe = () => {
  driven();
  baseline = {
    since: Date.now(),
    before: standing(),
    element: null,
    carrier: null,
    state: null,
    byPress: false,
    isGiven: false,
    copied: false,
    writes: false,
    hadUnwatched: false,
    expected: [],
  };
  const focus = innermostActive();
  const known = [...(observation?.roots ?? []), focus && rootOf(focus)].filter((root) => root && isThere(root));
  watchAnew([document, ...rootsBelow(document, MAX_BEFORE), ...known]);
};

/** @param {Iterable<Node>} all the roots to watch */
const watchAnew = (all) => {
  stopObserving();
  const roots = new Set();
  const note = (event) => {
    // The page is scrolled to bring the target into view, which nobody asked it for.
    if (event.type === "scroll" && baseline?.byPress && !isPressed(baseline)) return;
    state.changed = true;
    state.stop();
    state.onSign();
  };
  const onUnread = () => baseline && (baseline.copied = true);
  const observer = new MutationObserver(() => note({ type: "mutation" }));
  const options = { capture: true, passive: true };
  const state = {
    changed: false,
    onSign() {},
    pending: () => observer.takeRecords().length > 0,
    roots,
    watch(root) {
      if (roots.has(root)) return;
      roots.add(root);
      observer.observe(root, CHANGES);
      for (const kind of KINDS) listen(root, kind, note, options);
      for (const kind of UNREAD) listen(root, kind, onUnread, options);
    },
    stop() {
      observer.disconnect();
      for (const root of roots) {
        for (const kind of KINDS) unlisten(root, kind, note, options);
        for (const kind of UNREAD) unlisten(root, kind, onUnread, options);
      }
    },
  };
  for (const root of all) state.watch(root);
  observation = state;
};

/** Whether a shadow root, or the document of a frame, is shown still. */
const isThere = (root) => (nodeType(root) === 9 ? defaultView(root) !== null : isConnected(root));

/** How many elements there are; a document keeps the count until it changes. */
const countBelow = (root) => (nodeType(root) === 9 ? allIn(root) : queryAll(root, "*")).length;

/** The shadow roots, of at most `most` elements, and the documents of frames that can be read. */
function* rootsBelow(root, most) {
  if (countBelow(root) <= most)
    for (const element of queryAll(root, "*")) {
      const inside = openRootOf(element) ?? closedRoots.get(element);
      if (inside) yield* [inside, ...rootsBelow(inside, most)];
    }
  // The browser knows of how many frames there are; to look for them it goes through all of the document.
  if (!window.length) return;
  for (const frame of queryAll(root, "iframe, frame, object, embed")) {
    const inside = isFrame(frame) ? frameDocument(frame) : null;
    if (inside) yield* [inside, ...rootsBelow(inside, most)];
  }
}

/** Watch, from now on, the roots that were not known before the action; whether there are any. */
const findUnwatched = () => {
  if (!observation || performance.now() - lookedAt < FRESH_MS) return false;
  lookedAt = performance.now();
  const { roots, watch } = observation;
  const before = roots.size;
  for (const root of rootsBelow(document, MAX_AFTER)) watch(root);
  return roots.size > before;
};

const stopObserving = () => {
  observation?.stop();
  observation?.onSign();
  observation = null;
};

/** Resolves at the first change since the last look. */
export const firstSign = () =>
  new Promise((resolve) => {
    if (!observation || observation.changed) resolve(null);
    else observation.onSign = () => resolve(null);
  });

/** Whether anything changed since the last look, which goes on. */
export const changedSince = () => (observation ? observation.pending() || observation.changed : false);

/**
 * What the action is done to: it, and the shadow root or frame it is in, is watched for as long as anything is.
 * @param {Element} element
 * @param {{byPress?: boolean}} how `byPress`: it is scrolled to and pressed
 */
export const watchTarget = (element, { byPress = false } = {}) => {
  const root = rootOf(element);
  observation?.watch(root);
  if (!baseline || (baseline.element && isConnected(baseline.element))) return;
  const carrier = carrierOf(element);
  Object.assign(baseline, { element, carrier, state: targetState(carrier), byPress });
  addScene(baseline.before, element);
};

/** Once the target was given the focus: what comes now is the keys' effect. @param {boolean} writes text is put into it */
export const watchKeys = (element, writes = false) => {
  if (!baseline) return;
  Object.assign(baseline, { byPress: false, writes });
  if (element) takeFocusFor(baseline.before);
};

/** The action gives its target the focus, which is no news then. */
export const giveFocus = () => baseline && (baseline.isGiven = true);

/** What shall hold when the action is told. @param {() => boolean|null} holds */
export const expect = (holds) => baseline?.expected.push(holds);

/** What changed so far; of a document nobody watched it cannot be said that nothing did. */
export const observed = () => {
  const changed = observation ? observation.pending() || observation.changed : true;
  const facts = baseline ? factsOf(baseline, changed) : { changed };
  watchAnew(observation?.roots ?? [document]);
  return { ...facts, ...state() };
};

/**
 * @param {Baseline} about
 * @param {boolean} hasChanged
 */
const factsOf = (about, hasChanged) => {
  const { carrier, state: before, element, byPress, expected, writes } = about;
  const after = carrier && before && targetState(carrier);
  const target = after ? changesOf(before, after) : {};
  // Whatever is pressed gets the focus; of a field that takes text it is why it was pressed.
  if (target.focused?.[1] && (about.isGiven || (byPress && !takesText(carrier)))) delete target.focused;
  const isOwn = isOwnChange(target);
  const changed = hasChanged || isOwn || standsOtherwise(about.before, element, byPress);
  const held = expected.map((holds) => holds());
  return {
    changed,
    ...(Object.keys(target).length && { target }),
    ...(isOwn && { isOwn }),
    ...(held.length && { holds: !held.includes(false) }),
    ...(writes && after && { stands: standsIn(carrier) }),
    hasInput: isPressed(about),
    ...(!changed && unseenBy(about)),
  };
};

/** Whether the mouse or a key was pressed since the action began, in this document or in that of the focus. */
const isPressed = ({ since }) => {
  const active = innermostActive();
  const views = [window, active && ownerDocumentView(active)];
  return views.some((view) => (view?.kapture?.lastInput() ?? -Infinity) >= since);
};

/** @returns {{unseen?: string}} in words what may have changed where no look at the page shows it */
const unseenBy = (about) => {
  const { carrier, copied, byPress } = about;
  about.hadUnwatched ||= findUnwatched();
  if (about.hadUnwatched) return { unseen: "a part of the page (a shadow root) was not watched before" };
  if (copied || (carrier && copiesByName(carrier))) return { unseen: "the clipboard is not read" };
  const active = byPress ? null : innermostActive();
  const drawn = [carrier, active].find((one) => one && isPicture(one)) ?? anyCanvas();
  return drawn ? { unseen: `what a <${tag(drawn)}> shows is not read` } : {};
};

/** Smaller ones show no more than an icon. */
const MIN_CANVAS_PX = 40;
const anyCanvas = () =>
  [...queryAll(document, "canvas")].find((canvas) => {
    const { width, height } = rectOf(canvas);
    return width >= MIN_CANVAS_PX && height >= MIN_CANVAS_PX;
  });

const COPIES = /(\b|_)(copy|clipboard|kopier\w*|copier|copiar|copia)(\b|_)/i;
const NAMING = ["aria-label", "title", "class", "id"];
/** More letters than these are no words of a button. */
const MAX_BUTTON = 60;
/** A page that writes into the clipboard tells nobody: its button says so. */
const copiesByName = (element) => {
  const said = NAMING.map((name) => attribute(element, name) ?? "");
  const text = textContent(element);
  return COPIES.test([...said, text.length < MAX_BUTTON ? text : ""].join(" "));
};

/** What changed up to the next frame. */
export const settled = async () => {
  await nextFrame();
  return observed();
};

export const state = () => ({ url: document.location.href, title: documentTitle(document) });
