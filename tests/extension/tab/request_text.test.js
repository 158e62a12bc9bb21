import assert from "node:assert/strict";
import { bodyText, inBytes, lineOf, sourceOf } from "../../../extension/tab/request_text.js";
import { test } from "../testing.js";

const record = {
  id: "r3",
  at: 5,
  method: "GET",
  status: 200,
  type: "fetch",
  ms: 7,
  bytes: 2048,
  bodyBytes: 0,
  url: "https://a.example/",
  context: "page",
  source: "network",
  finished: true,
};

for (const [changed, wanted] of [
  [{}, "r3 5 GET 200 fetch 7 ms 2.0 kB https://a.example/"],
  [{ status: null, finished: false, ms: undefined, bytes: 0 }, "r3 5 GET pending fetch https://a.example/"],
  [{ failure: "net::ERR_X", bytes: 0 }, "r3 5 GET failed net::ERR_X fetch 7 ms https://a.example/"],
  [{ status: 302, redirectedTo: "r4", bytes: 0 }, "r3 5 GET 302 fetch 7 ms https://a.example/ → r4"],
  [
    { source: "service worker", workerSource: "cache storage", bytes: 0, bodyBytes: 5 },
    "r3 5 GET 200 fetch 7 ms 5 B https://a.example/ (service worker: cache storage)",
  ],
  [
    { context: "worker", source: "disk cache" },
    "r3 5 GET 200 fetch 7 ms 2.0 kB https://a.example/ (disk cache) [worker]",
  ],
])
  test(`a request reads "${wanted}"`, () => assert.equal(lineOf({ ...record, ...changed }), wanted));

test("a long address does not fill the list", () =>
  assert.ok(lineOf({ ...record, url: "x".repeat(5000) }).length < 400));

for (const [changed, wanted] of [
  [{}, "network"],
  [{ failure: "x" }, "failed"],
  [{ status: null, finished: false }, "pending"],
  [{ source: "disk cache" }, "disk cache"],
])
  test(`it counts as ${wanted}`, () => assert.equal(sourceOf({ ...record, ...changed }), wanted));

const base64 = (bytes) => Buffer.from(bytes).toString("base64");
for (const [what, args, wanted] of [
  ["text", ["ä", false, "text/plain"], " (text/plain, 2 B):\nä"],
  ["nothing", ["", false, "text/plain"], ": empty"],
  ["a picture", [base64([0, 1, 255, 254]), true, "image/png"], ": binary (image/png, 4 B), not shown"],
  ["a picture of five bytes", [base64([0, 1, 2, 3, 4]), true, "image/png"], ": binary (image/png, 5 B), not shown"],
  ["text in base64", [base64("ä"), true, "application/json"], " (application/json, 2 B):\nä"],
  [
    "binary that is called text",
    [base64([255, 254, 253]), true, "text/plain"],
    ": binary (text/plain, 3 B), not shown",
  ],
  ["a secret", ['{"password":"pw"}', false, "application/json"], ' (application/json, 18 B):\n{"password":"***"}'],
])
  test(`${what} as a body is told`, () => assert.equal(bodyText(...args), wanted));

test("a long body is cut between two characters and says so", () => {
  const text = bodyText(`a${"ä".repeat(100_000)}`, false, "text/plain");
  assert.ok(text.startsWith(" (text/plain, 195.3 kB, cut: the first 64.0 kB):\na"));
  assert.ok(!text.includes("\uFFFD"));
  assert.ok(Buffer.byteLength(text) < 65_700);
});

test("a secret that the cut goes through is masked before", () => {
  assert.ok(
    !bodyText(`{"a":"${"x".repeat(65_500)}","password":"${"s3cret".repeat(100)}"}`, false, "application/json").includes(
      "s3cret",
    ),
  );
});

test("sizes are read by people", () =>
  assert.deepEqual([0, 1023, 1024, 1_500_000].map(inBytes), ["0 B", "1023 B", "1.0 kB", "1.4 MB"]));
