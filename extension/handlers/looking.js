import { KaptureError } from "../basics/errors.js";
import { framesDrawn } from "../tab/drawn_frames.js";
import { passOut, reach } from "../tab/inside.js";
import { partOf } from "../tab/picture_part.js";
import { targetOf } from "../tab/target.js";
/** @import { Handler } from "../tab/executor.js" */

/** Longest side of a picture a model reads without shrinking it. */
const MODEL_SIDE_PX = 1568;
/** Below this the text of a page cannot be read. */
const READABLE_SCALE = 0.4;
/** Larger pictures take the browser many seconds and gigabytes. */
const MAX_PIXELS = 40_000_000;

/** @type {Handler} */
function snapshot({ cursor, diff, find, nodes, interactiveOnly, maxDepth, roles, look, ...rest }, run) {
  const { snapshots } = run;
  const target = targetOf(rest);
  if (cursor !== undefined) {
    if (diff || find || roles?.length || Object.keys(target).length)
      throw new KaptureError(
        "INVALID_PARAMS",
        "snapshot: a cursor goes on in the snapshot it is from, and takes no target, find, roles or diff",
        "give the cursor alone",
      );
    return snapshots.next(cursor, run);
  }
  if (diff && find) throw new KaptureError("INVALID_PARAMS", "snapshot: diff and find do not go together", "give one");
  return snapshots.take(run, {
    diff,
    ...(find && { find }),
    ...(nodes && { nodes }),
    ...(interactiveOnly && { interactiveOnly }),
    ...(maxDepth && { maxDepth }),
    ...(roles?.length && { roles }),
    ...(look && { look }),
    ...(Object.keys(target).length && { target }),
  });
}

/** @type {Handler} */
async function screenshot({ clip, fullPage, scrollX, scrollY, width, height, scale, format, quality, ...rest }, run) {
  if (scrollX !== undefined || scrollY !== undefined) await run.page("scroll", {}, { toX: scrollX, toY: scrollY });
  const target = targetOf(rest);
  const box = Object.keys(target).length ? await boxOf(run, target) : null;
  const view = await run.page("viewport");
  const asked = areaOf({ clip, fullPage, box, view });
  const area = onPage(asked, view);
  if (!area) throw outside(clip ? `the clip at ${clip.x}, ${clip.y} of ${sizeOf(clip)}` : box.element, view, clip);
  const chosen = scale ?? Math.min(1, MODEL_SIDE_PX / Math.max(area.width, area.height));
  const bounded = Math.min(chosen, width ? width / area.width : Infinity, height ? height / area.height : Infinity);
  demandSize(area, bounded);
  await framesDrawn(run);
  const emptyFrames = await framesBeyond(run, area, view);
  const data = await run.unmarked(() => take(run, { area, view, scale: bounded, format, quality }));
  return {
    data,
    format,
    width: Math.round(area.width * bounded),
    height: Math.round(area.height * bounded),
    scale: bounded,
    // Where the picture's corner lies in the viewport: x = px / scale + x.
    x: area.x - view.scrollX,
    y: area.y - view.scrollY,
    // The panel's own, for the page may be scrolled elsewhere by the time somebody points at the picture.
    scrollX: view.scrollX,
    scrollY: view.scrollY,
    viewWidth: view.width,
    viewHeight: view.height,
    ...noteOf({
      asked,
      area,
      view,
      emptyFrames,
      tooSmall: bounded === chosen && scale === undefined && chosen < READABLE_SCALE,
    }),
  };
}

/** How many frames of other sites reach into the area from beyond the viewport: there the browser does not draw them. */
async function framesBeyond(run, area, view) {
  if (inside(area, view) || !run.frames.any) return 0;
  const [left, top] = [area.x - view.scrollX, area.y - view.scrollY];
  return run.page("doorsBeyond", { left, top, right: left + area.width, bottom: top + area.height });
}

const sizeOf = ({ width, height }) => `${Math.round(width)} × ${Math.round(height)}`;
const pageSizeOf = ({ pageWidth, pageHeight }) => sizeOf({ width: pageWidth, height: pageHeight });

/** The part of an area that is on the page, or null; a page that is written to the left may be scrolled to below 0. */
function onPage(area, view) {
  const left = Math.max(area.x, Math.min(0, view.scrollX));
  const top = Math.max(area.y, Math.min(0, view.scrollY));
  const width = Math.min(area.x + area.width, Math.max(view.pageWidth, view.scrollX + view.width)) - left;
  const height = Math.min(area.y + area.height, Math.max(view.pageHeight, view.scrollY + view.height)) - top;
  return width > 0 && height > 0 ? { x: left, y: top, width, height } : null;
}

function outside(area, view, clip) {
  const what = `screenshot: ${area} lies outside the page, which is ${pageSizeOf(view)}`;
  return clip
    ? new KaptureError("INVALID_PARAMS", what, "choose a clip from 0, 0 on")
    : new KaptureError("ELEMENT_NOT_VISIBLE", what, "choose an element that can be seen");
}

function demandSize({ width, height }, scale) {
  if (width * height * scale * scale <= MAX_PIXELS) return;
  const picture = sizeOf({ width: width * scale, height: height * scale });
  const most = Math.floor(Math.sqrt(MAX_PIXELS / width / height) * 100) / 100;
  throw new KaptureError(
    "INVALID_PARAMS",
    `screenshot: ${picture} is too large, a picture may have ${MAX_PIXELS / 1e6} million pixels`,
    `give a scale up to ${most}, a clip, or scrollY instead of fullPage`,
  );
}

/** What is not as the caller may expect: {note} or {}. */
function noteOf({ asked, area, view, emptyFrames, tooSmall }) {
  const notes = [];
  // Boxes of elements have parts of pixels.
  if (asked.width - area.width >= 1 || asked.height - area.height >= 1)
    notes.push(`cut to the page, which is ${pageSizeOf(view)}`);
  if (emptyFrames) {
    const frames = emptyFrames === 1 ? "a frame of another site" : `${emptyFrames} frames of other sites`;
    notes.push(`${frames} beyond the viewport may be empty: take each by its selector`);
  }
  if (tooSmall) notes.push("too small to read: take parts with clip or scrollY, or give a scale");
  return notes.length ? { note: notes.join("; ") } : {};
}

/** The target in the top viewport, scrolled into view. */
async function boxOf(run, target) {
  const { value, inside } = await reach(run, target, "boxOf");
  const { points, ...box } = value;
  if (!points) return box;
  const [middle] = (await passOut(inside, { points }, false)).points;
  return { ...box, x: box.x + middle.x - points[0].x, y: box.y + middle.y - points[0].y };
}

/** The part of the page to show, in page coordinates. */
function areaOf({ clip, fullPage, box, view }) {
  if (clip) return clip;
  if (fullPage) return { x: 0, y: 0, width: view.pageWidth, height: view.pageHeight };
  if (box) return { x: box.x + view.scrollX, y: box.y + view.scrollY, width: box.width, height: box.height };
  return { x: view.scrollX, y: view.scrollY, width: view.width, height: view.height };
}

function inside(area, view) {
  return (
    area.x >= view.scrollX &&
    area.y >= view.scrollY &&
    area.x + area.width <= view.scrollX + view.width &&
    area.y + area.height <= view.scrollY + view.height
  );
}

/**
 * The panel makes the video, of the pictures that it asks for as for the window: of the page it needs the size.
 * @type {Handler}
 */
async function recordVideo(_params, run) {
  const { width, height } = await run.page("viewport");
  return { width, height };
}

/**
 * The picture of an area, in Base64. What can be seen is taken as it is seen, and made smaller here. For the rest of the
 * page, and for more pixels than the display shows, the browser has to show the page otherwise for a moment.
 */
async function take(run, { area, view, scale, format, quality }) {
  const own = { format, ...(format !== "png" && { quality }), optimizeForSpeed: format === "png" };
  const ratio = view.devicePixelRatio;
  if (!inside(area, view) || scale > ratio) return takeOtherwise(run, { area, view, scale, own });
  const part = { ...area, x: area.x - view.scrollX, y: area.y - view.scrollY };
  if (scale === ratio && part.width === view.width && part.height === view.height) return capture(run, own);
  // Nothing of the picture is to be lost twice.
  const from = format === "png" ? "png" : "jpeg";
  const whole = await capture(run, from === "png" ? own : { format: from, quality: 100, optimizeForSpeed: false });
  const size = { width: area.width * scale, height: area.height * scale };
  return partOf(whole, { wide: view.width, part, size, from, format, quality: own.quality });
}

async function takeOtherwise(run, { area, view, scale, own }) {
  const clip = { ...area, scale: scale / view.devicePixelRatio };
  const data = await capture(run, { ...own, clip, captureBeyondViewport: !inside(area, view) });
  // The browser laid the page out again for the picture: input goes into another process's frames only two frames later.
  if (run.frames.any) for (let round = 0; round < 2; round += 1) await run.page("twoFrames");
  return data;
}

/** A tab in the background that is not drawn has no picture. */
async function capture(run, options) {
  await run.screencast.drawn();
  return (await run.screencast.unseen(() => run.send("Page.captureScreenshot", options))).data;
}

/** @type {Record<string, Handler>} */
export const handlers = {
  kapturemcp_record_video: recordVideo,
  kapturemcp_screenshot: screenshot,
  kapturemcp_snapshot: snapshot,
};
