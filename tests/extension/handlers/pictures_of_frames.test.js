import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { settle } from "../fakes.js";
import { picturesAre } from "../pictures.js";
import { connectedTab } from "../tab.js";
import { test } from "../testing.js";

let tab;
/** A tab whose page has frames, scrolled down by 200 pixels. */
beforeEach(async () => {
  picturesAre(1000, 500);
  tab = await connectedTab();
  const page = { width: 1000, height: 500, pageWidth: 1000, pageHeight: 3136 };
  tab.chrome.page.viewport = () => ({ ...page, scrollX: 0, scrollY: 200, devicePixelRatio: 1 });
  tab.chrome.page.twoFrames = () => {};
  tab.chrome.replies["Page.captureScreenshot"] = () => ({ data: "picture" });
  Object.defineProperty(tab.parts.frames, "any", { value: true });
});

const shoot = (params) => tab.run("screenshot", { name: "n", format: "png", quality: 80, ...params });

for (const [frames, said] of [
  [0, undefined],
  [1, "a frame of another site beyond the viewport may be empty: take each by its selector"],
  [3, "3 frames of other sites beyond the viewport may be empty: take each by its selector"],
])
  test(`a picture of more than the viewport says that ${frames} frames may be empty in it`, async () => {
    const areas = [];
    tab.chrome.page.allDoors = () => [];
    tab.chrome.page.doorsBeyond = (area) => (areas.push(area), frames);
    assert.equal((await shoot({})).result.note, undefined);
    assert.deepEqual(areas, []);
    assert.equal((await shoot({ fullPage: true })).result.note, said);
    assert.deepEqual(areas, [{ left: 0, top: -200, right: 1000, bottom: 2936 }]);
  });

test("the frames in view have drawn it before the picture is taken", async () => {
  const looked = Promise.withResolvers();
  Object.assign(tab.chrome.page, { scroll() {}, allDoors: () => looked.promise });
  const shooting = shoot({ scrollY: 900 });
  await settle();
  assert.deepEqual(tab.sent("Page.captureScreenshot"), []);
  looked.resolve([]);
  await shooting;
  assert.equal(tab.sent("Page.captureScreenshot").length, 1);
});
