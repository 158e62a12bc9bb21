import assert from "node:assert/strict";
import { connectedTab } from "../tab.js";
import { test } from "../testing.js";

/** The first key of three is taken by the page, and the others are not. */
async function typing(timeout) {
  const tab = await connectedTab();
  let presses = 0;
  tab.chrome.replies["Input.dispatchKeyEvent"] = ({ type }) =>
    type === "keyDown" && (presses += 1) > 1 && new Promise(() => {});
  return tab.run("type", { text: "abc", clear: false, delay: 0, submit: false }, timeout);
}

test("a command that runs out of time says how far it has come", async () => {
  const { error } = await typing(50);
  assert.equal(error.code, "COMMAND_TIMEOUT");
  assert.match(error.nextStep, /; at most 2 of 3 characters were typed before it$/);
});

test("one that does nothing in parts says no more", async () => {
  const tab = await connectedTab();
  tab.chrome.hold("Page.navigate");
  const { error } = await tab.run("navigate", { url: "https://a.example/", waitUntil: "load" }, 50);
  assert.equal(error.nextStep, "give a longer timeout or check the page");
});
