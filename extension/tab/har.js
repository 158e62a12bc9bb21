// Requests as an HTTP archive (HAR 1.2), as far as they are kept and with the secrets masked that the log masks.

import { headersOf } from "./network_log.js";

/** As many characters of bodies as an archive holds: a frame of the wire holds it with room to spare. */
export const MAX_BODIES = 8 * 1024 * 1024;

/** What is told of a body that was not read. @typedef {{text?: string, size?: number, comment?: string}} Body */

/**
 * @param {any[]} records oldest first
 * @param {Map<any, {request: Body|null, response: Body|null}>} bodies
 */
export function harOf(records, bodies) {
  let room = MAX_BODIES;
  /** @param {Body|null|undefined} body @returns {Body} */
  const bounded = (body) => {
    if (!body?.text) return body ?? {};
    if (body.text.length > room) return { size: body.size, comment: "left out: the archive is full" };
    room -= body.text.length;
    return body;
  };
  const entries = records.map((record) => {
    const { request, response } = bodies.get(record) ?? { request: null, response: null };
    return entryOf(record, request && bounded(request), bounded(response));
  });
  const page = records.findLast(({ type, context }) => type === "document" && context === "page");
  return {
    log: {
      version: "1.2",
      creator: { name: "Kapture Panel", version: "" },
      pages: [{ startedDateTime: isoOf(records[0]?.at ?? 0), id: "tab", title: page?.url ?? "", pageTimings: {} }],
      entries,
    },
  };
}

/** @param {any} record @param {Body|null} sent @param {Body} received */
function entryOf(record, sent, received) {
  const headers = headersOf(record);
  const took = Math.max(0, record.ms ?? 0);
  const waited = Math.min(took, Math.max(0, Math.round(record.waited ?? took)));
  const type = (/** @type {Record<string, string>} */ all) => valueOf(all, "content-type");
  const notes = [record.failure && `failed: ${record.failure}`, record.finished ? "" : "not over yet"];
  return {
    pageref: "tab",
    startedDateTime: isoOf(record.at),
    time: took,
    request: {
      method: record.method,
      url: record.url,
      httpVersion: record.protocol ?? "",
      cookies: [],
      headers: listed(headers.request),
      queryString: queryOf(record.url),
      headersSize: -1,
      bodySize: sent ? (sent.size ?? -1) : record.hasPostData ? -1 : 0,
      ...(sent && { postData: { mimeType: type(headers.request), text: sent.text ?? "", ...noted([sent.comment]) } }),
    },
    response: {
      status: record.status ?? 0,
      statusText: record.statusText,
      httpVersion: record.protocol ?? "",
      cookies: [],
      headers: listed(headers.response),
      content: {
        size: received.size ?? record.bodyBytes,
        mimeType: record.mimeType ?? "",
        ...(received.text !== undefined && { text: received.text }),
        ...noted([received.comment]),
      },
      redirectURL: valueOf(headers.response, "location"),
      headersSize: -1,
      bodySize: record.status === null ? -1 : record.bytes,
    },
    cache: {},
    timings: { send: 0, wait: waited, receive: took - waited },
    ...(addressOf(record.remote) && { serverIPAddress: addressOf(record.remote) }),
    ...noted([record.source === "network" ? "" : `from ${record.source}`, ...notes]),
  };
}

/** @param {number} at */
const isoOf = (at) => new Date(at).toISOString();

/** @param {(string|false|null|undefined)[]} notes */
function noted(notes) {
  const comment = notes.filter(Boolean).join("; ");
  return comment ? { comment } : {};
}

/** @param {Record<string, string>} headers */
function listed(headers) {
  return Object.entries(headers).flatMap(([name, value]) => value.split("\n").map((one) => ({ name, value: one })));
}

/** @param {Record<string, string>} headers @param {string} wanted */
function valueOf(headers, wanted) {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1] ?? "";
}

/** @param {string} url */
function queryOf(url) {
  const [, query = ""] = /^[^?#]*\?([^#]*)/.exec(url) ?? [];
  return [...new URLSearchParams(query)].map(([name, value]) => ({ name, value }));
}

/** @param {string|undefined} remote an address with its port */
function addressOf(remote) {
  return remote?.replace(/:\d+$/, "").replace(/^\[|\]$/g, "");
}
