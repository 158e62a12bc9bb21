// Bringing elements into view, and what scrolls.

import { twoFrames } from "./animation_frames.js";
import { boxesOf } from "./boxes.js";
import {
  callOn,
  clientHeight,
  clientWidth,
  documentBody,
  documentElement,
  isElement,
  ownerDocument,
  ownerDocumentView,
  rectOf,
  scrollHeight,
  scrollWidth,
  scrollingElement,
  styleOf,
} from "./dom.js";
import { flatContains, flatParent } from "./flat_tree.js";
import { layOf, outward, ownWindow, toTop, unturned, within } from "./geometry.js";
import { belongsTo, hitAt } from "./hit_test.js";
import { place } from "./place.js";

/**
 * Scroll what is around an element until a point of it is in the middle; only in documents that can be read from
 * here, since a browser scrolls other processes' documents later.
 * @returns how far the point has moved
 */
export const centre = (element, point) => {
  const before = middleOf(element);
  const shift = () => {
    const now = middleOf(element);
    return { x: now.x - before.x, y: now.y - before.y };
  };
  for (let box = flatParent(element); box; box = flatParent(box)) {
    if (!isElement(box)) continue;
    const root = isRoot(box);
    if (!root && !scrolls(box)) continue;
    const { innerWidth: width, innerHeight: height } = ownerDocumentView(box);
    const area = toTop(box, root ? { x: 0, y: 0, width, height } : rectOf(box));
    const moved = shift();
    const away = {
      x: point.x + moved.x - (area.left + area.right) / 2,
      y: point.y + moved.y - (area.top + area.bottom) / 2,
    };
    const { x: left, y: top } = unturned(layOf(box), away);
    callOn(box, "scrollBy", { left, top, behavior: "instant" });
  }
  return shift();
};

/** Scroll to an element, which stands for `meant`. @returns whether it had to scroll */
export const bringIntoView = async (element, meant = element) => {
  if (inView(element, meant)) return false;
  scrollToMiddle(element);
  // The compositor needs two frames before input goes where the page shows it; those of a frame of another origin
  // are waited for when the frames around it are scrolled, too.
  if (!place) await twoFrames();
  return true;
};

export const scrollToMiddle = (element) => {
  if (place || !hasOwnBox(element)) centre(element, middleOf(element));
  else callOn(element, "scrollIntoView", { block: "center", inline: "center", behavior: "instant" });
};

/** The middle of what is seen of an element first. */
export const middleOf = (element) => {
  const { left, top, width, height } = boxesOf(element)[0] ?? rectOf(element);
  return outward(layOf(element), { x: left + width / 2, y: top + height / 2 });
};

/** Whether its own box is all there is to see of it. */
const hasOwnBox = (element) => {
  const { left, top, width, height } = rectOf(element);
  const [box] = boxesOf(element);
  return box?.left === left && box.top === top && box.width === width && box.height === height;
};

const inView = (element, meant) => {
  const { x, y } = middleOf(element);
  if (!within(ownWindow(), x, y)) return false;
  const hit = hitAt(x, y);
  return hit !== null && (belongsTo(hit, meant) || flatContains(element, hit));
};

/** The element itself or its nearest ancestor that scrolls along this way. */
export const scrollBoxOf = (element, by) => {
  for (let box = element; box; box = flatParent(box)) {
    if (isElement(box) && (isRoot(box) ? pageScrolls(box, by) : scrolls(box, by))) return box;
  }
  return scrollingElement(document);
};

const isRoot = (box) => box === scrollingElement(ownerDocument(box));

/** Whether the document of this root scrolls along this way, and has not been kept from that. */
export const pageScrolls = (root, { x, y }) => {
  const styles = [documentElement(ownerDocument(root)), documentBody(ownerDocument(root))].filter(Boolean).map(styleOf);
  // What the first of them says that says anything goes for the window.
  const { overflowX, overflowY } = styles.find((style) => style.overflowY !== "visible") ?? styles[0];
  const allowed = (overflow, by) => (/hidden|clip/.test(overflow) ? 0 : by);
  return hasRoom(root, { x: allowed(overflowX, x), y: allowed(overflowY, y) });
};

/** Whether there is more of what a box holds than it shows, along this way. */
const hasRoom = (box, { x, y }) =>
  Boolean((y && scrollHeight(box) > clientHeight(box)) || (x && scrollWidth(box) > clientWidth(box)));

const ANY_WAY = { x: 1, y: 1 };

const scrolls = (box, { x, y } = ANY_WAY) => {
  const style = styleOf(box);
  const allowed = (overflow, by) => (/auto|scroll|overlay/.test(overflow) ? by : 0);
  return hasRoom(box, { x: allowed(style.overflowX, x), y: allowed(style.overflowY, y) });
};
