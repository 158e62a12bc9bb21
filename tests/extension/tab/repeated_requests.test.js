import assert from "node:assert/strict";
import { NetworkLog } from "../../../extension/tab/network_log.js";
import { test } from "../testing.js";

/** A log of requests that began at these seconds. @param {[number, string][]} requests */
function logOf(requests, log = new NetworkLog(50)) {
  for (const [at, path] of requests)
    log.onEvent("Network.requestWillBeSent", {
      requestId: `${at}${path}`,
      timestamp: at,
      wallTime: at,
      type: "Fetch",
      initiator: { type: "script" },
      request: { url: `https://a.example${path}`, method: "GET", headers: {} },
    });
  return log;
}

/** What an action during which these requests began is told of them, after those that began while nothing was done. */
function told(idle, during) {
  const log = logOf(idle);
  const { mark } = log;
  return logOf(during, log).onlyRepeated(mark)?.url ?? null;
}

/** @type {[number, string][]} */
const POLLS = [1, 2, 3, 4].map((at) => [at, `/poll?at=${at}`]);

for (const [words, idle, during, isOwn] of /** @type {[string, any[], any[], boolean][]} */ ([
  ["what it asks for again and again", POLLS, [[5, "/poll?at=5"]], true],
  [
    "another request beside that",
    POLLS,
    [
      [5, "/poll?at=5"],
      [5.1, "/save"],
    ],
    false,
  ],
  ["no request at all", POLLS, [], false],
  ["one that was seen twice only", POLLS.slice(0, 2), [[3, "/poll?at=3"]], false],
  ["one that stopped long ago", POLLS, [[60, "/poll?at=60"]], false],
  [
    "one that comes at no interval",
    [
      [1, "/poll"],
      [2, "/poll"],
      [25, "/poll"],
    ],
    [[26, "/poll"]],
    false,
  ],
]))
  // prettier-ignore
  test(`a page: ${words} is ${isOwn ? "its own doing" : "no habit"}`, () =>
    assert.equal(told(idle, during), isOwn ? `https://a.example${during[0][1]}` : null));

test("what actions asked for shows no habit of the page", () => {
  const log = logOf(POLLS);
  log.actionOver(0);
  const { mark } = log;
  assert.equal(logOf([[5, "/poll?at=5"]], log).onlyRepeated(mark), null);
});
