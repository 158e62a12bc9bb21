// The guard of typing without a yes for secret fields. The field was none when the typing began; a page may make it one
// meanwhile, or give such a field the focus. So each key is looked at before the page sees it, and from the first that
// would reach a secret field on all are swallowed.

import { listen, ownerDocumentView } from "../dom.js";
import { innermostActive } from "../focus.js";
import { mayTouchSecrets } from "../grant.js";
import { secretKind } from "../secrets.js";

const KEY_EVENTS = ["keydown", "keypress", "beforeinput", "keyup"];
/** A key the extension never came to makes the guard end by itself, before it can meet a person's own. */
const GUARD_MS = 3000;

/**
 * `until` by `performance.now()`; `kind` of the secret field that keys were kept from, in words.
 * @type {{until: number, lastMs: number, kind: string|null, kept: number}|null}
 */
let guard = null;
/** The window of a frame that can be read from here, in which the field is. @type {any} */
let inner = null;

/**
 * From now on no key of ours reaches a secret field, unless that was granted.
 * @param {Element|null} field what is typed into
 * @param {number} delayMs between two keys
 */
export const guardSecrets = (field, delayMs) => {
  endSecretGuard();
  if (mayTouchSecrets()) return;
  armSecretGuard(GUARD_MS + delayMs);
  inner = field && ownerDocumentView(field) !== window ? ownerDocumentView(field) : null;
  inner?.kapture?.armSecretGuard(GUARD_MS + delayMs);
};

/** The same in the document of a frame. @param {number} lastMs */
export const armSecretGuard = (lastMs) => {
  guard = { until: performance.now() + lastMs, lastMs, kind: null, kept: 0 };
};

/**
 * What was kept from a secret field so far; the guard goes on with the next keys.
 * @returns {{kind: string, kept: number}|null} how many keys, and which kind of field
 */
export const keptFromSecret = () => {
  const within = inner?.kapture?.keptFromSecret();
  if (!guard) return null;
  guard.until = performance.now() + guard.lastMs;
  const { kind, kept } = guard;
  return kind ? { kind, kept } : (within ?? null);
};

/** What was kept from a secret field; nothing more is. */
export const endSecretGuard = () => {
  const kept = keptFromSecret();
  inner?.kapture?.endSecretGuard();
  guard = inner = null;
  return kept;
};

/** @param {Event} event */
const onKey = (event) => {
  if (!guard || !event.isTrusted || performance.now() > guard.until) return;
  const active = innermostActive();
  guard.kind ??= active && secretKind(active);
  if (!guard.kind) return;
  // A sign without a key of its own comes as input alone; of one with a key that input was prevented.
  if (event.type === "keydown" || event.type === "beforeinput") guard.kept += 1;
  event.stopImmediatePropagation();
  event.preventDefault();
};

/** From now on keys are looked at, before the page's own listeners get them. */
export const watchKeysForSecrets = () => {
  for (const kind of KEY_EVENTS) listen(window, kind, onKey, true);
};
