/**
 * Where secrets are in an address: its user info, and the values of parameters whose names tell one. The panel finds
 * them in the same way (core/catalogue/address_secrets.py); tests/vectors/addresses.json holds both to it. All is found in place,
 * so what is not a secret stays to the letter, and every step costs no more than the length of its text.
 */

import { MAX_ENCODINGS, NO_USER_INFO, WHOLE, WITHIN } from "./agreed.js";

const WITHIN_NAME = new RegExp(WITHIN.join("|"), "i");
const WORD = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g;
const NAME = /^[\w.$~%[\]-]+$/;
const PERCENT = /%[0-7][0-9a-f]/i;
/** What stands for another character: of an address, and of a string in JSON. */
const ESCAPE = /%([0-7][0-9a-f])|\\u00([0-7][0-9a-f])|\\(["\\/])/gi;
const QUERY = /[?#]/g;
const FIELDS = /[?&#]/g;
const SEMICOLON = /;/g;
const PATH_END = /[;?]/g;
const PART = /[?&#][^?&#]*/g;
const END = /[&#]/g;
const PATH_PARAMETER = /;([^;=/]*)=([^;/]+)/g;
const SEGMENT = /([/\\]*)([^/\\]+)/g;
/** A browser reads "http:host", "http:///host" and "http:\\host" as "http://host". */
const BROWSED = /(?<![a-z0-9+.-])(?:https?|wss?|ftp):/i;
const BROWSED_END = /(?:https?|wss?|ftp):$/i;
const SCHEME_END = /[a-z0-9+.-]:$|(?:^|[^\p{L}\p{N}_])$/iu;
const PORT_END = /:[0-9]+$/;
const JSON_NAME = /"([^"\\]*)"\s*:\s*/g;
const JSON_SCALAR = /"([^"\\]*(?:\\[^][^"\\]*)*)|(-?[0-9][0-9.e+-]*)/iy;
/** What an address can reach to within a text. */
const RUN = /[^\s"'<>\\]+(?:\\+[^\s"'<>\\]+)*/g;
const MAY_HOLD_ONE = /[=@%]/;
/** A text that is one address alone may hold quotes. */
const ONE_ADDRESS = /^[a-z][a-z0-9+.-]*:[/\\]\S*$/i;
/** A parameter whose value is JSON with its quotes as they are. */
const JSON_VALUE = /([?&#;][^\s=&?#;"'<>]*=)([[{]\s*["[{][^\r\n&#]*)/g;

/** @typedef {[start: number, end: number]} Place */

/**
 * The places of the secrets in an address, in order, none within another.
 * @param {string} address
 */
export const inAddress = (address) => merged([...found(address, 0, { whole: true })]);

/**
 * The same in any text, of all the addresses in it.
 * @param {string} text
 */
export function inText(text) {
  if (ONE_ADDRESS.test(text)) return inAddress(text);
  /** @type {Place[]} */
  const places = [];
  for (const { 0: run, index } of text.matchAll(RUN))
    if (MAY_HOLD_ONE.test(run)) for (const [start, end] of found(run, 0)) places.push([start + index, end + index]);
  for (const { 1: before, 2: value, index } of text.matchAll(JSON_VALUE)) {
    const offset = index + before.length;
    for (const [start, end] of found(value, 1)) places.push([start + offset, end + offset]);
  }
  return merged(places);
}

/**
 * Whether the name of a parameter tells that its value is a secret, however often it is encoded.
 * @param {string} name
 */
export function tellsSecret(name) {
  let plain = name;
  for (let depth = 0; depth < MAX_ENCODINGS; depth += 1) {
    if (WITHIN_NAME.test(plain) || plain.match(WORD)?.some((word) => WHOLE.includes(word.toLowerCase()))) return true;
    if (!hasEscape(plain)) return false;
    plain = decoded(plain).plain;
  }
  return true;
}

/**
 * The places in one address.
 * @param {string} text
 * @param {number} depth how often it was encoded
 * @param {object} options
 * @param {boolean} [options.whole] it is known to be one, and all of it
 * @param {boolean} [options.nested] it was the value of a parameter, and may itself be "name=value"
 * @returns {Generator<Place>}
 */
function* found(text, depth, { whole = false, nested = false } = {}) {
  if (text.includes("@")) yield* userInfos(text, whole);
  const pathEnd = at(FIELDS, text);
  for (const { 0: all, 1: name, 2: value, index } of text.slice(0, pathEnd).matchAll(PATH_PARAMETER))
    if (tellsSecret(name)) yield [index + all.length - value.length, index + all.length];
  yield* inFields(text, nested ? 0 : pathEnd, nested);
  if (whole || depth) yield* inJson(text);
  if (!hasEscape(text)) return;
  for (const [start, end, isValue] of pieces(text, pathEnd)) {
    const piece = text.slice(start, end);
    if (!hasEscape(piece)) continue;
    if (depth < MAX_ENCODINGS) {
      const { plain, places } = decoded(piece);
      for (const [first, last] of found(plain, depth + 1, { nested: nested || isValue }))
        yield [start + places[first], start + places[last]];
    } else if (PERCENT.test(piece)) yield [start, end];
  }
}

/**
 * @param {string} text
 * @param {boolean} whole
 * @returns {Generator<Place>}
 */
function* userInfos(text, whole) {
  const query = at(QUERY, text);
  yield* userInfosOf(text, 0, query, whole);
  for (const { 0: part, index } of text.slice(query).matchAll(PART))
    yield* userInfosOf(text, query + index + Math.max(part.indexOf("="), 0) + 1, query + index + part.length, false);
}

/**
 * @param {string} text
 * @param {number} start
 * @param {number} end
 * @param {boolean} whole
 * @returns {Generator<Place>}
 */
function* userInfosOf(text, start, end, whole) {
  let before = "";
  for (const { 0: all, 1: slashes, 2: segment, index } of text.slice(start, end).matchAll(SEGMENT)) {
    const sign = segment.lastIndexOf("@");
    if (sign > 0) {
      const browsed = BROWSED.exec(segment.slice(0, sign));
      const first = browsed ? browsed.index + browsed[0].length : 0;
      const followsScheme =
        slashes && (BROWSED_END.test(before.slice(-6)) || (slashes === "//" && SCHEME_END.test(before.slice(-2))));
      const after = text[start + index + all.length] ?? "";
      const isBare =
        index === 0 &&
        !slashes &&
        isBareUser(segment, sign) &&
        (whole || (after && "/\\?#".includes(after)) || PORT_END.test(segment));
      const from = start + index + slashes.length;
      if (first < sign && (browsed || followsScheme || isBare)) yield [from + first, from + sign];
    }
    before = segment;
  }
}

/**
 * Whether it is "user:password@host" without a scheme.
 * @param {string} segment
 * @param {number} sign where its "@" is
 */
function isBareUser(segment, sign) {
  const colon = segment.indexOf(":");
  return colon > 0 && colon + 1 < sign && !NO_USER_INFO.includes(segment.slice(0, colon).toLowerCase());
}

/**
 * The values of secret parameters; a value may be "name=value" again, or hold more of them behind ";".
 * @param {string} text
 * @param {number} start
 * @param {boolean} nested
 * @returns {Generator<Place>}
 */
function* inFields(text, start, nested) {
  let done = start;
  /** @type {[offset: number, part: string, isOpened: boolean][]} */
  const parts = [];
  if (nested) parts.push([start, text.slice(start, at(FIELDS, text, start)), false]);
  for (const { 0: part, index } of text.slice(start).matchAll(PART))
    parts.push([start + index + 1, part.slice(1), true]);
  for (const [offset, part, isOpened] of parts) {
    if (!part.includes("=")) continue;
    const links = part.split("=");
    const last = links.findLastIndex(Boolean); // what ends in "==" is not a name
    let position = 0;
    for (const [number, link] of links.slice(0, Math.max(last, 0)).entries()) {
      const value = offset + position + link.length + 1;
      const semicolon = link.lastIndexOf(";");
      const name = link.slice(semicolon + 1);
      // Only what begins a parameter may be called as it likes.
      const isName = semicolon >= 0 || (isOpened && number === 0) || NAME.test(name);
      if (value > done && isName && tellsSecret(name)) {
        done = at(END, text, value);
        if (semicolon >= 0) done = Math.min(at(isOpened ? SEMICOLON : PATH_END, text, value), done);
        yield [value, done];
      }
      position += link.length + 1;
    }
  }
}

/**
 * @param {string} text
 * @returns {Generator<Place>}
 */
function* inJson(text) {
  let done = 0;
  for (const { 0: all, 1: name, index } of text.matchAll(JSON_NAME)) {
    if (index < done || !tellsSecret(name)) continue;
    const start = index + all.length;
    if (text[start] === "{" || text[start] === "[") {
      yield [start, text.length]; // nobody knows where it ends
      return;
    }
    JSON_SCALAR.lastIndex = start;
    const value = JSON_SCALAR.exec(text);
    if (!value) continue;
    done = start + value[0].length;
    yield [value[2] === undefined ? start + 1 : start, done];
  }
}

/**
 * What was encoded as one: the path, and each parameter; whether it is a parameter.
 * @param {string} text
 * @param {number} pathEnd
 * @returns {Generator<[start: number, end: number, isValue: boolean]>}
 */
function* pieces(text, pathEnd) {
  yield [0, pathEnd, false];
  for (let start = pathEnd, end; start < text.length; start = end) {
    end = at(END, text, start + 1);
    yield [start + 1, end, true];
  }
}

/** @param {string} text */
const hasEscape = (text) => text.search(ESCAPE) >= 0;

/**
 * `text` with its escapes taken back once, and the place of each of its characters; all else is as it was.
 * @param {string} text
 */
function decoded(text) {
  /** @type {number[]} */
  const places = [];
  let plain = "";
  let done = 0;
  for (const { 0: all, 1: percent, 2: unicode, 3: escaped, index } of text.matchAll(ESCAPE)) {
    plain += text.slice(done, index) + (escaped ?? String.fromCharCode(parseInt(percent ?? unicode, 16)));
    for (let place = done; place <= index; place += 1) places.push(place);
    done = index + all.length;
  }
  for (let place = done; place <= text.length; place += 1) places.push(place);
  return { plain: plain + text.slice(done), places };
}

/**
 * @param {RegExp} pattern a global one
 * @param {string} text
 * @param {number} [start]
 */
function at(pattern, text, start = 0) {
  pattern.lastIndex = start;
  return pattern.exec(text)?.index ?? text.length;
}

/** @param {Place[]} places */
function merged(places) {
  /** @type {Place[]} */
  const all = [];
  for (const [start, end] of places.sort((one, other) => one[0] - other[0] || one[1] - other[1])) {
    const last = all.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(end, last[1]);
    else if (start < end) all.push([start, end]);
  }
  return all;
}
