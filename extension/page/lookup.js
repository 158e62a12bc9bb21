// From a target {selector | xpath | ref | x, y} to its element.

/** The one element the target means. */
const find = (target) => {
  if (target.ref !== undefined) return byRef(target.ref);
  if (target.xpath !== undefined) return byXPath(target.xpath);
  if (target.selector !== undefined) return bySelector(target.selector);
  return byPoint(target.x, target.y);
};

const byXPath = (xpath) => {
  let node;
  try {
    node = Document.prototype.evaluate.call(document, xpath, document, null, XPathResult.FIRST_ORDERED_NODE_TYPE, null).singleNodeValue;
  } catch (error) {
    throw new Failure("INVALID_SELECTOR", `the XPath ${JSON.stringify(xpath)} cannot be used: ${error.message}`);
  }
  if (node && !isElement(node)) node = parentNode(node);
  if (!node) throw new Failure("ELEMENT_NOT_FOUND", `nothing matches the XPath ${JSON.stringify(xpath)}; look at a snapshot`);
  return node;
};

const bySelector = (selector) => {
  const found = selectAll(selector, 1)[0];
  if (!found) throw new Failure("ELEMENT_NOT_FOUND", `nothing matches ${JSON.stringify(selector)}; look at a snapshot${closedHint(selector)}`);
  return found;
};

const closedHint = (selector) => (selector.includes(">>>") ? " (>>> enters open shadow roots and frames of the same origin)" : "");

/** Up to `limit` elements matching a selector whose parts are joined by >>>. */
const selectAll = (selector, limit = Infinity) => {
  let roots = [document];
  let found = [];
  for (const part of selector.split(">>>").map((text) => text.trim())) {
    found = [];
    for (const root of roots) {
      try {
        found.push(...queryAll(root, part));
      } catch {
        throw new Failure("INVALID_SELECTOR", `${JSON.stringify(part)} is not a CSS selector`);
      }
    }
    roots = found.map(inner).filter(Boolean);
  }
  return found.slice(0, limit);
};

const inner = (element) => (isFrame(element) ? frameDocument(element) : shadowRootOf(element));

const byPoint = (x, y) => {
  const element = hitAt(x, y);
  if (!element)
    throw new Failure("ELEMENT_NOT_FOUND", `${x},${y} is outside the viewport, which is ${innerWidth} × ${innerHeight}`);
  return element;
};

/** The innermost element at a point of the top viewport, through frames and open shadow roots. */
const hitAt = (x, y) => {
  let root = document;
  let element = null;
  for (;;) {
    const prototype = root.nodeType === 9 ? Document.prototype : ShadowRoot.prototype;
    const hit = prototype.elementFromPoint.call(root, x, y);
    if (!hit || hit === element) return element;
    element = hit;
    if (isFrame(hit)) {
      const content = frameDocument(hit);
      if (!content) return hit;
      const box = rectOf(hit);
      x -= box.left + hit.clientLeft;
      y -= box.top + hit.clientTop;
      root = content;
    } else {
      const shadow = shadowRootOf(hit);
      if (!shadow) return hit;
      root = shadow;
    }
  }
};

/** Where the top left corner of the element's own frame is in the top viewport. */
const frameOffset = (element) => {
  let x = 0;
  let y = 0;
  for (let frame = ownerDocumentView(element).frameElement; frame; frame = ownerDocumentView(frame).frameElement) {
    const box = rectOf(frame);
    x += box.left + frame.clientLeft;
    y += box.top + frame.clientTop;
  }
  return { x, y };
};
