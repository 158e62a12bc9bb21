import assert from "node:assert/strict";
import { handlers } from "../../../extension/handlers/console.js";
import { Ring } from "../../../extension/basics/ring.js";
import { connectedTab } from "../tab.js";
import { test } from "../testing.js";

const console = new Ring(3);
for (let at = 1; at <= 4; at += 1)
  console.push({ at, level: at % 2 ? "error" : "log", context: at === 2 ? "worker" : "page" });
const run = (lines) => ({ console: lines, async send() {} });
const times = async (params) => (await handlers.kapturemcp_logs(params, run(console))).logs.map(({ at }) => at);

for (const [what, params, wanted] of [
  ["newest first, as many as asked", { max: 2 }, [4, 3]],
  ["of one level", { max: 10, level: "error" }, [3]],
  ["of one context", { max: 10, context: "worker" }, [2]],
  ["after a time", { max: 10, since: 3 }, [4]],
])
  test(`lines come ${what}`, async () => assert.deepEqual(await times(params), wanted));

test("lines after a time are all told, also behind an older one that a worker told late", async () => {
  const late = new Ring(5);
  for (const [at, context] of [
    [10.6, "page"],
    [12.2, "page"],
    [3, "worker"],
    [13, "page"],
  ])
    late.push({ at, level: "log", context });
  const { logs } = await handlers.kapturemcp_logs({ max: 10, since: 10 }, run(late));
  assert.deepEqual(
    logs.map(({ at }) => at),
    [13, 12.2],
  );
});

test("what was dropped is said", async () => {
  const { kept, dropped } = await handlers.kapturemcp_logs({ max: 1 }, run(console));
  assert.deepEqual([kept, dropped], [3, 1]);
});

test("cleared lines are counted and gone", async () => {
  assert.deepEqual(await handlers.kapturemcp_clear_logs({}, run(console)), { cleared: 3 });
  assert.deepEqual(await handlers.kapturemcp_logs({ max: 5 }, run(console)), { logs: [], kept: 0, dropped: 0 });
});

for (const command of ["logs", "clear_logs"])
  test(`${command} hears first of what the browser told before it`, async () => {
    const { chrome, run } = await connectedTab();
    chrome.replies["Target.getTargetInfo"] = () =>
      chrome.cdp(7, "Runtime.consoleAPICalled", {
        type: "log",
        args: [{ type: "string", value: "late" }],
        timestamp: 5,
      });
    const { result } = await run(command, { max: 5 });
    assert.deepEqual(result.logs?.map(({ text }) => text) ?? result.cleared, command === "logs" ? ["late"] : 1);
  });
