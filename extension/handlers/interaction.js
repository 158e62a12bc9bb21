import { KaptureError } from "../lib/errors.js";
import { focusArrived, lead, locate, reach } from "../lib/inside.js";
import { keyOf, mask, parseChord } from "../lib/keys.js";
import { approach, move } from "../lib/mouse.js";
import { pause } from "../lib/pause.js";
import { targetOf } from "../lib/target.js";

async function click({ button, clickCount, modifiers, ...rest }, run) {
  const spot = await approach(run, () => locate(run, targetOf(rest)));
  await press(run, spot, { button, clickCount, modifiers: mask(modifiers) });
  return { clicked: spot.element, ...rounded(spot) };
}

/**
 * Moved, then pressed and released `clickCount` times: sent without awaiting each, since Chromium keeps their
 * order; the release answers once the page's handlers have run.
 */
export async function press(run, { x, y }, { button = "left", clickCount = 1, modifiers = 0 } = {}) {
  const event = (type, extra = {}) => run.send("Input.dispatchMouseEvent", { type, x, y, modifiers, ...extra });
  const sent = [move(run, { x, y }, { modifiers })];
  run.session.cursor.pressed();
  for (let count = 1; count <= clickCount; count += 1) {
    sent.push(event("mousePressed", { button, clickCount: count, buttons: BUTTONS[button] }));
    sent.push(event("mouseReleased", { button, clickCount: count }));
  }
  await Promise.all(sent);
}

const BUTTONS = { left: 1, right: 2, middle: 4 };

async function hover(params, run) {
  const spot = await approach(run, () => locate(run, targetOf(params), { enabled: false }));
  await move(run, spot);
  return { hovered: spot.element, ...rounded(spot) };
}

/** What is on its way cannot be called back: a long text that is cancelled stops after as many keys. */
const KEYS_AT_A_TIME = 20;

async function type({ text, clear, delay, submit, ...rest }, run) {
  await startTyping(run, targetOf(rest), { clear });
  if (clear) await pressKey(run, keyOf("Delete"));
  const sent = [];
  for (const character of text) {
    const key = character === "\n" ? keyOf("Enter") : keyOf(character);
    sent.push(key ? pressKey(run, key) : run.send("Input.insertText", { text: character }));
    if (delay || sent.length === KEYS_AT_A_TIME) await Promise.all(sent.splice(0));
    if (delay) await pause(delay, run.signal);
  }
  await Promise.all(sent);
  if (submit) await pressKey(run, keyOf("Enter"));
  return { typed: [...text].length };
}

/** Give the target the focus. */
export async function startTyping(run, target, options) {
  const { inside } = await reach(run, target, "startType", options);
  await focusArrived(inside);
}

/** Down and up, sent together; resolves when the page has handled both. */
export function pressKey(run, { key, code, keyCode, text }, modifiers = 0) {
  // With Control, Alt or Meta held a key makes no text.
  const made = modifiers & ~mask(["Shift"]) ? "" : text;
  const common = { key, code, windowsVirtualKeyCode: keyCode, modifiers };
  const down = run.send("Input.dispatchKeyEvent", { type: made ? "keyDown" : "rawKeyDown", text: made, unmodifiedText: made, ...common });
  const up = run.send("Input.dispatchKeyEvent", { type: "keyUp", ...common });
  return Promise.all([down, up]);
}

async function pressChord({ key: chord, count, ...rest }, run) {
  const { held, key } = parseChord(chord);
  const target = targetOf(rest);
  if (Object.keys(target).length) await startTyping(run, target, { clear: false });
  else if (run.session.frames.any) await run.atOnce({}, "watchFocus");
  const bits = mask(held);
  let holding = 0;
  for (const name of held) {
    holding |= mask([name]);
    await run.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...named(name), modifiers: holding });
  }
  const shifted = held.includes("Shift") && /^[a-z]$/.test(key.key) ? { ...key, key: key.key.toUpperCase(), text: key.text.toUpperCase() } : key;
  for (let round = 0; round < count; round += 1) await pressKey(run, shifted, bits);
  for (const name of [...held].reverse()) {
    holding &= ~mask([name]);
    await run.send("Input.dispatchKeyEvent", { type: "keyUp", ...named(name), modifiers: holding });
  }
  return { pressed: chord, count };
}

function named(name) {
  const { key, code, keyCode } = keyOf(name);
  return { key, code, windowsVirtualKeyCode: keyCode };
}

async function scroll({ deltaX, deltaY, toX, toY, ...rest }, run) {
  const { value, inside } = await reach(run, targetOf(rest), "scroll", { deltaX, deltaY, toX, toY });
  const { points, ...scrolled } = value;
  if (points) await lead(inside, { points, moved: true }, false);
  return scrolled;
}

async function handleDialog({ accept, promptText }, run) {
  const { dialog } = run.session;
  if (!dialog) throw new KaptureError("INVALID_PARAMS", "no dialog is open in this tab");
  await run.send("Page.handleJavaScriptDialog", { accept, promptText });
  return { handled: dialog.type, accepted: accept, message: dialog.message.slice(0, 500) };
}

const rounded = ({ x, y }) => ({ x: Math.round(x * 10) / 10, y: Math.round(y * 10) / 10 });

export const handlers = {
  kapturemcp_click: click,
  kapturemcp_hover: hover,
  kapturemcp_type: type,
  kapturemcp_press_key: pressChord,
  kapturemcp_scroll: scroll,
  kapturemcp_handle_dialog: handleDialog,
};
