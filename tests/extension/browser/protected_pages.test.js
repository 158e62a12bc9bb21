import assert from "node:assert/strict";
import { whyProtected, whyRefused } from "../../../extension/browser/protected_pages.js";
import { test } from "../testing.js";

for (const [url, words] of [
  ["chrome://settings/", /page of the browser itself/], ["edge://extensions", /browser itself/], ["devtools://devtools/x", /browser itself/], ["about:settings", /browser itself/],
  ["view-source:https://a.example/", /source text/], ["chrome-extension://abc/x.html", /another extension/], ["blob:chrome-extension://abc/1", /another extension/],
  ["https://chromewebstore.google.com/detail/x", /store of extensions/], ["https://chrome.google.com/webstore/category", /store/], ["https://microsoftedge.microsoft.com/addons/x", /store/],
])
  test(`${url} is explained, with the next step`, () => {
    assert.match(whyProtected(url), words);
    assert.match(whyProtected(url), /Open a web page/);
  });

for (const url of ["https://a.example/", "http://127.0.0.1/", "about:blank", "about:blank#x", "about:srcdoc", "file:///a.html", "data:text/html,x", "https://chrome.google.com/other", "https://a.example/chrome://x", "", undefined])
  test(`${url} can be tried`, () => assert.equal(whyProtected(url), ""));

test("a page that refuses the debugger is explained by what it is", () => {
  assert.match(whyRefused("file:///a.html"), /Allow access to file URLs/);
  assert.match(whyRefused("https://a.example/x.pdf"), /PDF viewer/);
});
