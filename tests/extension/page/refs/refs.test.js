// Remembering where the elements of a large page stand is work for each of them, not for each pair.
import { workFor } from "./counting.js";
import assert from "node:assert/strict";
import { test } from "node:test";

const many = (count, write) => Array.from({ length: count }, (_, index) => write(index)).join("");

const PAGES = {
  "names that are there twice, in two large parts": (count) => {
    const part = many(count, (index) => `<p><button>Open number ${index}</button> ${"word ".repeat(20)}<input></p>`);
    return `<section>${part}</section><section>${part}</section>`;
  },
  "headings before each of many": (count) =>
    many(count, (index) => `<h3>Heading ${index}</h3><a>Leads to ${index}</a>`),
  "short names below one title": (count) =>
    `<div><b>A title</b><div>${many(count, (index) => `<i>,</i> <button>${index}</button>`)}</div></div>`,
};
for (const [what, write] of Object.entries(PAGES))
  test(`twice as many cost about twice as much: ${what}`, () => {
    const [once, twice] = [workFor(write(60)), workFor(write(120))];
    for (const kind of Object.keys(once))
      assert.ok(twice[kind] < 3 * once[kind] + 100, `${kind}: ${once[kind]}, then ${twice[kind]}`);
  });
