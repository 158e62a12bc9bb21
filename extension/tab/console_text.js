import { maskUrl } from "./masking.js";

/**
 * @typedef {{at: number, level: string, text: string, source: string, context: string}} ConsoleLine
 */

/** Console events of CDP as the lines people read. */

/** @type {Record<string, string|undefined>} */
const LEVELS = { warning: "warn", error: "error", assert: "error", debug: "debug", verbose: "debug", info: "info" };
const MAX_TEXT = 4000;
const MAX_SOURCE = 200;

/**
 * `Runtime.consoleAPICalled` → a line.
 * @param {any} event
 * @param {string} context
 * @returns {ConsoleLine}
 */
export function fromConsole({ type, args, timestamp, stackTrace }, context) {
  const frame = stackTrace?.callFrames?.[0];
  return line(timestamp, LEVELS[type] ?? "log", args.map(describe).join(" "), frame?.url, frame?.lineNumber, context);
}

/**
 * `Runtime.exceptionThrown` → a line.
 * @param {any} event
 * @param {string} context
 * @returns {ConsoleLine}
 */
export function fromException({ timestamp, exceptionDetails: details }, context) {
  const frame = details.stackTrace?.callFrames?.[0];
  const { exception } = details;
  // A thrown value that is not an error has no words of its own: "Uncaught" stands before it.
  const text =
    exception?.subtype === "error"
      ? exception.description
      : exception
        ? `${details.text} ${describe(exception)}`
        : details.text;
  return line(timestamp, "error", text, details.url ?? frame?.url, details.lineNumber, context);
}

/**
 * `Log.entryAdded` → a line.
 * @param {any} event
 * @param {string} context
 * @returns {ConsoleLine}
 */
export function fromLog({ entry }, context) {
  const text = entry.url && entry.source === "network" ? `${entry.text} ${maskUrl(entry.url)}` : entry.text;
  return line(entry.timestamp, LEVELS[entry.level] ?? "log", text, entry.url, entry.lineNumber, context);
}

/**
 * @param {number} at
 * @param {string} level
 * @param {string} text
 * @param {string|undefined} url
 * @param {number|undefined} lineNumber
 * @param {string} context
 * @returns {ConsoleLine}
 */
function line(at, level, text, url, lineNumber, context) {
  const file = url ? url.split(/[?#]/)[0].split("/").pop() || url : "";
  return {
    at: Math.round(at * 1000) / 1000,
    level,
    text: clipped(text, MAX_TEXT),
    source: file ? `${clipped(file, MAX_SOURCE)}:${(lineNumber ?? 0) + 1}` : "",
    context,
  };
}

/**
 * @param {string} text
 * @param {number} length
 */
function clipped(text, length) {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

/**
 * A RemoteObject in the words of a console.
 * @param {any} object
 * @returns {string}
 */
export function describe(object) {
  if (object.type === "string") return object.value;
  if (object.unserializableValue) return object.unserializableValue;
  if (object.type === "undefined") return "undefined";
  if (object.subtype === "null") return "null";
  if (object.preview && !["error", "node", "date", "regexp"].includes(object.subtype)) return preview(object.preview);
  return object.description ?? String(object.value);
}

/**
 * @param {any} object
 * @returns {string}
 */
function preview({ subtype, properties, entries, overflow, description }) {
  const more = overflow ? ", …" : "";
  if (entries) {
    const shown = entries.map(({ key, value }) => `${key ? `${preview(key)} => ` : ""}${preview(value)}`);
    return `${description} {${shown.join(", ")}${more}}`;
  }
  if (!properties || (properties.length === 0 && !["array", undefined].includes(subtype))) return description ?? "";
  const shown = (property) => (property.type === "string" ? `"${property.value}"` : property.value);
  if (subtype === "array") return `[${properties.map(shown).join(", ")}${more}]`;
  return `{${properties.map((property) => `${property.name}: ${shown(property)}`).join(", ")}${more}}`;
}
