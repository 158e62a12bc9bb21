import { maskBody } from "./masking.js";
import { headersOf } from "./network_log.js";

/** Requests in the words an agent reads. */

const MAX_BODY_BYTES = 65_536;
const MAX_LISTED_URL = 300;

/** One line. */
export function lineOf(record) {
  const { id, at, method, type, ms, url, context } = record;
  const time = ms === undefined ? "" : ` ${ms} ms`;
  const shown = url.length > MAX_LISTED_URL ? `${url.slice(0, MAX_LISTED_URL - 1)}…` : url;
  const notes = [
    record.source === "network" ? "" : `(${sourceText(record)})`,
    record.redirectedTo ? `→ ${record.redirectedTo}` : "",
    context === "page" ? "" : `[${context}]`,
  ];
  return [
    `${id} ${at} ${method} ${outcome(record)} ${type}${time}${sizeText(record)} ${shown}`,
    ...notes.filter(Boolean),
  ].join(" ");
}

function outcome({ status, failure, finished }) {
  if (failure) return `failed ${failure}`;
  return status === null ? (finished ? "done" : "pending") : String(status);
}

/** Where the answer came from: one of a few words to count by. */
export function sourceOf({ source, status, failure, finished }) {
  if (failure) return "failed";
  return status === null && !finished ? "pending" : source;
}

function sourceText({ source, workerSource }) {
  return workerSource ? `${source}: ${workerSource}` : source;
}

function sizeText({ bytes, bodyBytes }) {
  const size = bytes || bodyBytes;
  return size ? ` ${inBytes(size)}` : "";
}

export function inBytes(count) {
  return count < 1024
    ? `${count} B`
    : count < 1024 * 1024
      ? `${(count / 1024).toFixed(1)} kB`
      : `${(count / 1024 / 1024).toFixed(1)} MB`;
}

/** Everything about one request; bodies are what `bodyText` made of them. */
export function detailsOf(record, { requestBody, responseBody }) {
  const {
    id,
    method,
    url,
    statusText,
    protocol,
    remote,
    type,
    initiator,
    initiatorAt,
    at,
    ms,
    waited,
    bytes,
    bodyBytes,
  } = record;
  const headers = headersOf(record);
  const lines = [
    `${id} ${method} ${url}`,
    `status: ${[outcome(record), statusText, protocol && `(${protocol})`].filter(Boolean).join(" ")}`,
    `type: ${type}, context ${record.context}, started by ${initiator}${initiatorAt ? ` ${initiatorAt}` : ""}`,
    `time: ${at}${ms === undefined ? "" : `; ${ms} ms in all`}${waited > 0 ? `, ${Math.round(waited)} ms to the headers` : ""}`,
    `source: ${sourceText(record)}${remote ? ` ${remote}` : ""}; ${inBytes(bytes)} transferred, ${inBytes(bodyBytes)} of body`,
  ];
  if (record.redirectedFrom) lines.push(`redirected from ${record.redirectedFrom}`);
  if (record.redirectedTo) lines.push(`redirected to ${record.redirectedTo}`);
  lines.push("request headers:", ...headerLines(headers.request));
  if (requestBody) lines.push(`request body${requestBody}`);
  if (record.status !== null) lines.push("response headers:", ...headerLines(headers.response));
  if (responseBody) lines.push(`response body${responseBody}`);
  return lines.join("\n");
}

function headerLines(headers) {
  return Object.entries(headers).flatMap(([name, value]) =>
    value.split("\n").map((line) => `  ${name.toLowerCase()}: ${line}`),
  );
}

/**
 * A body, bounded and without secrets: `text` is null when it is not text, `size` in bytes of the whole, `isCut` says
 * that there was more of it.
 */
export function readBody(body, base64Encoded, mimeType = "") {
  const text = base64Encoded ? decoded(body, mimeType) : body;
  if (text === null) return { text: null, size: sizeOfBase64(body), isCut: false };
  const bytes = new TextEncoder().encode(maskBody(text, mimeType));
  const isCut = bytes.length > MAX_BODY_BYTES;
  // A character that the cut goes through is left out.
  const kept = new TextDecoder().decode(bytes.subarray(0, MAX_BODY_BYTES), { stream: isCut });
  return { text: kept, size: bytes.length, isCut };
}

/** The same in words that end "request body" / "response body". */
export function bodyText(body, base64Encoded, mimeType = "") {
  const kind = mimeType ? `${mimeType}, ` : "";
  const { text, size, isCut } = readBody(body, base64Encoded, mimeType);
  if (text === null) return `: binary (${kind}${inBytes(size)}), not shown`;
  if (size === 0) return ": empty";
  return ` (${kind}${inBytes(size)}${isCut ? `, cut: the first ${inBytes(MAX_BODY_BYTES)}` : ""}):\n${text}`;
}

const TEXT = /^text\/|json|xml|javascript|x-www-form-urlencoded|^multipart\/|^$/i;

function decoded(base64, mimeType) {
  if (!TEXT.test(mimeType)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(
      Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)),
    );
  } catch {
    return null; // binary, whatever it is called
  }
}

function sizeOfBase64(text) {
  return Math.floor((text.length * 3) / 4) - (text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0);
}
