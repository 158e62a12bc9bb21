import { KaptureError } from "../basics/errors.js";
import { focusArrived, lead, locate, reach } from "../tab/inside.js";
import { keyOf, mask, parseChord, shifted } from "../tab/keys.js";
import { approach, move } from "../tab/mouse.js";
import { pause } from "../basics/pause.js";
import { targetOf } from "../tab/target.js";

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
  const inside = await startTyping(run, targetOf(rest), { clear });
  if (clear) await pressKey(run, keyOf("Delete"));
  const signs = [...text];
  const sent = [];
  let typed = 0;
  let focus;
  const arrived = async (more) => {
    await Promise.all(sent.splice(0));
    focus = inside && (await demandKeyboard(inside, { text: signs.slice(0, typed).join(""), of: signs.length, more }));
  };
  for (const sign of signs) {
    if (sign === "\n") await arrived(true);
    const key = sign === "\n" ? keyOf("Enter") : keyOf(sign);
    sent.push(key ? pressKey(run, key) : run.send("Input.insertText", { text: sign }));
    typed += 1;
    if (delay || sent.length === KEYS_AT_A_TIME) await arrived(typed < signs.length && signs[typed - 1] !== "\n");
    if (delay) await pause(delay, run.signal);
  }
  // Enter may have led anywhere.
  if (signs.at(-1) === "\n" && !submit) await Promise.all(sent);
  else if (signs.length || submit) await arrived(submit);
  if (submit) await pressKey(run, keyOf("Enter"));
  return { typed, ...(focus && { focus }) };
}

/** Give the target the focus. @returns {Inside|null} the document it is in, or null without a target */
export async function startTyping(run, target, options) {
  if (Object.keys(target).length) await demandUncovered(run, target);
  const { inside } = await reach(run, target, "startType", options);
  await focusArrived(inside);
  return Object.keys(target).length ? inside : null;
}

/** A frame around a field may be covered, too; what lies over the field in its own document is seen there. */
export async function demandUncovered(run, target) {
  if (!run.session.frames.any) return;
  const { value, inside } = await reach(run, target, "pointsWithin");
  if (value.points) await lead(inside, value);
}

/**
 * An error when the page has moved the focus out of the field that is typed into.
 * @param {{text, of, more}} typed what was typed so far, of how many characters; `more` is to come
 * @returns what the focus was handed on to, in words, if it was
 */
export async function demandKeyboard(inside, { text, of, more }) {
  const typed = `${[...text].length} of ${of} characters were typed`;
  const at = await keyboardOf(inside, text).catch((error) => {
    if (!error.contextGone && !error.frameGone) throw error;
    if (more) throw new KaptureError("EXECUTION_ERROR", `${typed}, then the page made place for another one; take a new snapshot`);
    return { kept: true };
  });
  if (at.kept) return at.focus;
  if (!more && (at.full || at.whole)) return at.focus;
  throw new KaptureError("EXECUTION_ERROR", `${typed}, but the page moved the focus from ${at.field}, which holds ${at.holds} now, to ${at.focus}; look what both hold before you go on`);
}

async function keyboardOf(inside, text) {
  const at = await inside.call("typedInto", text, await focusBeside(inside));
  if (at.kept) return at;
  // It may have left the frame between the two looks, which the frame itself cannot see.
  const focus = await focusBeside(inside);
  return focus ? { ...at, focus } : at;
}

/** What has the focus beside the frames around a document, in words, or undefined when it is in them. */
async function focusBeside(inside) {
  for (const frame of inside.chain.toReversed()) {
    const focus = await frame.parent.call("focusBeside", frame.door);
    if (focus) return focus;
  }
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
  else if (run.session.frames.any || !run.grant.isFull || putsCharacter(chord)) await run.atOnce({}, "watchFocus");
  const bits = mask(held);
  let holding = 0;
  for (const name of held) {
    holding |= mask([name]);
    await run.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...named(name), modifiers: holding });
  }
  const pressed = held.includes("Shift") ? shifted(key) : key;
  for (let round = 0; round < count; round += 1) await pressKey(run, pressed, bits);
  for (const name of [...held].reverse()) {
    holding &= ~mask([name]);
    await run.send("Input.dispatchKeyEvent", { type: "keyUp", ...named(name), modifiers: holding });
  }
  return { pressed: chord, count };
}

/** Whether a key tells of what is typed: then the history wants to know into which field. */
const putsCharacter = (chord) => /^(?:Shift\+)?.$/su.test(chord);

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

const rounded = ({ x, y }) => ({ x: Math.round(x * 10) / 10, y: Math.round(y * 10) / 10 });

export const handlers = {
  kapturemcp_click: click,
  kapturemcp_hover: hover,
  kapturemcp_type: type,
  kapturemcp_press_key: pressChord,
  kapturemcp_scroll: scroll,
};
