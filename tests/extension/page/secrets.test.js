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

for (const [kind, names] of [
  ["password", "user_pwd userPwd userpwd pwd2 new_password passWord pass_phrase PASSWD PASSword"],
  [
    "card",
    `card_number_1 card_number_field cardNumberInput creditCardNo card[number] ccNumber cc_cvv cc_cvc payment_cvv cvv_code
     cvvCode newCvv cvv2 CVVCode CSC cardCvc card_security_code CCnumber CCno CARDno CARDnumber billingccnum`,
  ],
  [
    "one-time code",
    `otp1 otp_1 otp_code otpCode otpInput otp1Input totpCode mfaCode userOtp userOTP OTPCode login:otp sms.otp otpcode 2fa
     user_2FA 2faCode one_time_code oneTimePassCode verificationCode oTP`,
  ],
])
  for (const name of names.split(/\s+/))
    test(`a field called ${name} takes a ${kind}`, () => {
      assert.equal(secretKind(first(`<input name="${name}">`)), kind);
      assert.equal(secretKind(first(`<textarea id="${name}"></textarea>`)), kind);
    });

const ORDINARY = `pinterest shipping opinion scope one-time-offers one_time_donation hotpot footprint optIn passport_number
  passengers bypass accNo acc_number account_number cardName card_holder cardinality postcard_note discount_code zipCode
  verificationEmail ccEmail cc success_note input-8c2fa a2fa3 dotProduct robotParts`;
for (const name of ORDINARY.split(/\s+/))
  test(`a field called ${name} takes no secret`, () =>
    assert.equal(secretKind(first(`<input name="${name}" id="${name}">`)), null));

test("what a field is called and its id are not one name", () =>
  assert.equal(secretKind(first(`<input name="card" id="number">`)), null));

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
