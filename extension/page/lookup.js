// From a target {selector | xpath | ref | x, y} to its element.

/** The one element the target means. */
const find = (target) => {
  if (target.ref !== undefined) return byRef(target.ref);
  if (target.xpath !== undefined) return byXPath(target.xpath);
  if (target.selector !== undefined) return bySelector(target.selector);
  return byPoint(target);
};

const byXPath = (xpath) => {
  let node;
  try {
    node = Document.prototype.evaluate.call(document, xpath, document, null, XPathResult.FIRST_ORDERED_NODE_TYPE, null).singleNodeValue;
  } catch (error) {
    throw new Failure("INVALID_SELECTOR", `the XPath ${JSON.stringify(xpath)} cannot be used: ${error.message}; write one like //button[@id="go"]`);
  }
  if (node && !isElement(node)) node = parentNode(node);
  if (!node) throw new Failure("ELEMENT_NOT_FOUND", `nothing matches the XPath ${JSON.stringify(xpath)}; look at a snapshot`);
  return node;
};

const bySelector = (selector) => {
  const ways = [];
  const found = selectAll(selector, 1, ways)[0];
  if (!found && ways.length) throw new Crossing(ways);
  if (!found) throw new Failure("ELEMENT_NOT_FOUND", `nothing matches ${JSON.stringify(selector)}; look at a snapshot${closedHint(selector)}`);
  return found;
};

const closedHint = (selector) => (selector.includes(">>>") ? " (>>> enters shadow roots and frames)" : "");

/** Up to `limit` elements matching a selector whose parts are joined by >>>; `ways` gets those into frames that cannot be read. */
const selectAll = (selector, limit = Infinity, ways = []) => {
  let roots = [document];
  let found = [];
  const parts = selector.split(">>>").map((text) => text.trim());
  for (const [index, part] of parts.entries()) {
    found = [];
    for (const root of roots) {
      try {
        found.push(...queryAll(root, part));
      } catch {
        throw new Failure("INVALID_SELECTOR", `${JSON.stringify(part)} is not a CSS selector; write one like #id or [name=to]`);
      }
    }
    if (index === parts.length - 1) break;
    const rest = parts.slice(index + 1).join(" >>> ");
    ways.push(...found.filter(isDoor).map((frame) => wayInto(frame, { selector: rest })));
    roots = found.map(inner).filter(Boolean);
  }
  return found.slice(0, limit);
};

const inner = (element) => (isFrame(element) ? frameDocument(element) : shadowRootOf(element));

/** `stay`: a frame that cannot be entered is the target itself. */
const byPoint = ({ x, y, stay = false }) => {
  const element = hitAt(x, y);
  if (!element)
    throw new Failure("ELEMENT_NOT_FOUND", `${x},${y} is outside the viewport, which is ${innerWidth} × ${innerHeight}`);
  if (isDoor(element) && !stay) throw new Crossing([wayInto(element)]);
  return element;
};

/** The innermost element at a point of the top viewport, through frames and shadow roots. */
const hitAt = (x, y) => {
  const lay = place ?? UNMOVED;
  x = (x - lay.x) / lay.scaleX;
  y = (y - lay.y) / lay.scaleY;
  let root = document;
  let element = null;
  for (;;) {
    const prototype = nodeType(root) === 9 ? Document.prototype : ShadowRoot.prototype;
    const hit = prototype.elementFromPoint.call(root, x, y);
    if (!hit || hit === element) return element;
    element = hit;
    if (isFrame(hit)) {
      const content = frameDocument(hit);
      if (!content) return hit;
      const box = contentBox(hit);
      x = (x - box.x) / box.scaleX;
      y = (y - box.y) / box.scaleY;
      root = content;
    } else {
      const shadow = shadowRootOf(hit);
      if (!shadow) return hit;
      root = shadow;
    }
  }
};
