// Where an element can be pressed.

import { boxesInside, boxesOf, strokeOf } from "./boxes.js";
import { contains, inWords, queryAll, tag, textContent } from "./dom.js";
import { facesOf } from "./faces.js";
import { NotReady } from "./failure.js";
import { layOf, outward, ownWindow, within } from "./geometry.js";
import { INNER, belongsTo, hitAt, isControl, isOwn, isPassedUp } from "./hit_test.js";
import { demandStill } from "./motion.js";
import { place } from "./place.js";
import { isPressed } from "./pressable.js";
import { bringIntoView } from "./scrolling.js";
import { detailsOf } from "./stand_ins.js";
import { squeeze } from "./text.js";
import { isShown } from "./visibility.js";

/** Where in a box it is looked first, as parts of its width and height. */
const PROBES = [
  [0.5, 0.5],
  [0.25, 0.5],
  [0.75, 0.5],
  [0.5, 0.25],
  [0.5, 0.75],
];
/** Where it is looked after that, and as near to each side. */
const FINE = [0.1, 0.3, 0.5, 0.7, 0.9];
const EDGE_PX = 2;
/** Of an element in many pieces so many are looked at closely. */
const MAX_FINE = 10;
/** So far beyond the middle, as a part of the box, a drag ends. */
const BEYOND = 0.2;

/** A little beyond the middle, along the longer side of the way. */
const beyond = ({ x, y }) => [
  Math.abs(x) > Math.abs(y) ? [0.5 + BEYOND * Math.sign(x), 0.5] : [0.5, 0.5 + BEYOND * Math.sign(y)],
];

const probe = ({ left, top, width, height }, parts) =>
  parts.map(([across, down]) => ({ x: left + width * across, y: top + height * down }));

const finely = ({ left, top, width, height }) => {
  const along = (start, size) => [start + EDGE_PX, ...FINE.map((part) => start + size * part), start + size - EDGE_PX];
  return along(left, width).flatMap((x) => along(top, height).map((y) => ({ x, y })));
};

/** Points where an element may be met, in its document's viewport, in rounds: the next one is for when all before miss. */
function* rounds(face, way) {
  const boxes = boxesOf(face);
  yield boxes.flatMap((box) => probe(box, [...(way ? beyond(way) : []), ...PROBES]));
  yield boxes.slice(0, MAX_FINE).flatMap(finely);
  yield strokeOf(face);
  yield boxesInside(face).flatMap((box) => probe(box, PROBES));
}

/** Whether it is pressed for its own sake, and not only there for the one control in it, as the snapshot tells it. */
const isCard = (element) => {
  if (tag(element).includes("-") || !isPressed(element)) return false;
  const controls = [...queryAll(element, INNER)].filter(isShown);
  if (controls.length !== 1 || squeeze(textContent(controls[0])) !== squeeze(textContent(element))) return true;
  // A card may say nothing and show a picture.
  return [...queryAll(element, "img")].some((image) => isShown(image) && !contains(controls[0], image));
};

/**
 * Where `element` is met on what stands for it: points of the top viewport. A control or a card is met beside the
 * controls in it, and what takes no presses on what is in it, if there is such a place. In a frame of another origin
 * all points of a round are told, otherwise the first.
 * @param {Element} face
 * @param {Element} element
 * @param {{way?: {x: number, y: number}|null, area?: ReturnType<typeof ownWindow>}} options `way`: of a drag, which
 *   presses nothing where it ends; `area`: nothing else counts
 * @returns {{points: {x: number, y: number}[], own: boolean, cover: Element|null, inside: boolean}} `own`: no control in it
 *   gets a press there, as is demanded of this one; `inside`: some of it is in the area
 */
export const meet = (face, element, { way = null, area = ownWindow() } = {}) => {
  const lay = layOf(face);
  const demandsOwn = isControl(element) || (!way && isCard(element));
  /** @type {Element|null} */
  let cover = null;
  let inside = false;
  const second = [];
  for (const round of rounds(face, way)) {
    const points = [];
    for (const local of round) {
      const point = outward(lay, local);
      if (!within(area, point.x, point.y)) continue;
      inside = true;
      const hit = hitAt(point.x, point.y);
      if (!hit || !belongsTo(hit, element)) cover ??= hit;
      else if (demandsOwn ? !isOwn(hit, element) : isPassedUp(hit, element)) second.push(point);
      else if (place) points.push(point);
      else return { points: [point], own: demandsOwn, cover: null, inside };
    }
    if (points.length) return { points, own: demandsOwn, cover: null, inside };
  }
  return { points: second, own: false, cover: second.length ? null : cover, inside };
};

/**
 * A point of the top viewport, `own` as `meet` says; in a frame of another origin with all such `points`, and whether
 * something was scrolled.
 * @typedef {{x: number, y: number, own?: boolean, points?: {x: number, y: number}[], moved?: boolean}} FreeSpot
 */

/**
 * Bring an element, or what stands for it, into view, and find a point on it that nothing covers.
 * @param {Element} element
 * @param {{way?: {x: number, y: number}|null, still?: boolean}} options `way`: of a drag, from its start, which ends a
 *   little beyond the middle that way, as a hand does; `still`: it must not be moving
 * @returns {Promise<FreeSpot>}
 */
export const freeSpot = async (element, { way = null, still = false } = {}) => {
  let moved = false;
  /** @type {ReturnType<typeof meet>|null} */
  let first = null;
  for (const face of facesOf(element)) {
    moved = (await bringIntoView(face, element)) || moved;
    if (still) await demandStill(face);
    const { points, own, cover, inside } = meet(face, element, { way });
    if (points.length) return { ...points[0], own, ...(place && { points, moved }) };
    first ??= { points, own, cover, inside };
  }
  const [why, nextStep] = first?.inside
    ? [`is covered by ${first.cover ? inWords(first.cover) : "another frame"}`, "close or scroll that away first"]
    : ["cannot be scrolled into view", "choose another element"];
  throw new NotReady("ELEMENT_NOT_VISIBLE", `${inWords(element)} ${why}`, nextStep, detailsOf(element));
};
