import { KaptureError } from "../basics/errors.js";
import { caughtUp } from "../tab/caught_up.js";
import { overlapping } from "../tab/overlapping.js";
import { maskUrl } from "../tab/masking.js";
import { harOf } from "../tab/har.js";
import { bodyText, detailsOf, lineOf, readBody, sourceOf } from "../tab/request_text.js";
import { headersOf } from "../tab/network_log.js";
/** @import { Handler } from "../tab/executor.js" */
/** @import { Run } from "../tab/run.js" */

/** @type {Handler} */
async function listRequests({ since, filter, max, format }, run) {
  await caughtUp(run);
  const { networkLog } = run;
  const wanted = filter?.toLowerCase();
  const lines = [];
  const records = [];
  for (const record of networkLog.newestFirst()) {
    if (records.length === max) break;
    if (since !== undefined && record.at <= since) continue;
    const line = lineOf(record);
    // Looked for in what is shown only: a filter must not tell what the mask hides.
    if (wanted && !`${line} ${record.url}`.toLowerCase().includes(wanted)) continue;
    records.push(record);
    lines.push(line);
  }
  return format === "har" ? archive(records.reverse(), run) : withTail(lines, networkLog);
}

/** Bodies that are asked for at a time. */
const AT_ONCE = 8;

/** The records, oldest first, as an HTTP archive with the bodies that the browser still has. */
async function archive(records, run) {
  const bodies = new Map();
  for (let at = 0; at < records.length; at += AT_ONCE)
    await Promise.all(
      records.slice(at, at + AT_ONCE).map(async (record) => {
        const [request, response] = await Promise.all([sentBody(record, run, inHar), receivedBody(record, run, inHar)]);
        bodies.set(record, { request: asBody(request), response: asBody(response) });
      }),
    );
  return JSON.stringify(harOf(records, bodies));
}

/** What words of a body that is not there begin with, as `detailsOf` takes them. */
const asBody = (body) => (typeof body === "string" ? { comment: `the body is ${body.replace(/^: /, "")}` } : body);

function inHar(body, base64Encoded, mimeType) {
  const { text, size, isCut } = readBody(body, base64Encoded, mimeType);
  if (text === null) return { size, comment: "binary, not kept" };
  return { text, size, ...(isCut && { comment: "cut" }) };
}

function withTail(lines, { length, dropped }) {
  if (lines.length === 0) return `no requests ${length ? "match" : "yet"}`;
  return `${lines.join("\n")}\n(${lines.length} of ${length} requests, newest first${dropped ? `; ${dropped} older ones dropped` : ""})`;
}

/** @type {Handler} */
async function getRequest({ requestId }, run) {
  await caughtUp(run);
  const { networkLog } = run;
  const record = networkLog.find(requestId);
  if (!record) {
    const there = networkLog.newestId
      ? `the newest is ${networkLog.newestId}, ${networkLog.length} are kept`
      : "none was made yet";
    throw new KaptureError(
      "INVALID_PARAMS",
      `get_request: there is no request ${JSON.stringify(requestId)}`,
      `${there}: see kapturemcp_list_requests`,
      { param: "requestId" },
    );
  }
  const [requestBody, responseBody] = await Promise.all([sentBody(record, run), receivedBody(record, run)]);
  return detailsOf(record, { requestBody, responseBody });
}

/** @typedef {(body: string, base64Encoded: boolean, mimeType?: string) => any} ReadBody */

/** @param {any} record @param {Run} run @param {ReadBody} [read] */
async function sentBody(record, run, read = bodyText) {
  if (!record.hasPostData) return null;
  if (record.redirectedTo) return `: not kept, the request was redirected`;
  const { "Content-Type": upper, "content-type": lower } = headersOf(record).request;
  return body(run, "Network.getRequestPostData", record, ({ postData, base64Encoded }) =>
    read(postData, base64Encoded, upper ?? lower),
  );
}

/** @param {any} record @param {Run} run @param {ReadBody} [read] */
async function receivedBody(record, run, read = bodyText) {
  if (record.failure || record.status === null || record.redirectedTo || record.type === "websocket") return null;
  if (!record.finished) return ": still on its way";
  return body(run, "Network.getResponseBody", record, (reply) =>
    read(reply.body, reply.base64Encoded, record.mimeType),
  );
}

/** The browser keeps bodies for the page that is open, and not all of those. */
async function body(run, method, { requestId, childSession }, read) {
  try {
    return read(await run.send(method, { requestId }, childSession || undefined));
  } catch (error) {
    if (error.code !== "EXECUTION_ERROR") throw error;
    return ": no longer kept by the browser";
  }
}

/** @type {Handler} */
async function getNetworkSources({ max }, run) {
  await caughtUp(run);
  const { networkLog } = run;
  const counts = new Map();
  const lines = [];
  for (const record of networkLog.newestFirst()) {
    const source = sourceOf(record);
    counts.set(source, (counts.get(source) ?? 0) + 1);
    if (lines.length < max)
      lines.push(
        `${record.id} ${source}${record.workerSource ? ` (${record.workerSource})` : ""} ${record.method} ${record.url.slice(0, 300)}`,
      );
  }
  const counted = [...counts].map(([source, count]) => `${source} ${count}`).join(", ");
  return counted ? `${counted}\n${withTail(lines, networkLog)}` : withTail(lines, networkLog);
}

/** @type {Handler} */
async function getServiceWorkers(_params, run) {
  const { impossible, controller, registrations } = await run.page("serviceWorkers");
  if (impossible) return `none: this page cannot have service workers: ${impossible}`;
  if (registrations.length === 0) return "no service worker is registered for this page's site";
  return registrations.map((registration) => described(registration, controller)).join("\n");
}

function described({ scope, ...workers }, controller) {
  const lines = Object.entries(workers)
    .filter(([, worker]) => worker)
    .map(
      ([role, { url, state }]) =>
        `  ${role}: ${maskUrl(url)} state=${state}${role === "active" && url === controller ? " controls this page" : ""}`,
    );
  return [`scope ${maskUrl(scope)}`, ...lines].join("\n");
}

/** @type {Handler} */
async function setOffline({ offline }, run) {
  await run.emulation.setOffline(run, offline);
  run.facts.readBack = (await run.page("isOnline")) === !offline;
  return { offline };
}

/** @type {Record<string, Handler>} */
export const handlers = {
  kapturemcp_list_requests: overlapping(listRequests),
  kapturemcp_get_request: overlapping(getRequest),
  kapturemcp_get_network_sources: overlapping(getNetworkSources),
  kapturemcp_get_service_workers: getServiceWorkers,
  kapturemcp_set_offline: setOffline,
};
