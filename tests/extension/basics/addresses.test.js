import assert from "node:assert/strict";
import { hostOf, originOf } from "../../../extension/basics/addresses.js";
import { test } from "../testing.js";
import { vectors } from "../vectors.js";

for (const [url, host, origin] of [
  ["https://a.example:8443/x?y", "a.example:8443", "https://a.example:8443"],
  ["http://user:word@a.example/", "a.example", "http://a.example"],
  ["about:blank", "about:", "about://"],
  ["file:///etc/hosts", "file:", "file://"],
])
  test(`${url} is at ${host}`, () => {
    assert.equal(hostOf(url), host);
    assert.equal(originOf(url), origin);
  });

for (const [url, origin] of vectors.origins)
  test(`the origin of ${url} is told as the panel tells it`, () => assert.equal(originOf(url), origin));

test("what is not an address has no host", () => assert.equal(hostOf(""), ""));
