import assert from "node:assert/strict";
import { connectedTab } from "../tab.js";
import { test } from "../testing.js";
import { MAX_BODIES, harOf } from "../../../extension/tab/har.js";

const SENT = {
  wallTime: 1,
  type: "Fetch",
  request: {
    url: "https://a.example/x?q=1&token=abc",
    method: "POST",
    hasPostData: true,
    headers: { "Content-Type": "application/json", Cookie: "sid=1" },
  },
};
const ANSWER = {
  status: 200,
  statusText: "OK",
  mimeType: "text/plain",
  protocol: "h2",
  headers: { "Set-Cookie": "a=1\nb=2", Location: "/y" },
  encodedDataLength: 1,
  remoteIPAddress: "[::1]",
  remotePort: 443,
  timing: { receiveHeadersEnd: 40 },
};

/** The archive of one request, whose bodies are these. */
async function archived(sent, received) {
  const { chrome, run } = await connectedTab();
  const event = (method, params) => chrome.cdp(7, `Network.${method}`, { requestId: "1", timestamp: 1, ...params });
  chrome.replies["Network.getRequestPostData"] = () => sent;
  chrome.replies["Network.getResponseBody"] = () => received;
  await event("requestWillBeSent", SENT);
  await event("responseReceived", { response: ANSWER, hasExtraInfo: false });
  await event("loadingFinished", { encodedDataLength: 9, timestamp: 1.1 });
  const { result } = await run("list_requests", { max: 5, format: "har" });
  return JSON.parse(result).log;
}

test("a request is told with its headers, bodies and times, without its secrets", async () => {
  const log = await archived({ postData: '{"password":"pw","a":1}' }, { body: "hello", base64Encoded: false });
  const [entry] = log.entries;
  assert.equal(log.version, "1.2");
  assert.equal(entry.startedDateTime, "1970-01-01T00:00:01.000Z");
  assert.deepEqual(entry.timings, { send: 0, wait: 40, receive: 60 });
  assert.equal(entry.time, 100);
  assert.deepEqual(entry.request.queryString, [
    { name: "q", value: "1" },
    { name: "token", value: "***" },
  ]);
  assert.doesNotMatch(JSON.stringify(log), /sid=1|abc|"pw|a=1/);
  assert.match(entry.request.postData.text, /"a":1/);
  assert.equal(entry.request.postData.mimeType, "application/json");
  assert.deepEqual([entry.response.content.text, entry.response.content.size], ["hello", 5]);
  assert.equal(entry.response.headers.filter(({ name }) => name === "Set-Cookie").length, 2);
  assert.deepEqual([entry.response.redirectURL, entry.serverIPAddress], ["/y", "::1"]);
});

test("a body that is not text is left out with its size", async () => {
  const { entries } = await archived({ postData: "x" }, { body: "AAEC/w==", base64Encoded: true });
  const { size, text, comment } = entries[0].response.content;
  assert.deepEqual([size, text, comment], [4, undefined, "binary, not kept"]);
});

test("a body that the browser has no more is told as that", async () => {
  const { chrome, run } = await connectedTab();
  const event = (method, params) => chrome.cdp(7, `Network.${method}`, { requestId: "1", timestamp: 1, ...params });
  chrome.replies["Network.getRequestPostData"] = () => Promise.reject(new Error("No post data available"));
  await event("requestWillBeSent", SENT);
  await event("loadingFailed", { errorText: "net::ERR_FAILED" });
  const { entries } = JSON.parse((await run("list_requests", { max: 5, format: "har" })).result).log;
  assert.equal(entries[0].response.status, 0);
  assert.match(entries[0].comment, /failed: net::ERR_FAILED/);
  assert.match(entries[0].request.postData.comment, /the body is no longer kept/);
});

test("an archive that is full holds no more bodies", () => {
  const record = { id: "r1", at: 0, url: "https://a.example/", type: "fetch", status: 200, chain: { hops: [] } };
  const whole = { ...record, hasExtraInfo: false, requestHeaders: {}, responseHeaders: {}, finished: true };
  const other = { ...whole };
  const body = { text: "x".repeat(MAX_BODIES), size: MAX_BODIES };
  const { entries } = harOf(
    [whole, other],
    new Map([
      [whole, { request: null, response: body }],
      [other, { request: null, response: { text: "y", size: 1 } }],
    ]),
  ).log;
  assert.deepEqual(
    entries.map(({ response }) => response.content.comment),
    [undefined, "left out: the archive is full"],
  );
});
