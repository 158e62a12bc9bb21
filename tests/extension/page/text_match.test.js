// What a page may make of a text, and the field holds it still.
import { show } from "./jsdom.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { holdsOnly, holdsText } from "../../../extension/page/text_match.js";

const field = (html = "<input>") => {
  show(html);
  return document.body.firstElementChild;
};

const WRITTEN = [
  ["4111 1111 1111 1111", "4111111111111111"],
  ["4111111111111111", "4111 1111 1111 1111"],
  ["5551234567", "(555) 123-4567"],
  ["(555) 123-4567", "5551234567"],
  ["+49 30 1234567", "49301234567"],
  ["+49 (30) 1234-567", "+49 30 1234567"],
  ["12052026", "12.05.2026"],
  ["12.05.2026", "12/05/2026"],
  ["2026-02-28", "20260228"],
  ["9.30", "9:30"],
  ["1228", "12 / 28"],
  ["12/28", "12 / 28"],
  ["123456", "123-456"],
  ["DE89 3704 0044", "de89-3704-0044"],
  ["sw1a 1aa", "SW1A1AA"],
  ["ada", "ADA"],
  ["ada", "@ada"],
  ["Ada  Lovelace ", "Ada Lovelace"],
  ["first\nsecond", "first second"],
  ["it's", "it’s"],
  ["1250", "$1,250"],
  ["1250", "1.250"],
  ["1250", "1 250 €"],
  ["1,250", "1250"],
  ["1234.000", "1,234"],
  ["0.125", "0,125"],
  ["1.234.567.890", "1234567890"],
  ["1,250.50", "1250.50"],
  ["1250.5", "1.250,50 €"],
  ["$12.50", "12.50"],
  ["12.50", "$ 12.50"],
  ["12.50", "12,5"],
  ["5", "5.00"],
  ["-5", "−5.00"],
  ["-5", "-$5"],
  ["50%", "50"],
  ["1.234.567", "1234567"],
  ["5,000", "5000"],
  ["06.12.34.56.78", "06 12 34 56 78"],
  ["06.12.34.56.78", "0612345678"],
  ["415.555.2671", "(415) 555-2671"],
  ["415.555.2671", "4155552671"],
  ["+1.415.555.2671", "+1 415-555-2671"],
  ["030/1234567", "030 1234567"],
  ["030/1234567", "0301234567"],
  ["123.456.789-09", "12345678909"],
  ["12.345.678/0001-95", "12345678000195"],
  ["756.1234.5678.97", "7561234567897"],
  ["0930", "09.30"],
];
for (const [text, taken] of WRITTEN)
  test(`a page may write ${JSON.stringify(text)} as ${JSON.stringify(taken)}`, () => {
    assert.equal(holdsOnly(field(), taken, text), true);
    assert.equal(holdsText(field(), taken, text), true);
  });

const ALTERED = [
  ["12.50", "1250"],
  ["1250", "12.50"],
  ["52.520", "52520"],
  ["0,125", "0125"],
  ["-5", "5"],
  ["5", "-5"],
  ["-5", "#5"],
  ["007", "7"],
  ["1/2", "12"],
  ["1-3", "13"],
  ["192.168.1.1", "19216811"],
  ["192.168.1.1/24", "1921681124"],
  ["192.168.100.200", "192168100200"],
  ["1.234", "1,234"],
  ["1.000", "1,000"],
  ["52.520,13.405", "52520,13405"],
  ["Total 1234.50", "Total 123450"],
  ["1234.50", "12 34 50"],
  ["05", "0.5"],
  ["5,000", "5"],
  ["10,000", "10.00"],
  ["1.10.0", "1100"],
  ["p$ssw0rd", "pssw0rd"],
  ["a.b@c.de", "abcde"],
  ["foo_bar", "foobar"],
  ["O'Brien", "OBrien"],
  ["Ada Lovelace", "AdaLovelace"],
  ["C++", "C"],
  ["hi 😀", "hi"],
  ["a1b2", "12"],
  ["!!", "??"],
  ["", "1"],
];
for (const [text, taken] of ALTERED)
  test(`${JSON.stringify(taken)} is not ${JSON.stringify(text)}`, () =>
    assert.equal(holdsOnly(field(), taken, text), false));

for (const [text, taken, is] of [
  ["45.6", "12345.6", true],
  ["456", "123 456", true],
  ["abc", "x abc y", true],
  ["a b", "xaby", false],
  ["2.5", "125", false],
  ["-5", "35", false],
  ["12.50", "1250", false],
  ["a@b", "xab", false],
])
  test(`${JSON.stringify(taken)} holds ${JSON.stringify(text)}: ${is}`, () =>
    assert.equal(holdsText(field(), taken, text), is));

test("a password is compared sign by sign, also where it is shown", () => {
  for (const html of ["<input type=password>", "<input name=password>"]) {
    for (const taken of ["pssw0rd", "P$SSW0RD", "p$ssw0rd!"])
      assert.equal(holdsOnly(field(html), taken, "p$ssw0rd"), false);
    for (const taken of ["pssw0rd", "P$SSW0RD"]) assert.equal(holdsText(field(html), taken, "p$ssw0rd"), false);
    assert.equal(holdsOnly(field(html), "p$ssw0rd", "p$ssw0rd"), true);
    assert.equal(holdsText(field(html), "my p$ssw0rd", "p$ssw0rd"), true);
  }
});

test("the page may write the digits of a field of dots in groups", () => {
  for (const html of ["<input type=password>", `<input style="-webkit-text-security: disc">`]) {
    assert.equal(holdsOnly(field(html), "123-45-6789", "123456789"), true);
    assert.equal(holdsText(field(html), "123-45-6789", "123456789"), true);
    assert.equal(holdsOnly(field(html), "123-45-678", "123456789"), false);
  }
});

test("an editor may make a heading or a list of signs", () => {
  const editor = field("<div contenteditable></div>");
  Object.defineProperty(Object.getPrototypeOf(editor), "isContentEditable", { get: () => true, configurable: true });
  assert.equal(holdsOnly(editor, "Title\none", "# Title\n- one"), true);
  assert.equal(holdsText(editor, "before\nTitle", "# Title"), true);
  assert.equal(holdsOnly(editor, "Title", "# Other"), false);
});
