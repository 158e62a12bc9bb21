// From the viewport of any document to the top one, in whose coordinates all points and boxes are told.

/** The part of the top viewport that shows this document. */
const view = () => place ?? { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
/** The document's own window, shown or not, in coordinates of the top viewport. */
const ownWindow = () => spread(place ?? UNMOVED, { x: 0, y: 0, width: innerWidth, height: innerHeight });
const within = ({ left, top, right, bottom }, x, y) => x >= left && y >= top && x < right && y < bottom;

const meet = (one, other) => ({
  left: Math.max(one.left, other.left), top: Math.max(one.top, other.top),
  right: Math.min(one.right, other.right), bottom: Math.min(one.bottom, other.bottom),
});

/** How a viewport lies in another: its corner, and how large its pixels are there. */
const UNMOVED = { x: 0, y: 0, scaleX: 1, scaleY: 1 };

/** How the viewport of the element's document lies in the top one. */
const layOf = (element) => remembered("lays", ownerDocument(element), () => readLay(ownerDocumentView(element).frameElement));
const readLay = (frame) => (frame ? layWithin(frame) : (place ?? UNMOVED));

/** The same of the document a frame shows. */
const layWithin = (frame) => {
  const outer = layOf(frame);
  const box = contentBox(frame);
  return {
    x: outer.x + box.x * outer.scaleX, y: outer.y + box.y * outer.scaleY,
    scaleX: outer.scaleX * box.scaleX, scaleY: outer.scaleY * box.scaleY,
  };
};

const spread = ({ x, y, scaleX, scaleY }, box) => {
  const [left, top] = [x + box.x * scaleX, y + box.y * scaleY];
  return { left, top, right: left + box.width * scaleX, bottom: top + box.height * scaleY };
};

/** A box of the element's viewport {x, y, width, height} as sides in the top one. */
const toTop = (element, box) => spread(layOf(element), box);

/** Where a frame shows its document, in the viewport of the document it stands in. */
const contentBox = (frame) => {
  const box = rectOf(frame);
  const { scaleX, scaleY } = scaleOf(frame, box);
  const { paddingLeft, paddingRight, paddingTop, paddingBottom } = styleOf(frame);
  const px = (length) => parseFloat(length) || 0;
  return {
    x: box.left + (clientLeft(frame) + px(paddingLeft)) * scaleX,
    y: box.top + (clientTop(frame) + px(paddingTop)) * scaleY,
    width: (clientWidth(frame) - px(paddingLeft) - px(paddingRight)) * scaleX,
    height: (clientHeight(frame) - px(paddingTop) - px(paddingBottom)) * scaleY,
    scaleX, scaleY,
  };
};

/** How much larger transforms and zoom make an element than its own pixels say; only HTML elements tell. */
const scaleOf = (element, { width, height }) =>
  "offsetWidth" in element ? { scaleX: ratio(width, offsetWidth(element)), scaleY: ratio(height, offsetHeight(element)) } : UNMOVED;
/** Offsets are rounded: less than a pixel is no scale. */
const ratio = (shown, own) => (own === 0 || Math.abs(shown - own) < 1 ? 1 : shown / own);
