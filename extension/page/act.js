// What an action needs of the page before and after its trusted input.

const isTarget = (target) => ["selector", "xpath", "ref", "x"].some((way) => target[way] !== undefined);

/** A point of the top viewport where the target can be clicked: in view, enabled, not covered. */
const locate = async (target, { enabled = true } = {}) => {
  if (target.x !== undefined) {
    const element = byPoint(target.x, target.y);
    observation?.watch(element);
    return { x: target.x, y: target.y, element: inWords(element) };
  }
  const element = find(target);
  observation?.watch(element);
  demandVisible(element);
  if (enabled) demandEnabled(element);
  await bringIntoView(element);
  return { ...freePoint(element), element: inWords(element) };
};

const demandVisible = (element) => {
  if (tag(element) === "option" || tag(element) === "optgroup")
    throw new Failure("ELEMENT_NOT_VISIBLE", `${inWords(element)} is part of a list; use kapturemcp_select on its <select>`);
  if (!element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: false }))
    throw new Failure("ELEMENT_NOT_VISIBLE", `${inWords(element)} is hidden; wait for it or open what contains it`);
  if (![...rectsOf(element)].some((rect) => rect.width > 0 && rect.height > 0))
    throw new Failure("ELEMENT_NOT_VISIBLE", `${inWords(element)} has no size; choose an element that can be seen`);
};

const demandEnabled = (element) => {
  if (matches(element, ":disabled") || closest(element, "[aria-disabled=true]"))
    throw new Failure("ELEMENT_NOT_VISIBLE", `${inWords(element)} is disabled; do first what enables it`);
  if (closest(element, "[inert]")) throw new Failure("ELEMENT_NOT_VISIBLE", `${inWords(element)} is inert; close what is in front of it`);
};

const bringIntoView = async (element) => {
  if (inView(element)) return;
  element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  // The compositor needs two frames before input goes where the page shows it.
  await frame();
  await frame();
};

const inView = (element) => {
  const offset = frameOffset(element);
  const box = rectOf(element);
  const x = offset.x + box.left + box.width / 2;
  const y = offset.y + box.top + box.height / 2;
  if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return false;
  const hit = hitAt(x, y);
  return hit !== null && (belongsTo(hit, element) || flatContains(element, hit));
};

/** A point inside the element that no other element covers. */
const freePoint = (element) => {
  const offset = frameOffset(element);
  let covering = null;
  let inside = false;
  for (const rect of rectsOf(element)) {
    if (!rect.width || !rect.height) continue;
    for (const [across, down] of [[0.5, 0.5], [0.25, 0.5], [0.75, 0.5], [0.5, 0.25], [0.5, 0.75]]) {
      const x = offset.x + rect.left + rect.width * across;
      const y = offset.y + rect.top + rect.height * down;
      if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) continue;
      inside = true;
      const hit = hitAt(x, y);
      if (hit && belongsTo(hit, element)) return { x, y };
      covering ??= hit;
    }
  }
  if (!inside) throw new Failure("ELEMENT_NOT_VISIBLE", `${inWords(element)} cannot be scrolled into view`);
  throw new Failure("ELEMENT_NOT_VISIBLE", `${inWords(element)} is covered by ${covering ? inWords(covering) : "another frame"}; close or scroll that away first`);
};

/** A click on `hit` is a click on `element`: it lies inside, or is the element's own label. */
const belongsTo = (hit, element) =>
  flatContains(element, hit) || [...(element.labels ?? [])].some((label) => flatContains(label, hit));

const boxOf = async (target) => {
  const element = find(target);
  demandVisible(element);
  await bringIntoView(element);
  const offset = frameOffset(element);
  const { left, top, width, height } = rectOf(element);
  return { x: offset.x + left, y: offset.y + top, width, height };
};

const TEXT_INPUTS = /^(text|search|email|tel|url|password|number)$/;
const SET_FORMATS = {
  date: "YYYY-MM-DD", time: "HH:MM", "datetime-local": "YYYY-MM-DDTHH:MM", month: "YYYY-MM", week: "YYYY-Www",
  color: "#rrggbb", range: "a number within its range",
};

/**
 * Get a field ready for `value`.
 * @returns {{way: "text"|"click"|"done"}}: text is focused and selected, to be replaced by trusted input;
 *   click means a trusted click at x, y brings the wanted state; done means the value is set
 */
const startFill = async (target, value) => {
  const element = fieldOf(find(target));
  observation?.watch(element);
  demandVisible(element);
  demandWritable(element);
  const name = tag(element);
  if (name === "select") return { way: "done", ...choose(element, { value }) };
  if (name === "input" && (element.type === "checkbox" || element.type === "radio")) return startCheck(element, value);
  if (name === "input" && SET_FORMATS[element.type]) return setValue(element, value);
  const text = name === "textarea" || (name === "input" && TEXT_INPUTS.test(element.type));
  if (!text && !element.isContentEditable)
    throw new Failure("INVALID_PARAMS", `${inWords(element)}${name === "input" ? ` of type ${element.type}` : ""} cannot be filled`);
  if (name === "input" && element.type === "number" && value !== "" && !/^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value))
    throw new Failure("INVALID_PARAMS", `${inWords(element)} takes a number, not ${JSON.stringify(value)}`);
  await bringIntoView(element);
  focusOn(element);
  selectContent(element);
  return { way: "text", empty: textOf(element) === "" };
};

/** A label stands for its control. */
const fieldOf = (element) => (tag(element) === "label" && element.control ? element.control : element);

const demandWritable = (element) => {
  demandEnabled(element);
  if (element.readOnly || attribute(element, "aria-readonly") === "true")
    throw new Failure("ELEMENT_NOT_VISIBLE", `${inWords(element)} is read-only`);
};

const startCheck = async (element, value) => {
  if (!/^(true|false)$/i.test(value))
    throw new Failure("INVALID_PARAMS", `${inWords(element)} takes "true" or "false", not ${JSON.stringify(value)}`);
  const wanted = /^true$/i.test(value);
  if (element.checked === wanted) return { way: "done", value: String(wanted) };
  if (element.type === "radio" && !wanted)
    throw new Failure("INVALID_PARAMS", `a chosen radio button cannot be cleared; fill another one of its group with "true"`);
  await bringIntoView(element);
  return { way: "click", ...freePoint(element) };
};

const setValue = (element, value) => {
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
  const before = element.value;
  set.call(element, value);
  const taken = element.value;
  const right = element.type === "range" ? Number(taken) === Number(value) : taken.toLowerCase() === value.toLowerCase() || (value !== "" && taken.startsWith(value));
  if (!right) {
    set.call(element, before);
    throw new Failure("INVALID_PARAMS", `${inWords(element)} of type ${element.type} does not take ${JSON.stringify(value)}; it wants ${SET_FORMATS[element.type]}${bounds(element)}`);
  }
  announce(element);
  return { way: "done", value: taken };
};

const bounds = (element) => {
  const parts = ["min", "max", "step"].filter((name) => hasAttribute(element, name)).map((name) => `${name} ${attribute(element, name)}`);
  return parts.length ? ` (${parts.join(", ")})` : "";
};

const announce = (element) => {
  element.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
  element.dispatchEvent(new Event("change", { bubbles: true }));
};

const focusOn = (element) => {
  element.focus({ preventScroll: true });
  if (!hasFocus(element)) throw new Failure("ELEMENT_NOT_VISIBLE", `${inWords(element)} does not take the focus, so nothing was typed`);
};

const hasFocus = (element) => {
  let active = document.activeElement;
  for (;;) {
    if (!active) return false;
    if (active === element || (element.isContentEditable && flatContains(active, element))) return true;
    const deeper = isFrame(active) ? frameDocument(active)?.activeElement : shadowRootOf(active)?.activeElement;
    if (!deeper || deeper === active) return false;
    active = deeper;
  }
};

const selectContent = (element) => {
  if (tag(element) === "input" || tag(element) === "textarea") element.select();
  else ownerDocumentView(element).getSelection().selectAllChildren(element);
};

const textOf = (element) => (tag(element) === "input" || tag(element) === "textarea" ? element.value : element.innerText);

/** Check that a field holds what was typed; pages may format it (a card number with spaces). */
const endFill = (target, value) => {
  const element = fieldOf(find(target));
  if (tag(element) === "input" && /^(checkbox|radio)$/.test(element.type)) {
    if (String(element.checked) === value.toLowerCase()) return { value: String(element.checked) };
    throw new Failure("EXECUTION_ERROR", `${inWords(element)} did not change: the page kept it ${element.checked ? "checked" : "unchecked"}`);
  }
  const taken = textOf(element);
  const bare = (text) => text.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();
  if (same(taken, value) || (bare(value) !== "" && bare(taken) === bare(value)))
    return secret(element) ? { length: taken.length } : { value: taken };
  throw new Failure("EXECUTION_ERROR", `after filling, ${inWords(element)} holds ${secret(element) ? "another value" : JSON.stringify(taken.slice(0, 100))}: the page changed or refused the text`);
};

const same = (taken, value) => {
  const lines = (text) => text.replace(/\r\n?/g, "\n").replace(/\u00a0/g, " ").replace(/\n+$/, "");
  return lines(taken) === lines(value);
};

/** Fields whose value never leaves the page: passwords, cards, one-time codes. */
const secret = (element) =>
  /^(input|select|textarea)$/.test(tag(element)) &&
  (element.type === "password" || /(^|\s)(cc-|one-time-code|(new|current)-password)/i.test(attribute(element, "autocomplete") ?? ""));

/** Focus the target for typing; with `clear`, its content is selected to be deleted. */
const startType = async (target, { clear }) => {
  if (!isTarget(target)) {
    const active = document.activeElement;
    if (clear && active) selectContent(active);
    return {};
  }
  const element = fieldOf(find(target));
  observation?.watch(element);
  demandVisible(element);
  demandWritable(element);
  await bringIntoView(element);
  focusOn(element);
  if (clear) selectContent(element);
  return {};
};

/** Text can be inserted where the caret is, and only there. */
const demandCaret = () => {
  let active = document.activeElement;
  for (let deeper = active; deeper; deeper = isFrame(active) ? frameDocument(active)?.activeElement : shadowRootOf(active)?.activeElement) active = deeper;
  const field = active && (tag(active) === "textarea" || (tag(active) === "input" && TEXT_INPUTS.test(active.type)) || active.isContentEditable);
  if (!field) throw new Failure("ELEMENT_NOT_FOUND", "no text field has the focus; name a target");
  demandWritable(active);
  observation?.watch(active);
};

/** Give a file field files made of what the panel read: {name, type, data in base64}. */
const setFiles = (target, files) => {
  const element = fieldOf(find(target));
  if (tag(element) !== "input" || element.type !== "file")
    throw new Failure("INVALID_PARAMS", `${inWords(element)} is no file field; name the <input type=file>`);
  demandEnabled(element);
  if (files.length > 1 && !element.multiple)
    throw new Failure("INVALID_PARAMS", `${inWords(element)} takes one file, not ${files.length}`);
  observation?.watch(element);
  const transfer = new DataTransfer();
  for (const { name, type, data } of files) {
    const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
    transfer.items.add(new File([bytes], name, { type }));
  }
  element.files = transfer.files;
  announce(element);
  return { files: [...element.files].map(({ name, size }) => ({ name, size })) };
};

const choose = (element, { value, values, labels }) => {
  const options = [...element.options];
  const text = (option) => squeeze(option.label || textContent(option));
  const wanted = (labels ?? values ?? [value]).map((name) => {
    const found = labels
      ? options.find((option) => text(option) === squeeze(name))
      : (options.find((option) => option.value === name) ?? (values ? undefined : options.find((option) => text(option) === squeeze(name))));
    if (!found) {
      const known = options.slice(0, 30).map((option) => JSON.stringify(labels ? text(option) : option.value)).join(", ");
      throw new Failure("INVALID_PARAMS", `${inWords(element)} has no option ${JSON.stringify(name)}; it has ${known}${options.length > 30 ? ", …" : ""}`);
    }
    if (found.disabled || found.closest("optgroup:disabled"))
      throw new Failure("ELEMENT_NOT_VISIBLE", `the option ${JSON.stringify(name)} is disabled`);
    return found;
  });
  if (!element.multiple && wanted.length !== 1)
    throw new Failure("INVALID_PARAMS", `${inWords(element)} takes exactly one option, not ${wanted.length}`);
  const before = options.map((option) => option.selected);
  for (const option of options) option.selected = wanted.includes(option);
  if (options.some((option, index) => option.selected !== before[index])) announce(element);
  return { values: wanted.map((option) => option.value), labels: wanted.map(text) };
};

const select = (target, params) => {
  const element = fieldOf(find(target));
  if (tag(element) !== "select")
    throw new Failure("INVALID_PARAMS", `${inWords(element)} is not a <select>; click it and choose from what opens`);
  observation?.watch(element);
  demandVisible(element);
  demandEnabled(element);
  return choose(element, params);
};

const scroll = async (target, { deltaX, deltaY, toX, toY }) => {
  const page = document.scrollingElement ?? documentElement(document);
  if (toX !== undefined || toY !== undefined) window.scrollTo({ left: toX ?? scrollX, top: toY ?? scrollY, behavior: "instant" });
  const element = isTarget(target) ? find(target) : null;
  const moves = deltaX !== undefined || deltaY !== undefined;
  const box = element && moves ? scrollBoxOf(element) : page;
  if (element && !moves) element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  if (moves) box.scrollBy({ left: deltaX ?? 0, top: deltaY ?? 0, behavior: "instant" });
  await frame();
  return {
    x: Math.round(box.scrollLeft), y: Math.round(box.scrollTop),
    maxX: Math.round(box.scrollWidth - box.clientWidth), maxY: Math.round(box.scrollHeight - box.clientHeight),
  };
};

/** The element itself or its nearest ancestor that scrolls. */
const scrollBoxOf = (element) => {
  for (let box = element; box; box = flatParent(box)) {
    if (!isElement(box)) continue;
    const style = styleOf(box);
    const scrolls = (overflow, size, room) => /auto|scroll|overlay/.test(overflow) && size > room;
    if (scrolls(style.overflowY, box.scrollHeight, box.clientHeight) || scrolls(style.overflowX, box.scrollWidth, box.clientWidth)) return box;
  }
  return document.scrollingElement ?? documentElement(document);
};

const viewport = () => ({
  width: innerWidth, height: innerHeight, scrollX, scrollY, devicePixelRatio,
  pageWidth: Math.max(documentElement(document).scrollWidth, innerWidth),
  pageHeight: Math.max(documentElement(document).scrollHeight, innerHeight),
});
