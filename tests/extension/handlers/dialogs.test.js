import assert from "node:assert/strict";
import { handlers } from "../../../extension/handlers/dialogs.js";
import { test } from "../testing.js";

function tabRun({ closes = false } = {}) {
  const over = Promise.withResolvers();
  const lifetime = { over: over.promise, end: over.resolve, isClosing: false };
  const dialogs = {
    answer: async (_run, { accept }) => ({ type: "beforeunload", message: "x".repeat(1000), accepted: accept }),
  };
  return { facts: {}, tabId: "abcde", dialogs: { ...dialogs, open: { before: { closes } } }, lifetime };
}

const handle = (tab, accept) => handlers.kapturemcp_handle_dialog({ accept }, tab);

test("the answer says which dialog was handled and how, its text bounded", async () => {
  const { message, ...answer } = await handle(tabRun(), false);
  assert.deepEqual(answer, { handled: "beforeunload", accepted: false });
  assert.equal(message.length, 500);
});

test("accepting what kept a tab from being closed is over when the tab is", async () => {
  const tab = tabRun({ closes: true });
  const answer = handle(tab, true);
  assert.equal(tab.lifetime.isClosing, true);
  tab.lifetime.end();
  assert.equal((await answer).closed, "abcde");
});

test("dismissing it leaves the tab as it is", async () => {
  const tab = tabRun({ closes: true });
  assert.equal("closed" in (await handle(tab, false)), false);
  assert.equal(tab.lifetime.isClosing, false);
});
