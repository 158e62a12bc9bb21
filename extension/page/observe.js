// What an action did to the page: mutations and events between `observe` and `settled`, what no event tells of
// (standing.js), and the states of its target. The first effect ends the watching; from `settled` on it is watched again,
// for what the page does by itself, and for a dialog that opens by itself: behind one nothing can be begun.

import { nextFrame } from "./animation_frames.js";
import { writesToClipboard } from "./clipboard.js";
import { closedRoots } from "./closed_roots.js";
import {
  allIn,
  attribute,
  callOn,
  defaultView,
  documentTitle,
  formElements,
  frameDocument,
  inWords,
  isConnected,
  isFrame,
  matches,
  nodeType,
  openRootOf,
  ownerDocumentView,
  propertyOf,
  queryAll,
  rectOf,
  rootOf,
  tag,
} from "./dom.js";
import { isDateField, takesText } from "./fields/field_kinds.js";
import { innermostActive } from "./focus.js";
import { noteLook, ownDoing } from "./own_motion.js";
import { PageWatch } from "./page_watch.js";
import { endGuard } from "./press_guard.js";
import { driven } from "./programs.js";
import { hasFewRules, readOtherwise, readSheets, readSheetsLater } from "./sheet_texts.js";
import { addScene, afterwards, changedSinceThen, standing, standsOtherwise, takeFocusFor } from "./standing.js";
import { clipped } from "./text.js";
import { nameOf } from "./role_and_name.js";
import { carrierOf, changesOf, isOwnChange, isPicture, standsIn, targetState } from "./target_state.js";

/**
 * Before an action shadow roots are looked for among so many elements: more take longer than a frame. Of larger documents
 * those are watched that are known, and after an action of which nothing is seen it is looked whether there are others.
 */
const MAX_BEFORE = 1000;
/** Not even then among more. */
const MAX_AFTER = 20_000;
/** What was looked through just now is not looked through again. */
const FRESH_MS = 1000;

/** The page is scrolled to bring the target into view, which nobody asked it for. */
const watch = new PageWatch(
  ({ type }) => type === "scroll" && baseline !== null && baseline.byPress && !isPressed(baseline),
);
watch.onUnread = () => baseline && (baseline.copied = true);

/**
 * What the action under way is measured against.
 * @typedef {{since: number, before: import("./standing.js").Standing, element: Element|null, carrier: Element|null, root: any, refused: any,
 *   state: import("./target_state.js").TargetState|null, byPress: boolean, isGiven: boolean, copied: boolean,
 *   writes: boolean, hadUnwatched: boolean, doubt: string|null, isLookedAt: boolean, isBegun: boolean,
 *   expected: (() => boolean|null)[]}} Baseline `since`: as `Date.now()` has it;
 *   `root`: where the carrier was; `refused`: the first field whose
 *   value was refused; `byPress`: the target is pressed; `isGiven`: the action gives it the focus; `writes`: text is put into it;
 *   `hadUnwatched`: a shadow root was found only after it; `doubt`: in words what changed but may not be its effect;
 *   `isLookedAt`: it was asked before what changed; `isBegun`: its target was found; `expected`: what shall hold once all is done, null where that cannot be
 *   told any more
 */

/** @type {Baseline|null} */
let baseline = null;

/** When shadow roots were last looked for in all of the document, as `performance.now()` has it. */
let lookedAt = -Infinity;

/** What was so when the last action was over. @type {ReturnType<typeof afterwards>|null} */
let after = null;

/** An action begins, or the page is only watched until the next one. */
export const observe = (isAction = true) => {
  driven();
  const focus = innermostActive();
  const known = [...watch.roots, focus && rootOf(focus)].filter((root) => root && isThere(root));
  const roots = new Set([document, ...rootsBelow(document, MAX_BEFORE), ...known]);
  if (after) noteLook(changedSinceThen(after));
  baseline = {
    since: Date.now(),
    before: standing(roots),
    element: null,
    carrier: null,
    root: null,
    refused: null,
    state: null,
    byPress: false,
    isGiven: false,
    copied: false,
    writes: false,
    hadUnwatched: false,
    doubt: null,
    isLookedAt: false,
    isBegun: false,
    expected: [],
  };
  if (isAction) readSheets(roots);
  else readSheetsLater(roots);
  watch.begin(roots, isAction);
};

/** From now on it is noted what the page does by itself; what an action does is told from `observe` on. */
export const noteOwnMotion = () => watch.roots.size === 0 && watch.begin([document], false);

/** The target was waited for: what changed meanwhile is not the action's effect. */
export const beginNow = () => {
  if (!baseline || baseline.isBegun) return;
  baseline.isBegun = true;
  if (!watch.forgetEarlier()) return;
  const { scene, look } = baseline.before;
  baseline.before = { ...standing(watch.roots), look, scene: scene.map(([element]) => [element, look(element)]) };
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
  // A document knows of how many frames there are outside its shadow roots; to look for them takes going through all of it.
  if (nodeType(root) === 9 && !defaultView(root)?.length) return;
  for (const frame of queryAll(root, "iframe, frame, object, embed")) {
    const inside = isFrame(frame) ? frameDocument(frame) : null;
    if (inside) yield* [inside, ...rootsBelow(inside, most)];
  }
}

/** Watch, from now on, the roots that were not known before the action; whether there are any. */
const findUnwatched = () => {
  if (performance.now() - lookedAt < FRESH_MS) return false;
  lookedAt = performance.now();
  const before = watch.roots.size;
  for (const root of rootsBelow(document, MAX_AFTER)) watch.watch(root);
  return watch.roots.size > before;
};

/** Resolves at the first change since the last look. */
export const firstSign = () =>
  new Promise((resolve) => {
    if (!baseline || watch.changed) resolve(null);
    else watch.onSign = () => resolve(null);
  });

/** Whether anything changed since the last look, which goes on. */
export const changedSince = () => baseline !== null && watch.changed;

/**
 * What the action is done to: it, and the shadow root or frame it is in, is watched for as long as anything is.
 * @param {Element} element
 * @param {{byPress?: boolean, byHover?: boolean, looksAround?: boolean}} how `byPress`: it is scrolled to and pressed;
 *   `byHover`: or the mouse moves over it; `looksAround`: what is shown around it may be all that changes
 */
export const watchTarget = (element, { byPress = false, byHover = false, looksAround = true } = {}) => {
  const root = rootOf(element);
  watch.watch(root);
  if (!baseline || (baseline.element && isConnected(baseline.element))) return;
  const carrier = carrierOf(element);
  Object.assign(baseline, { element, carrier, root: rootOf(carrier), state: targetState(carrier), byPress });
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
  return look(true);
};

/** @param {boolean} isLast whether it is not asked again where nothing was seen */
const look = (isLast) => {
  const facts = baseline ? factsOf(baseline, watch.changed, isLast) : { changed: true };
  const roots = watch.roots.size ? watch.roots : [document];
  watch.onSign();
  watch.onSign = () => {};
  watch.begin(roots, !(isLast || facts.changed));
  after = afterwards(roots);
  if (isLast || facts.changed) readSheetsLater(roots);
  return { ...facts, ...state() };
};

/**
 * @param {Baseline} about
 * @param {boolean} hasChanged
 * @param {boolean} isLast
 */
const factsOf = (about, hasChanged, isLast) => {
  const { state: before, byPress, expected, writes } = about;
  const carrier = about.carrier && (isConnected(about.carrier) ? about.carrier : remadeOf(about));
  const now = carrier && before && targetState(carrier);
  const target = now ? changesOf(before, now) : {};
  // Whatever is pressed gets the focus; of a field that takes text it is why it was pressed.
  if (target.focused?.[1] && (about.isGiven || (byPress && !takesText(carrier) && !isDateField(carrier))))
    delete target.focused;
  const isOwn = isOwnChange(target);
  about.doubt ??= watch.doubt;
  const changed = hasChanged || isOwn || isOtherwise(about, isLast);
  about.isLookedAt = true;
  about.refused ??= watch.refused;
  const invalid = about.refused ? invalidIn(about.refused) : [];
  const held = expected.map((holds) => holds());
  return {
    changed,
    ...(Object.keys(target).length && { target }),
    ...(isOwn && { isOwn }),
    ...(invalid.length && { invalid }),
    ...(held.length && { holds: !held.includes(false) }),
    ...(writes && now && { stands: standsIn(carrier) }),
    hasInput: isPressed(about),
    ...(!changed && unseenBy(about)),
  };
};

/** The element that a page has made anew under the target's id. @param {Baseline} about @returns {Element|null} */
const remadeOf = ({ carrier, root }) => {
  const id = attribute(carrier, "id");
  const other = id && root && isThere(root) ? [...queryAll(root, `#${CSS.escape(id)}`)] : [];
  return other.length === 1 && tag(other[0]) === tag(carrier) ? other[0] : null;
};

const MAX_INVALID = 5;
const MAX_MESSAGE = 150;

/** The fields of a form that are refused, with the browser's words, or those of the page. @returns {{field: string, message: string}[]} */
const invalidIn = (first) => {
  const { form } = first;
  const fields = form ? [...formElements(form)].filter((field) => matches(field, ":invalid:not(fieldset)")) : [first];
  return fields
    .filter((field) => field.validationMessage)
    .slice(0, MAX_INVALID)
    .map((field) => ({
      field: [clipped(nameOf(field), MAX_FIELD), inWords(field)].filter(Boolean).join(" "),
      message: clipped(field.validationMessage, MAX_MESSAGE),
    }));
};
const MAX_FIELD = 60;

/**
 * Whether anything stands otherwise; where something moved by itself meanwhile, looks and style sheets may have changed with
 * that.
 */
const isOtherwise = (about, isLast) => {
  const { isSure, isLook, moved } = standsOtherwise(about.before, watch.roots, about.element, about.byPress);
  if (isSure && !(isLook && about.doubt)) return true;
  if (moved) about.doubt ??= ownDoing(moved);
  if (about.doubt || !(isLast || hasFewRules(watch.roots))) return false;
  const rules = readOtherwise(watch.roots);
  if (rules === null) about.doubt = "the page has more style rules than were compared";
  return rules === true;
};

/** Whether the mouse or a key was pressed since the action began, in this document or in that of the focus. */
const isPressed = ({ since }) => {
  const active = innermostActive();
  const views = [window, active && ownerDocumentView(active)];
  return views.some((view) => (view?.kapture?.lastInput() ?? -Infinity) >= since);
};

/** @returns {{unseen?: string}} in words what may have changed where no look at the page shows it */
const unseenBy = (about) => {
  const { carrier, element, copied, byPress, doubt } = about;
  about.hadUnwatched ||= findUnwatched();
  if (doubt) return { unseen: doubt };
  if (about.before.hasMoreFields) return { unseen: "the page has more fields than are compared" };
  if (about.hadUnwatched) return { unseen: "a part of the page (a shadow root) was not watched before" };
  if (copied || (carrier && writesToClipboard(carrier))) return { unseen: "the clipboard is not read" };
  const active = byPress ? null : innermostActive();
  if (active && isDateField(active))
    return { unseen: "what a date field shows is not read until its date is complete" };
  const drawn = [carrier, active].find((one) => one && isPicture(one)) ?? anyCanvas(watch.roots);
  if (drawn) return { unseen: `what a <${tag(drawn)}> shows is not read` };
  const custom = [carrier, element].find((one) => one && hasInnerStates(one));
  if (custom) return { unseen: `states that a <${tag(custom)}> gives itself (ElementInternals) are not read` };
  const elsewhere = carrier && otherTabOf(carrier);
  return elsewhere ? { unseen: `it opens in the tab or window called ${JSON.stringify(elsewhere)}` } : {};
};

/** Whether it is a custom element, which may change without a word to its document. */
const hasInnerStates = (element) => tag(element).includes("-") && matches(element, ":defined");

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
  const link = callOn(element, "closest", "a[*|href], area[href]");
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

/** The action that was asked about goes on: its requests are waited for. */
export const goOn = () => watch.goOn();

/** What changed up to the next frame. @param {number|null} press whose guard ends before that */
export const settled = async (press = null) => {
  if (press !== null) endGuard(press);
  await nextFrame();
  return look(baseline === null || baseline.isLookedAt);
};

export const state = () => ({ url: document.location.href, title: documentTitle(document) });
