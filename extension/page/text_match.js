// Whether a field holds a text, however its page writes it: a page may write a text in other groups, never another text.

import { isEditable } from "./fields/field_kinds.js";
import { readingsOf } from "./numbers.js";
import { secretKind } from "./secrets.js";

const inLines = (text) =>
  text
    .replace(/\r\n?/g, "\n")
    .replace(/\u00a0/g, " ")
    .replace(/\n+$/, "");

/** Whether a field that holds `taken` holds `text` and nothing else. */
export const holdsOnly = (field, taken, text) =>
  inLines(taken) === inLines(text) ||
  (!isVerbatim(field, text) &&
    hasWord(text) &&
    (isEditable(field) ? bare(taken) === bare(text) : isWritten(taken, text)));

/** Whether `text` stands in what a field holds. */
export const holdsText = (field, taken, text) => {
  if (inLines(taken).includes(inLines(text)) || holdsOnly(field, taken, text)) return true;
  if (isVerbatim(field, text) || !hasWord(text)) return false;
  return isEditable(field) ? bare(taken).includes(bare(text)) : isWrittenWithin(taken, text);
};

/** A password is another one for each sign that is, also in a field that shows it; a number of somebody may be in groups. */
const isVerbatim = (field, text) => secretKind(field) === "password" && /\D/.test(text);

/** An editor makes lists and headings of signs, which are not in its text any more. */
const bare = (text) => text.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();
const hasWord = (text) => bare(text) !== "";

/** The same number, or the same text in other groups. */
const isWritten = (taken, text) => {
  const numbers = IP_ADDRESS.test(text.trim()) ? [] : readingsOf(text, { own: true });
  const found = numbers.length ? readingsOf(taken) : [];
  const isSame = found.some((number, index) => numbers.includes(number) && !isDoubtful(index, found, taken, text));
  // With zeros before it, it is a code, of which they are a part, and a point in it is none of decimals.
  const isCode = /^0\d+$/.test(text.trim()) && (isSame || /^0\d/.test(taken.trim()));
  if (found.length && !isCode) return isSame;
  const [one, other] = [signsOf(taken), signsOf(text)];
  return one.words.length === other.words.length && isGroupedAt(one, other, 0);
};

/** Of what may say two numbers, the one with decimals counts only with the sign of the text: "1,234" is not "1.234". */
const isDoubtful = (index, found, taken, text) =>
  index === 0 && found.length > 1 && /[.,]/.exec(taken)?.[0] !== /[.,]/.exec(text)?.[0];

const isWrittenWithin = (taken, text) => {
  const [whole, part] = [signsOf(taken), signsOf(text)];
  // What holds no more signs than that is read as a whole.
  for (let at = 0; at < whole.words.length - part.words.length + 1; at += 1)
    if (whole.words.length > part.words.length && isGroupedAt(whole, part, at)) return true;
  return false;
};

/**
 * Letters and digits, and what stands before each, between them and at the end; `isCode`: digits in groups that are no
 * number, of somebody's telephone, say.
 */
const signsOf = (text) => {
  const parts = alike(text).split(/([\p{L}\p{N}])/u);
  return {
    words: parts.filter((_, index) => index % 2),
    gaps: parts.filter((_, index) => index % 2 === 0),
    isCode: /^[+(]*\d[-./()\d]*$/.test(text.trim()) && !readingsOf(text, { own: true }).length,
    isAddress: IP_ADDRESS.test(text.trim()),
  };
};
const IP_ADDRESS = /^(25[0-5]|2[0-4]\d|1?\d?\d)(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}(?![.\d])/;

/** Quotes, dashes and blanks have many shapes; of a code the page makes capitals. */
const alike = (text) =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[‘’‚ʼ`´]/g, "'")
    .replace(/[“”„«»]/g, '"')
    .replace(/[‐-―−]+|-+/g, "-")
    .replace(/\s+/g, " ");

const isGroupedAt = (taken, text, at) => {
  const { words, gaps, isCode, isAddress } = text;
  if (words.some((word, index) => taken.words[at + index] !== word)) return false;
  const digits = words.filter(isDigit).length;
  return gaps.every((was, index) =>
    mayBecome(was, taken.gaps[at + index], {
      before: words[index - 1],
      after: words[index],
      digits,
      isCode,
      isAddress,
    }),
  );
};

const isDigit = (word) => /^\p{N}$/u.test(word ?? "");
/** Fewer digits are a range or a score, not a number in groups: "1-3" is not "13". */
const MIN_GROUPED = 6;

/** Whether a page may write `is` for the signs `was` between two letters or digits: it adds what it likes. */
const mayBecome = (was, is, { before, after, digits, isCode, isAddress }) => {
  const [signs, instead] = [was, is].map((gap) => gap.replaceAll(" ", ""));
  if (instead.includes(signs)) return is !== "" || was === "" || !before || !after || mayJoin(before, after, digits);
  if (!before) return instead.includes(signs.replace(/[+(\p{Sc}]/gu, ""));
  if (!after) return instead.includes(signs.replace(/[)\p{Sc}]/gu, ""));
  if (/^[-()]+$/.test(signs) && mayJoin(before, after, digits)) return true;
  if (!isDigit(before) || !isDigit(after) || !/^[-.,:/]$/.test(signs)) return false;
  // A date, say, has its parts divided in another way, and a telephone number in any.
  if (/^[-.,:/]$/.test(instead)) return true;
  return isCode && digits >= MIN_GROUPED && (is === "" ? !isAddress : /^[-.,:/() ]+$/.test(is));
};

const mayJoin = (before, after, digits) =>
  isDigit(before) && isDigit(after) ? digits >= MIN_GROUPED : isDigit(before) || isDigit(after);
