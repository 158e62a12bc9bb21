// How much of an element a reader sees: inside the viewport, its frames and every box that clips it.

import { boxesOf } from "./boxes.js";
import { clientHeight, clientLeft, clientTop, clientWidth, isFrame, nodeType, rectOf, tag } from "./dom.js";
import { flatParent } from "./flat_tree.js";
import { areaOf, intersection, scaleOf, shownThrough, toTop, view } from "./geometry.js";
import { lookOf, remembered } from "./memo.js";

/** More than half of the element's area is inside all that clips it; what covers it does not count. */
export const inViewport = (element) => {
  const box = toTop(element, boxOf(element));
  const half = areaOf(box) / 2;
  if (half === 0) return false;
  // Most of a long page is far from the viewport, whatever clips it there.
  const seen = intersection(box, view());
  return areaOf(seen) > half && areaOf(intersection(seen, clipAt(flatParent(element), attachment(element)))) > half;
};

/** Its own box, or of what has none the first of those it is seen by. */
const boxOf = (element) => {
  const own = rectOf(element);
  if (own.width || own.height) return own;
  const [{ left, top, width, height } = own] = boxesOf(element);
  return { x: left, y: top, width, height };
};

/** Which boxes above clip an element: "static" all, "absolute" from the positioned one on, "fixed" almost none. */
const attachment = (element) => {
  const { position } = lookOf(element).style;
  return position === "absolute" || position === "fixed" ? position : "static";
};

/** What `node` and all above it leave to be seen of a descendant, in the top viewport. */
const clipAt = (node, kind) => (node ? remembered(kind, node, () => readClip(node, kind)) : view());

const readClip = (node, kind) => {
  if (nodeType(node) !== 1) return clipAt(flatParent(node), kind);
  if (isFrame(node)) return intersection(shownThrough(node), clipAt(flatParent(node), attachment(node)));
  const { style } = lookOf(node);
  const holds = kind === "static" || style.transform !== "none" || (kind === "absolute" && style.position !== "static");
  const above = clipAt(flatParent(node), holds ? attachment(node) : kind);
  return holds && clips(node, style) ? intersection(toTop(node, paddingBox(node)), above) : above;
};

/** The overflow of <html> and <body> is the viewport's own. */
const clips = (element, { overflowX, overflowY, display }) =>
  (overflowX !== "visible" || overflowY !== "visible") &&
  display !== "inline" &&
  display !== "contents" &&
  tag(element) !== "html" &&
  tag(element) !== "body";

/** What an element with overflow shows: its box without borders and scroll bars. */
const paddingBox = (element) => {
  const box = rectOf(element);
  const { scaleX, scaleY } = scaleOf(element, box);
  return {
    x: box.left + clientLeft(element) * scaleX,
    y: box.top + clientTop(element) * scaleY,
    width: clientWidth(element) * scaleX,
    height: clientHeight(element) * scaleY,
  };
};
