import assert from "node:assert/strict";
import { load } from "../../../extension/tab/page_source.js";
import { WORLD } from "../../../extension/tab/worlds.js";
import { FakeChrome } from "../fake_chrome.js";
import { extensionFile } from "../fakes.js";
import { test } from "../testing.js";

test("the page's half is one script for the isolated world", async () => {
  assert.deepEqual(await load(new FakeChrome()), { worldName: WORLD, source: extensionFile("page.bundle.js") });
});
