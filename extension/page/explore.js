// Questions about the page's elements: what is there, how it looks, what it holds. Nothing is changed.

const MAX_VALUE = 2000;
const MAX_FIELDS = 200;
/** A page's own tokens, by the name of a hidden field or <meta>: as good as a password. */
const TOKEN_NAME = /csrf|xsrf|token|nonce|secret/i;
const HIDDEN_VALUE = "•••";

/**
 * Answer a question of `QUESTIONS`; refs continue the tab's numbering.
 * @param target {selector}, which may lead into a frame of another origin
 * @returns {{answer, doors, nextRef}}: `doors` lead into frames of another origin that have a part in the answer
 */
const explore = (target, question, params, numbers) => {
  startRefs(numbers);
  const into = [];
  const answer = remembering(() => {
    const found = QUESTIONS[question]({ ...params, ...target }, into);
    keepPlaces(false);
    return found;
  });
  return { answer, doors: into, nextRef };
};

/** What every answer tells of an element. */
const told = (element) => {
  const role = roleOf(element);
  const name = nameOf(element);
  return { ref: refOf(element, role, name), role: role || "generic", name: clipped(name, MAX_NAME), tag: tag(element), inViewport: inViewport(element) };
};

const listed = (all, limit, more = () => ({})) => ({
  count: all.length,
  elements: all.slice(0, limit).map((element) => ({ ...told(element), ...more(element) })),
});

/** Whether a person could see it, were it scrolled into view. */
const isShown = (element) => {
  if (!Element.prototype.checkVisibility.call(element, { visibilityProperty: true, opacityProperty: true })) return false;
  if (![...rectsOf(element)].some((rect) => rect.width > 0 && rect.height > 0)) return false;
  const frame = ownerDocumentView(element).frameElement;
  return frame ? isShown(frame) : (place?.shown ?? true);
};

/** Why it is not shown. */
const whyHidden = (element) => {
  for (let node = element; node; node = flatParent(node)) {
    if (!isElement(node)) continue;
    const style = styleOf(node);
    const where = node === element ? "" : ` of ${inWords(node)}`;
    if (style.display === "none") return `display: none${where}`;
    if (style.opacity === "0") return `opacity: 0${where}`;
    if (style.contentVisibility === "hidden" && node !== element) return `content-visibility: hidden${where}`;
    if (tag(node) === "details" && !hasAttribute(node, "open") && ![...flatChildren(node)].some((child) => flatContains(child, element)) && node !== element)
      return `inside the closed ${inWords(node)}`;
  }
  const { visibility, display } = styleOf(element);
  if (visibility !== "visible") return `visibility: ${visibility}`;
  return display === "contents" ? "display: contents" : "it has no size";
};

/**
 * What lies over an element in this document.
 * @returns {{points, cover}} the points of the top viewport where nothing does, or what does over all of them
 */
const coverOf = (element) => {
  const points = [];
  let cover = null;
  for (const rect of rectsOf(element)) {
    const { left, top, right, bottom } = meet(toTop(element, rect), view());
    if (right <= left || bottom <= top) continue;
    for (const [across, down] of [[0.5, 0.5], [0.25, 0.5], [0.75, 0.5], [0.5, 0.25], [0.5, 0.75]]) {
      const point = { x: left + (right - left) * across, y: top + (bottom - top) * down };
      const hit = hitAt(point.x, point.y);
      const free = hit && belongsTo(hit, element);
      if (free && !place) return { points: [point], cover: null };
      if (free) points.push(point);
      else cover ??= hit;
    }
  }
  return points.length ? { points, cover: null } : { points, cover };
};

const queryDom = ({ selector, limit }, into) =>
  listed(selectAll(selector, Infinity, into), limit, (element) => {
    const text = readingOf(element, MAX_NAME).replace(/\n/g, " ");
    const value = valueOf(element, roleOf(element));
    return {
      id: attribute(element, "id") ?? undefined,
      class: attribute(element, "class") ?? undefined,
      text: text === nameOf(element) ? undefined : clipped(text, MAX_NAME) || undefined,
      value: value ? clipped(value, MAX_NAME) : undefined,
      visible: isShown(element),
    };
  });

const countElements = ({ selector }, into) => {
  const all = selectAll(selector, Infinity, into);
  return { count: all.length, visible: all.filter(isShown).length };
};

const checkVisibility = ({ selector }) => {
  const element = bySelector(selector);
  const { left, top, right, bottom } = toTop(element, rectOf(element));
  const box = { x: left, y: top, width: right - left, height: bottom - top };
  for (const side of Object.keys(box)) box[side] = Math.round(box[side] * 10) / 10;
  const visible = isShown(element);
  const { points, cover } = visible ? coverOf(element) : { points: [], cover: null };
  return {
    ...told(element), visible, box,
    reason: visible ? undefined : whyHiddenThrough(element),
    coveredBy: cover ? inWords(cover) : undefined,
    ...(place && points.length && { points }),
  };
};

/** A frame that is not shown hides what is in it. */
const whyHiddenThrough = (element) => {
  const frame = ownerDocumentView(element).frameElement;
  if (!frame && place && !place.shown) return "in a hidden frame";
  return frame && !isShown(frame) ? `in the hidden ${inWords(frame)}: ${whyHiddenThrough(frame)}` : whyHidden(element);
};

const checkElementState = ({ selector }) => {
  const element = bySelector(selector);
  const states = new Set(statesOf(element, roleOf(element)));
  const name = tag(element);
  const form = /^(input|select|textarea)$/.test(name);
  const has = (...aria) => aria.some((one) => hasAttribute(element, `aria-${one}`));
  const disabled = states.has("disabled") || matches(element, ":disabled") || closest(element, "[aria-disabled=true]") !== null;
  const readOnly = states.has("readonly") || attribute(element, "aria-readonly") === "true";
  const writable = name === "textarea" || (name === "input" && (TEXT_INPUTS.test(element.type) || element.type in SET_FORMATS)) || isEditable(element);
  const checkable = (name === "input" && /^(checkbox|radio)$/.test(element.type)) || has("checked");
  return {
    ...told(element),
    visible: isShown(element),
    enabled: !disabled && closest(element, "[inert]") === null,
    editable: writable && !disabled && !readOnly,
    focused: hasFocus(element) && (place?.focused ?? true),
    readOnly: form || readOnly ? readOnly : undefined,
    required: form || has("required") ? states.has("required") : undefined,
    valid: form || has("invalid") ? !states.has("invalid") && (!form || element.validity.valid) : undefined,
    checked: checkable ? (states.has("checked=mixed") ? "mixed" : states.has("checked")) : undefined,
    selected: name === "option" || has("selected") ? states.has("selected") : undefined,
    expanded: states.has("expanded") || (states.has("collapsed") ? false : undefined),
    pressed: has("pressed") ? states.has("pressed") : undefined,
  };
};

const USUAL_STYLES = `display visibility opacity position z-index width height margin padding border overflow color
  background-color background-image font-family font-size font-weight line-height text-align cursor pointer-events transform`.split(/\s+/);

const getComputedStyles = ({ selector, properties }) => {
  const element = bySelector(selector);
  const style = styleOf(element);
  const named = properties?.length ? properties : USUAL_STYLES;
  const pairs = named.map((property) => {
    const name = property.startsWith("--") ? property : property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    if (!name.startsWith("--") && !(name in style))
      throw new Failure("INVALID_PARAMS", `${JSON.stringify(property)} is not a CSS property`);
    return [property, clipped(style.getPropertyValue(name), MAX_VALUE)];
  });
  return { ...told(element), styles: Object.fromEntries(pairs) };
};

const getAttributes = ({ selector, attributes }) => {
  const element = bySelector(selector);
  const named = attributes?.length ? attributes : Element.prototype.getAttributeNames.call(element);
  return { ...told(element), attributes: Object.fromEntries(named.map((name) => [name, attributeToTell(element, name)])) };
};

const attributeToTell = (element, name) => {
  const text = attribute(element, name);
  if (text === null) return null;
  return text !== "" && isSecretText(element, name, text) ? HIDDEN_VALUE : clipped(text, MAX_VALUE);
};

const isSecretText = (element, name, text) => {
  if (isToken(element)) return name === "value" || name === "content";
  if (!secret(element)) return false;
  // Some frameworks keep a copy of the value in an attribute of their own.
  return name === "value" || (element.value.length > 2 && text.includes(element.value));
};

const isToken = (element) => {
  const named = attribute(element, "name") ?? attribute(element, "id") ?? "";
  return TOKEN_NAME.test(named) && (tag(element) === "meta" || (tag(element) === "input" && element.type === "hidden"));
};

const getPageMetadata = () => {
  const all = (selector) => [...queryAll(document, selector)];
  const meta = {};
  for (const element of all("meta[content]")) {
    const name = attribute(element, "name") ?? attribute(element, "property") ?? attribute(element, "http-equiv");
    if (name && !isToken(element) && Object.keys(meta).length < 100) meta[`${clipped(name, 100)}`] ??= clipped(attribute(element, "content"), 500);
  }
  const link = (relation) => all(`link[rel~="${relation}" i][href]`)[0]?.href;
  const root = documentElement(document);
  return {
    title: documentTitle(document),
    url: document.location.href,
    language: (root && attribute(root, "lang")) || undefined,
    charset: characterSet(document),
    readyState: readyState(document),
    canonical: link("canonical"),
    icon: link("icon"),
    feeds: unlessEmpty(all('link[rel~="alternate" i][type$="+xml" i][href]').slice(0, 10).map(({ href }) => href)),
    meta,
    headings: unlessEmpty(all("h1, h2").filter(isShown).slice(0, 20).map((heading) => clipped(nameOf(heading), MAX_NAME))),
    structuredData: unlessEmpty(all('script[type="application/ld+json" i]').slice(0, 20).flatMap((script) => typesIn(textContent(script)))),
  };
};

const unlessEmpty = (list) => (list.length ? list : undefined);

/** The @type of each thing in a piece of JSON-LD. */
const typesIn = (source) => {
  try {
    const data = JSON.parse(source);
    const things = Array.isArray(data) ? data : (data?.["@graph"] ?? [data]);
    return [...things].map((thing) => String(thing?.["@type"] ?? "")).filter(Boolean).slice(0, 20);
  } catch {
    return []; // not JSON: a page's own mistake
  }
};

/** Of a frame within what was asked for everything has a part in the answer. */
const WHOLE = { selector: null };

const FIELDS =
  "input:not([type=button i], [type=submit i], [type=reset i], [type=image i]), textarea, select, [contenteditable]:not([contenteditable=false i])";

/** `selector`: of the form; without it all fields of the page. */
const getFormValues = ({ selector }, into) => {
  const form = selector === undefined ? null : bySelector(selector);
  const fields = fieldsIn(form, into);
  return {
    count: fields.length,
    fields: fields.slice(0, MAX_FIELDS).map((element) => ({
      ...told(element),
      field: attribute(element, "name") ?? attribute(element, "id") ?? undefined,
      type: tag(element) === "input" ? element.type : undefined,
      ...heldBy(element),
      required: element.required === true || undefined,
      disabled: matches(element, ":disabled") || undefined,
    })),
  };
};

/** The fields of a form (those outside it that belong to it, too), of any other element, or of the page. */
const fieldsIn = (form, into) => {
  const own = form && tag(form) === "form" ? [...formElements(form)].filter((element) => matches(element, FIELDS)) : [];
  const within = form ? [form, inner(form)].filter(Boolean) : [document];
  const roots = within.flatMap((root) => [root, ...openRoots(root)]);
  into.push(...doorsIn(roots).map((frame) => wayInto(frame, WHOLE)));
  const self = form && matches(form, FIELDS) ? [form] : [];
  const all = new Set([...self, ...own, ...roots.flatMap((root) => [...queryAll(root, FIELDS)])]);
  return [...all];
};

const heldBy = (element) => {
  const name = tag(element);
  if (secret(element) || isToken(element)) return { secret: true, filled: element.value !== "" };
  if (name === "select") {
    const chosen = [...element.selectedOptions];
    const label = (option) => squeeze(option.label);
    if (element.multiple) return { values: chosen.map((option) => option.value), labels: chosen.map(label) };
    return { value: element.value, label: chosen.map(label)[0] };
  }
  if (name === "input" && /^(checkbox|radio)$/.test(element.type)) return { checked: element.checked, value: element.value };
  if (name === "input" && element.type === "file") return { files: [...element.files].map((file) => file.name) };
  return { value: clipped(textOf(element) ?? "", MAX_VALUE) };
};

/** What acts on a click: text found inside is told as this. */
const ACTS = new Set("button link option menuitem menuitemcheckbox menuitemradio tab checkbox radio switch".split(" "));

const findByText = ({ text, selector, exact, limit }, into) => {
  const wanted = squeeze(text);
  if (!wanted) throw new Failure("INVALID_PARAMS", "text holds nothing but spaces; give the words to find");
  const lower = wanted.toLowerCase();
  const holds = exact ? (shown) => squeeze(shown) === wanted : (shown) => squeeze(shown).toLowerCase().includes(lower);
  const found = new Set();
  const reading = new Reading(Infinity, (element, shown) => {
    const hit = holds(shown) || ownWords(element).some(holds);
    if (hit) found.add(actorOf(element));
    return hit;
  });
  const starts = selector === undefined ? [documentBody(document) ?? documentElement(document)] : selectAll(selector, Infinity, into);
  for (const start of starts) if (start && isRendered(start)) reading.read(start);
  into.push(...reading.frames.map(({ frame }) => wayInto(frame, WHOLE)));
  return listed([...found], limit);
};

/** Words on an element that are not text in the page. */
const ownWords = (element) => {
  const words = [authorName(element), attribute(element, "title"), attribute(element, "placeholder")];
  const name = tag(element);
  const button = name === "input" && /^(button|submit|reset|image)$/.test(element.type);
  if (name === "img" || name === "area" || button) words.push(nameOf(element));
  return words.filter(Boolean);
};

const actorOf = (element) => {
  for (let node = element; node; node = flatParent(node)) if (isElement(node) && ACTS.has(roleOf(node))) return node;
  return element;
};

/** The text in pieces; between two of them belongs the text of a frame of another origin. */
const getVisibleText = ({ selector, maxLength }, into) => {
  const start = selector === undefined ? (documentBody(document) ?? documentElement(document)) : bySelector(selector);
  if (!start || !isRendered(start)) return [""];
  const reading = new Reading(maxLength);
  reading.read(start);
  into.push(...reading.frames.map(({ frame }) => wayInto(frame, WHOLE)));
  return reading.pieces;
};

const QUESTIONS = {
  queryDom, countElements, checkVisibility, checkElementState, getComputedStyles, getAttributes, getPageMetadata,
  getFormValues, findByText, getVisibleText,
};
