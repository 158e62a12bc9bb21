import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { TabState } from "../../../extension/devtools/tab_state.js";
import { click, showDocument } from "../dom.js";
import { test } from "../testing.js";

const STATUS = {
  panel: "connected",
  tab: "idle",
  driver: "",
  title: "Shop",
  url: "https://shop.example/",
  protected: "",
};
let head, asked, answer;
beforeEach(() => {
  showDocument();
  asked = [];
  head = new TabState(async (what) => (asked.push(what), answer));
});

test("state, title and address are told, and who drives", () => {
  head.show({ ...STATUS, tab: "executing", driver: "claude-code" });
  assert.deepEqual(
    [head.state.textContent, head.title.textContent, head.url.textContent, head.driver.textContent, head.driver.hidden],
    ["being driven", "Shop", "https://shop.example/", "by claude-code", false],
  );
});

for (const [status, words, ask] of [
  [{}, "Connect this tab", "connect"],
  [{ tab: "connected" }, "Disconnect this tab", "disconnect"],
  [{ panel: "connecting" }, "Connect this tab", "connect"],
  [{ panel: "idle" }, "Pair with Kapture Panel", "pair"],
])
  test(`one button: ${words} with ${JSON.stringify(status)}`, async () => {
    answer = { ...STATUS, tab: "connected" };
    head.show({ ...STATUS, ...status });
    assert.equal(head.button.textContent, words);
    await click(head.button);
    assert.deepEqual([asked, head.state.textContent], [[ask], "connected"]);
  });

test("what went wrong is said, and stays until something else is to be said", async () => {
  head.show(STATUS);
  answer = { error: "Kapture Panel does not answer" };
  await click(head.button);
  head.show({ ...STATUS, title: "Shop 2" });
  assert.deepEqual(
    [head.hint.textContent, head.hint.hidden, head.hint.classList.contains("error"), head.button.disabled],
    ["Kapture Panel does not answer", false, true, false],
  );
  head.show({ ...STATUS, tab: "connected" });
  assert.equal(head.hint.hidden, true);
});

test("a protected page says why it cannot be connected", () => {
  head.show({ ...STATUS, protected: "This is a page of the browser itself" });
  assert.deepEqual([head.hint.textContent, head.button.disabled], ["This is a page of the browser itself", true]);
});
