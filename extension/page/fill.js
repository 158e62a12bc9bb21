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
  if (!text && !isEditable(element))
    throw new Failure("INVALID_PARAMS", `${inWords(element)}${name === "input" ? ` of type ${element.type}` : ""} cannot be filled; ${name === "input" && element.type === "file" ? "use kapturemcp_upload_file" : "choose a field"}`);
  if (name === "input" && element.type === "number" && value !== "" && !/^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value))
    throw new Failure("INVALID_PARAMS", `${inWords(element)} takes a number like -1.5, not ${shownFor(element, value)}`);
  const field = await focusOn(element, target);
  await selectContent(field);
  return { way: "text", empty: textOf(field) === "" };
};

const isEditable = (element) => propertyOf(element, "isContentEditable") === true;

/** A label stands for its control. */
const fieldOf = (element) => (tag(element) === "label" && element.control ? element.control : element);

const demandWritable = (element) => {
  demandEnabled(element);
  if (propertyOf(element, "readOnly") || attribute(element, "aria-readonly") === "true")
    throw new Failure("ELEMENT_NOT_VISIBLE", `${inWords(element)} is read-only; fill what it is made from, or another field`);
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
    throw new Failure("INVALID_PARAMS", `${inWords(element)} of type ${element.type} does not take ${shownFor(element, value)}; it wants ${SET_FORMATS[element.type]}${bounds(element)}`);
  }
  announce(element);
  return { way: "done", value: secret(element) ? HIDDEN_VALUE : taken };
};

const bounds = (element) => {
  const parts = ["min", "max", "step"].filter((name) => hasAttribute(element, name)).map((name) => `${name} ${attribute(element, name)}`);
  return parts.length ? ` (${parts.join(", ")})` : "";
};

const announce = (element) => {
  element.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
  element.dispatchEvent(new Event("change", { bubbles: true }));
};

/** Give the focus, and a page that hands it on the time to do so. @returns the field that has it then */
const focusOn = async (element, target) => {
  const had = hasFocus(element);
  callOn(element, "focus", { preventScroll: true });
  if (!hasFocus(element)) throw new Failure("ELEMENT_NOT_VISIBLE", `${inWords(element)} does not take the focus, so nothing was typed; choose a field or what takes keys`);
  // A page in the background draws no frame to wait for.
  if (had || propertyOf(document, "visibilityState") === "hidden") return element;
  await Promise.all([frame(), new Promise((resolve) => setTimeout(resolve))]);
  const field = focusedFor(element, target);
  if (!field) throw new Failure("ELEMENT_NOT_VISIBLE", `${inWords(element)} does not keep the focus, which the page moves to ${focusInWords()}; nothing was typed, choose that or another field`);
  return field;
};

/** What has the focus for a target: its element, or the one the page has put in its place meanwhile; null if neither has. */
const focusedFor = (element, target) => {
  if (hasFocus(element)) return element;
  if (!target) return null;
  try {
    const now = fieldOf(find(target));
    return hasFocus(now) ? now : null;
  } catch (error) {
    if (error instanceof Failure || error instanceof Crossing) return null;
    throw error;
  }
};

const focusInWords = () => {
  const active = innermostActive();
  return active && active !== documentBody(document) ? inWords(active) : "nothing";
};

const hasFocus = (element) => {
  let active = activeElement(document);
  for (;;) {
    if (!active) return false;
    if (active === element || (isEditable(element) && flatContains(active, element))) return true;
    const deeper = activeWithin(active);
    if (!deeper || deeper === active) return false;
    active = deeper;
  }
};

/** Select all that a field holds. An editor with a selection of its own has heard of it before a key comes. */
const selectContent = async (element) => {
  if (tag(element) === "input" || tag(element) === "textarea") return element.select();
  const selection = ownerDocumentView(element).getSelection();
  const ends = () => [selection.anchorNode, selection.anchorOffset, selection.focusNode, selection.focusOffset];
  const before = ends();
  selection.selectAllChildren(element);
  if (ends().some((end, index) => end !== before[index])) await once(ownerDocument(element), "selectionchange");
};

/** The next event of this kind, or the end of the longest that Chrome takes to send one. */
const once = (root, kind) =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      unlisten(root, kind, end, true);
      resolve();
    };
    const timer = setTimeout(end, EVENT_DEADLINE_MS);
    listen(root, kind, end, true);
  });

const EVENT_DEADLINE_MS = 250;

const textOf = (element) => (tag(element) === "input" || tag(element) === "textarea" ? element.value : propertyOf(element, "innerText"));

/** Check that a field holds what was typed; pages may format it (a card number with spaces). */
const endFill = (target, value) => {
  const element = fieldOf(find(target));
  if (tag(element) === "input" && /^(checkbox|radio)$/.test(element.type)) {
    if (String(element.checked) === value.toLowerCase()) return { value: String(element.checked) };
    throw new Failure("EXECUTION_ERROR", `${inWords(element)} did not change: the page kept it ${element.checked ? "checked" : "unchecked"}`);
  }
  const taken = textOf(element);
  if (same(taken, value) || (bare(value) !== "" && bare(taken) === bare(value)))
    return secret(element) ? { length: taken.length } : { value: taken };
  throw new Failure("EXECUTION_ERROR", `after filling, ${inWords(element)} holds ${secret(element) ? "another value" : JSON.stringify(taken.slice(0, 100))}${hasFocus(element) ? "" : ` and the focus is on ${focusInWords()}`}: the page changed or refused the text`);
};

const same = (taken, value) => inLines(taken) === inLines(value);
const inLines = (text) => text.replace(/\r\n?/g, "\n").replace(/\u00a0/g, " ").replace(/\n+$/, "");
const bare = (text) => text.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();

/** Fields whose value never leaves the page: passwords, cards, one-time codes. */
const secret = (element) => secretKind(element) !== null;
const shownFor = (element, value) => (secret(element) ? "that value" : JSON.stringify(value));

/** Which kind of secret a field takes, in words, or null. */
const secretKind = (element) => {
  if (!/^(input|select|textarea)$/.test(tag(element))) return null;
  const [, , purpose] = /(^|\s)(cc-|one-time-code|(?:new|current)-password)/i.exec(attribute(element, "autocomplete") ?? "") ?? [];
  if (purpose) return { "cc-": "card", "one-time-code": "one-time code" }[purpose.toLowerCase()] ?? "password";
  if (element.type === "password") wasPassword.add(element);
  if (wasPassword.has(element)) return "password";
  const text = tag(element) === "textarea" || (tag(element) === "input" && TEXT_INPUTS.test(element.type));
  if (!text) return null;
  const called = `${attribute(element, "name") ?? ""} ${attribute(element, "id") ?? ""}`;
  for (const [kind, names] of SECRET_NAMES) if (names.test(called)) return kind;
  return (styleOf(element).webkitTextSecurity ?? "none") === "none" ? null : "password";
};

/** A button may show what is in a password field: it is one all the same. */
const wasPassword = new WeakSet();
/** How such fields are called where the page does not say what they are for. */
const SECRET_NAMES = [
  ["password", /passw(or)?d|passphrase|\bpwd\b/i],
  ["card", /(card|cc)[-_ ]?(num(ber)?|no|nr)\b|(\b|card[-_]?)(cvc|cvv|csc)2?\b|card[-_]?(security[-_]?)?code\b/i],
  ["one-time code", /(\b|_)(t?otp|2fa|mfa)(\b|_)|(one[-_]?time|verification)[-_]?(pass)?code/i],
];

/** Focus the target for typing; with `clear`, its content is selected to be deleted; with `caret`, it must take text. */
const startType = async (target, { clear, caret = false }) => {
  if (!isTarget(target)) {
    const active = watchFocus();
    if (clear && active) await selectContent(active);
    return {};
  }
  const element = fieldOf(find(target));
  observation?.watch(element);
  demandVisible(element);
  demandWritable(element);
  if (caret && !takesText(element)) throw new Failure("INVALID_PARAMS", `${inWords(element)} takes no text; name a text field`);
  await bringIntoView(element);
  freePoint(element);
  const field = await focusOn(element, target);
  if (clear) await selectContent(field);
  const before = clear || !takesText(field) ? "" : textOf(field);
  typing = { target, field: new WeakRef(field), words: inWords(field), before, followed: undefined };
  return {};
};

/** The field `startType` got ready, and what it held. */
let typing = null;

/**
 * Where the keyboard is after `text` was typed into the field that was got ready. A field that is full may hand the
 * focus on, as those of a code with a field for each sign do: then the next one is followed.
 * @param elsewhere in words what has the focus outside this document, if that is so
 * @returns {{kept: true, focus}} the field has the focus, or the one it was handed on to, whose words `focus` are; or
 *   {{kept: false, full, whole, field, holds, focus}}: whether the field is full and holds all the text, how many
 *   characters it holds, and in words where the focus is
 */
const typedInto = (text, elsewhere = null) => {
  const field = typing.field.deref();
  const now = !elsewhere && field && focusedFor(field, typing.target);
  if (now) {
    typing.field = new WeakRef(now);
    return { kept: true, focus: typing.followed };
  }
  const full = Boolean(field) && isFull(field);
  const next = elsewhere ? null : innermostActive();
  if (full && next && takesText(next) && isGranted(next)) {
    typing = { target: null, field: new WeakRef(next), words: inWords(next), before: "", followed: inWords(next) };
    return { kept: true, focus: typing.followed };
  }
  const taken = field && takesText(field) ? textOf(field) : "";
  const whole = taken !== typing.before && holdsText(taken, text);
  return { kept: false, full, whole, field: typing.words, holds: taken.length, focus: elsewhere ?? focusInWords() };
};

const isFull = (element) => /^(input|textarea)$/.test(tag(element)) && element.maxLength > 0 && element.value.length >= element.maxLength;
const holdsText = (taken, text) => inLines(taken).includes(inLines(text)) || (bare(text) !== "" && bare(taken).includes(bare(text)));

/** What has the focus beside a frame, in words, or null when it is in the frame. */
const focusBeside = (number) => {
  const frame = doorElement(number);
  return frame && hasFocus(frame) ? null : focusInWords();
};

const activeWithin = (element) => {
  const root = inner(element);
  return root && activeElement(root);
};

const innermostActive = () => {
  let active = activeElement(document);
  for (let deeper = active; deeper; deeper = activeWithin(active)) active = deeper;
  return active;
};

/** The innermost element that has the focus. */
const focused = () => {
  const active = innermostActive();
  if (active && isDoor(active)) throw new Crossing([wayInto(active)]);
  return active;
};

/** Whatever the keyboard goes to is watched for changes, in whichever frame it is. */
const watchFocus = () => {
  const active = focused();
  if (active) observation?.watch(active);
  return active;
};

const takesText = (element) =>
  tag(element) === "textarea" || (tag(element) === "input" && TEXT_INPUTS.test(element.type)) || isEditable(element);

/** Text can be inserted where the caret is, and only there. */
const demandCaret = () => {
  const active = focused();
  if (!active || !takesText(active)) throw new Failure("ELEMENT_NOT_FOUND", "no text field has the focus; name a target");
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
      throw new Failure("INVALID_PARAMS", `${inWords(element)} has no option ${shownFor(element, name)}; it has ${known}${options.length > 30 ? ", …" : ""}`);
    }
    if (found.disabled || found.closest("optgroup:disabled"))
      throw new Failure("ELEMENT_NOT_VISIBLE", `the option ${shownFor(element, name)} is disabled`);
    return found;
  });
  if (!element.multiple && wanted.length !== 1)
    throw new Failure("INVALID_PARAMS", `${inWords(element)} takes exactly one option, not ${wanted.length}; leave out the others`);
  const before = options.map((option) => option.selected);
  for (const option of options) option.selected = wanted.includes(option);
  if (options.some((option, index) => option.selected !== before[index])) announce(element);
  if (secret(element)) return { values: wanted.map(() => HIDDEN_VALUE), labels: wanted.map(() => HIDDEN_VALUE) };
  return { values: wanted.map((option) => option.value), labels: wanted.map(text) };
};

const select = async (target, params) => {
  const element = fieldOf(find(target));
  if (tag(element) !== "select")
    throw new Failure("INVALID_PARAMS", `${inWords(element)} is not a <select>; click it and choose from what opens`);
  observation?.watch(element);
  demandVisible(element);
  demandEnabled(element);
  await bringIntoView(element);
  freePoint(element);
  return choose(element, params);
};
