import assert from "node:assert/strict";
import { demandOpen, isOfExtension, refusedPage, whyProtected } from "../../../extension/browser/protected_pages.js";
import { test } from "../testing.js";

for (const [url, words] of [
  ["chrome://settings/", /page of the browser itself/],
  ["edge://extensions", /browser itself/],
  ["devtools://devtools/x", /browser itself/],
  ["about:settings", /browser itself/],
  ["view-source:https://a.example/", /source text/],
  ["chrome-extension://abc/x.html", /another extension/],
  ["blob:chrome-extension://abc/1", /another extension/],
  ["https://chromewebstore.google.com/detail/x", /store of extensions/],
  ["https://chrome.google.com/webstore/category", /store/],
  ["https://microsoftedge.microsoft.com/addons/x", /store/],
])
  test(`${url} is explained, with the next step`, () => {
    assert.match(whyProtected(url), words);
    assert.match(whyProtected(url), /Open a web page/);
  });

for (const url of [
  "https://a.example/",
  "http://127.0.0.1/",
  "about:blank",
  "about:blank#x",
  "about:srcdoc",
  "file:///a.html",
  "data:text/html,x",
  "https://chrome.google.com/other",
  "https://a.example/chrome://x",
  "",
  undefined,
])
  test(`${url} can be tried`, () => assert.equal(whyProtected(url), ""));

test("a page that refuses the debugger is explained by what it is", () => {
  assert.match(refusedPage("file:///a.html").nextStep, /Allow access to file URLs/);
  assert.match(refusedPage("https://a.example/x.pdf").what, /PDF viewer/);
});

const chrome = { runtime: { getURL: () => "chrome-extension://ours/" } };

test("a page of this extension is known, and what such a page made", () => {
  for (const url of [
    "chrome-extension://ours/popup/popup.html",
    "blob:chrome-extension://ours/1",
    "filesystem:chrome-extension://ours/1",
  ])
    assert.equal(isOfExtension(chrome, url), true, url);
  for (const url of ["chrome-extension://other/x.html", "https://a.example/?chrome-extension://ours/", "", undefined])
    assert.equal(isOfExtension(chrome, url), false, url);
});

test("of a tab that was just opened its address on the way is looked at", () => {
  assert.equal(demandOpen(chrome, { url: "", pendingUrl: "https://a.example/" }), "https://a.example/");
  assert.throws(() => demandOpen(chrome, { url: "", pendingUrl: "chrome://settings/" }), { code: "PROTECTED_PAGE" });
  assert.throws(() => demandOpen(chrome, { url: "https://a.example/", pendingUrl: "chrome-extension://ours/x" }), {
    code: "PROTECTED_PAGE",
    message: /own pages/,
  });
});
