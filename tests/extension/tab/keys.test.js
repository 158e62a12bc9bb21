import assert from "node:assert/strict";
import { test } from "../testing.js";
import { keyOf, mask, parseChord, shifted } from "../../../extension/tab/keys.js";

const short = ({ key, code, keyCode, text }) => [key, code, keyCode, text];

for (const [name, ...wanted] of [
  ["Enter", "Enter", "Enter", 13, "\r"],
  ["Return", "Enter", "Enter", 13, "\r"],
  ["Esc", "Escape", "Escape", 27, ""],
  ["Down", "ArrowDown", "ArrowDown", 40, ""],
  ["F1", "F1", "F1", 112, ""],
  ["F24", "F24", "F24", 135, ""],
  ["Ctrl", "Control", "ControlLeft", 17, ""],
  ["Space", " ", "Space", 32, " "],
  [" ", " ", "Space", 32, " "],
  ["a", "a", "KeyA", 65, "a"],
  ["A", "A", "KeyA", 65, "A"],
  ["7", "7", "Digit7", 55, "7"],
  ["&", "&", "Digit7", 55, "&"],
  [")", ")", "Digit0", 48, ")"],
  ["?", "?", "Slash", 191, "?"],
  ["Plus", "+", "Equal", 187, "+"],
])
  test(`${JSON.stringify(name)} is the key ${wanted[1]}`, () => assert.deepEqual(short(keyOf(name)), wanted));

for (const name of [
  "é",
  "日",
  "😀",
  "Enterr",
  "enter",
  "",
  "F25",
  "constructor",
  "toString",
  "__proto__",
  "hasOwnProperty",
])
  test(`no key makes ${JSON.stringify(name)}`, () => assert.equal(keyOf(name), null));

for (const [chord, held, key] of [
  ["Enter", [], "Enter"],
  ["Control+K", ["Control"], "K"],
  ["Ctrl+Shift+k", ["Control", "Shift"], "k"],
  ["Cmd+Option+Left", ["Meta", "Alt"], "ArrowLeft"],
  ["+", [], "+"],
  ["Control++", ["Control"], "+"],
  ["Control+Plus", ["Control"], "+"],
  ["Shift", [], "Shift"],
])
  test(`${chord} holds ${held.join(" and ") || "nothing"} and presses ${key}`, () => {
    const parsed = parseChord(chord);
    assert.deepEqual([parsed.held, parsed.key.key], [held, key]);
  });

for (const sign of ["ä", "€", "日", "😀", "e\u0301", "ß"])
  test(`${sign} is a sign of another keyboard, alone and in a chord`, () => {
    assert.deepEqual(parseChord(sign), { held: [], key: { key: sign, text: sign } });
    assert.deepEqual(parseChord(`Control+${sign}`), { held: ["Control"], key: { key: sign, text: sign } });
  });

for (const [name, capital] of [
  ["a", "A"],
  ["ä", "Ä"],
  ["ß", "ß"],
  ["日", "日"],
  ["Enter", "Enter"],
  ["1", "1"],
  ["Space", " "],
])
  test(`with Shift ${name} is ${capital}`, () => assert.equal(shifted(parseChord(name).key).key, capital));

for (const [chord, words] of [
  ["Hyper+K", /Hyper is not a modifier/],
  ["A+B", /A is not a modifier/],
  ["Control+Enterr", /no key "Enterr"/],
  ["Control+", /no key ""/],
  ["日本", /no key "日本"/],
  ["\u0301", /no key/],
  ["\u0007", /no key/],
  ["\ud83d", /no key/],
  ["constructor+a", /constructor is not a modifier/],
  ["constructor", /no key "constructor"/],
])
  test(`${chord} is refused with the reason`, () => {
    assert.throws(
      () => parseChord(chord),
      (error) => error.code === "INVALID_PARAMS" && words.test(error.message),
    );
  });

test("the mask is the one of CDP", () => {
  assert.equal(mask([]), 0);
  assert.equal(mask(["Alt", "Control", "Meta", "Shift"]), 15);
  assert.equal(mask(["Control", "Control"]), 2);
});

for (const [name, key, keyCode, text] of [
  ["Numpad5", "5", 101, "5"],
  ["NumpadAdd", "+", 107, "+"],
  ["NumpadDecimal", ".", 110, "."],
  ["NumpadEnter", "Enter", 13, "\r"],
])
  test(`${name} is a key of the number pad`, () =>
    assert.deepEqual(keyOf(name), { key, code: name, keyCode, text, location: 3 }));

test("what is on no number pad is not a key", () => assert.equal(keyOf("NumpadX"), null));
