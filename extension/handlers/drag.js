import { KaptureError } from "../lib/errors.js";
import { targetOf } from "../lib/target.js";

/** Moves between two points, so that pages that follow the pointer see it move. */
const STEPS = 8;

/**
 * Press on the target, move, release. When the page starts an HTML5 drag, Chrome hands it over instead of moving
 * a picture, and it is finished with drag events; otherwise the page has followed the pointer itself.
 */
async function drag(params, run) {
  const goal = endOf(params);
  const start = await run.page("locate", targetOf(params));
  await run.send("Input.setInterceptDrags", { enabled: true });
  let held = false;
  try {
    const mouse = (type, point, extra = {}) => run.send("Input.dispatchMouseEvent", { type, ...point, button: "left", ...extra });
    const from = pointOf(start);
    await mouse("mouseMoved", from, { button: "none" });
    await mouse("mousePressed", from, { clickCount: 1, buttons: 1 });
    held = true;
    const end = await run.page("locate", goal, { enabled: false });
    const to = pointOf(end);
    run.session.drag = null;
    for (let step = 1; step <= STEPS && !run.session.drag; step += 1) await mouse("mouseMoved", between(from, to, step / STEPS), { buttons: 1 });
    await run.frame();
    const data = run.session.drag;
    if (data) for (const type of ["dragEnter", "dragOver", "drop"]) await run.send("Input.dispatchDragEvent", { type, ...to, data });
    await mouse("mouseReleased", to, { clickCount: 1 });
    held = false;
    run.session.mouse = to;
    return { dragged: start.element, to: end.element, kind: data ? "html5" : "pointer" };
  } finally {
    // Whatever went wrong, the mouse button does not stay down and drags are the page's again.
    const { cdp, mouse } = run.session;
    if (held) await cdp.send("Input.dispatchMouseEvent", { type: "mouseReleased", ...mouse, button: "left", clickCount: 1 }).catch(() => {});
    await cdp.send("Input.setInterceptDrags", { enabled: false }).catch(() => {});
  }
}

function endOf({ toSelector, toXpath, toRef, toX, toY }) {
  if ((toX === undefined) !== (toY === undefined)) throw new KaptureError("INVALID_PARAMS", "drag: toX and toY are given together or not at all");
  const end = targetOf({ selector: toSelector, xpath: toXpath, ref: toRef, x: toX, y: toY });
  if (Object.keys(end).length === 0) throw new KaptureError("INVALID_PARAMS", "drag: where to is missing; give toSelector, toXpath, toRef, or toX with toY");
  return end;
}

const pointOf = ({ x, y }) => ({ x, y });
const between = (from, to, part) => ({ x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part });

export const handlers = { kapturemcp_drag: drag };
