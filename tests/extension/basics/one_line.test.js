import assert from "node:assert/strict";
import { oneLine } from "../../../extension/basics/one_line.js";
import { test } from "../testing.js";

for (const [text, wanted] of [
  ["a\nb\tc", "a b c"],
  ["safe\u202egnihtemos", "safe gnihtemos"],
  ["\u200b  x ", "x"],
  [undefined, ""],
  [null, ""],
  ["x".repeat(300), `${"x".repeat(199)}…`],
  ["日本 é", "日本 é"],
])
  test(`${JSON.stringify(text)?.slice(0, 30)} is one plain line`, () => assert.equal(oneLine(text), wanted));
