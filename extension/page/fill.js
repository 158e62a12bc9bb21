// Fields: getting one ready for text, what cannot be typed into one, and whether it took what it was given.

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
  await bringIntoView(element);
  freePoint(element);
  if (name === "select") return { way: "done", ...choose(element, { value }) };
  if (name === "input" && (element.type === "checkbox" || element.type === "radio")) return startCheck(element, value);
  if (name === "input" && SET_FORMATS[element.type]) return setValue(element, value);
  const text = name === "textarea" || (name === "input" && TEXT_INPUTS.test(element.type));
  if (!text && !element.isContentEditable)
    throw new Failure("INVALID_PARAMS", `${inWords(element)}${name === "input" ? ` of type ${element.type}` : ""} cannot be filled${name === "input" && element.type === "file" ? "; use kapturemcp_upload_file" : ""}`);
  if (name === "input" && element.type === "number" && value !== "" && !/^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value))
    throw new Failure("INVALID_PARAMS", `${inWords(element)} takes a number, not ${JSON.stringify(value)}`);
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
  let active = activeElement(document);
  for (;;) {
    if (!active) return false;
    if (active === element || (element.isContentEditable && flatContains(active, element))) return true;
    const deeper = activeWithin(active);
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
    const active = watchFocus();
    if (clear && active) selectContent(active);
    return {};
  }
  const element = fieldOf(find(target));
  observation?.watch(element);
  demandVisible(element);
  demandWritable(element);
  await bringIntoView(element);
  freePoint(element);
  focusOn(element);
  if (clear) selectContent(element);
  return {};
};

const activeWithin = (element) => {
  const root = inner(element);
  return root && activeElement(root);
};

/** The innermost element that has the focus. */
const focused = () => {
  let active = activeElement(document);
  for (let deeper = active; deeper; deeper = activeWithin(active)) active = deeper;
  if (active && isDoor(active)) throw new Crossing([wayInto(active)]);
  return active;
};

/** Whatever the keyboard goes to is watched for changes, in whichever frame it is. */
const watchFocus = () => {
  const active = focused();
  if (active) observation?.watch(active);
  return active;
};

/** Text can be inserted where the caret is, and only there. */
const demandCaret = () => {
  const active = focused();
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
