import { KaptureError } from "../basics/errors.js";
import { locate } from "../tab/inside.js";
import { approach, between, move, travel } from "../tab/mouse.js";
import { targetOf } from "../tab/target.js";

/** Moves between two points, so that pages that follow the pointer see it move. */
const STEPS = 8;

/**
 * Press on the target, move, release. When the page starts an HTML5 drag, Chrome hands it over instead of moving
 * a picture, and it is finished with drag events; otherwise the page has followed the pointer itself.
 */
async function drag(params, run) {
  const goal = endOf(params);
  if (!run.grant.isFull) await run.atOnce(goal, "demandGranted", { enabled: false });
  const start = await approach(run, () => locate(run, targetOf(params)));
  await run.send("Input.setInterceptDrags", { enabled: true });
  let held = false;
  try {
    const mouse = (type, point, extra = {}) => run.send("Input.dispatchMouseEvent", { type, ...point, button: "left", ...extra });
    const from = pointOf(start);
    await move(run, from, { button: "none" });
    run.session.cursor.pressed();
    await mouse("mousePressed", from, { clickCount: 1, buttons: 1 });
    held = true;
    const end = await locate(run, goal, { enabled: false });
    const to = pointOf(end);
    run.session.drag = null;
    await pull(run, from, to);
    await run.frame();
    const data = run.session.drag;
    if (data) for (const type of ["dragEnter", "dragOver", "drop"]) await run.send("Input.dispatchDragEvent", { type, ...to, data });
    await mouse("mouseReleased", to, { clickCount: 1 });
    held = false;
    run.session.mouse = to;
    run.session.cursor.at(to);
    return { dragged: start.element, to: end.element, kind: data ? "html5" : "pointer" };
  } finally {
    // Whatever went wrong, the mouse button does not stay down and drags are the page's again.
    const { cdp, mouse } = run.session;
    if (held) await cdp.send("Input.dispatchMouseEvent", { type: "mouseReleased", ...mouse, button: "left", clickCount: 1 }).catch(() => {});
    await cdp.send("Input.setInterceptDrags", { enabled: false }).catch(() => {});
  }
}

/** From here to there with the button held, or until the page has begun an HTML5 drag. */
async function pull(run, from, to) {
  const held = { button: "left", buttons: 1 };
  const isTaken = () => run.session.drag !== null;
  if (run.session.naturalMouse) {
    await travel(run, to, held, isTaken);
    if (!isTaken()) await move(run, to, held);
  } else for (let step = 1; step <= STEPS && !isTaken(); step += 1) await move(run, between(from, to, step / STEPS), held);
}

function endOf({ toSelector, toXpath, toRef, toX, toY }) {
  if ((toX === undefined) !== (toY === undefined)) throw new KaptureError("INVALID_PARAMS", "drag: toX and toY are given together or not at all");
  const end = targetOf({ selector: toSelector, xpath: toXpath, ref: toRef, x: toX, y: toY });
  if (Object.keys(end).length === 0) throw new KaptureError("INVALID_PARAMS", "drag: where to is missing; give toSelector, toXpath, toRef, or toX with toY");
  return end;
}

const pointOf = ({ x, y }) => ({ x, y });

export const handlers = { kapturemcp_drag: drag };
