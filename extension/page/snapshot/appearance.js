// How something pressable looks, for those who must tell one nameless box from the next.

import { firstElementChild, queryAll, rectOf, tag, textContent } from "../dom.js";
import { toTop } from "../geometry.js";
import { lookOf } from "../memo.js";

const CLEAR = /^rgba\(.*, 0\)$/;
/** A canvas is looked at through so many points a side, and told by so many of their colours. */
const POINTS = 16;
const MAX_COLORS = 3;

/**
 * Where something is and in which colours.
 * @returns {{box: number[], color?: string, background?: string, drawn?: string[]}} `box`: x, y, width, height in the top
 *   viewport, in whole CSS pixels; `drawn`: the colours of a canvas or of the shapes of an SVG picture, the most frequent
 *   first
 */
export const appearanceOf = (element) => {
  const { left, top, right, bottom } = toTop(element, rectOf(element));
  const { style } = lookOf(element);
  const box = [left, top, right - left, bottom - top].map(Math.round);
  if (element instanceof SVGElement) return { box, drawn: paintedIn(element) };
  return {
    box,
    color: textContent(element).trim() ? inShort(style.color) : undefined,
    background: backgroundOf(element),
    drawn: tag(element) === "canvas" ? drawnOn(element) : undefined,
  };
};

/**
 * As it stands in a line.
 * @param {ReturnType<typeof appearanceOf>} appearance
 */
export const inLine = ({ box, color, background, drawn }) =>
  [
    `box=${box.join(",")}`,
    color && `color=${color}`,
    background && `background=${background}`,
    drawn && `drawn=${drawn.join(",")}`,
  ]
    .filter(Boolean)
    .join(" ");

/** Its own background, or that of what fills it. */
const backgroundOf = (element) => {
  for (let node = element; node; node = firstElementChild(node)) {
    const { backgroundColor } = lookOf(node).style;
    if (!CLEAR.test(backgroundColor)) return inShort(backgroundColor);
  }
  return undefined;
};

/** #rrggbb where it is one. */
const inShort = (color) => {
  const parts = /^rgb\((\d+), (\d+), (\d+)\)$/.exec(color);
  return parts ? hexOf(parts.slice(1).map(Number)) : color.replace(/\s+/g, "");
};
const hexOf = (parts) => `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;

const SHAPES = "rect, circle, ellipse, line, path, polygon, polyline, text";
/** Of a picture with more shapes the first so many tell. */
const MAX_SHAPES = 50;

/** What fills an SVG shape, else its stroke; of one around shapes theirs. */
const paintedIn = (element) => {
  const inner = [...queryAll(element, SHAPES)].slice(0, MAX_SHAPES);
  const paints = (inner.length ? inner : [element])
    .map((shape) => lookOf(shape).style)
    .map(({ fill, stroke }) => (isPaint(fill) ? fill : stroke))
    .filter(isPaint);
  return mostFrequent(paints.map(inShort));
};

const isPaint = (paint) => paint !== "none" && !CLEAR.test(paint);

/** @param {string[]} colors @returns {string[]|undefined} */
const mostFrequent = (colors) => {
  const counts = new Map();
  for (const color of colors) counts.set(color, (counts.get(color) ?? 0) + 1);
  const often = [...counts].sort(([, one], [, other]) => other - one).slice(0, MAX_COLORS);
  return often.length ? often.map(([color]) => color) : undefined;
};

/** The page's own context of a canvas stays untouched; what came from another origin cannot be read. */
const drawnOn = (canvas) => {
  if (!canvas.width || !canvas.height) return undefined;
  const copy = /** @type {OffscreenCanvasRenderingContext2D} */ (
    new OffscreenCanvas(POINTS, POINTS).getContext("2d", { willReadFrequently: true })
  );
  copy.imageSmoothingEnabled = false;
  copy.drawImage(canvas, 0, 0, POINTS, POINTS);
  let data;
  try {
    ({ data } = copy.getImageData(0, 0, POINTS, POINTS));
  } catch (error) {
    if (error.name !== "SecurityError") throw error;
    return undefined;
  }
  const colors = [];
  for (let at = 0; at < data.length; at += 4)
    if (data[at + 3] > 0) colors.push(hexOf([data[at], data[at + 1], data[at + 2]]));
  return mostFrequent(colors);
};
