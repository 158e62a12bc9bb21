// A wheel turned over an element: the page gets it as a person's, and what it leaves of it is scrolled here.

import { nextFrame } from "./animation_frames.js";
import {
  callOn,
  clientHeight,
  clientWidth,
  isConnected,
  listen,
  ownerDocument,
  ownerDocumentView,
  scrollHeight,
  scrollLeft,
  scrollTop,
  scrollWidth,
  scrollingElement,
  unlisten,
} from "./dom.js";
import { Crossing, isDoor, wayInto } from "./doors.js";
import { facesOf } from "./faces.js";
import { hitAt } from "./hit_test.js";
import { find, isTarget } from "./lookup.js";
import { watchTarget } from "./observe.js";
import { place } from "./place.js";
import { bringIntoView, pageScrolls, scrollBoxOf } from "./scrolling.js";
import { meet } from "./spots.js";

/**
 * @typedef {{x: number, y: number}} Point
 * @typedef {{box: Element, by: Point, from: Point, listened: EventTarget[], event: WheelEvent|null, isOurs: boolean}} Turn
 *   `isOurs`: the page left the event, and the browser was kept from scrolling
 */

/**
 * The one under way; null: whatever comes is a person's.
 * @type {Turn|null}
 */
let turn = null;

const OPTIONS = { capture: false, passive: false };
const FIRST = { capture: true, passive: false };

/**
 * From now on a wheel is looked for.
 * @returns {Promise<{x?: number, y?: number, points?: Point[], moved?: boolean}>} a point of the top viewport to turn it
 *   at, in a frame of another origin all `points`; none where a wheel has nothing to reach
 */
export const startWheel = async (target, by) => {
  dropWheel();
  const page = scrollingElement(document);
  const { element, points, moved } = isTarget(target) ? await spotOn(target, by) : spotOfPage(page, by);
  const [point] = points;
  const hit = point && hitAt(point.x, point.y);
  // A target that was found by its point is entered by that.
  if (hit && isDoor(hit) && !target.stay)
    throw new Crossing([wayInto(hit, { selector: null, xpath: null, ref: null, ...point })]);
  const isWithin = hit && element && ownerDocument(hit) !== ownerDocument(element);
  const box = element ? scrollBoxOf(isWithin ? hit : element, by) : page;
  turn = { box, by, from: positionOf(box), listened: [], event: null, isOurs: false };
  if (!hit) return {};
  watchTarget(hit);
  // Added now it comes after the page's own; taken away again, scrolling stays the compositor's.
  const view = ownerDocumentView(hit);
  listen(view, "wheel", onFirst, FIRST);
  turn.listened.push(view);
  return { ...point, ...(place && target.x === undefined && { points, moved }) };
};

/** The page as a whole; one that does not scroll leaves that to what lies in the middle of the window. */
const spotOfPage = (page, by) => {
  if (!(by.x || by.y) || pageScrolls(page, by)) return { element: null, points: [], moved: false };
  const point = { x: innerWidth / 2, y: innerHeight / 2 };
  return { element: hitAt(point.x, point.y), points: [point], moved: false };
};

const spotOn = async (target, by) => {
  const element = find(target);
  if (!(by.x || by.y)) return { element, points: [], moved: false };
  if (target.x !== undefined) return { element, points: [{ x: target.x, y: target.y }], moved: false };
  const box = scrollBoxOf(element, by);
  const isPage = box === scrollingElement(ownerDocument(box));
  // What is scrolled out of its box is not brought back first: its box is what scrolls.
  const meant = isPage ? [element] : [element, box];
  const points = met(meant);
  if (points.length || !facesOf(element).length) return { element, points, moved: false };
  const moved = await bringIntoView(isPage ? element : box);
  return { element, points: met(meant), moved };
};

const met = (elements) => {
  for (const element of elements)
    for (const face of facesOf(element)) {
      const { points } = meet(face, element);
      if (points.length) return points;
    }
  return [];
};

/** Whoever on its way stops it decides, so each of them is asked, after the page's own listeners there. */
const onFirst = (event) => {
  if (!turn || !event.isTrusted) return;
  turn.event = event;
  for (const node of event.composedPath()) {
    listen(node, "wheel", onLast, OPTIONS);
    turn.listened.push(node);
  }
};

const onLast = (event) => {
  if (!turn || event !== turn.event || event.defaultPrevented) return;
  if (!event.cancelBubble && event.currentTarget !== turn.listened[0]) return;
  // Nobody else hears of it: it is scrolled here, at once and in the box that is meant.
  event.preventDefault();
  turn.isOurs = event.defaultPrevented;
};

/** What the page left of the wheel is scrolled. @returns how far that got, and where it may get */
export const endWheel = async () => {
  if (!turn) throw new Error("no wheel was begun");
  const { box, by, from, event, isOurs } = turn;
  dropWheel();
  const taken = event !== null && event.defaultPrevented && !isOurs;
  // The browser scrolls by itself what was kept from all other listeners, and is through by the next frame.
  if (event && !event.defaultPrevented) await nextFrame();
  // With Control held a wheel scrolls nothing.
  if (!taken && !event?.ctrlKey) {
    const now = positionOf(box);
    const rest = { left: by.x - (now.x - from.x), top: by.y - (now.y - from.y) };
    callOn(box, "scrollBy", { ...rest, behavior: "instant" });
  }
  await nextFrame();
  const { x, y } = positionOf(box);
  return {
    x: Math.round(x),
    y: Math.round(y),
    maxX: Math.round(scrollWidth(box) - clientWidth(box)),
    maxY: Math.round(scrollHeight(box) - clientHeight(box)),
    movedX: Math.round(x - from.x),
    movedY: Math.round(y - from.y),
    ...(taken && { tookWheel: true }),
  };
};

/** Whatever comes now is a person's. */
export const dropWheel = () => {
  for (const node of turn?.listened ?? []) {
    unlisten(node, "wheel", onFirst, FIRST);
    unlisten(node, "wheel", onLast, OPTIONS);
  }
  turn = null;
};

const positionOf = (box) => (isConnected(box) ? { x: scrollLeft(box), y: scrollTop(box) } : { x: 0, y: 0 });
