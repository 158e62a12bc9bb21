/** What requests say, with its secrets masked: nothing an agent reads of the network carries a key to the person's accounts. */

const MASK = "***";
const MAX_URL_CHARS = 2000;
const MAX_HEADER_CHARS = 4000;
const MAX_HEADERS_CHARS = 16_000;
/** The same words as in the panel's redaction, and those of payment forms. */
const SECRET_PARAMETER = /token|code|key|sig|pass|pwd|secret|auth|session|jwt|otp|cvc|cvv|card/i;
/** Narrower: "code", "key" and "author" are common words of answers in JSON. */
const SECRET_FIELD = /password|passwd|passphrase|pwd|secret|token|api[-_]?key|private[-_]?key|authorization|credential|signature|session[-_]?id|csrf|xsrf|jwt|otp|one[-_]?time|cvc|cvv|card[-_]?n|^(pass|pin|card|auth|sid)$/i;
const SECRET_HEADER = /authorization|token|secret|api-?key|access-?key|password|signature|credential|session|csrf|xsrf|jwt|^x-.*auth/i;
const SCHEME = /^(Basic|Bearer|Digest|DPoP|Negotiate|NTLM|Token|AWS4-HMAC-SHA256)\s/i;
const ADDRESS = /\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s"'<>\\]+/gi;
const PARAMETER = /[?&#;]([^\s=&?#;"'<>\\]{1,100})=/g;
const END_OF_VALUE = /[\s&#"'<>\\]|$/g;
/** The same of an address that is the value of a parameter of another: "?next=https%3A%2F%2F…%3Ftoken%3D…". */
const NESTED_PARAMETER = /%(?:3F|26|23)((?:(?!%(?:3D|3F|26|23))[^\s&#=;"'<>\\]){1,100})%3D/gi;
const END_OF_NESTED_VALUE = /%26|%23|[\s&#"'<>\\]|$/gi;

/** An address with its user info and secret parameters masked; of a data: address only what it holds. */
export function maskUrl(url) {
  if (/^data:/i.test(url)) return `${url.slice(0, Math.min(80, url.indexOf(",") + 1 || 80))}… (${url.length} characters)`;
  const masked = maskPairs(url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, `$1${MASK}@`));
  return masked.length > MAX_URL_CHARS ? `${masked.slice(0, MAX_URL_CHARS)}…` : masked;
}

function maskPairs(text) {
  return maskEach(maskEach(text, PARAMETER, END_OF_VALUE), NESTED_PARAMETER, END_OF_NESTED_VALUE);
}

/** An address may be the value of a parameter of another: only the value of a secret is passed over. */
function maskEach(text, parameter, end) {
  let masked = "";
  let done = 0;
  for (const { 0: start, 1: name, index } of text.matchAll(parameter)) {
    if (index < done || !SECRET_PARAMETER.test(decoded(name))) continue;
    masked += text.slice(done, index + start.length);
    end.lastIndex = index + start.length;
    done = end.exec(text).index;
    if (done > index + start.length) masked += MASK;
  }
  return masked + text.slice(done);
}

function decoded(name) {
  try {
    return decodeURIComponent(name);
  } catch {
    return name; // a stray percent sign
  }
}

/** Addresses and parameters within any text. */
function maskText(text) {
  return maskPairs(text.replace(ADDRESS, (url) => url.replace(/^([^:]+:\/\/)[^/?#]*@/, `$1${MASK}@`)));
}

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
const FORM_PART = /(\bname="?([^"\r\n;]{1,200})"?[^\r\n]{0,500}\r?\n(?:[^\r\n]{1,500}\r?\n){0,9}\r?\n)([\s\S]*?)(?=\r?\n--|$)/g;

/** A text body: fields of forms and of JSON whose name tells a secret, and secrets in addresses. */
export function maskBody(text, mimeType = "") {
  if (/x-www-form-urlencoded/i.test(mimeType)) return maskPairs(`&${text}`).slice(1);
  if (/^multipart\//i.test(mimeType))
    return text.replace(FORM_PART, (whole, start, name) => (SECRET_PARAMETER.test(name) ? `${start}${MASK}` : whole));
  // What "?a=b" means in a program is not an address.
  if (/javascript|css/i.test(mimeType)) return text;
  const fields = text.replace(JSON_FIELD, (whole, start, name) => (SECRET_FIELD.test(name) ? `${start}"${MASK}"` : whole));
  return maskText(fields);
}
