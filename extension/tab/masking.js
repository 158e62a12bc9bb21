/** What requests say, with its secrets masked: nothing an agent reads of the network carries a key to the person's accounts. */

import { inAddress, inText, tellsSecret } from "../basics/address_secrets.js";

const MASK = "***";
const MAX_URL_CHARS = 2000;
const MAX_HEADER_CHARS = 4000;
const MAX_HEADERS_CHARS = 16_000;
/** Narrower: "code", "key" and "author" are common words of answers in JSON. */
const SECRET_FIELD =
  /password|passwd|passphrase|pwd|secret|token|api[-_]?key|private[-_]?key|authorization|credential|signature|session[-_]?id|csrf|xsrf|jwt|otp|one[-_]?time|cvc|cvv|card[-_]?n|^(pass|pin|card|auth|sid)$/i;
const SECRET_HEADER =
  /authorization|token|secret|api-?key|access-?key|password|signature|credential|session|csrf|xsrf|jwt|^x-.*auth/i;
const SCHEME = /^(Basic|Bearer|Digest|DPoP|Negotiate|NTLM|Token|AWS4-HMAC-SHA256)\s/i;

/** An address with its user info and secret parameters masked; of a data: address only what it holds. */
export function maskUrl(url) {
  if (/^data:/i.test(url))
    return `${url.slice(0, Math.min(80, url.indexOf(",") + 1 || 80))}… (${url.length} characters)`;
  const masked = maskPlaces(url, inAddress(url));
  return masked.length > MAX_URL_CHARS ? `${masked.slice(0, MAX_URL_CHARS)}…` : masked;
}

function maskPlaces(text, places) {
  let masked = "";
  let done = 0;
  for (const [start, end] of places) {
    masked += text.slice(done, start) + MASK;
    done = end;
  }
  return masked + text.slice(done);
}

/** Addresses and parameters within any text. */
const maskText = (text) => maskPlaces(text, inText(text));

/** Headers by name; of cookies the names and attributes stay, of credentials their scheme. */
export function maskHeaders(headers) {
  const masked = {};
  let size = 0;
  for (const [name, value] of Object.entries(headers)) {
    const shown = maskHeader(name.toLowerCase(), String(value)).slice(0, MAX_HEADER_CHARS);
    size += name.length + shown.length;
    if (size > MAX_HEADERS_CHARS) {
      masked["…"] = "more headers left out";
      break;
    }
    masked[name] = shown;
  }
  return masked;
}

function maskHeader(name, value) {
  if (name === "cookie") return value.split(/;\s*/).map(maskCookie).join("; ");
  if (name === "set-cookie") return value.split("\n").map(maskSetCookie).join("\n");
  if (SECRET_HEADER.test(name)) return `${SCHEME.exec(value)?.[0] ?? ""}${MASK}`;
  return maskText(value);
}

function maskSetCookie(cookie) {
  const [pair, ...attributes] = cookie.split(";");
  return [maskCookie(pair), ...attributes].join(";");
}

function maskCookie(pair) {
  const at = pair.indexOf("=");
  return at < 0 ? MASK : `${pair.slice(0, at)}=${MASK}`;
}

const JSON_FIELD = /("((?:[^"\\]|\\.){1,100})"\s*:\s*)("(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*)/g;
const FORM_PART =
  /(\bname="?([^"\r\n;]{1,200})"?[^\r\n]{0,500}\r?\n(?:[^\r\n]{1,500}\r?\n){0,9}\r?\n)([\s\S]*?)(?=\r?\n--|$)/g;

function maskForm(text) {
  const query = `?${text}`;
  return maskPlaces(query, inAddress(query)).slice(1);
}

/** A text body: fields of forms and of JSON whose name tells a secret, and secrets in addresses. */
export function maskBody(text, mimeType = "") {
  if (/x-www-form-urlencoded/i.test(mimeType)) return maskForm(text);
  if (/^multipart\//i.test(mimeType))
    return text.replace(FORM_PART, (whole, start, name) => (tellsSecret(name) ? `${start}${MASK}` : whole));
  // What "?a=b" means in a program is not an address.
  if (/javascript|css/i.test(mimeType)) return text;
  const fields = text.replace(JSON_FIELD, (whole, start, name) =>
    SECRET_FIELD.test(name) ? `${start}"${MASK}"` : whole,
  );
  return maskText(fields);
}
