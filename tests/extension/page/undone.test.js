import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { page, show } from "./jsdom.js";
import { whatIsLeftOf } from "../../../extension/page/undone.js";
import { test } from "../testing.js";

const OPTIONS = { subtree: true, childList: true, attributes: true, characterData: true };
let root;
beforeEach(() => {
  show(`<div id="root"><p id="a" class="x">text</p><p id="b"></p><p id="c"></p></div>`);
  root = page.window.document.getElementById("root");
});
const by = (id) => page.window.document.getElementById(id);

/** What is left of what `work` does in one go. */
const leftOf = (work) => {
  const observer = new page.window.MutationObserver(() => {});
  observer.observe(root, { ...OPTIONS, attributeOldValue: true, characterDataOldValue: true });
  work();
  const records = observer.takeRecords();
  observer.disconnect();
  return whatIsLeftOf(records);
};

/** @type {[string, () => void, string][]} */
const TABLE = [
  ["an attribute that is set", () => by("a").setAttribute("title", "t"), "lasting"],
  ["an attribute that is set to what it was", () => by("a").setAttribute("class", "x"), "nothing"],
  ["a class that comes and goes", () => by("b").classList.toggle("on") && by("b").classList.toggle("on"), "undone"],
  ["a class that is another one in the end", () => ((by("a").className = "y"), (by("a").className = "z")), "lasting"],
  ["a title that is empty in the end", () => ((by("b").title = "y"), (by("b").title = "")), "lasting"],
  ["a text that is written over", () => (by("a").firstChild.data = "other"), "lasting"],
  ["a text that comes back", () => ["other", "text"].forEach((text) => (by("a").firstChild.data = text)), "undone"],
  ["a node that comes and goes", () => root.appendChild(page.window.document.createElement("i")).remove(), "undone"],
  ["a node that goes", () => by("b").remove(), "lasting"],
  [
    "a node that goes and comes back to its place",
    () => root.insertBefore(root.removeChild(by("b")), by("c")),
    "undone",
  ],
  ["a node that comes back elsewhere", () => root.append(root.removeChild(by("a"))), "lasting"],
  ["one change that stays among others", () => (leaveAndBack(), by("c").setAttribute("title", "t")), "lasting"],
  ["more changes than are followed", () => Array.from({ length: 60 }, leaveAndBack), "lasting"],
];
const leaveAndBack = () => ["y", "x"].forEach((name) => (by("a").className = name));

for (const [words, work, left] of TABLE) test(`${words}: ${left}`, () => assert.equal(leftOf(work), left));
