import { MAX_FRAME_BYTES, PING_INTERVAL_MS, PROTOCOL } from "../basics/agreed.js";
import { KaptureError } from "../basics/errors.js";
import * as handshake from "./handshake.js";
/** @import { Check, CommandFrame, Composition, Event, FilePiece, FromExtension, FromPanel, Hello, KeyInput, MouseInput, TextInput, LivePicture, Pick, PointAt, DevToolsResult, Register, Response, Settings, Watch } from "./protocol.js" */

/** @typedef {MouseInput | KeyInput | TextInput | Composition} Input what the person does in a tab they have stepped into */

const EVENT_BATCH_MS = 50;
/** The panel gives a greeting 5 s; a program on its port that takes longer is not the panel. */
const GREETING_DEADLINE_MS = 10_000;

/**
 * @typedef {{readyState: number, onopen: ((event: any) => any)|null, onmessage: ((event: any) => any)|null,
 *   onclose: ((event: any) => any)|null, send: (text: string) => void, close: (code?: number) => void}} Socket what a
 *   link needs of a WebSocket
 */

/**
 * One WebSocket to the panel, for one tab or for the browser. Nothing about a tab is sent before the panel
 * has proved that it holds the key.
 */
export class Link {
  /** @type {Socket|null} */
  #socket = null;
  /** @type {Event["events"]} */
  #events = [];
  /** @type {number|undefined} */
  #eventTimer;
  /** @type {number|undefined} */
  #pingTimer;
  /** @type {Set<Promise<void>>} */
  #answering = new Set();
  /** @type {Map<string, PromiseWithResolvers<string>>} */
  #reading = new Map();
  #read = 0;

  /**
   * @param {{url: string, key: string, role: "tab"|"browser", install: string, tabId?: string,
   *   describe: () => Promise<Omit<Register, "type"|"tabId">>, onCommand: (frame: CommandFrame) => void,
   *   onOpen?: (ids: string[]) => void, onPick?: (frame: Pick) => void, onCheck?: (frame: Check) => void, onCancel: (id: string) => void,
   *   onLetGo?: () => void, onShow?: () => void, onDisconnect?: () => void, onWatch?: (wanted: Watch) => void, onUnwatch?: () => void,
   *   onPainted?: (number: number) => void, onStepIn?: () => void, onStepOut?: (id: string) => void, onPointAt?: (frame: PointAt) => void,
   *   onHands?: (input: Input) => void, onSettings?: (settings: Omit<Settings, "type">) => void,
   *   onRan?: (frame: DevToolsResult) => void, onUnpaired?: () => void,
   *   masked?: <T>(frame: T) => T, onClosed: (reason: string) => void, WebSocket?: new (url: string) => Socket}} options
   */
  constructor(options) {
    this.options = {
      WebSocket: globalThis.WebSocket,
      onOpen() {},
      onPick() {},
      onCheck() {},
      onLetGo() {},
      onShow() {},
      onDisconnect() {},
      onWatch() {},
      onUnwatch() {},
      onPainted() {},
      onStepIn() {},
      onStepOut() {},
      onPointAt() {},
      onHands() {},
      onSettings() {},
      onRan() {},
      onUnpaired() {},
      masked: /** @type {<T>(frame: T) => T} */ ((frame) => frame),
      ...options,
    };
    this.state = "idle";
  }

  /** Dial, prove, register. Resolves once the panel has registered this link; rejects when it does not. */
  open() {
    const { role, install, tabId, url, WebSocket } = this.options;
    this.state = "connecting";
    const hello = { protocol: PROTOCOL, role, install, tabId: tabId ?? "", nonce: handshake.nonce() };
    return new Promise((/** @type {(value?: undefined) => void} */ resolve, reject) => {
      const socket = (this.#socket = new WebSocket(url));
      const steps = this.#greeting(hello, () => {
        clearTimeout(deadline);
        resolve();
      });
      /** @type {Error|null} */
      let failure = null;
      let reason = "the panel is not running";
      const giveUp = () => {
        reason = "the program on the panel's port did not finish the greeting";
        socket.close();
      };
      const deadline = setTimeout(giveUp, GREETING_DEADLINE_MS);
      socket.onopen = () => this.send({ type: "hello", ...hello });
      socket.onmessage = async (/** @type {{data: string}} */ { data }) => {
        try {
          const frame = JSON.parse(data);
          if (this.state === "connected") this.#receive(frame);
          else await steps(frame);
        } catch (error) {
          failure = error;
          socket.close();
        }
      };
      socket.onclose = (/** @type {{reason: string}} */ { reason: said }) => {
        clearTimeout(deadline);
        const was = this.state;
        this.#ended();
        if (was === "connected") this.options.onClosed(said || "the panel closed the connection");
        else reject(failure ?? new Error(said || reason));
      };
    });
  }

  /**
   * The greeting as a machine: each frame must be the one that is due.
   * @param {Omit<Hello, "type"> & {tabId: string}} hello
   * @param {() => void} done
   * @returns {(frame: FromPanel) => Promise<void>}
   */
  #greeting(hello, done) {
    const { key, describe, url } = this.options;
    const address = new URL(url).host;
    let due = "challenge";
    return async (frame) => {
      if (frame.type === "refused") throw new Refused(frame);
      if (frame.type !== due) throw new Error(`the panel sent ${frame.type} where ${due} was due`);
      if (frame.type === "challenge") {
        due = "nothing"; // while the proof is checked: a frame in between would find the machine half way
        if (!(await handshake.verify(key, "panel", hello, frame.nonce, address, frame.proof)))
          throw new Error("the program on the panel's port does not hold this browser's key");
        due = "accepted";
        this.send({ type: "proof", proof: await handshake.proof(key, "extension", hello, frame.nonce, address) });
      } else if (frame.type === "accepted") {
        due = "registered";
        // Only now: the first frame with anything about the tab.
        this.send({ type: "register", tabId: hello.tabId, ...(await describe()) });
      } else if (frame.type === "registered") {
        this.state = "connected";
        this.options.onSettings(frame);
        this.options.onOpen(frame.open ?? []); // before anything else over this link
        // Application pings keep the worker alive; protocol pings do not.
        this.#pingTimer = setInterval(() => this.send({ type: "ping" }), PING_INTERVAL_MS);
        done();
      }
    };
  }

  /** @param {FromPanel} frame */
  #receive(frame) {
    if (frame.type === "command") this.options.onCommand(frame);
    else if (frame.type === "pick") this.options.onPick(frame);
    else if (frame.type === "check") this.options.onCheck(frame);
    else if (frame.type === "cancel") this.options.onCancel(frame.id);
    else if (frame.type === "letGo") this.options.onLetGo();
    else if (frame.type === "show") this.options.onShow();
    else if (frame.type === "disconnect") this.options.onDisconnect();
    else if (frame.type === "watch") this.options.onWatch(frame);
    else if (frame.type === "unwatch") this.options.onUnwatch();
    else if (frame.type === "painted") this.options.onPainted(frame.number);
    else if (frame.type === "settings") this.options.onSettings(frame);
    else if (frame.type === "stepIn") this.options.onStepIn();
    else if (frame.type === "pointAt") this.options.onPointAt(frame);
    else if (frame.type === "stepOut") this.options.onStepOut(frame.id);
    else if (frame.type === "mouse" || frame.type === "key" || frame.type === "text" || frame.type === "compose")
      this.options.onHands(frame);
    else if (frame.type === "ran") this.options.onRan(frame);
    else if (frame.type === "unpaired") this.options.onUnpaired();
    else if (frame.type === "piece") this.#onPiece(frame);
    else if (frame.type === "ping") this.send({ type: "pong" });
  }

  /**
   * Send one frame; a frame for a closed socket is dropped, the panel settles what it waits for.
   * @param {FromExtension} message
   */
  send(message) {
    this.#sendText(JSON.stringify(this.options.masked(message)));
  }

  /**
   * Send a picture of the page; a picture has no text that could be masked.
   * @param {Omit<LivePicture, "type">} picture
   */
  picture(picture) {
    this.#sendText(JSON.stringify({ type: "live", ...picture }));
  }

  /** @param {string} json */
  #sendText(json) {
    if (this.#socket?.readyState === 1) this.#socket.send(wellFormed(json));
  }

  /**
   * Send the response of a command once it is there, behind the events that came before it.
   * @param {Promise<Response|null>} promise null when there is none
   */
  answer(promise) {
    const answering = promise.then((response) => {
      if (!response) return;
      this.flushEvents();
      this.#sendText(bounded(this.options.masked(response)));
    });
    this.#answering.add(answering);
    return answering.finally(() => this.#answering.delete(answering));
  }

  /**
   * A piece of a file that a running upload offers, in base64.
   * @param {string} token
   * @param {number} start
   * @param {number} size in bytes
   * @returns {Promise<string>}
   */
  read(token, start, size) {
    const id = `r${(this.#read += 1)}`;
    /** @type {PromiseWithResolvers<string>} */
    const reading = Promise.withResolvers();
    this.#reading.set(id, reading);
    this.send({ type: "read", id, token, start, size });
    if (this.state !== "connected") this.#endReading();
    return reading.promise;
  }

  /** @param {FilePiece} piece */
  #onPiece({ id, data = "", error }) {
    const reading = this.#reading.get(id);
    this.#reading.delete(id);
    if (error) reading?.reject(new KaptureError(error.code, error.message ?? "", error.nextStep));
    else reading?.resolve(data);
  }

  #endReading() {
    for (const { reject } of this.#reading.values())
      reject(new KaptureError("OUTCOME_UNKNOWN", "the connection to the panel broke"));
    this.#reading.clear();
  }

  /**
   * Queue an event; events leave in batches. A link that is closed keeps none.
   * @param {Event["events"][number]} event
   */
  event(event) {
    if (this.state === "idle") return;
    this.#events.push(event);
    this.#eventTimer ??= setTimeout(() => this.flushEvents(), EVENT_BATCH_MS);
  }

  /** Send waiting events now: a response must not overtake what happened before it. */
  flushEvents() {
    clearTimeout(this.#eventTimer);
    this.#eventTimer = undefined;
    if (this.state !== "connected" || this.#events.length === 0) return;
    this.send({ type: "event", events: this.#events });
    this.#events = [];
  }

  /** Close once the answers under way have been sent. */
  async close() {
    await Promise.allSettled(this.#answering);
    this.flushEvents();
    this.#socket?.close(1000);
  }

  #ended() {
    clearTimeout(this.#eventTimer);
    clearInterval(this.#pingTimer);
    this.#eventTimer = undefined;
    this.#events = [];
    this.state = "idle";
    this.#endReading();
  }
}

/** The panel is there and does not want this browser, in its own words. */
export class Refused extends Error {
  /** @param {{code: string, message: string}} frame */
  constructor({ code, message }) {
    super(message);
    this.code = code;
  }
}

/**
 * A page may hold half of a surrogate pair, and a cut may leave one: the panel takes Unicode only.
 * @param {string} json
 */
function wellFormed(json) {
  if (!json.includes("\\ud")) return json;
  return json.replace(/\\(\\|ud[89a-f][0-9a-f]{2})/g, (/** @type {string} */ text, /** @type {string} */ escaped) =>
    escaped === "\\" ? text : "\ufffd",
  );
}

/**
 * The response's text, or an error in its place when the panel would close the link over its size.
 * @param {Response} response
 */
function bounded(response) {
  const json = JSON.stringify(response);
  if (json.length * 3 <= MAX_FRAME_BYTES) return json;
  const bytes = new TextEncoder().encode(json).length;
  if (bytes <= MAX_FRAME_BYTES) return json;
  const what = `the answer of ${Math.round(bytes / 1024 / 1024)} MiB is too large, 32 are possible`;
  return JSON.stringify({
    type: "response",
    id: response.id,
    success: false,
    error: new KaptureError("EXECUTION_ERROR", what, "ask for a part of it").asWire(),
    ms: response.ms,
  });
}
