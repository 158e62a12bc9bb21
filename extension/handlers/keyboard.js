import { KaptureError } from "../basics/errors.js";
import { keyDown, keyUp, pressKey } from "../tab/key_press.js";
import { keyOf, keysOf, mask, parseChord, shifted } from "../tab/keys.js";
import { targetOf } from "../tab/target.js";
import { startTyping } from "./interaction.js";
/** @import { Handler } from "../tab/executor.js" */
/** @import { Key } from "../tab/keys.js" */
/** @import { Run } from "../tab/run.js" */

/** @type {Handler} */
async function pressChord({ key: chord, count, action, ...rest }, run) {
  const { held, key } = parseChord(chord);
  const target = targetOf(rest);
  if (action === "up" && (count > 1 || Object.keys(target).length))
    throw new KaptureError(
      "INVALID_PARAMS",
      "press_key: a key comes up once and wherever the focus is",
      "leave out the target and count",
    );
  if (action === "up") return liftKeys(run, chord);
  run.facts.byKeys = true;
  if (Object.keys(target).length) await startTyping(run, target, { clear: false });
  else await run.atOnce({}, "watchFocus");
  if (action === "down") return holdKeys(run, chord, count);
  const bits = mask(held);
  let holding = 0;
  for (const name of held) {
    holding |= mask([name]);
    await run.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...named(name), modifiers: holding });
  }
  const pressed = held.includes("Shift") || run.heldKeys.has("Shift") ? shifted(key) : key;
  for (let round = 1; round <= count; round += 1) {
    if (round === count) run.done = () => ({ pressed: chord, count });
    else run.partly = () => `${chord} was pressed ${round} of ${count} times before it`;
    await pressKey(run, pressed, bits);
  }
  for (const name of [...held].reverse()) {
    holding &= ~mask([name]);
    await run.send("Input.dispatchKeyEvent", { type: "keyUp", ...named(name), modifiers: holding });
  }
  return { pressed: chord, count };
}

/**
 * The keys of a chord go down and stay so; `count` is how often the last one is heard of, as one that repeats.
 * @param {Run} run
 * @param {string} chord
 * @param {number} count
 */
async function holdKeys(run, chord, count) {
  const keys = keysOf(chord);
  for (const [index, { name, key }] of keys.entries()) {
    const { heldKeys } = run;
    const isRepeat = heldKeys.has(name);
    if (isRepeat && index < keys.length - 1) continue;
    const pressed = heldKeys.has("Shift") ? shifted(key) : key;
    heldKeys.add({ name, key: pressed });
    const times = index < keys.length - 1 ? 1 : count;
    for (let time = 0; time < times; time += 1) {
      if (index === keys.length - 1 && time === times - 1) run.done = () => ({ pressed: chord, count });
      await keyDown(run, pressed, { autoRepeat: isRepeat || time > 0 });
    }
  }
  return { pressed: chord, count };
}

/**
 * @param {Run} run
 * @param {string} chord
 */
async function liftKeys(run, chord) {
  const { heldKeys } = run;
  const names = keysOf(chord).map(({ name }) => name);
  heldKeys.demand(names);
  for (const name of names.reverse()) await keyUp(run, heldKeys.take(name));
  return { released: chord };
}

/** @param {string} name one that `parseChord` knows */
function named(name) {
  const { key, code, keyCode } = /** @type {Key} */ (keyOf(name));
  return { key, code, windowsVirtualKeyCode: keyCode };
}

/** @type {Record<string, Handler>} */
export const handlers = { kapturemcp_press_key: pressChord };
