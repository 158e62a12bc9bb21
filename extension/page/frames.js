// Frames whose document cannot be read from here, being of another origin: the page's half runs in each of them, too,
// and the extension goes from one to the next. Here such a frame is a door with a number.

const doorNumbers = new WeakMap();
const doors = new Map();

/** How this document lies in the top viewport (geometry.js), and its visible part there; null in the top document. */
let place = null;
const standAt = (given) => {
  if (given) place = given;
};

const isDoor = (element) => isFrame(element) && frameDocument(element) === null;

const doorOf = (frame) => {
  let number = doorNumbers.get(frame);
  if (!number) {
    number = doors.size + 1;
    doorNumbers.set(frame, number);
    doors.set(number, new WeakRef(frame));
  }
  return number;
};

/** The frame behind a number, or null when it is no longer in the page. */
const doorElement = (number) => {
  const frame = doors.get(number)?.deref();
  return frame && isConnected(frame) ? frame : null;
};

/** What the extension needs to go on in a frame: {door, place, rest}; `rest` replaces parts of the target. */
const wayInto = (frame, rest = {}) => ({ door: doorOf(frame), place: placeOf(frame), rest });

const placeOf = (frame) => ({
  ...layWithin(frame),
  ...meet(toTop(frame, contentBox(frame)), view()),
  shown: isShown(frame), focused: hasFocus(frame) && (place?.focused ?? true), path: pathOf(frame),
});

/** The place of a frame that was entered before, or null when it has gone. */
const placeOfDoor = (number) => {
  const frame = doorElement(number);
  return frame && placeOf(frame);
};

/** All doors of this document and the documents that can be read from it. */
const allDoors = () => doorsIn([document, ...openRoots(document)]).map((frame) => wayInto(frame));
const doorsIn = (roots) => roots.flatMap((root) => [...queryAll(root, "iframe, frame")]).filter(isDoor);

/** The target lies in one of these frames: `ways` in the order to try them. */
class Crossing extends Error {
  constructor(ways) {
    super("the target lies in a frame of another origin");
    this.ways = ways;
  }
}

/**
 * Which of these points of the top viewport lead into the frame, scrolling to it if none does.
 * @param strict whether it is an error that something else covers all of them
 * @returns {{points, moved: boolean}} the points where they are now
 */
const passThrough = (number, points, strict) => {
  const frame = doorElement(number);
  if (!frame) throw new Failure("STALE_REF", "the frame was taken out of the page; take a new snapshot");
  const open = (shift) => points.map(({ x, y }) => ({ x: x + shift.x, y: y + shift.y })).filter(({ x, y }) => hitAt(x, y) === frame);
  const here = open({ x: 0, y: 0 });
  if (here.length) return { points: here, moved: false };
  const shift = centre(frame, points[0]);
  const there = open(shift);
  if (there.length) return { points: there, moved: true };
  if (!strict) return { points: points.map(({ x, y }) => ({ x: x + shift.x, y: y + shift.y })), moved: true };
  const covering = hitAt(points[0].x + shift.x, points[0].y + shift.y);
  throw new Failure("ELEMENT_NOT_VISIBLE", `what is meant lies in ${inWords(frame)}, which ${covering ? `${inWords(covering)} covers there` : "cannot be scrolled into view"}; close or scroll that away first`);
};

/** Which of these points of the top viewport lead into the frame, without scrolling. @returns {{points, cover}} in words */
const uncovered = (number, points) => {
  const frame = doorElement(number);
  const hits = points.map(({ x, y }) => hitAt(x, y));
  const cover = hits.find((hit) => hit && hit !== frame);
  return { points: points.filter((_, index) => hits[index] === frame), cover: cover ? inWords(cover) : null };
};

/**
 * Scroll what is around an element until a point of it is in the middle; only in documents that can be read from
 * here, since a browser scrolls other processes' documents later.
 * @returns how far the point has moved
 */
const centre = (element, point) => {
  const corner = () => {
    const { left, top } = toTop(element, rectOf(element));
    return { x: left, y: top };
  };
  const before = corner();
  const shift = () => {
    const now = corner();
    return { x: now.x - before.x, y: now.y - before.y };
  };
  for (let box = flatParent(element); box; box = flatParent(box)) {
    if (!isElement(box)) continue;
    const root = box === scrollingElement(ownerDocument(box));
    if (!root && !scrolls(box)) continue;
    const { innerWidth: width, innerHeight: height } = ownerDocumentView(box);
    const area = toTop(box, root ? { x: 0, y: 0, width, height } : rectOf(box));
    const { scaleX, scaleY } = layOf(box);
    const moved = shift();
    callOn(box, "scrollBy", {
      left: (point.x + moved.x - (area.left + area.right) / 2) / scaleX,
      top: (point.y + moved.y - (area.top + area.bottom) / 2) / scaleY,
      behavior: "instant",
    });
  }
  return shift();
};

/** How long the browser may take to tell a document that the focus went into a frame of it. */
const FOCUS_DEADLINE_MS = 1000;

/** Resolves once the focus is in the frame: the browser hands it over between processes. */
const focusArrived = (number) =>
  new Promise((resolve, reject) => {
    const frame = doorElement(number);
    const end = (settle, ...outcome) => {
      clearTimeout(timer);
      for (const kind of ["focus", "focusin"]) unlisten(document, kind, look, true);
      removeEventListener("blur", look);
      settle(...outcome);
    };
    const look = () => frame && hasFocus(frame) && end(resolve);
    const timer = setTimeout(end, FOCUS_DEADLINE_MS, reject, new Failure("ELEMENT_NOT_VISIBLE", "the frame does not take the focus, so nothing was typed"));
    for (const kind of ["focus", "focusin"]) listen(document, kind, look, true);
    addEventListener("blur", look);
    look();
  });

/** Resolves after two frames: then input goes where the page shows it. */
const twoFrames = async () => {
  await frame();
  await frame();
};
