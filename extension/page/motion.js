// What moves on the page by itself: scrolls under way and animations.

import { nextFrame } from "./animation_frames.js";
import { inWords, listen, ownerDocument, rectOf } from "./dom.js";
import { NotReady } from "./failure.js";

/**
 * When a scroll under way was last heard of; null when it has ended.
 * @type {number|null}
 */
let scrolledAt = null;
/** The browser does not tell the end of every scroll: of one it has not told for so long, none is under way. */
const SCROLL_MS = 150;
const isScrolling = () => scrolledAt !== null && performance.now() - scrolledAt < SCROLL_MS;

const animations = (root) =>
  Document.prototype.getAnimations.call(root).filter(({ playState }) => playState === "running");
export const hasAnimation = (root) => animations(root).length > 0;
/** A scroll, or an animation that ends, is under way; one without end, such as a spinner, is waited for by nobody. */
export const isMoving = (root) =>
  isScrolling() || animations(root).some(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);

/** While something moves, an element has to be in the same place in two frames. */
export const demandStill = async (element) => {
  if (!isMoving(ownerDocument(element))) return;
  const before = rectOf(element);
  await nextFrame();
  const now = rectOf(element);
  if (["left", "top", "width", "height"].some((side) => Math.abs(before[side] - now[side]) > STILL_PX))
    throw new NotReady("ELEMENT_NOT_VISIBLE", `${inWords(element)} is moving`, "wait until it stands still");
};
const STILL_PX = 0.5;

/** From now on scrolls are heard of. */
export const watchScrolling = () => {
  listen(document, "scroll", () => (scrolledAt = performance.now()), { capture: true, passive: true });
  listen(document, "scrollend", () => (scrolledAt = null), { capture: true, passive: true });
};
