import { KaptureError } from "../basics/errors.js";
import { focusArrived, lead, locate, reach } from "../tab/inside.js";
import { pressKey, pressKeys } from "../tab/key_press.js";
import { keyOf, mask } from "../tab/keys.js";
import { approach, isSameSpot, move } from "../tab/mouse.js";
import { whenReady } from "../tab/patience.js";
import { pressOn } from "../tab/press.js";
import { sleep } from "../basics/sleep.js";
import { targetOf } from "../tab/target.js";
/** @import { Handler } from "../tab/executor.js" */
/** @import { Inside, Point } from "../tab/inside.js" */
/** @import { Key } from "../tab/keys.js" */
/** @import { Run } from "../tab/run.js" */
/** @import { World } from "../tab/worlds.js" */
/** @import { Target } from "../tab/target.js" */
/**
 * A field that has the focus and the document it is in; `keys` select its content, `guarded`: see replaceContent, `empty`:
 * it holds nothing.
 * @typedef {{inside: Inside, value: {keys?: string, guarded?: true, empty?: boolean}}} Started
 */

/** @type {Handler} */
async function click({ button, clickCount, modifiers, holdMs, ...rest }, run) {
  const target = targetOf(rest);
  const find = async (/** @type {number} */ guard) => {
    const spot = await locate(run, target, { guard });
    run.done = () => {
      const hit = run.presses.through(guard, clickCount);
      return hit ? { clicked: hit, ...rounded(spot) } : null;
    };
    return spot;
  };
  const spot = await pressOn(run, find, { button, clickCount, holdMs, modifiers: mask(modifiers) });
  run.facts.arrived = spot.hit !== null;
  const clicked = spot.hit ?? spot.element;
  run.done = () => ({ clicked, ...rounded(spot) });
  const popup = MAY_POP_UP.test(clicked) && (await popupIn(run, spot.world));
  return { clicked, ...rounded(spot), ...(spot.hit === null && { seen: false }), ...(popup && { popup }) };
}

/** Fields for which the browser shows a list or picker of its own. */
const MAY_POP_UP = /^<(?:select|input|label|option)\b/;

/**
 * @param {Run} run
 * @param {World} world
 * @returns {Promise<string|null>} in words the browser's own list or picker that is open there, which is not part of the page
 */
async function popupIn(run, world) {
  try {
    return (await run.call(world, "openPopup", [])).value;
  } catch (error) {
    if (error.contextGone) return null;
    throw error;
  }
}

export const DELETE = /** @type {Key} */ (keyOf("Delete"));
const ENTER = /** @type {Key} */ (keyOf("Enter"));

/** @type {Handler} */
async function hover(params, run) {
  const target = targetOf(params);
  const find = () => locate(run, target, { enabled: false, hover: true });
  let spot = await whenReady(run, () => approach(run, find));
  for (let tries = 0; tries < MAX_HOVERS; tries += 1) {
    const { element, ...point } = spot;
    run.done = () => ({ hovered: element, ...rounded(point) });
    await move(run, spot);
    const now = await find().catch(unlessCovered);
    run.facts.arrived = now?.over;
    if (!now || isSameSpot(now, spot)) break;
    spot = now;
  }
  return { hovered: spot.element, ...rounded(spot) };
}

/** A target that moves on is followed this often. */
const MAX_HOVERS = 5;

/** What shows under the mouse may lie over the target. */
function unlessCovered(error) {
  if (!error.waits) throw error;
  return null;
}

/** What is on its way cannot be called back: a long text that is cancelled stops after as many keys. */
const KEYS_AT_A_TIME = 20;

/** The answers to keys that the page took before a dialog are on their way for no longer. */
const ACKNOWLEDGED_MS = 500;
const nothing = () => {};

/** @type {Handler} */
async function type({ text, clear, delay, submit, ...rest }, run) {
  run.heldKeys.demandNoModifier();
  const target = targetOf(rest);
  const start = () => startTyping(run, target, { clear, text: submit ? "" : text, typed: text, delay });
  const started = await start();
  run.facts.byKeys = submit || [...text].some(keyOf);
  const ready = clear ? await replaceContent(run, started, start, () => pressKey(run, DELETE)) : started;
  const inside = isNamed(target) ? ready.inside : null;
  const signs = [...text];
  /** @type {Promise<any>[]} */
  const sent = [];
  /** @type {Promise<any>[]} */
  const pressed = [];
  let typed = 0;
  let taken = 0;
  let focus;
  // The sign that opens a dialog is taken by the page, and not answered before the dialog is.
  const isTyped = () => taken + 1 >= signs.length;
  run.done = () => (typed === signs.length && isTyped() && !submit ? { typed } : null);
  run.acknowledged = () =>
    Promise.race([Promise.all(pressed.slice(0, -1)), sleep(ACKNOWLEDGED_MS, run.signal)]).then(nothing, nothing);
  run.partly = () => `at most ${Math.min(taken + 1, signs.length)} of ${signs.length} characters were typed before it`;
  const arrived = async (more) => {
    await Promise.all(sent.splice(0));
    focus = inside && (await demandKeyboard(inside, { text: signs.slice(0, typed).join(""), of: signs.length, more }));
  };
  for (const sign of signs) {
    if (sign === "\n") await arrived(true);
    const key = sign === "\n" ? ENTER : keyOf(sign);
    const sending = key ? pressKey(run, key) : run.send("Input.insertText", { text: sign });
    pressed.push(sending.then(() => (taken += 1)));
    sent.push(pressed[typed]);
    typed += 1;
    if (delay || sent.length === KEYS_AT_A_TIME) await arrived(typed < signs.length && signs[typed - 1] !== "\n");
    if (delay) await sleep(delay, run.signal);
  }
  // Enter may have led anywhere.
  if (signs.at(-1) === "\n" && !submit) await Promise.all(sent);
  else if (signs.length || submit) await arrived(submit);
  if (submit) run.done = () => ({ typed, ...(focus && { focus }) });
  await demandNoneKept(run, ready.inside, { typed, of: signs.length });
  if (submit) await pressKey(run, ENTER);
  return { typed, ...(focus && { focus }) };
}

/**
 * An error when keys were kept from a secret field that there was no yes for; what has a yes for all is not asked.
 * @param {Run} run
 * @param {Inside} inside
 * @param {{typed: number, of: number}} typed how many characters were sent, of how many
 */
async function demandNoneKept(run, inside, { typed, of }) {
  if (run.grant.isFull) return;
  const secret = await inside.call("endSecretGuard").catch((error) => {
    if (!error.contextGone && !error.frameGone) throw error;
    return null; // it went with its page
  });
  if (secret) throw keptFrom(secret, typed, of);
}

/**
 * @param {{kind: string, kept: number}} secret
 * @param {number} typed
 * @param {number} of
 */
function keptFrom({ kind, kept }, typed, of) {
  return new KaptureError(
    "EXECUTION_ERROR",
    `${Math.max(0, typed - kept)} of ${of} characters were typed, then the page put a ${kind} field in their way, ` +
      "which a person has to allow first; nothing of the text reached it",
    "take a new snapshot, then type into that field by name: the person is asked",
  );
}

/**
 * Give the target the focus.
 * @param {Run} run
 * @param {Target} target
 * @param {{clear: boolean, caret?: boolean, text?: string, typed?: string, delay?: number}} options
 * @returns {Promise<Started>}
 */
export async function startTyping(run, target, options) {
  const { inside, value } = await whenReady(run, async () => {
    if (isNamed(target)) await demandUncovered(run, target);
    return reach(run, target, "startType", options);
  });
  await focusArrived(inside);
  return { inside, value };
}

/** @param {Target} target */
export const isNamed = (target) => Object.keys(target).length > 0;

/**
 * Put something in the place of all a field holds. An editor may put a selection of its own back in that moment: what
 * would then land beside the content is kept away, and it is selected again.
 * @param {Run} run
 * @param {Started} started a field that has the focus, its content selected
 * @param {() => Promise<Started>} again does that once more
 * @param {(started: Started) => Promise<unknown>} put
 * @returns {Promise<Started>} the one that counted
 */
export async function replaceContent(run, started, again, put) {
  for (let tries = 1; ; tries += 1) {
    if (started.value.keys) await pressKeys(run, started.value.keys);
    await put(started);
    if (!started.value.guarded || !(await started.inside.call("heldReplacement"))) return started;
    if (tries === MAX_REPLACEMENTS)
      throw new KaptureError(
        "EXECUTION_ERROR",
        "the page undoes the selection whenever the field's whole text is selected to be replaced",
        "nothing was changed; click into it, press_key Control+a and type",
      );
    started = await again();
  }
}

const MAX_REPLACEMENTS = 5;

/**
 * A frame around a field may be covered, too; what lies over the field in its own document is seen there.
 * @param {Run} run
 * @param {Target} target
 */
export async function demandUncovered(run, target) {
  if (!run.frames.any) return;
  const { value, inside } = await reach(run, target, "pointsWithin");
  if (value.points) await lead(inside, value);
}

/**
 * An error when the page has moved the focus out of the field that is typed into.
 * @param {Inside} inside
 * @param {{text: string, of: number, more: boolean}} typed what was typed so far, of how many characters; `more` is to come
 * @returns what the focus was handed on to, in words, if it was
 */
export async function demandKeyboard(inside, { text, of, more }) {
  const typed = `${[...text].length} of ${of} characters were typed`;
  const at = await keyboardOf(inside, text).catch((error) => {
    if (!error.contextGone && !error.frameGone) throw error;
    if (more)
      throw new KaptureError("EXECUTION_ERROR", `${typed}, then another page took its place`, "take a new snapshot");
    return { kept: true };
  });
  if (at.kept) return at.focus;
  if (at.secret) throw keptFrom(at.secret, [...text].length, of);
  if (!more && (at.full || at.whole)) return at.focus;
  throw new KaptureError(
    "EXECUTION_ERROR",
    `${typed}, but the page moved the focus from ${at.field}, which holds ${at.holds} now, to ${at.focus}`,
    "look what both hold before you go on",
  );
}

async function keyboardOf(inside, text) {
  const at = await inside.call("typedInto", text, await focusBeside(inside));
  if (at.kept) return at;
  // It may have left the frame between the two looks, which the frame itself cannot see.
  const focus = await focusBeside(inside);
  return focus ? { ...at, focus } : at;
}

/**
 * What has the focus beside the frames around a document, in words, or undefined when it is in them.
 * @param {Inside} inside
 * @returns {Promise<string|undefined>}
 */
async function focusBeside(inside) {
  for (const { frame, around } of inside.chain.toReversed()) {
    const focus = await around.call("focusBeside", frame.door);
    if (focus) return focus;
  }
}

const rounded = (/** @type {Point} */ { x, y }) => ({ x: Math.round(x * 10) / 10, y: Math.round(y * 10) / 10 });

/** @type {Record<string, Handler>} */
export const handlers = {
  kapturemcp_click: click,
  kapturemcp_hover: hover,
  kapturemcp_type: type,
};
