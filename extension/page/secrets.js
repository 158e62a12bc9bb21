// Fields whose value never leaves the page, and which kind of secret each takes.

import { attribute, matches, tag, textContent } from "./dom.js";
import { TEXT_INPUTS, isNativeField, takesText } from "./fields/field_kinds.js";
import { lookOf } from "./memo.js";

/** Fields whose value never leaves the page: passwords, cards, one-time codes. */
export const isSecret = (element) => secretKind(element) !== null;
export const shownFor = (element, value) => (isSecret(element) ? "that value" : JSON.stringify(value));

/** Which kind of secret a field takes, in words, or null. */
export const secretKind = (element) =>
  (isNativeField(element) ? declaredKind(element) : null) ?? (showsDots(element) ? "password" : null);

/** What a secret field holds: of one that is made of text, its inner text has the dots that are drawn. */
export const secretIn = (element) => (isNativeField(element) ? element.value : textContent(element));

/** Whether what is typed into it is drawn as dots, whatever the field is made of; a walk has read the style already. */
const showsDots = (element) =>
  (lookOf(element).style.webkitTextSecurity ?? "none") !== "none" &&
  (takesText(element) || matches(element, "[role=textbox], [role=searchbox]"));

const declaredKind = (element) => {
  const [, , purpose] =
    /(^|\s)(cc-|one-time-code|(?:new|current)-password)/i.exec(attribute(element, "autocomplete") ?? "") ?? [];
  // Some say so of a field with a list, to keep the browser from filling it in: what is typed there stands in the open.
  const isOpen = element.type === "search" || attribute(element, "role") === "combobox";
  if (purpose && !(isOpen && element.type !== "password" && /^new-/i.test(purpose)))
    return { "cc-": "card", "one-time-code": "one-time code" }[purpose.toLowerCase()] ?? "password";
  if (element.type === "password") wasPassword.add(element);
  if (wasPassword.has(element)) return "password";
  const text = tag(element) === "textarea" || (tag(element) === "input" && TEXT_INPUTS.test(element.type));
  if (!text) return null;
  const names = ["name", "id"].map((name) => attribute(element, name) ?? "");
  // Capitals may stand anywhere, as in "CCnumber": a name tells of a secret by its words, or as it stands.
  const called = names.map((name) => `${wordsIn(name)} ${name}`).join(" ");
  for (const [kind, pattern] of SECRET_NAMES) if (pattern.test(called)) return kind;
  return null;
};

/** A button may show what is in a password field: it is one all the same. */
const wasPassword = new WeakSet();
/** How such fields are called where the page does not say what they are for, in words. @type {[string, RegExp][]} */
const SECRET_NAMES = [
  ["password", /pass-?(w(or)?d|phrase)|pwd/i],
  ["card", /(card|(?<!a)cc)-?(num(ber)?|no|nr)\b|(\b|card|cc)(cvc|cvv|csc)(code)?\b|card-?(security-?)?code\b/i],
  ["one-time code", /\b(t?otp|2fa|mfa)(code)?\b|(one-?time|verification)-?(pass-?)?code/i],
];

/** The words of a name, without the numbers that count fields: "otp1", "user_otp" and "otpCode" all tell of an OTP. */
const wordsIn = (name) => (name.match(WORD) ?? []).join("-");
const WORD = /(?<![A-Za-z\d])2(?:fa|FA)(?![a-z\d])|[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g;

/** A page's own tokens, by the name of a hidden field or <meta>: as good as a password. */
const TOKEN_NAME = /csrf|xsrf|token|nonce|secret/i;
export const HIDDEN_VALUE = "•••";

export const isSecretText = (element, name, text) => {
  if (isToken(element)) return name === "value" || name === "content";
  if (!isSecret(element)) return false;
  // Some frameworks keep a copy of the value in an attribute of their own.
  const held = secretIn(element);
  return name === "value" || (held.length > 2 && text.includes(held));
};

export const isToken = (element) => {
  const named = attribute(element, "name") ?? attribute(element, "id") ?? "";
  return TOKEN_NAME.test(named) && (tag(element) === "meta" || (tag(element) === "input" && element.type === "hidden"));
};
