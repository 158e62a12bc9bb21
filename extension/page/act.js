// What an action needs of the page before and after its trusted input.

import { nextFrame } from "./animation_frames.js";
import { demandEnabled, demandVisible } from "./demands.js";
import {
  clientHeight,
  clientWidth,
  documentBody,
  documentElement,
  inWords,
  matches,
  rectOf,
  scrollHeight,
  scrollLeft,
  scrollTop,
  scrollWidth,
  scrollingElement,
  styleOf,
} from "./dom.js";
import { expectDrop, meanDrop, meantDrop } from "./drop.js";
import { fieldOf } from "./fields/field_kinds.js";
import { toTop } from "./geometry.js";
import { find, isTarget } from "./lookup.js";
import { beginNow, watchTarget } from "./observe.js";
import { place } from "./place.js";
import { guardPress } from "./press_guard.js";
import { bringIntoView, middleOf, scrollToMiddle } from "./scrolling.js";
import { freeSpot } from "./spots.js";

/**
 * A point of the top viewport where the target can be clicked: in view, enabled, still, not covered.
 * @param options `field`: a label stands for its control; `guard`: the number of the press that follows, and `capture`
 *   whether its release goes to what was pressed (press_guard.js); `way`: of a drag, from its start, which ends a little beyond the
 *   middle that way, as a hand does; `drop`: its number, for the release to be looked at; `hover`: the mouse stays over it
 * @returns {Promise<import("./spots.js").FreeSpot & {element: string, over: boolean}>} `over`: the mouse is there already
 */
export const locate = async (
  target,
  { enabled = true, field = false, guard = null, capture = true, way = null, drop = null, hover = false } = {},
) => {
  const found = (drop && meantDrop(drop)) || find(target);
  const element = field ? fieldOf(found) : found;
  watchTarget(element, { byPress: true, byHover: hover });
  // Alone it stands for links only in documents without a doctype.
  const over = matches(element, ":is(:hover)");
  if (target.x !== undefined && !field) {
    if (enabled) demandEnabled(element);
    if (guard) guardPress(guard, element, target, { capture, anything: true });
    if (drop) expectDrop(drop, "any");
    return { x: target.x, y: target.y, element: inWords(element), over };
  }
  demandVisible(element);
  if (enabled) demandEnabled(element);
  const spot = await freeSpot(element, { way, still: true });
  beginNow();
  if (guard) guardPress(guard, element, spot, { capture });
  if (drop) expectDrop(drop, element);
  return { ...spot, element: inWords(element), over };
};

/** Of a field in a frame of another origin: where nothing covers it in its document, for those around to be asked. */
export const pointsWithin = async (target) => {
  find(target); // or the way to it
  if (!place) return {};
  const { points, moved } = await locate(target, { field: true });
  return { points, moved };
};

/** The middle of where the drag `drop` shall end, in view or not. */
export const startDrop = (target, drop) => {
  if (target.x !== undefined) return { x: target.x, y: target.y };
  const element = find(target);
  meanDrop(drop, element);
  return middleOf(element);
};

export const boxOf = async (target) => {
  const element = find(target);
  demandVisible(element);
  await bringIntoView(element);
  const { left, top, right, bottom } = toTop(element, rectOf(element));
  return {
    element: inWords(element),
    x: left,
    y: top,
    width: right - left,
    height: bottom - top,
    ...(place && { points: [middleOf(element)] }),
  };
};

const within = (value, most) => Math.max(Math.min(0, most), Math.min(value, Math.max(0, most)));

/** How far the page scrolls across: a negative number where it begins at the right. Its body decides, if it has one. */
const mostAcross = (page) => {
  const { direction, writingMode } = styleOf(documentBody(document) ?? documentElement(document));
  const isFromRight = writingMode === "horizontal-tb" ? direction === "rtl" : writingMode.endsWith("-rl");
  return (scrollWidth(page) - clientWidth(page)) * (isFromRight ? -1 : 1);
};

const isInWindow = ({ x, y }) => x >= 0 && y >= 0 && x <= innerWidth && y <= innerHeight;

/** To a place of the page, or to the target; `isThere`: it is in view now. */
export const scroll = async (target, { toX = scrollX, toY = scrollY }) => {
  const element = isTarget(target) ? find(target) : null;
  if (element) scrollToMiddle(element);
  else window.scrollTo({ left: toX, top: toY, behavior: "instant" });
  await nextFrame();
  const page = scrollingElement(document);
  const isThere = element
    ? place || isInWindow(middleOf(element))
    : Math.abs(scrollLeft(page) - within(toX, mostAcross(page))) < 1 &&
      Math.abs(scrollTop(page) - within(toY, scrollHeight(page) - clientHeight(page))) < 1;
  return {
    isThere,
    x: Math.round(scrollLeft(page)),
    y: Math.round(scrollTop(page)),
    maxX: Math.round(scrollWidth(page) - clientWidth(page)),
    maxY: Math.round(scrollHeight(page) - clientHeight(page)),
    ...(element && place && { points: [middleOf(element)] }),
  };
};

export const viewport = () => ({
  width: innerWidth,
  height: innerHeight,
  scrollX,
  scrollY,
  devicePixelRatio,
  ...pageSize(documentElement(document)),
});

/** A document may have lost its root. */
const pageSize = (whole) => ({
  pageWidth: Math.max(whole ? scrollWidth(whole) : 0, innerWidth),
  pageHeight: Math.max(whole ? scrollHeight(whole) : 0, innerHeight),
});
