// Points that lead into a frame of another origin.

import { inWords } from "./dom.js";
import { doorElement } from "./doors.js";
import { Failure, NotReady } from "./failure.js";
import { hitAt } from "./hit_test.js";
import { centre } from "./scrolling.js";

/**
 * Which of these points of the top viewport lead into the frame, scrolling to it if none does.
 * @param strict whether it is an error that something else covers all of them
 * @returns {{points, moved: boolean}} the points where they are now
 */
export const passThrough = (number, points, strict) => {
  const frame = doorElement(number);
  if (!frame) throw new Failure("STALE_REF", "the frame was taken out of the page", "take a new snapshot");
  const open = (shift) =>
    points.map(({ x, y }) => ({ x: x + shift.x, y: y + shift.y })).filter(({ x, y }) => hitAt(x, y) === frame);
  const here = open({ x: 0, y: 0 });
  if (here.length) return { points: here, moved: false };
  const shift = centre(frame, points[0]);
  const there = open(shift);
  if (there.length) return { points: there, moved: true };
  if (!strict) return { points: points.map(({ x, y }) => ({ x: x + shift.x, y: y + shift.y })), moved: true };
  const covering = hitAt(points[0].x + shift.x, points[0].y + shift.y);
  throw new NotReady(
    "ELEMENT_NOT_VISIBLE",
    `the target is in ${inWords(frame)}, which ${covering ? `${inWords(covering)} covers there` : "cannot be scrolled into view"}`,
    "close or scroll that away first",
  );
};

/** Which of these points of the top viewport lead into the frame, without scrolling. @returns {{points, cover}} in words */
export const uncovered = (number, points) => {
  const frame = doorElement(number);
  const hits = points.map(({ x, y }) => hitAt(x, y));
  const cover = hits.find((hit) => hit && hit !== frame);
  return { points: points.filter((_, index) => hits[index] === frame), cover: cover ? inWords(cover) : null };
};
