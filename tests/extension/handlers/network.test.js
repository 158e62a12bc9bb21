import assert from "node:assert/strict";
import { connectedTab } from "../tab.js";
import { test } from "../testing.js";

async function tab() {
  const made = await connectedTab();
  const event = (method, params, child) =>
    made.chrome.cdp(7, `Network.${method}`, { requestId: "1", timestamp: 1, ...params }, child);
  const response = { status: 200, statusText: "OK", mimeType: "text/plain", headers: {}, encodedDataLength: 1 };
  return {
    ...made,
    event,
    text: async (command, params = {}) => (await made.run(command, params)).result,
    async requested({ request = {}, over = true } = {}, child = undefined) {
      await event(
        "requestWillBeSent",
        {
          wallTime: 1,
          type: "Fetch",
          request: {
            url: "https://a.example/x",
            method: "POST",
            headers: { "Content-Type": "application/json" },
            ...request,
          },
        },
        child,
      );
      if (!over) return;
      await event("responseReceived", { response, hasExtraInfo: false }, child);
      await event("loadingFinished", { encodedDataLength: 9 }, child);
    },
  };
}

test("without any request lists say so", async () => {
  const { text } = await tab();
  assert.equal(await text("list_requests", { max: 5 }), "no requests yet");
  assert.equal(await text("get_network_sources", { max: 5 }), "no requests yet");
});

for (const [command, params] of [
  ["list_requests", { max: 5 }],
  ["get_network_sources", { max: 5 }],
  ["get_request", { requestId: "r1" }],
])
  test(`${command} hears first of what the browser told before it`, async () => {
    const { chrome, text, requested } = await tab();
    chrome.replies["Target.getTargetInfo"] = () => requested();
    chrome.replies["Network.getResponseBody"] = () => ({ body: "", base64Encoded: false });
    assert.match(await text(command, params), /https:\/\/a\.example\/x/);
  });

test("an unknown id names what there is", async () => {
  const { run, requested } = await tab();
  const { message, nextStep } = (await run("get_request", { requestId: "r1" })).error;
  assert.match(`${message}; ${nextStep}`, /"r1"; none was made yet/);
  await requested();
  const { error } = await run("get_request", { requestId: "r2" });
  assert.deepEqual([error.code, error.param], ["INVALID_PARAMS", "requestId"]);
  assert.match(error.nextStep, /the newest is r1, 1 are kept/);
});

test("bodies are asked for where the request was made", async () => {
  const { chrome, text, requested } = await tab();
  await chrome.cdp(7, "Target.attachedToTarget", { sessionId: "child", targetInfo: { type: "worker" } });
  await requested({ request: { hasPostData: true } }, "child");
  chrome.replies["Network.getResponseBody"] = (_params, { sessionId }) => ({
    body: `from ${sessionId}`,
    base64Encoded: false,
  });
  chrome.replies["Network.getRequestPostData"] = () => ({ postData: '{"password":"pw"}' });
  const told = await text("get_request", { requestId: "r1" });
  assert.match(told, /request body \(application\/json, 18 B\):\n{"password":"\*\*\*"}/);
  assert.match(told, /response body \(text\/plain, 10 B\):\nfrom child$/);
});

test("a body that is gone or still to come is told as that", async () => {
  const { chrome, text, requested } = await tab();
  chrome.replies["Network.getResponseBody"] = () =>
    Promise.reject(new Error("No resource with given identifier found"));
  await requested();
  assert.match(await text("get_request", { requestId: "r1" }), /response body: no longer kept by the browser$/);
  await requested({ over: false });
});

test("a tab that goes while a body is read is told as gone", async () => {
  const { chrome, run, requested } = await tab();
  await requested();
  chrome.replies["Network.getResponseBody"] = () =>
    Promise.reject(new Error("Debugger is not attached to the tab with id: 7."));
  assert.equal((await run("get_request", { requestId: "r1" })).error.code, "TAB_DISCONNECTED");
});

test("offline holds for the tab, its workers, and workers that come later", async () => {
  const { chrome, run, parts } = await tab();
  const attach = (sessionId) => chrome.cdp(7, "Target.attachedToTarget", { sessionId, targetInfo: { type: "worker" } });
  const told = () =>
    chrome.sent
      .filter(({ method }) => method === "Network.emulateNetworkConditions")
      .map(({ params, sessionId }) => [sessionId, params.offline]);
  await attach("before");
  assert.deepEqual((await run("set_offline", { offline: true })).result, { offline: true });
  await attach("after");
  assert.deepEqual(told(), [
    ["before", true],
    [undefined, true],
    ["after", true],
  ]);
  assert.equal(parts.emulation.isOffline, true);
  await run("set_offline", { offline: false });
  await attach("last");
  assert.deepEqual(told().slice(3), [
    ["before", false],
    ["after", false],
    [undefined, false],
  ]);
});

for (const [what, found, wanted] of [
  ["a page that cannot have any", { impossible: "no https" }, "none: this page cannot have service workers: no https"],
  ["a page without any", { registrations: [] }, "no service worker is registered for this page's site"],
  [
    "workers old and new",
    {
      controller: "https://a.example/sw.js?key=k",
      registrations: [
        {
          scope: "https://a.example/",
          active: { url: "https://a.example/sw.js?key=k", state: "activated" },
          waiting: { url: "https://a.example/new.js", state: "installed" },
          installing: null,
        },
      ],
    },
    "scope https://a.example/\n  active: https://a.example/sw.js?key=*** state=activated controls this page\n  waiting: https://a.example/new.js state=installed",
  ],
])
  test(`service workers of ${what} are told`, async () => {
    const { chrome, text } = await tab();
    chrome.page.serviceWorkers = () => found;
    assert.equal(await text("get_service_workers"), wanted);
  });
