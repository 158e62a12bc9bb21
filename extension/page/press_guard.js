// The guard of a press. Between the moment an element's place was measured and the one the browser presses there, the
// page may scroll, animate or put something else in its place. So each press is looked at before the page sees it: one
// that would reach another element is swallowed, with all that comes of it, and the extension measures again.

import { closedRoots } from "./closed_roots.js";
import {
  documentElement,
  firstChild,
  inWords,
  isConnected,
  isElement,
  listen,
  matches,
  openRootOf,
  ownerDocumentView,
  tag,
} from "./dom.js";
import { belongsTo, isOwn } from "./hit_test.js";
import { place } from "./place.js";

/** All that a press leads to; a pointerdown that is stopped keeps the focus, selection and drags from beginning, too. */
const PRESS_EVENTS = [
  "pointerdown",
  "mousedown",
  "pointerup",
  "mouseup",
  "click",
  "auxclick",
  "dblclick",
  "contextmenu",
  "cancel",
];
const CAPTURE_EVENTS = ["gotpointercapture", "lostpointercapture"];
/** A press the extension never came to makes the guard end by itself, before it can meet a person's own click. */
const GUARD_MS = 3000;
/** So far, in CSS pixels, from where the extension presses, a press is a person's. */
const OWN_PX = 2;

/**
 * What the present press may reach, and what was seen of it: how often it was let through and to what, and what would
 * have got the one that was held back.
 * @typedef {{id: number, element: Element|"any"|null, at: {x: number, y: number}|null, capture: boolean, own: boolean,
 *   until: number, passed: number, held: string|null, hit: string|null, captured: EventTarget|null}} Guard
 */

/**
 * Null: whatever comes is a person's.
 * @type {Guard|null}
 */
let guard = null;

/**
 * From now on a press reaches `element` or nothing.
 * @param {number} id of this press
 * @param {Element|"any"|null} element null: it lies in another document; "any": whatever is there gets it, and is told
 * @param {{at?: {x: number, y: number}|null, capture?: boolean, own?: boolean}} how `at`: where in this document's viewport,
 *   if that is known; `capture`: whether the release goes where the press went, as a click wants it and a drag does not;
 *   `own`: a control in the element does not get it
 */
export const armGuard = (id, element, { at = null, capture = true, own = false } = {}) => {
  guard = {
    id,
    element,
    at,
    capture,
    own,
    until: performance.now() + GUARD_MS,
    passed: 0,
    held: null,
    hit: null,
    captured: null,
  };
};

/**
 * The same for the document the element is in, also where it is that of a frame that can be read from here.
 * @param {number} id
 * @param {Element} element
 * @param {import("./spots.js").FreeSpot} spot
 * @param {{capture: boolean, anything?: boolean}} how `anything`: whatever is there may get it
 */
export const guardPress = (id, element, { x, y, own }, { capture, anything = false }) => {
  const view = ownerDocumentView(element);
  const wanted = anything ? "any" : element;
  const how = { capture, own };
  armGuard(id, view === window || anything ? wanted : null, { ...how, at: place ? null : { x, y } });
  if (view !== window) /** @type {any} */ (view).kapture?.armGuard(id, wanted, how);
};

/**
 * No press reaches this document, unless it is the one that was armed for it.
 * @param {number} id
 */
export const guardOthers = (id) => {
  if (guard?.id !== id) armGuard(id, null);
};

/**
 * End a guard, and say what it has seen, or null when nothing was pressed here.
 * @param {number} id
 * @param {boolean} isHeld the mouse is down still: a guard that held that back stays for what its release leads to
 */
export const endGuard = (id, isHeld = false) => {
  if (guard?.id !== id) return null;
  const { passed, held, hit } = guard;
  if (!held || !isHeld) guard = null;
  return passed || held ? { passed, held, hit } : null;
};

/** @param {MouseEvent} event */
const onPress = (event) => {
  // What a page dispatches itself is not a press: counted, it would stand for the one that is still to come.
  if (!guard || !event.isTrusted || performance.now() > guard.until) return;
  if (event.type === "pointerdown") onPointerDown(/** @type {PointerEvent} */ (event), guard);
  // The rest of a press that was held back: a release without its press would be half a click to the page.
  else if (guard.held) stop(event);
};

/**
 * @param {PointerEvent} event
 * @param {Guard} armed
 */
const onPointerDown = (event, armed) => {
  const { at } = armed;
  // A person's own click beside the target is none of ours.
  if (at && Math.hypot(event.clientX - at.x, event.clientY - at.y) > OWN_PX) return;
  const hit = hitOf(event);
  if (isRight(hit, armed)) {
    armed.passed += 1;
    armed.hit = inWords(hit);
    pressed = hit;
    if (armed.capture) keepPointer(event, armed, hit);
  } else {
    armed.held = inWords(hit);
    stop(event);
  }
  report(armed);
};

/**
 * @param {Element} hit
 * @param {Guard} armed
 */
const isRight = (hit, { element, own, passed }) => {
  if (element === null || element === "any") return element !== null;
  // The move before a press may uncover a button on a card, over the place that was the card's own. What the first
  // press of two makes there, such as the field of a cell, is for the second.
  if (!belongsTo(hit, element) || (own && passed === 0 && !isOwn(hit, element))) return false;
  // One that has just been disabled would hear of the press and not be clicked.
  return !matches(element, ":disabled");
};

/**
 * The release then goes to what was pressed, wherever it has moved in between. Where something inside was pressed that
 * nobody sees from here, it would not go there.
 * @param {PointerEvent} event
 * @param {Guard} armed
 * @param {Element} hit in a closed root, where the event shows its host alone
 */
const keepPointer = (event, armed, hit) => {
  const [target] = event.composedPath();
  if (!isElement(target) || !isConnected(hit) || mayHoldParts(hit)) return;
  Element.prototype.setPointerCapture.call(hit, event.pointerId);
  armed.captured = target;
};

/** Controls with parts of the browser's own: the calendar of a date field, the cross of a search field. */
const WITH_PARTS =
  "select, video, audio, object, embed, " +
  "input:not([type=checkbox], [type=radio], [type=button], [type=submit], [type=reset], [type=image])";

/** Whether an element may have a shadow root that was not seen: then it shows something, and holds nothing. */
const mayHoldParts = (element) => {
  if (matches(element, WITH_PARTS)) return true;
  if (openRootOf(element) || closedRoots.has(element)) return false;
  return tag(element).includes("-") || (!firstChild(element) && HOSTS.test(tag(element)));
};

/** What may have a shadow root beside elements of a page's own make. */
const HOSTS = /^(article|aside|blockquote|body|div|footer|h[1-6]|header|main|nav|p|section|span)$/;

/** @param {Event} event */
const stop = (event) => {
  event.stopImmediatePropagation();
  event.preventDefault();
};

/**
 * What a press meets; the path of an event shows of a closed shadow root only its host.
 * @param {MouseEvent} event
 * @returns {Element}
 */
const hitOf = (event) => {
  let hit = event.composedPath().find(isElement) ?? documentElement(document);
  for (let root = closedRoots.get(hit); root; root = closedRoots.get(hit)) {
    const deeper = ShadowRoot.prototype.elementFromPoint.call(root, event.clientX, event.clientY);
    if (!deeper || deeper === hit) break;
    hit = deeper;
  }
  return hit;
};

/**
 * Goes out before the page can be left for what was pressed.
 * @param {Guard} armed
 */
const report = ({ id, passed, held, hit }) =>
  /** @type {any} */ (globalThis).kapturePress?.(JSON.stringify({ id, passed, held, hit }));

/**
 * What the last press that was let through here reached.
 * @type {Element|null}
 */
export let pressed = null;

/** From now on presses are looked at, before the page's own listeners get them. */
export const watchPresses = () => {
  for (const kind of PRESS_EVENTS) listen(window, kind, onPress, true);
  for (const kind of CAPTURE_EVENTS)
    listen(window, kind, (event) => guard && event.target === guard.captured && stop(event), true);
};
