// What an action did to the page: mutations and events between `observe` and `settled`, what no event tells of
// (standing.js), and the states of its target. The first mutation ends the watching; from `settled` on it is watched
// again, for a dialog that opens by itself: behind one nothing can be begun.

import { nextFrame } from "./animation_frames.js";
import { writesToClipboard } from "./clipboard.js";
import { closedRoots } from "./closed_roots.js";
import {
  allIn,
  attribute,
  callOn,
  defaultView,
  documentTitle,
  frameDocument,
  isConnected,
  isFrame,
  listen,
  matches,
  nodeType,
  openRootOf,
  ownerDocumentView,
  propertyOf,
  queryAll,
  rectOf,
  rootOf,
  tag,
  unlisten,
} from "./dom.js";
import { isDateField, takesText } from "./fields/field_kinds.js";
import { innermostActive } from "./focus.js";
import { endGuard } from "./press_guard.js";
import { driven } from "./programs.js";
import { addScene, standing, standsOtherwise, takeFocusFor } from "./standing.js";
import { carrierOf, changesOf, isOwnChange, isPicture, standsIn, targetState } from "./target_state.js";

/** What of a document or shadow root is observed. */
export const CHANGES = { subtree: true, childList: true, attributes: true, characterData: true };

/** Events that tell of a change no mutation does. */
const KINDS = [
  ...["input", "change", "invalid", "scroll", "toggle", "fullscreenchange"],
  ...["play", "pause", "seeking", "volumechange", "ratechange", "beforeprint"],
  // Of an SVG's own animations.
  ...["beginEvent", "endEvent"],
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
  const focus = innermostActive();
  const known = [...(observation?.roots ?? []), focus && rootOf(focus)].filter((root) => root && isThere(root));
  const roots = new Set([document, ...rootsBelow(document, MAX_BEFORE), ...known]);
  baseline = {
    since: Date.now(),
    before: standing(roots),
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
  watchAnew(roots);
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
 * @param {{byPress?: boolean, byHover?: boolean, looksAround?: boolean}} how `byPress`: it is scrolled to and pressed;
 *   `byHover`: or the mouse moves over it; `looksAround`: what is shown around it may be all that changes
 */
export const watchTarget = (element, { byPress = false, byHover = false, looksAround = true } = {}) => {
  const root = rootOf(element);
  observation?.watch(root);
  if (!baseline || (baseline.element && isConnected(baseline.element))) return;
  const carrier = carrierOf(element);
  Object.assign(baseline, { element, carrier, state: targetState(carrier), byPress });
  if (looksAround) addScene(baseline.before, element, byHover);
};

/** Once the target was given the focus: what comes now is the keys' effect. @param {boolean} writes text is put into it */
export const watchKeys = (element, writes = false) => {
  if (!baseline) return;
  Object.assign(baseline, { byPress: false, writes });
  if (element) takeFocusFor(baseline.before);
};

/** The action gives its target the focus, which is not news then. */
export const giveFocus = () => baseline && (baseline.isGiven = true);

/** What shall hold when the action is told. @param {() => boolean|null} holds */
export const expect = (holds) => baseline?.expected.push(holds);

/**
 * What changed so far; of a document nobody watched it cannot be said that nothing did.
 * @param {number|null} press the number of the one whose guard ends (press_guard.js)
 */
export const observed = (press = null) => {
  if (press !== null) endGuard(press);
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
  if (target.focused?.[1] && (about.isGiven || (byPress && !takesText(carrier) && !isDateField(carrier))))
    delete target.focused;
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
  if (about.before.hasMoreFields) return { unseen: "the page has more fields than are compared" };
  if (about.hadUnwatched) return { unseen: "a part of the page (a shadow root) was not watched before" };
  if (copied || (carrier && writesToClipboard(carrier))) return { unseen: "the clipboard is not read" };
  const active = byPress ? null : innermostActive();
  if (active && isDateField(active))
    return { unseen: "what a date field shows is not read until its date is complete" };
  const drawn = [carrier, active].find((one) => one && isPicture(one)) ?? anyCanvas(observation?.roots ?? [document]);
  if (drawn) return { unseen: `what a <${tag(drawn)}> shows is not read` };
  const elsewhere = carrier && otherTabOf(carrier);
  return elsewhere ? { unseen: `it opens in the tab or window called ${JSON.stringify(elsewhere)}` } : {};
};

/** Smaller ones show no more than an icon. */
const MIN_CANVAS_PX = 24;
/** @param {Iterable<Node>} roots */
const anyCanvas = (roots) => {
  for (const root of roots)
    for (const canvas of queryAll(root, "canvas")) {
      const { width, height } = rectOf(canvas);
      if (width >= MIN_CANVAS_PX && height >= MIN_CANVAS_PX) return canvas;
    }
  return null;
};

/** The name of another tab or window, which may have been open, that a link or the button of a form leads to. */
const otherTabOf = (element) => {
  const link = callOn(element, "closest", "a[href], area[href]");
  const form = matches(element, "[type=submit], [type=image], button:not([type])") && propertyOf(element, "form");
  const name = link
    ? attribute(link, "target")
    : form && (attribute(element, "formtarget") ?? attribute(form, "target"));
  if (!name || name.startsWith("_")) return null;
  const isFrame = [...queryAll(document, "iframe[name], frame[name]")].some(
    (frame) => attribute(frame, "name") === name,
  );
  return isFrame ? null : name;
};

/** What changed up to the next frame. @param {number|null} press whose guard ends before that */
export const settled = async (press = null) => {
  if (press !== null) endGuard(press);
  await nextFrame();
  return observed();
};

export const state = () => ({ url: document.location.href, title: documentTitle(document) });
