// Which of the elements that match is meant: the first, or none before the others.
import { show } from "./jsdom.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { find, findAll, several } from "../../../extension/page/lookup.js";

for (const target of [{ selector: ".one" }, { xpath: "//p" }])
  test(`of all that match ${JSON.stringify(target)} none is told to be the first`, () => {
    show("<p class=one>1</p><p class=one>2</p>");
    find(target);
    assert.equal(several?.count, 2);
    assert.equal(findAll(target).length, 2);
    assert.equal(several, null);
  });
