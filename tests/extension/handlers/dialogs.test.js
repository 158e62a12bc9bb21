import assert from "node:assert/strict";
import { handlers } from "../../../extension/handlers/dialogs.js";
import { test } from "../testing.js";

function session({ closes = false } = {}) {
  const over = Promise.withResolvers();
  const dialogs = { answer: async (_run, { accept }) => ({ type: "beforeunload", message: "x".repeat(1000), accepted: accept }) };
  return { id: "abcde", dialog: { before: { closes } }, dialogs, over, closing: false };
}

const handle = (tab, accept) => handlers.kapturemcp_handle_dialog({ accept }, { session: tab });

test("the answer says which dialog was handled and how, its text bounded", async () => {
  const { message, ...answer } = await handle(session(), false);
  assert.deepEqual(answer, { handled: "beforeunload", accepted: false });
  assert.equal(message.length, 500);
});

test("accepting what kept a tab from being closed is over when the tab is", async () => {
  const tab = session({ closes: true });
  const answer = handle(tab, true);
  assert.equal(tab.closing, true);
  tab.over.resolve();
  assert.equal((await answer).closed, "abcde");
});

test("dismissing it leaves the tab as it is", async () => {
  const tab = session({ closes: true });
  assert.equal("closed" in (await handle(tab, false)), false);
  assert.equal(tab.closing, false);
});
