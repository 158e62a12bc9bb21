import assert from "node:assert/strict";
import { inOneLine } from "../../../extension/basics/errors.js";
import { beforeEach } from "node:test";
import { settle } from "../fakes.js";
import { connectedTab } from "../tab.js";
import { madeOf, picturesAre } from "../pictures.js";
import { test } from "../testing.js";

let tab;
beforeEach(async () => {
  picturesAre(2000, 1000);
  tab = await connectedTab();
  tab.chrome.page.viewport = () => ({
    width: 1000,
    height: 500,
    scrollX: 0,
    scrollY: 200,
    devicePixelRatio: 2,
    pageWidth: 1000,
    pageHeight: 3136,
  });
  tab.chrome.page.boxOf = () => ({ x: 10, y: 20, width: 100, height: 50 });
  tab.chrome.replies["Page.captureScreenshot"] = () => ({ data: "picture" });
});

const shoot = (params) => tab.run("screenshot", { name: "n", format: "png", quality: 80, ...params });
const captured = () => tab.sent("Page.captureScreenshot")[0];

for (const [what, params, answer] of [
  ["the viewport", { scale: 2 }, { width: 2000, height: 1000, scale: 2, x: 0, y: 0 }],
  [
    "the viewport in CSS pixels",
    {},
    { from: [0, 0, 2000, 1000, 0, 0, 1000, 500], width: 1000, height: 500, scale: 1, x: 0, y: 0 },
  ],
  [
    "an element",
    { ref: "e1" },
    { from: [20, 40, 200, 100, 0, 0, 100, 50], width: 100, height: 50, scale: 1, x: 10, y: 20 },
  ],
  [
    "an element, as sharp as the display",
    { ref: "e1", scale: 2 },
    { from: [20, 40, 200, 100, 0, 0, 200, 100], width: 200, height: 100, scale: 2, x: 10, y: 20 },
  ],
  [
    "a clip inside the viewport",
    { clip: { x: 5, y: 210, width: 10, height: 10 } },
    { from: [10, 20, 20, 20, 0, 0, 10, 10], width: 10, height: 10, scale: 1, x: 5, y: 10 },
  ],
  [
    "no wider than asked",
    { width: 500 },
    { from: [0, 0, 2000, 1000, 0, 0, 500, 250], width: 500, height: 250, scale: 0.5, x: 0, y: 0 },
  ],
  [
    "no higher than asked",
    { width: 500, height: 125 },
    { from: [0, 0, 2000, 1000, 0, 0, 250, 125], width: 250, height: 125, scale: 0.25, x: 0, y: 0 },
  ],
])
  test(`for a picture of ${what} the browser shows the page as it is`, async () => {
    const { result } = await shoot(params);
    const { clip, captureBeyondViewport } = captured();
    assert.deepEqual([clip, captureBeyondViewport], [undefined, undefined]);
    const { from, ...told } = answer;
    const { data, ...rest } = result;
    assert.deepEqual(from ? madeOf(data).numbers : data, from ?? "picture");
    assert.deepEqual(rest, { format: "png", scrollX: 0, scrollY: 200, viewWidth: 1000, viewHeight: 500, ...told });
  });

for (const [what, params, clip, beyond, answer] of [
  [
    "a clip of the page outside the viewport",
    { clip: { x: 0, y: 0, width: 10, height: 10 } },
    { x: 0, y: 0, width: 10, height: 10, scale: 0.5 },
    true,
    { width: 10, height: 10, scale: 1, x: 0, y: -200 },
  ],
  [
    "the full page, as large as a model reads",
    { fullPage: true },
    { x: 0, y: 0, width: 1000, height: 3136, scale: 0.25 },
    true,
    { width: 500, height: 1568, scale: 0.5, x: 0, y: -200 },
  ],
  [
    "more pixels than the display shows",
    { scale: 3 },
    { x: 0, y: 200, width: 1000, height: 500, scale: 1.5 },
    false,
    { width: 3000, height: 1500, scale: 3, x: 0, y: 0 },
  ],
])
  test(`a picture of ${what} says how its pixels map to the viewport and the page`, async () => {
    const { result } = await shoot(params);
    assert.deepEqual(captured().clip, clip);
    assert.equal(captured().captureBeyondViewport, beyond);
    assert.deepEqual(result, {
      data: "picture",
      format: "png",
      scrollX: 0,
      scrollY: 200,
      viewWidth: 1000,
      viewHeight: 500,
      ...answer,
    });
  });

for (const [what, clip, wanted] of [
  ["to the left and above", { x: -10, y: -20, width: 30, height: 30 }, { x: 0, y: 0, width: 20, height: 10 }],
  ["to the right and below", { x: 990, y: 3130, width: 30, height: 30 }, { x: 990, y: 3130, width: 10, height: 6 }],
])
  test(`a clip that goes out of the page ${what} is cut, and the answer says so`, async () => {
    const { result } = await shoot({ clip });
    const { scale, ...taken } = captured().clip;
    assert.deepEqual([taken, scale], [wanted, 0.5]);
    assert.equal(result.note, "cut to the page, which is 1000 × 3136");
  });

for (const [what, params, code, words] of [
  [
    "a clip right of the page",
    { clip: { x: 1000, y: 5, width: 10, height: 10 } },
    "INVALID_PARAMS",
    /at 1000, 5 of 10 × 10 lies outside the page, which is 1000 × 3136/,
  ],
  ["a clip above it", { clip: { x: 0, y: -10, width: 10, height: 10 } }, "INVALID_PARAMS", /at 0, -10 of 10 × 10/],
  [
    "more pixels than there may be",
    { fullPage: true, scale: 4 },
    "INVALID_PARAMS",
    /4000 × 12544 is too large.*40 million pixels; give a scale up to 3\.57/,
  ],
])
  test(`${what} is refused and nothing is taken`, async () => {
    const { error } = await shoot(params);
    assert.equal(error.code, code);
    assert.match(inOneLine(error), words);
    assert.equal(captured(), undefined);
  });

test("an element outside the page is named", async () => {
  tab.chrome.page.boxOf = () => ({ element: "<b>", x: -500, y: 0, width: 10, height: 10 });
  const { error } = await shoot({ ref: "e1" });
  assert.equal(error.code, "ELEMENT_NOT_VISIBLE");
  assert.match(error.message, /<b> lies outside the page/);
});

test("a page scrolled to below 0, being written to the left, is shown whole", async () => {
  tab.chrome.page.viewport = () => ({
    width: 1000,
    height: 500,
    scrollX: -700,
    scrollY: 0,
    devicePixelRatio: 1,
    pageWidth: 2000,
    pageHeight: 500,
  });
  const { result } = await shoot({});
  assert.deepEqual([captured().clip, result.width, result.note], [undefined, 1000, undefined]);
});

for (const [what, more, said] of [
  ["is told to be too small to read", {}, "too small to read: take parts with clip or scrollY, or give a scale"],
  ["whose scale was asked for is not commented", { scale: 0.1 }, undefined],
  ["whose size was asked for is not commented", { height: 100 }, undefined],
])
  test(`a very long page ${what}`, async () => {
    tab.chrome.page.viewport = () => ({
      width: 1000,
      height: 500,
      scrollX: 0,
      scrollY: 0,
      devicePixelRatio: 1,
      pageWidth: 1000,
      pageHeight: 45_000,
    });
    assert.equal((await shoot({ fullPage: true, ...more })).result.note, said);
  });

test("quality goes with the formats that have one", async () => {
  await shoot({ format: "jpeg", quality: 50, scale: 2 });
  assert.deepEqual([captured().format, captured().quality, captured().optimizeForSpeed], ["jpeg", 50, false]);
});

test("a picture that is made smaller loses its quality once", async () => {
  const { result } = await shoot({ format: "webp", quality: 50 });
  assert.deepEqual([captured().format, captured().quality], ["jpeg", 100]);
  const { type, quality } = madeOf(result.data);
  assert.deepEqual([type, quality], ["image/webp", 0.5]);
});

test("a png is made for speed and has no quality", async () => {
  await shoot({ scale: 2 });
  assert.deepEqual(["quality" in captured(), captured().optimizeForSpeed], [false, true]);
});

test("the page is drawn before its picture is taken", async () => {
  const { release } = tab.chrome.hold("Page.startScreencast");
  const shooting = shoot({});
  await settle();
  assert.equal(tab.chrome.methods().includes("Page.captureScreenshot"), false);
  release({});
  await shooting;
  assert.equal(tab.chrome.methods().includes("Page.captureScreenshot"), true);
});

test("a snapshot asks the page's half for what was asked, defaults left out", async () => {
  const asked = [];
  tab.chrome.page.snapshot = (...args) => (
    asked.push(args),
    { lines: ["- main"], doors: [], nextRef: 1, title: "Shop", url: "https://shop.example/" }
  );
  const { result } = await tab.run("snapshot", { interactiveOnly: false, diff: false });
  assert.equal(result, "# Shop — https://shop.example/\n- main");
  await tab.run("snapshot", { interactiveOnly: true, diff: false, maxDepth: 3, roles: ["button"], ref: "e1" });
  const numbers = { from: 1, accepted: 1 };
  assert.deepEqual(asked, [
    [{}, {}, numbers],
    [{ ref: "e1" }, { interactiveOnly: true, maxDepth: 3, roles: ["button"] }, numbers],
  ]);
  await tab.run("snapshot", { interactiveOnly: false, diff: false, roles: [] });
  assert.deepEqual(asked[2], [{}, {}, numbers]);
});

test("a cursor goes on without looking at the page again", async () => {
  tab.chrome.page.snapshot = () => ({ lines: ["a".repeat(40_000), "b"], doors: [], nextRef: 1, title: "", url: "" });
  const { result } = await tab.run("snapshot", { interactiveOnly: false, diff: false });
  tab.chrome.sent.length = 0;
  assert.equal((await tab.run("snapshot", { cursor: /cursor "([^"]+)"/.exec(result)[1] })).result, "b");
  assert.deepEqual(tab.chrome.sent, []);
});

test("a difference is not searched", async () => {
  const error = await tab.run("snapshot", { diff: true, find: "a" }).catch((thrown) => thrown);
  assert.match(error.message ?? JSON.stringify(error), /diff and find do not go together/);
});
