import { KaptureError } from "./errors.js";

/** @typedef {typeof chrome} Chrome the browser's interface, as it comes through the door */

/** How Chrome says that a tab, its window or group, or the debugger's hold on it is not there any more. */
const TAB_GONE = /^(no (tab|window|group) with |debugger is not attached|detached while handling|the tab was closed)/i;
/** The same of a target: the tab, or a worker or frame of it. */
const TARGET_GONE = /^(no target with |target closed|cannot access a closed target|session with given id not found)/i;

/**
 * The one door to `chrome.*`. A tab may go between any two calls: then whichever call meets that rejects with
 * TAB_DISCONNECTED, and never with Chrome's own words.
 * @param {Chrome} chrome
 * @returns {Chrome}
 */
export function throughDoor(chrome) {
  return through(chrome);
}

/**
 * @template T
 * @param {T} api
 * @returns {T}
 */
function through(api) {
  return new Proxy(/** @type {any} */ ({}), {
    get(_target, name) {
      const parts = /** @type {Record<string|symbol, any>} */ (api);
      const value = parts[name];
      if (typeof value === "function") return (/** @type {any[]} */ ...args) => told(parts[name](...args), args);
      return value !== null && typeof value === "object" ? through(value) : value;
    },
  });
}

/**
 * What an API answered: only promises can tell that something is gone.
 * @param {unknown} answer
 * @param {any[]} args
 */
function told(answer, args) {
  if (!(answer instanceof Promise)) return answer;
  return answer.catch((error) => {
    const message = messageOf(error);
    // A worker or frame that goes leaves the tab there.
    const isOfChild = args[0]?.sessionId !== undefined;
    if (TAB_GONE.test(message) || (!isOfChild && isTargetGone(message)))
      throw new KaptureError("TAB_DISCONNECTED", "the tab was closed or disconnected");
    throw error;
  });
}

/** @param {string} message */
export function isTargetGone(message) {
  return TARGET_GONE.test(message);
}

/**
 * What went wrong, in words: chrome.debugger puts the CDP error as JSON into the message.
 * @param {any} error
 * @returns {string}
 */
export function messageOf(error) {
  const text = String(error?.message ?? error);
  try {
    return JSON.parse(text).message ?? text;
  } catch {
    return text; // a plain sentence of Chrome itself
  }
}
