import { Conditions } from "./conditions.js";
import { maskHeaders, maskUrl } from "./masking.js";
import { MAX_REQUESTS } from "../basics/agreed.js";
import { Ring } from "../basics/ring.js";
import { isOfPage, kindOf, onlyRepeated } from "./repeated_requests.js";
/** @import { RequestSeen } from "../wire/protocol.js" */

/** Types of requests after whose end a page may look different. */
const AWAITED = /^(document|xhr|fetch|script|stylesheet|other)$/;
/**
 * What the browser holds itself (`blob:`) is there at once; of a worker made of it Chrome never tells the end.
 * @param {{type: string, context: string, url: string, byBrowser?: boolean}} record
 */
const isAwaited = (record) => AWAITED.test(record.type) && record.context !== "serviceWorker" && isOfPage(record);
const LONG_POLL_MS = 10_000;
/** The panel lists requests; whole addresses are in their details. */
const MAX_TOLD_URL = 1000;
const MAX_TOLD_WORDS = 300;

/** The requests of a tab and its workers, from CDP's Network events, by short ids of our own (r1, r2, …); survives navigation. */
export class NetworkLog {
  #records;
  #serial = 0;
  /** CDP's request ids, unique within one target only → the hops under that id. */
  #chains = new Map();
  #onChange;
  #conditions = new Conditions();
  /** The number of the newest record that a page waits for. */
  #began = 0;

  /**
   * @param {number} [capacity]
   * @param {(record: any) => void} [onChange] hears of each record that began, was answered or ended
   */
  constructor(capacity = MAX_REQUESTS, onChange = () => {}) {
    this.#records = new Ring(capacity);
    this.#onChange = onChange;
  }

  /** Take a Network event of the tab (no `childSession`) or of a worker or frame with a target of its own. */
  onEvent(method, params, childSession = "", context = "page") {
    const handle = EVENTS[method];
    if (!handle) return;
    const chain = this.#chain(`${childSession}/${params.requestId}`);
    const begin = (more) => this.#begin({ chain, childSession, context, requestId: params.requestId, ...more });
    handle({ params, chain, last: chain.hops.at(-1), begin });
    if (chain.hops.length && isAwaited(chain.hops.at(-1)))
      this.#began = Math.max(this.#began, Number(chain.hops.at(-1).id.slice(1)));
    this.#conditions.look();
    // A redirect ends one hop and begins the next.
    if (TOLD.has(method))
      chain.hops
        .slice(params.redirectResponse ? -2 : -1)
        .forEach((record) => this.#keeps(record) && this.#onChange(record));
  }

  /** What is known under an id of CDP's; headers may come before their request. */
  #chain(key) {
    if (!this.#chains.has(key)) {
      if (this.#chains.size >= 2 * this.#records.capacity) this.#forgetOld();
      this.#chains.set(key, { hops: [], requestExtras: [], responseExtras: [] });
    }
    return this.#chains.get(key);
  }

  #forgetOld() {
    const kept = new Set([...this.#records.newestFirst()].map(({ chain }) => chain));
    for (const [key, chain] of this.#chains) if (!kept.has(chain)) this.#chains.delete(key);
  }

  /** The end of a request that was dropped meanwhile would bring it back to the panel's list, where nobody could open it. */
  #keeps({ id }) {
    return Number(id.slice(1)) > this.#serial - this.#records.capacity;
  }

  #begin(more) {
    const { hops } = more.chain;
    const previous = hops.at(-1);
    const record = {
      id: `r${(this.#serial += 1)}`,
      hop: hops.length,
      redirectedFrom: previous?.id,
      status: null,
      statusText: "",
      failure: null,
      source: "network",
      bytes: 0,
      bodyBytes: 0,
      finished: false,
      ...more,
    };
    if (previous) previous.redirectedTo = record.id;
    hops.push(record);
    this.#records.push(record);
  }

  /** Newest first. */
  newestFirst() {
    return this.#records.newestFirst();
  }

  /** Whether the page may be waiting for an answer; one that is out for very long is taken for a long poll. */
  get underWay() {
    return this.#awaited(0).some(({ at }) => Date.now() - at < LONG_POLL_MS);
  }

  /** A mark for `since`: what begins from now on. */
  get mark() {
    return this.#serial;
  }

  /**
   * What the page waits for of all that began after a mark: no pictures, streams or beacons.
   * @param {number} mark
   */
  openSince(mark) {
    return this.#awaited(mark);
  }

  /**
   * An action is over: what began after the mark may be its doing.
   * @param {number} mark
   */
  actionOver(mark) {
    for (const record of this.newestFirst()) {
      if (Number(record.id.slice(1)) <= mark) break;
      record.inAction = true;
    }
  }

  /**
   * The request that all that began after a mark repeat, if the page makes it again and again by itself.
   * @param {number} mark
   * @returns {{method: string, url: string}|null}
   */
  onlyRepeated(mark) {
    return onlyRepeated([...this.newestFirst()], mark);
  }

  /**
   * Resolves when something that the page waits for has begun after a mark, but for what it does by itself.
   * @param {number} mark
   * @param {AbortSignal} signal
   */
  begun(mark, signal) {
    return this.#conditions.until(() => this.#began > mark && !this.onlyRepeated(mark), signal);
  }

  /**
   * Resolves when all that began after a mark is over, or after `deadlineMs`.
   * @param {number} mark
   * @param {number} deadlineMs
   * @param {AbortSignal} signal
   */
  over(mark, deadlineMs, signal) {
    return this.#conditions.within(deadlineMs, () => this.#awaited(mark).length === 0, signal);
  }

  /** @param {number} mark */
  #awaited(mark) {
    /** @type {any[]} */
    const open = [];
    for (const record of this.newestFirst()) {
      if (Number(record.id.slice(1)) <= mark) break;
      if (!record.finished && isAwaited(record)) open.push(record);
    }
    return open;
  }

  get length() {
    return this.#records.length;
  }

  get dropped() {
    return this.#records.dropped;
  }

  /** The record called `id`, or undefined. */
  find(id) {
    for (const record of this.#records.newestFirst()) if (record.id === id) return record;
    return undefined;
  }

  /** How many of CDP's ids are known. */
  get remembered() {
    return this.#chains.size;
  }

  /** The newest record's id, or "". */
  get newestId() {
    return this.#serial ? `r${this.#serial}` : "";
  }
}

/**
 * A record as the panel's list shows it: already masked, bounded, without headers and bodies.
 * @param {any} record
 * @returns {RequestSeen}
 */
export function eventOf({
  id,
  at,
  method,
  type,
  url,
  status,
  failure,
  finished,
  source,
  ms,
  bytes,
  bodyBytes,
  context,
}) {
  return {
    kind: "request",
    id,
    at,
    method: clipped(method, 40),
    type,
    url: clipped(url, MAX_TOLD_URL),
    status,
    failure: failure && clipped(failure, MAX_TOLD_WORDS),
    finished,
    source,
    ms: ms ?? null,
    bytes: bytes || bodyBytes,
    context,
  };
}

function clipped(text, length) {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

/**
 * The headers as they really went over the wire, where the browser told them: the nth "extra info" under an id
 * belongs to the nth hop that has one, whichever of the two came first.
 */
export function headersOf({ chain, hop, hasExtraInfo, requestHeaders, responseHeaders }) {
  if (hasExtraInfo === false) return { request: requestHeaders, response: responseHeaders };
  const nth = chain.hops.slice(0, hop).filter((earlier) => earlier.hasExtraInfo !== false).length;
  return {
    request: chain.requestExtras[nth] ?? requestHeaders,
    response: chain.responseExtras[nth] ?? responseHeaders,
  };
}

function requested({ params, last, begin }) {
  const { request, initiator, timestamp, wallTime, redirectResponse, redirectHasExtraInfo } = params;
  if (redirectResponse && last) {
    answered(last, redirectResponse, redirectHasExtraInfo);
    finished(last, timestamp);
  } else if (last) {
    return; // told twice: a request a service worker handed back to the network
  }
  begin({
    at: Math.round(wallTime * 1000),
    started: timestamp,
    method: request.method,
    ...kindOf(params),
    url: maskUrl(request.url + (request.urlFragment ?? "")),
    source: sourceOfAddress(request.url),
    initiatorAt: placeOf(initiator),
    requestHeaders: maskHeaders(request.headers),
    responseHeaders: {},
    hasPostData: Boolean(request.hasPostData),
  });
}

function sourceOfAddress(url) {
  const [, scheme] = /^(data|blob):/i.exec(url) ?? [];
  return scheme ? scheme.toLowerCase() : "network";
}

function placeOf(initiator) {
  const frame = initiator?.stack?.callFrames?.[0];
  const url = initiator?.url || frame?.url;
  const line = initiator?.lineNumber ?? frame?.lineNumber;
  return url ? `${maskUrl(url)}${line === undefined ? "" : `:${line + 1}`}` : "";
}

function answered(record, response, hasExtraInfo) {
  Object.assign(record, {
    status: response.status,
    statusText: response.statusText.slice(0, 100),
    mimeType: response.mimeType.slice(0, 100),
    protocol: response.protocol ?? "",
    remote: response.remoteIPAddress ? `${response.remoteIPAddress}:${response.remotePort}` : "",
    responseHeaders: maskHeaders(response.headers),
    hasExtraInfo,
    bytes: response.encodedDataLength,
    waited: response.timing?.receiveHeadersEnd ?? null,
    source: sourceOf(record, response),
  });
}

const SERVICE_WORKER_SOURCES = {
  "cache-storage": "cache storage",
  "http-cache": "http cache",
  "fallback-code": "made by its code",
  network: "network",
};

function sourceOf(record, { fromServiceWorker, serviceWorkerResponseSource, fromDiskCache, fromPrefetchCache }) {
  if (fromServiceWorker) record.workerSource = SERVICE_WORKER_SOURCES[serviceWorkerResponseSource] ?? "";
  if (fromServiceWorker) return "service worker";
  if (fromDiskCache) return "disk cache";
  if (fromPrefetchCache) return "prefetch cache";
  return record.source;
}

function finished(record, timestamp) {
  record.finished = true;
  record.ms = Math.max(0, Math.round((timestamp - record.started) * 1000));
}

function failed({ params: { timestamp, errorText, blockedReason, corsErrorStatus, canceled }, last }) {
  if (!last) return;
  const why = corsErrorStatus?.corsError ?? blockedReason;
  last.failure = `${errorText || (canceled ? "cancelled" : "failed")}${why ? ` (${why})` : ""}`;
  finished(last, timestamp);
}

/** A WebSocket is one request whose answer is the switch of protocols. */
function socketSwitched({ params: { response, timestamp }, last }) {
  if (!last) return;
  const { status, statusText, headers } = response;
  Object.assign(last, {
    status,
    statusText: statusText.slice(0, 100),
    responseHeaders: maskHeaders(headers),
    hasExtraInfo: false,
  });
  last.ms = Math.max(0, Math.round((timestamp - last.started) * 1000));
}

const EVENTS = {
  "Network.requestWillBeSent": requested,
  "Network.requestWillBeSentExtraInfo": ({ params, chain }) => chain.requestExtras.push(maskHeaders(params.headers)),
  "Network.responseReceivedExtraInfo": ({ params, chain }) => chain.responseExtras.push(maskHeaders(params.headers)),
  "Network.requestServedFromCache": ({ last }) => last && (last.source = "memory cache"),
  "Network.responseReceived": ({ params, last }) => last && answered(last, params.response, params.hasExtraInfo),
  "Network.dataReceived": ({ params, last }) => last && (last.bodyBytes += params.dataLength),
  "Network.loadingFinished": ({ params, last }) => {
    if (!last) return;
    last.bytes = params.encodedDataLength;
    finished(last, params.timestamp);
  },
  "Network.loadingFailed": failed,
  "Network.webSocketCreated": ({ params, begin }) =>
    begin({
      at: Date.now(),
      started: 0,
      method: "GET",
      type: "websocket",
      url: maskUrl(params.url),
      initiator: params.initiator?.type ?? "other",
      initiatorAt: placeOf(params.initiator),
      requestHeaders: {},
      responseHeaders: {},
      hasExtraInfo: false,
    }),
  "Network.webSocketWillSendHandshakeRequest": ({ params, last }) =>
    last &&
    Object.assign(last, {
      at: Math.round(params.wallTime * 1000),
      started: params.timestamp,
      requestHeaders: maskHeaders(params.request.headers),
    }),
  "Network.webSocketHandshakeResponseReceived": socketSwitched,
  "Network.webSocketFrameError": ({ params, last }) => last && (last.failure = params.errorMessage.slice(0, 200)),
  "Network.webSocketClosed": ({ last }) => last && (last.finished = true),
};

/** What is told of: not each piece of a body, nor what the next event completes. */
const TOLD = new Set([
  "Network.requestWillBeSent",
  "Network.responseReceived",
  "Network.loadingFinished",
  "Network.loadingFailed",
  "Network.webSocketWillSendHandshakeRequest",
  "Network.webSocketHandshakeResponseReceived",
  "Network.webSocketFrameError",
  "Network.webSocketClosed",
]);
