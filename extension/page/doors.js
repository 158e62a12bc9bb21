// Frames whose document cannot be read from here, being of another origin: the page's half runs in each of them, too,
// and the extension goes from one to the next. Here such a frame is a door with a number.

import { frameDocument, isConnected, isFrame, queryAll } from "./dom.js";
import { openRoots } from "./flat_tree.js";
import { hasFocus } from "./focus.js";
import { areaOf, intersection, layWithin, shownThrough, view } from "./geometry.js";
import { pathOf } from "./path.js";
import { place } from "./place.js";
import { isShown } from "./visibility.js";

const doorNumbers = new WeakMap();
const doors = new Map();

export const isDoor = (element) => isFrame(element) && frameDocument(element) === null;

export const doorOf = (frame) => {
  let number = doorNumbers.get(frame);
  if (!number) {
    number = doors.size + 1;
    doorNumbers.set(frame, number);
    doors.set(number, new WeakRef(frame));
  }
  return number;
};

/** The frame behind a number, or null when it is no longer in the page. */
export const doorElement = (number) => {
  const frame = doors.get(number)?.deref();
  return frame && isConnected(frame) ? frame : null;
};

/** What the extension needs to go on in a frame: {door, place, rest}; `rest` replaces parts of the target. */
export const wayInto = (frame, rest = {}) => ({ door: doorOf(frame), place: placeOf(frame), rest });

const placeOf = (frame) => ({
  ...layWithin(frame),
  ...intersection(shownThrough(frame), view()),
  shown: isShown(frame),
  focused: hasFocus(frame) && (place?.focused ?? true),
  path: pathOf(frame),
});

/** The place of a frame that was entered before, or null when it has gone. */
export const placeOfDoor = (number) => {
  const frame = doorElement(number);
  return frame && placeOf(frame);
};

/** All doors of this document and the documents that can be read from it. */
export const allDoors = () => everyDoor().map((frame) => wayInto(frame));

/** How many of them reach into an area {left, top, right, bottom} of the top viewport and beyond the viewport itself. */
export const doorsBeyond = (area) =>
  everyDoor().filter((frame) => {
    const inArea = intersection(shownThrough(frame), area);
    const inView = intersection(inArea, view());
    return isShown(frame) && areaOf(inArea) > 0 && areaOf(inArea) - areaOf(inView) >= 1;
  }).length;

const everyDoor = () => doorsIn([document, ...openRoots(document)]);
export const doorsIn = (roots) => roots.flatMap((root) => [...queryAll(root, "iframe, frame, object")]).filter(isDoor);

/** The target lies in one of these frames: `ways` in the order to try them. */
export class Crossing extends Error {
  constructor(ways) {
    super("the target lies in a frame of another origin");
    this.ways = ways;
  }
}
