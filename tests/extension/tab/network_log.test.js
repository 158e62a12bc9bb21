import assert from "node:assert/strict";
import { eventOf, headersOf, NetworkLog } from "../../../extension/tab/network_log.js";
import { test } from "../testing.js";

const start = (requestId, url, more = {}) => [
  "Network.requestWillBeSent",
  {
    requestId,
    timestamp: 10,
    wallTime: 1000.5,
    type: "Fetch",
    initiator: { type: "script", stack: { callFrames: [{ url: "https://a.example/app.js", lineNumber: 4 }] } },
    request: { url, method: "GET", headers: { Accept: "*/*" } },
    ...more,
  },
];
const response = (more = {}) => ({
  status: 200,
  statusText: "OK",
  mimeType: "text/html",
  headers: { A: "main" },
  encodedDataLength: 50,
  protocol: "h2",
  ...more,
});
const answered = (requestId, more = {}, hasExtraInfo = false) => [
  "Network.responseReceived",
  { requestId, response: response(more), hasExtraInfo },
];
const finished = (requestId, encodedDataLength = 120) => [
  "Network.loadingFinished",
  { requestId, timestamp: 10.25, encodedDataLength },
];

function recorded(...events) {
  const log = new NetworkLog(5);
  for (const [method, params, child, context] of events) log.onEvent(method, params, child, context);
  return log;
}
const newest = (log) => log.newestFirst().next().value;

test("a request is followed from its start to its end", () => {
  const pending = recorded(start("1", "https://a.example/?token=secret"));
  const { id, at, url, method, type, initiator, initiatorAt, status, finished: over } = newest(pending);
  assert.deepEqual(
    [id, at, url, method, type, initiator, initiatorAt, status, over],
    [
      "r1",
      1000500,
      "https://a.example/?token=***",
      "GET",
      "fetch",
      "script",
      "https://a.example/app.js:5",
      null,
      false,
    ],
  );
  const done = newest(
    recorded(
      start("1", "https://a.example/"),
      answered("1"),
      ["Network.dataReceived", { requestId: "1", dataLength: 300 }],
      finished("1"),
    ),
  );
  assert.deepEqual(
    [done.status, done.ms, done.bytes, done.bodyBytes, done.finished, done.source],
    [200, 250, 120, 300, true, "network"],
  );
});

test("ids go on, newest first, and the oldest are dropped and counted", () => {
  const log = recorded(...Array.from({ length: 8 }, (_, index) => start(String(index), `https://a.example/${index}`)));
  assert.deepEqual(
    [...log.newestFirst()].map(({ id }) => id),
    ["r8", "r7", "r6", "r5", "r4"],
  );
  assert.deepEqual([log.length, log.dropped, log.newestId], [5, 3, "r8"]);
  assert.equal(log.find("r3"), undefined);
  assert.equal(log.find("r4").url, "https://a.example/3");
});

test("each hop of a redirect is a request of its own", () => {
  const log = recorded(
    start("1", "https://a.example/old"),
    start("1", "https://a.example/new", {
      redirectResponse: response({ status: 302, headers: { Location: "/new" } }),
      redirectHasExtraInfo: false,
      timestamp: 10.1,
    }),
    answered("1"),
    finished("1"),
  );
  const [second, first] = [...log.newestFirst()];
  assert.deepEqual(
    [first.status, first.redirectedTo, first.ms, second.redirectedFrom, second.status, second.ms],
    [302, "r2", 100, "r1", 200, 150],
  );
});

const extras = (n) => [
  ["Network.requestWillBeSentExtraInfo", { requestId: "1", headers: { cookie: `sid=${n}`, nth: `${n}` } }],
  ["Network.responseReceivedExtraInfo", { requestId: "1", headers: { nth: `${n}`, "set-cookie": "sid=secret" } }],
];
const redirect = (redirectHasExtraInfo) =>
  start("1", "https://a.example/new", { redirectResponse: response({ status: 302 }), redirectHasExtraInfo });
const moved = start("1", "https://a.example/old");

for (const [when, events] of [
  ["after", [moved, ...extras(1), redirect(true), ...extras(2), answered("1", {}, true)]],
  ["before", [...extras(1), moved, redirect(true), ...extras(2), answered("1", {}, true)]],
  ["long before", [...extras(1), ...extras(2), moved, redirect(true), answered("1", {}, true)]],
  ["long after", [moved, redirect(true), answered("1", {}, true), ...extras(1), ...extras(2)]],
])
  test(`headers of the wire belong to their hop when they come ${when} it`, () => {
    const [second, first] = [...recorded(...events).newestFirst()].map(headersOf);
    assert.deepEqual(
      [first, second].map(({ request, response: { nth } }) => [request.nth, request.cookie, nth]),
      [
        ["1", "sid=***", "1"],
        ["2", "sid=***", "2"],
      ],
    );
    assert.equal(first.response["set-cookie"], "sid=***");
  });

test("a hop without headers of the wire has those of the page", () => {
  const [second, first] = [
    ...recorded(moved, redirect(false), ...extras(1), answered("1", {}, true)).newestFirst(),
  ].map(headersOf);
  assert.deepEqual([first.request, first.response, second.request.nth], [{ Accept: "*/*" }, { A: "main" }, "1"]);
});

for (const [what, events, source, workerSource] of [
  ["the network", [answered("1")], "network"],
  ["the disk cache", [answered("1", { fromDiskCache: true })], "disk cache"],
  ["the memory cache", [["Network.requestServedFromCache", { requestId: "1" }], answered("1")], "memory cache"],
  ["the prefetch cache", [answered("1", { fromPrefetchCache: true })], "prefetch cache"],
  [
    "a service worker",
    [answered("1", { fromServiceWorker: true, serviceWorkerResponseSource: "cache-storage" })],
    "service worker",
    "cache storage",
  ],
  ["a service worker that says no more", [answered("1", { fromServiceWorker: true })], "service worker", ""],
])
  test(`an answer from ${what} says so`, () => {
    const record = newest(recorded(start("1", "https://a.example/"), ...events));
    assert.deepEqual([record.source, record.workerSource], [source, workerSource]);
  });

test("inline addresses were never on the network", () => {
  assert.equal(newest(recorded(start("1", "data:text/plain,a"))).source, "data");
  const made = recorded(start("1", "blob:https://a.example/1"));
  assert.equal(newest(made).source, "blob");
  assert.deepEqual(made.openSince(0), []); // nobody waits for it: of a worker's script no end is told
});

for (const [params, wanted] of [
  [{ errorText: "net::ERR_FAILED" }, "net::ERR_FAILED"],
  [{ errorText: "", canceled: true }, "cancelled"],
  [
    { errorText: "net::ERR_FAILED", corsErrorStatus: { corsError: "MissingAllowOriginHeader" } },
    "net::ERR_FAILED (MissingAllowOriginHeader)",
  ],
  [{ errorText: "", blockedReason: "csp" }, "failed (csp)"],
])
  test(`a failure is told as ${wanted}`, () => {
    const record = newest(
      recorded(start("1", "https://a.example/"), [
        "Network.loadingFailed",
        { requestId: "1", timestamp: 10.5, ...params },
      ]),
    );
    assert.deepEqual([record.failure, record.ms, record.finished], [wanted, 500, true]);
  });

test("a WebSocket is one request from its handshake to its end", () => {
  const log = recorded(
    [
      "Network.webSocketCreated",
      { requestId: "1", url: "wss://a.example/live?token=secret", initiator: { type: "script" } },
    ],
    [
      "Network.webSocketWillSendHandshakeRequest",
      { requestId: "1", timestamp: 5, wallTime: 7, request: { headers: { Cookie: "sid=a" } } },
    ],
    [
      "Network.webSocketHandshakeResponseReceived",
      { requestId: "1", timestamp: 5.1, response: { status: 101, statusText: "Switching", headers: {} } },
    ],
    ["Network.webSocketClosed", { requestId: "1", timestamp: 9 }],
  );
  const record = newest(log);
  assert.deepEqual(
    [record.type, record.url, record.at, record.status, record.ms, record.finished],
    ["websocket", "wss://a.example/live?token=***", 7000, 101, 100, true],
  );
  assert.deepEqual(headersOf(record).request, { Cookie: "sid=***" });
});

test("a worker's requests are apart from the page's, though their ids are the same", () => {
  const log = recorded(
    start("1", "https://a.example/page"),
    [...start("1", "https://a.example/worker"), "child", "worker"],
    [...answered("1", { status: 404 }), "child", "worker"],
  );
  const [worker, page] = [...log.newestFirst()];
  assert.deepEqual(
    [worker.context, worker.status, worker.childSession, page.context, page.status],
    ["worker", 404, "child", "page", null],
  );
});

test("a request told twice is one", () => {
  assert.equal(recorded(start("1", "https://a.example/"), start("1", "https://a.example/")).length, 1);
});

test("events of requests that began before the listening do no harm", () => {
  const log = recorded(
    answered("9"),
    finished("9"),
    ["Network.loadingFailed", { requestId: "9" }],
    ["Network.requestServedFromCache", { requestId: "9" }],
    ["Network.dataReceived", { requestId: "9" }],
    ["Network.other", {}],
    ["Page.loadEventFired", {}],
  );
  assert.equal(log.length, 0);
});

test("what is known of requests long gone is forgotten", () => {
  const log = new NetworkLog(5);
  for (let n = 0; n < 10_000; n += 1) {
    log.onEvent("Network.requestWillBeSentExtraInfo", { requestId: `x${n}`, headers: {} });
    log.onEvent(...start(`y${n}`, "https://a.example/"));
  }
  assert.equal(log.length, 5);
  assert.ok(log.remembered <= 10);
});

function told(...events) {
  const heard = [];
  const log = new NetworkLog(5, (record) => heard.push(eventOf(record)));
  for (const [method, params, child, context] of events) log.onEvent(method, params, child, context);
  return heard;
}

test("what begins, is answered and ends is told; each piece of a body is not", () => {
  const pieces = Array.from({ length: 50 }, () => ["Network.dataReceived", { requestId: "1", dataLength: 6 }]);
  const heard = told(start("1", "https://a.example/?token=c4n4ry"), answered("1"), ...pieces, finished("1"));
  assert.deepEqual(
    heard.map(({ status, finished: over, ms }) => [status, over, ms]),
    [
      [null, false, null],
      [200, false, null],
      [200, true, 250],
    ],
  );
  assert.deepEqual(heard[2], {
    kind: "request",
    id: "r1",
    at: 1000500,
    method: "GET",
    type: "fetch",
    url: "https://a.example/?token=***",
    status: 200,
    failure: null,
    finished: true,
    source: "network",
    ms: 250,
    bytes: 120,
    context: "page",
  });
});

test("a redirect tells the hop that ended and the one that began", () => {
  const heard = told(
    start("1", "https://a.example/old"),
    start("1", "https://a.example/new", { redirectResponse: response({ status: 302 }), redirectHasExtraInfo: false }),
  );
  assert.deepEqual(
    heard.map(({ id, status, finished: over }) => [id, status, over]),
    [
      ["r1", null, false],
      ["r1", 302, true],
      ["r2", null, false],
    ],
  );
});

test("a failure and a file from a cache are told as such", () => {
  const failed = [
    "Network.loadingFailed",
    { requestId: "1", timestamp: 10.1, errorText: "net::ERR_FAILED", blockedReason: "csp" },
  ];
  assert.deepEqual(
    told(start("1", "https://a.example/"), failed).map(({ failure, ms }) => [failure, ms]),
    [
      [null, null],
      ["net::ERR_FAILED (csp)", 100],
    ],
  );
  const cached = told(
    start("1", "https://a.example/"),
    ["Network.requestServedFromCache", { requestId: "1" }],
    answered("1"),
    finished("1", 0),
  );
  assert.equal(cached.at(-1).source, "memory cache");
});

test("an event is bounded and carries no header, whatever a page asks for", () => {
  const [event] = told(
    start("1", `https://a.example/${"x".repeat(5000)}`, {
      request: {
        url: `https://a.example/${"x".repeat(5000)}`,
        method: "M".repeat(9000),
        headers: { Authorization: "Bearer c4n4ry" },
      },
    }),
  );
  const json = JSON.stringify(event);
  assert.ok(json.length < 1500, `${json.length}`);
  assert.ok(!json.includes("c4n4ry") && !json.includes("eaders"));
});

test("a socket is told once its handshake is sent, so that it keeps one time", () => {
  const heard = told(
    ["Network.webSocketCreated", { requestId: "1", url: "wss://a.example/?sid=c4n4ry" }],
    [
      "Network.webSocketWillSendHandshakeRequest",
      { requestId: "1", timestamp: 3, wallTime: 50, request: { headers: {} } },
    ],
    [
      "Network.webSocketHandshakeResponseReceived",
      { requestId: "1", timestamp: 3.1, response: response({ status: 101 }) },
    ],
    ["Network.webSocketClosed", { requestId: "1" }],
  );
  assert.deepEqual(
    heard.map(({ at, status, finished: over }) => [at, status, over]),
    [
      [50_000, null, false],
      [50_000, 101, false],
      [50_000, 101, true],
    ],
  );
});

test("a request that was dropped meanwhile is told of no more", () => {
  const heard = told(
    ...Array.from({ length: 7 }, (_, index) => start(String(index), `https://a.example/${index}`)),
    finished("1"),
    finished("2"),
  );
  assert.deepEqual(
    heard.slice(7).map(({ id }) => id),
    ["r3"],
  );
});
