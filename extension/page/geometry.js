// From the viewport of any document to the top one, in whose coordinates all points and boxes are told.

import {
  clientHeight,
  clientLeft,
  clientTop,
  clientWidth,
  isElement,
  offsetHeight,
  offsetWidth,
  ownerDocument,
  ownerDocumentView,
  rectOf,
  styleOf,
} from "./dom.js";
import { flatParent } from "./flat_tree.js";
import { lookOf, remembered } from "./memo.js";
import { place } from "./place.js";

/** The part of the top viewport that shows this document. */
export const view = () => place ?? { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
/** The document's own window, shown or not, in coordinates of the top viewport. */
export const ownWindow = () => spread(place ?? UNMOVED, { x: 0, y: 0, width: innerWidth, height: innerHeight });
export const within = ({ left, top, right, bottom }, x, y) => x >= left && y >= top && x < right && y < bottom;

export const intersection = (one, other) => ({
  left: Math.max(one.left, other.left),
  top: Math.max(one.top, other.top),
  right: Math.min(one.right, other.right),
  bottom: Math.min(one.bottom, other.bottom),
});

/** Of what has no inside, 0. */
export const areaOf = ({ left, top, right, bottom }) => Math.max(0, right - left) * Math.max(0, bottom - top);

/** How a viewport lies in another: x' = a x + c y + e and y' = b x + d y + f. */
export const UNMOVED = { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 };

/** A point of a viewport that lies so, in the one around it. */
export const outward = ({ a, b, c, d, e, f }, { x, y }) => ({ x: a * x + c * y + e, y: b * x + d * y + f });
/** The other direction. */
export const inward = (lay, { x, y }) => unturned(lay, { x: x - lay.e, y: y - lay.f });
/** How far in a viewport is so far in the one around it. */
export const unturned = ({ a, b, c, d }, { x, y }) => {
  const area = a * d - b * c;
  return { x: (d * x - c * y) / area, y: (a * y - b * x) / area };
};

/** How the viewport of the element's document lies in the top one. */
export const layOf = (element) =>
  remembered("lays", ownerDocument(element), () => readLay(ownerDocumentView(element).frameElement));
const readLay = (frame) => (frame ? layWithin(frame) : (place ?? UNMOVED));

/** The same of the document a frame shows. */
export const layWithin = (frame) => {
  const outer = layOf(frame);
  const { a, b, c, d, e, f } = contentLay(frame);
  return {
    a: outer.a * a + outer.c * b,
    b: outer.b * a + outer.d * b,
    c: outer.a * c + outer.c * d,
    d: outer.b * c + outer.d * d,
    ...corner(outward(outer, { x: e, y: f })),
  };
};
const corner = ({ x, y }) => ({ e: x, f: y });

/** The sides of the box around a box {x, y, width, height} of a viewport that lies so. */
const spread = (lay, { x, y, width, height }) => {
  const corners = [
    [x, y],
    [x + width, y],
    [x, y + height],
    [x + width, y + height],
  ].map(([across, down]) => outward(lay, { x: across, y: down }));
  const [xs, ys] = [corners.map((point) => point.x), corners.map((point) => point.y)];
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
};

/** A box of the element's viewport {x, y, width, height} as sides in the top one. */
export const toTop = (element, box) => spread(layOf(element), box);

/** Where a frame shows its document, as sides in the top viewport. */
export const shownThrough = (frame) => {
  const { left, right, top, bottom } = paddingOf(frame);
  return spread(layWithin(frame), {
    x: 0,
    y: 0,
    width: clientWidth(frame) - left - right,
    height: clientHeight(frame) - top - bottom,
  });
};

const paddingOf = (frame) => {
  const { paddingLeft, paddingRight, paddingTop, paddingBottom } = styleOf(frame);
  const px = (length) => parseFloat(length) || 0;
  return { left: px(paddingLeft), right: px(paddingRight), top: px(paddingTop), bottom: px(paddingBottom) };
};

/** How the document a frame shows lies in the viewport of the document the frame stands in. */
export const contentLay = (frame) => {
  const box = rectOf(frame);
  const turn = turnOf(frame, box);
  const padding = paddingOf(frame);
  const [width, height] = [offsetWidth(frame), offsetHeight(frame)];
  // Wherever it is turned around, the middle of a box is the middle of the box around it.
  const toCorner = { x: clientLeft(frame) + padding.left - width / 2, y: clientTop(frame) + padding.top - height / 2 };
  const middle = { e: (box.left + box.right) / 2, f: (box.top + box.bottom) / 2 };
  return { ...turn, ...corner(outward({ ...turn, ...middle }, toCorner)) };
};

/** How transforms and zoom of an element and all around it turn, slant and size it: {a, b, c, d} of its lay. */
const turnOf = (element, box) => {
  const { scaleX, scaleY } = scaleOf(element, box);
  const unturnedLay = { a: scaleX, b: 0, c: 0, d: scaleY };
  let turn = new DOMMatrix();
  for (let node = element; isElement(node); node = flatParent(node)) turn = ownTurn(node).multiply(turn);
  const { m11: a, m12: b, m21: c, m22: d } = turn;
  if (b === 0 && c === 0 && a > 0 && d > 0) return unturnedLay;
  // Zoom is not a transform; and what is not flat lies otherwise than this says.
  const [width, height] = [offsetWidth(element), offsetHeight(element)];
  const zoom = box.width / (Math.abs(a) * width + Math.abs(c) * height);
  const same = box.height / (Math.abs(b) * width + Math.abs(d) * height);
  return Math.abs(zoom - same) > SAME_ZOOM * zoom
    ? unturnedLay
    : { a: a * zoom, b: b * zoom, c: c * zoom, d: d * zoom };
};
const SAME_ZOOM = 0.02;

const ownTurn = (element) => {
  const { transform, rotate, scale } = lookOf(element).style;
  const turn = new DOMMatrix();
  // As the computed style has them: "40deg" or "0 1 0 40deg", "2" or "2 3".
  const numbers = (text) => text.split(" ").map(parseFloat);
  if (rotate !== "none") {
    const [angle, z = 1, y = 0, x = 0] = numbers(rotate.replace(/^[xyz] /, (axis) => AXES[axis])).toReversed();
    turn.rotateAxisAngleSelf(x, y, z, angle);
  }
  if (scale !== "none") turn.scaleSelf(...numbers(scale));
  return transform === "none" ? turn : turn.multiplySelf(new DOMMatrix(transform));
};
const AXES = { "x ": "1 0 0 ", "y ": "0 1 0 ", "z ": "0 0 1 " };

/** How much larger transforms and zoom make an element than its own pixels say; only HTML elements tell. */
export const scaleOf = (element, { width, height }) =>
  "offsetWidth" in element
    ? { scaleX: ratio(width, offsetWidth(element)), scaleY: ratio(height, offsetHeight(element)) }
    : UNSCALED;
const UNSCALED = { scaleX: 1, scaleY: 1 };
/** Offsets are rounded: less than a pixel is not a scale. */
const ratio = (shown, own) => (own === 0 || Math.abs(shown - own) < 1 ? 1 : shown / own);
