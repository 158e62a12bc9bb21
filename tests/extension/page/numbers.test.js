// The numbers a text may say.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readingsOf } from "../../../extension/page/numbers.js";

for (const [text, readings, own = readings] of [
  ["5", ["5"]],
  ["-0", ["0"]],
  ["+5,50 €", ["5.5"]],
  ["− $5", ["-5"]],
  ["12.50", ["12.5"]],
  ["1.250", ["1.25", "1250"], ["1.25"]],
  ["1,250", ["1.25", "1250"], ["1250"]],
  ["5,50", ["5.5"]],
  ["1.234.567", ["1234567"]],
  ["1 250,5", ["1250.5"]],
  ["1'250.5", ["1250.5"]],
  ["1,23,456.78", ["123456.78"]],
  [".5", ["0.5"]],
  ["5.", ["5"]],
  ["0,125", ["0.125"]],
  ["4111 1111", []],
  ["12.05.2026", []],
  ["192.168.1.1", []],
  ["12/28", []],
  ["1e3", []],
  ["", []],
])
  test(`${JSON.stringify(text)} says ${readings.join(" or ") || "no number"}`, () => {
    assert.deepEqual(readingsOf(text), readings);
    assert.deepEqual(readingsOf(text, { own: true }), own);
  });
