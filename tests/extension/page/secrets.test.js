import assert from "node:assert/strict";
import { show } from "./jsdom.js";
import { isSecretText, isToken, secretKind } from "../../../extension/page/secrets.js";
import { test } from "../testing.js";

const first = (html) => {
  show(html);
  return document.body.firstElementChild;
};

for (const [html, kind] of [
  [`<input type="password">`, "password"],
  [`<input autocomplete="section-a current-password">`, "password"],
  [`<input autocomplete="new-password">`, "password"],
  [`<input autocomplete="cc-number">`, "card"],
  [`<select autocomplete="cc-exp-month"></select>`, "card"],
  [`<input autocomplete="one-time-code">`, "one-time code"],
  [`<input name="passphrase">`, "password"],
  [`<input id="pwd">`, "password"],
  [`<input name="cardNumber">`, "card"],
  [`<input name="cvv2">`, "card"],
  [`<input name="totp">`, "one-time code"],
  [`<textarea name="verification-code"></textarea>`, "one-time code"],
  [`<input role="combobox" autocomplete="new-password">`, null],
  [`<input type="search" autocomplete="new-password">`, null],
  [`<input role="combobox" autocomplete="current-password">`, "password"],
  [`<input role="combobox" type="password" autocomplete="new-password">`, "password"],
  [`<input type="search" autocomplete="new-password" name="passphrase">`, "password"],
  [`<input type="checkbox" name="password">`, null],
  [`<input name="city" autocomplete="address-level2">`, null],
  [`<button name="password"></button>`, null],
  [`<div id="password"></div>`, null],
])
  test(`${html} takes ${kind ?? "no secret"}`, () => assert.equal(secretKind(first(html)), kind));

test("a password field that shows what is in it stays one", () => {
  const field = first(`<input type="password">`);
  assert.equal(secretKind(field), "password");
  field.type = "text";
  assert.equal(secretKind(field), "password");
});

test("a field whose elements bear the names of its properties is read past them", () => {
  const form = first(`<form><input name="tagName"><input name="getAttribute"><input name="id" type="password"></form>`);
  assert.equal(secretKind(form), null);
  assert.equal(secretKind(form.lastElementChild), "password");
});

for (const [html, is] of [
  [`<input type="hidden" name="csrf_token">`, true],
  [`<meta name="csrf-token">`, true],
  [`<input name="csrf_token">`, false],
  [`<input type="hidden" name="page">`, false],
])
  test(`${html} is ${is ? "a" : "no"} token of the page`, () =>
    assert.equal(isToken(first(`<div></div>`).appendChild(first(html))), is));

test("of a secret field an attribute that repeats its value is secret, too", () => {
  const field = first(`<input type="password" value="hunter2" data-copy="x hunter2" class="wide">`);
  const secret = (name) => isSecretText(field, name, field.getAttribute(name));
  assert.deepEqual(["value", "data-copy", "class"].map(secret), [true, true, false]);
});
