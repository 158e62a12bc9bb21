import { KaptureError } from "../basics/errors.js";

/** Key names → what `Input.dispatchKeyEvent` needs. Values of a US keyboard, as the UI Events specification names them. */

export const MODIFIERS = { __proto__: null, Alt: 1, Control: 2, Meta: 4, Shift: 8 };

const NAMED = {
  __proto__: null,
  Enter: [13, "Enter", "\r"],
  Tab: [9, "Tab"],
  Backspace: [8, "Backspace"],
  Delete: [46, "Delete"],
  Escape: [27, "Escape"],
  Insert: [45, "Insert"],
  Home: [36, "Home"],
  End: [35, "End"],
  PageUp: [33, "PageUp"],
  PageDown: [34, "PageDown"],
  ArrowLeft: [37, "ArrowLeft"],
  ArrowUp: [38, "ArrowUp"],
  ArrowRight: [39, "ArrowRight"],
  ArrowDown: [40, "ArrowDown"],
  ContextMenu: [93, "ContextMenu"],
  CapsLock: [20, "CapsLock"],
  Alt: [18, "AltLeft"],
  Control: [17, "ControlLeft"],
  Meta: [91, "MetaLeft"],
  Shift: [16, "ShiftLeft"],
};
for (let number = 1; number <= 24; number += 1) NAMED[`F${number}`] = [111 + number, `F${number}`];

/** The number pad: what its keys write, by the ends of their names. */
const NUMBER_PAD = {
  __proto__: null,
  Multiply: [106, "*"],
  Add: [107, "+"],
  Subtract: [109, "-"],
  Decimal: [110, "."],
  Divide: [111, "/"],
  Enter: [13, "Enter", "\r"],
};
for (let digit = 0; digit <= 9; digit += 1) NUMBER_PAD[digit] = [96 + digit, String(digit)];
/** `KeyboardEvent.DOM_KEY_LOCATION_NUMPAD` */
const ON_NUMBER_PAD = 3;

const ALIASES = {
  __proto__: null,
  Ctrl: "Control",
  Cmd: "Meta",
  Command: "Meta",
  Option: "Alt",
  Esc: "Escape",
  Return: "Enter",
  Del: "Delete",
  Left: "ArrowLeft",
  Right: "ArrowRight",
  Up: "ArrowUp",
  Down: "ArrowDown",
  Space: " ",
  Plus: "+",
};

const PUNCTUATION = {
  __proto__: null,
  ";": [186, "Semicolon"],
  ":": [186, "Semicolon"],
  "=": [187, "Equal"],
  "+": [187, "Equal"],
  ",": [188, "Comma"],
  "<": [188, "Comma"],
  "-": [189, "Minus"],
  _: [189, "Minus"],
  ".": [190, "Period"],
  ">": [190, "Period"],
  "/": [191, "Slash"],
  "?": [191, "Slash"],
  "`": [192, "Backquote"],
  "~": [192, "Backquote"],
  "[": [219, "BracketLeft"],
  "{": [219, "BracketLeft"],
  "\\": [220, "Backslash"],
  "|": [220, "Backslash"],
  "]": [221, "BracketRight"],
  "}": [221, "BracketRight"],
  "'": [222, "Quote"],
  '"': [222, "Quote"],
  " ": [32, "Space"],
};
const SHIFTED_DIGITS = ")!@#$%^&*(";

/**
 * @typedef {{key: string, text: string, code?: string, keyCode?: number, location?: number}} Key what of it is unknown is left out
 */

/**
 * @param {string} name
 * @returns {Key|null} null for a character no key of this keyboard makes
 */
export function keyOf(name) {
  const key = ALIASES[name] ?? name;
  if (NAMED[key]) {
    const [keyCode, code, text = ""] = NAMED[key];
    return { key, code, keyCode, text };
  }
  const pad = key.startsWith("Numpad") ? NUMBER_PAD[key.slice("Numpad".length)] : undefined;
  if (pad) {
    const [keyCode, made, text = made] = pad;
    return { key: made, code: key, keyCode, text, location: ON_NUMBER_PAD };
  }
  if (key.length !== 1) return null;
  if (/[a-z]/i.test(key))
    return { key, code: `Key${key.toUpperCase()}`, keyCode: key.toUpperCase().charCodeAt(0), text: key };
  const digit = /[0-9]/.test(key) ? Number(key) : SHIFTED_DIGITS.indexOf(key);
  if (digit >= 0) return { key, code: `Digit${digit}`, keyCode: 48 + digit, text: key };
  const found = PUNCTUATION[key];
  return found ? { key, code: found[1], keyCode: found[0], text: key } : null;
}

/** One sign, as the UI Events specification has it: a base character and what is combined with it. */
const SIGN = /^[^\p{C}\p{M}]\p{M}*$/u;

/** A sign of another keyboard: which key makes it there nobody knows. */
const foreignKey = (sign) => (SIGN.test(sign) ? { key: sign, text: sign } : null);

/**
 * The key with Shift held: of a small letter its capital, if that is one sign.
 * @param {Key} key
 * @returns {Key}
 */
export function shifted(key) {
  const capital = key.text === key.key ? key.key.toUpperCase() : key.key;
  return SIGN.test(capital) && capital !== key.key ? { ...key, key: capital, text: capital } : key;
}

/**
 * "Control+Shift+K" → the modifiers to hold and the key to press.
 * @param {string} chord
 * @returns {{held: string[], key: Key}}
 */
export function parseChord(chord) {
  const parts = chord === "+" ? ["+"] : chord.replace(/\+\+$/, "+Plus").split("+");
  const last = parts.pop() ?? "";
  const held = parts.map((part) => ALIASES[part] ?? part);
  for (const name of held)
    if (!MODIFIERS[name])
      throw new KaptureError(
        "INVALID_PARAMS",
        `press_key: ${name} is not a modifier`,
        "use Control, Shift, Alt or Meta",
      );
  const key = keyOf(last) ?? foreignKey(last);
  if (!key)
    throw new KaptureError(
      "INVALID_PARAMS",
      `press_key: there is no key ${JSON.stringify(last)}`,
      "use one character or a name like Enter, ArrowDown, F5; kapturemcp_type takes longer texts",
    );
  return { held, key };
}

/**
 * The keys of a chord, one by one, as they go down.
 * @param {string} chord
 * @returns {{name: string, key: Key}[]}
 */
export function keysOf(chord) {
  const { held, key } = parseChord(chord);
  const modifiers = held.map((name) => ({ name, key: /** @type {Key} */ (keyOf(name)) }));
  return [...modifiers, { name: nameOf(key), key }];
}

/** What a held key is called, as `parseChord` takes it. @param {Key} key */
function nameOf({ key, code = "", location }) {
  if (location) return code;
  if (key === " ") return "Space";
  return key.length === 1 ? key.toLowerCase() : key;
}

/**
 * The bit mask of CDP for a list of modifier names.
 * @param {string[]} names
 * @returns {number}
 */
export function mask(names) {
  return names.reduce((bits, name) => bits | MODIFIERS[name], 0);
}
