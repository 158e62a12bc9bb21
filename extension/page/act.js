// What an action needs of the page before and after its trusted input.

const isTarget = (target) => ["selector", "xpath", "ref", "x"].some((way) => target[way] !== undefined);

/**
 * A point of the top viewport where the target can be clicked: in view, enabled, not covered.
 * @param options `field`: a label stands for its control
 */
const locate = async (target, { enabled = true, field = false } = {}) => {
  const element = field ? fieldOf(find(target)) : find(target);
  observation?.watch(element);
  if (target.x !== undefined && !field) {
    if (enabled) demandEnabled(element);
    return { x: target.x, y: target.y, element: inWords(element) };
  }
  demandVisible(element);
  if (enabled) demandEnabled(element);
  const moved = await bringIntoView(element);
  return { ...freePoint(element), ...(place && { moved }), element: inWords(element) };
};

/** Of a field in a frame of another origin: where nothing covers it in its document, for those around to be asked. */
const pointsWithin = async (target) => {
  find(target); // or the way to it
  if (!place) return {};
  const { points, moved } = await locate(target, { field: true });
  return { points, moved };
};

const demandVisible = (element) => {
  if (tag(element) === "option" || tag(element) === "optgroup")
    throw new Failure("ELEMENT_NOT_VISIBLE", `${inWords(element)} is part of a list; use kapturemcp_select on its <select>`);
  if (!callOn(element, "checkVisibility", { visibilityProperty: true, contentVisibilityAuto: false }))
    throw new Failure("ELEMENT_NOT_VISIBLE", `${inWords(element)} is hidden; wait for it or open what contains it`);
  if (![...rectsOf(element)].some((rect) => rect.width > 0 && rect.height > 0))
    throw new Failure("ELEMENT_NOT_VISIBLE", `${inWords(element)} has no size; choose an element that can be seen`);
};

/** What is inside a disabled control is disabled with it, through shadow roots too; so is what is inside an inert one. */
const demandEnabled = (element) => {
  if (matches(element, ":disabled")) throw disabled(element);
  for (let node = element; node; node = flatParent(node)) {
    if (!isElement(node)) continue;
    if (matches(node, ":disabled:not(fieldset), [aria-disabled=true]")) throw disabled(node);
    if (hasAttribute(node, "inert")) throw new Failure("ELEMENT_NOT_VISIBLE", `${inWords(element)} is inert; close what is in front of it`);
  }
};

const disabled = (element) => new Failure("ELEMENT_NOT_VISIBLE", `${inWords(element)} is disabled; do first what enables it`);

/** @returns whether it had to scroll */
const bringIntoView = async (element) => {
  if (inView(element)) return false;
  scrollTo(element);
  // The compositor needs two frames before input goes where the page shows it; those of a frame of another origin
  // are waited for when the frames around it are scrolled, too.
  if (!place) await twoFrames();
  return true;
};

const scrollTo = (element) => {
  if (place) centre(element, middleOf(element));
  else callOn(element, "scrollIntoView", { block: "center", inline: "center", behavior: "instant" });
};

const middleOf = (element) => {
  const { left, top, right, bottom } = toTop(element, rectOf(element));
  return { x: (left + right) / 2, y: (top + bottom) / 2 };
};

const inView = (element) => {
  const { x, y } = middleOf(element);
  if (!within(ownWindow(), x, y)) return false;
  const hit = hitAt(x, y);
  return hit !== null && (belongsTo(hit, element) || flatContains(element, hit));
};

/** A point inside the element that no other element covers; in a frame of another origin all such `points`. */
const freePoint = (element) => {
  const points = [];
  let covering = null;
  let inside = false;
  for (const rect of rectsOf(element)) {
    if (!rect.width || !rect.height) continue;
    const { left, top, right, bottom } = toTop(element, rect);
    for (const [across, down] of [[0.5, 0.5], [0.25, 0.5], [0.75, 0.5], [0.5, 0.25], [0.5, 0.75]]) {
      const x = left + (right - left) * across;
      const y = top + (bottom - top) * down;
      if (!within(ownWindow(), x, y)) continue;
      inside = true;
      const hit = hitAt(x, y);
      const free = hit && belongsTo(hit, element);
      if (free && !place) return { x, y };
      if (free) points.push({ x, y });
      else covering ??= hit;
    }
  }
  if (points.length) return { ...points[0], points };
  if (!inside) throw new Failure("ELEMENT_NOT_VISIBLE", `${inWords(element)} cannot be scrolled into view`);
  throw new Failure("ELEMENT_NOT_VISIBLE", `${inWords(element)} is covered by ${covering ? inWords(covering) : "another frame"}; close or scroll that away first`);
};

/** A click on `hit` is a click on `element`: it lies inside, or is the element's own label. */
const belongsTo = (hit, element) =>
  flatContains(element, hit) || [...(propertyOf(element, "labels") ?? [])].some((label) => flatContains(label, hit));

const boxOf = async (target) => {
  const element = find(target);
  demandVisible(element);
  await bringIntoView(element);
  const { left, top, right, bottom } = toTop(element, rectOf(element));
  return { element: inWords(element), x: left, y: top, width: right - left, height: bottom - top, ...(place && { points: [middleOf(element)] }) };
};

const scroll = async (target, { deltaX, deltaY, toX, toY }) => {
  const page = scrollingElement(document);
  if (toX !== undefined || toY !== undefined) window.scrollTo({ left: toX ?? scrollX, top: toY ?? scrollY, behavior: "instant" });
  const element = isTarget(target) ? find(target) : null;
  const moves = deltaX !== undefined || deltaY !== undefined;
  const box = element && moves ? scrollBoxOf(element) : page;
  if (element && !moves) scrollTo(element);
  if (moves) callOn(box, "scrollBy", { left: deltaX ?? 0, top: deltaY ?? 0, behavior: "instant" });
  await frame();
  return {
    x: Math.round(scrollLeft(box)), y: Math.round(scrollTop(box)),
    maxX: Math.round(scrollWidth(box) - clientWidth(box)), maxY: Math.round(scrollHeight(box) - clientHeight(box)),
    ...(element && place && !moves && { points: [middleOf(element)] }),
  };
};

/** The element itself or its nearest ancestor that scrolls. */
const scrollBoxOf = (element) => {
  for (let box = element; box; box = flatParent(box)) {
    if (!isElement(box)) continue;
    if (scrolls(box)) return box;
  }
  return scrollingElement(document);
};

const scrolls = (box) => {
  const style = styleOf(box);
  const has = (overflow, size, room) => /auto|scroll|overlay/.test(overflow) && size > room;
  return has(style.overflowY, scrollHeight(box), clientHeight(box)) || has(style.overflowX, scrollWidth(box), clientWidth(box));
};

const viewport = () => ({
  width: innerWidth, height: innerHeight, scrollX, scrollY, devicePixelRatio,
  ...pageSize(documentElement(document)),
});

/** A document may have lost its root. */
const pageSize = (whole) => ({
  pageWidth: Math.max(whole ? scrollWidth(whole) : 0, innerWidth),
  pageHeight: Math.max(whole ? scrollHeight(whole) : 0, innerHeight),
});
