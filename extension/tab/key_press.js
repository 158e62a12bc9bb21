import { mask, parseChord } from "./keys.js";
/** @import { Key } from "./keys.js" */
/** @import { Run } from "./run.js" */

/**
 * Down and up, sent together; resolves when the page has handled both.
 * @param {Run} run
 * @param {Key} key
 * @param {number} modifiers
 * @param {string[]} commands what the key does in an editor of the browser, where that does not follow of it
 */
export function pressKey(run, key, modifiers = 0, commands = []) {
  const down = keyDown(run, key, { modifiers, ...(commands.length && { commands }) });
  return Promise.all([down, keyUp(run, key, modifiers)]);
}

/**
 * @param {Run} run
 * @param {Key} key
 * @param {{modifiers?: number, commands?: string[], autoRepeat?: boolean}} more
 */
export function keyDown(run, key, { modifiers = 0, ...more }) {
  // With Control, Alt or Meta held a key makes no text.
  const text = (modifiers | run.heldKeys.modifiers) & ~mask(["Shift"]) ? "" : key.text;
  const type = text ? "keyDown" : "rawKeyDown";
  return run.send("Input.dispatchKeyEvent", { type, text, unmodifiedText: text, ...more, ...eventOf(key, modifiers) });
}

/**
 * @param {Run} run
 * @param {Key} key
 */
export function keyUp(run, key, modifiers = 0) {
  return run.send("Input.dispatchKeyEvent", { type: "keyUp", ...eventOf(key, modifiers) });
}

/**
 * @param {Key} key
 * @param {number} modifiers
 */
function eventOf({ key, code, keyCode, location }, modifiers) {
  return { key, code, windowsVirtualKeyCode: keyCode, modifiers, ...(location && { location, isKeypad: true }) };
}

/**
 * Press keys as a person would to select all; on a Mac it is the browser that knows what they mean.
 * @param {Run} run
 * @param {string} chord
 */
export async function pressKeys(run, chord) {
  const { held, key } = parseChord(chord);
  await pressKey(run, key, mask(held), held.includes("Meta") ? ["selectAll"] : []);
}
