import { lead, reach } from "../lib/inside.js";
import { targetOf } from "../lib/target.js";

/** Longest side of a picture a model reads without shrinking it. */
const MODEL_SIDE_PX = 1568;

function snapshot({ cursor, diff, nodes, interactiveOnly, maxDepth, roles, ...rest }, run) {
  const { snapshots } = run.session;
  if (cursor !== undefined) return snapshots.next(cursor);
  const target = targetOf(rest);
  return snapshots.take(run, {
    diff,
    ...(nodes && { nodes }),
    ...(interactiveOnly && { interactiveOnly }),
    ...(maxDepth && { maxDepth }),
    ...(roles?.length && { roles }),
    ...(Object.keys(target).length && { target }),
  });
}

async function screenshot({ clip, fullPage, scrollX, scrollY, width, height, scale, format, quality, ...rest }, run) {
  if (scrollX !== undefined || scrollY !== undefined) await run.page("scroll", {}, { toX: scrollX, toY: scrollY });
  const target = targetOf(rest);
  const box = Object.keys(target).length ? await boxOf(run, target) : null;
  const view = await run.page("viewport");
  const area = areaOf({ clip, fullPage, box, view });
  const chosen = scale ?? Math.min(1, MODEL_SIDE_PX / Math.max(area.width, area.height));
  const bounded = Math.min(chosen, width ? width / area.width : Infinity, height ? height / area.height : Infinity);
  const { data } = await run.session.cursor.hiddenWhile(() => capture(run, {
    format,
    ...(format !== "png" && { quality }),
    optimizeForSpeed: format === "png",
    clip: { ...area, scale: bounded / view.devicePixelRatio },
    captureBeyondViewport: !inside(area, view),
  }));
  return {
    data,
    format,
    width: Math.round(area.width * bounded),
    height: Math.round(area.height * bounded),
    scale: bounded,
    // Where the picture's corner lies in the viewport: x = px / scale + x.
    x: area.x - view.scrollX,
    y: area.y - view.scrollY,
  };
}

/** The target in the top viewport, scrolled into view. */
async function boxOf(run, target) {
  const { value, inside } = await reach(run, target, "boxOf");
  const { points, ...box } = value;
  if (!points) return box;
  const middle = await lead(inside, { points, moved: true }, false);
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
    area.x >= view.scrollX && area.y >= view.scrollY &&
    area.x + area.width <= view.scrollX + view.width && area.y + area.height <= view.scrollY + view.height
  );
}

/** A tab in the background draws no frames by itself: a running screencast makes it, without showing it. */
async function capture(run, options) {
  const { active } = await run.session.chrome.tabs.get(run.session.chromeTabId);
  if (active) return run.send("Page.captureScreenshot", options);
  await run.send("Page.startScreencast", { format: "jpeg", quality: 1, maxWidth: 64, maxHeight: 64 });
  try {
    return await run.send("Page.captureScreenshot", options);
  } finally {
    await run.session.cdp.send("Page.stopScreencast");
  }
}

export const handlers = { kapturemcp_snapshot: snapshot, kapturemcp_screenshot: screenshot };
