import assert from "node:assert/strict";
import "./jsdom.js";
import { test } from "../testing.js";

// jsdom knows no adopted sheets.
Object.defineProperty(Document.prototype, "adoptedStyleSheets", { configurable: true, get: () => [] });
const { sheetsOf } = await import("../../../extension/page/style_sheets.js");

test("a field that is in no document, such as the one of a file chooser, has no sheets", () => {
  assert.deepEqual(sheetsOf(document.createElement("input")), []);
  assert.deepEqual(sheetsOf(document.createDocumentFragment()), []);
  assert.deepEqual(sheetsOf(document), []);
});
