/**
 * Sockets to the panel that go through a debugger at this worker: where the browser is on another machine, nothing
 * there reaches the panel's port. The debugger's other end is `hub/browsers/remote/carrier.py`, and its words are ours.
 */

/** The debugger puts this function here to be told `NUMBER KIND DATA`. */
const OUT = "kaptureCarry";
/** A longer text goes in pieces, so that a picture holds up no other tab for long. */
const PIECE_CHARS = 256 * 1024;

/** @typedef {"open"|"part"|"text"|"close"} Kind a part is followed by the rest of its text; `close` has the reason */

/** Said once, of no socket: the code has run and can be called. */
const READY = "ready";

/** @type {Map<number, CarriedSocket>} */
const sockets = new Map();
let last = 0;

/**
 * @param {number} number
 * @param {Kind|"ready"} kind
 * @param {string} data
 * @returns {boolean} whether a debugger is there
 */
function tell(number, kind, data = "") {
  const out = /** @type {Record<string, any>} */ (globalThis)[OUT];
  out?.(`${number} ${kind} ${data}`);
  return Boolean(out);
}

/** As much of a WebSocket as a link uses. */
export class CarriedSocket {
  #number = (last += 1);
  #isTold = false;
  /** @type {string[]} */
  #parts = [];
  readyState = 0;
  onopen = () => {};
  /** @type {(event: {data: string}) => void} */
  onmessage = () => {};
  /** @type {(event: {reason: string}) => void} */
  onclose = () => {};

  /** The panel is the one whose debugger carries: no address is told. */
  constructor() {
    sockets.set(this.#number, this);
    this.dial();
  }

  /** Ask for the connection, once there is somebody to ask. */
  dial() {
    if (!this.#isTold) this.#isTold = tell(this.#number, "open");
  }

  /** @param {string} text */
  send(text) {
    let from = 0;
    while (text.length - from > PIECE_CHARS) {
      let to = from + PIECE_CHARS;
      // Half of a pair would not survive the way.
      if (/[\ud800-\udbff]/.test(text[to - 1])) to -= 1;
      tell(this.#number, "part", text.slice(from, to));
      from = to;
    }
    tell(this.#number, "text", text.slice(from));
  }

  close() {
    if (this.readyState > 1) return;
    this.readyState = 2;
    tell(this.#number, "close");
    // As with a WebSocket nobody is told before the caller is done.
    queueMicrotask(() => this.take("close", ""));
  }

  /**
   * What the panel's end says.
   * @param {Kind} kind
   * @param {string} data
   */
  take(kind, data) {
    if (this.readyState === 3) return;
    if (kind === "open") {
      if (this.readyState !== 0) return;
      this.readyState = 1;
      this.onopen();
    } else if (kind === "part") this.#parts.push(data);
    else if (kind === "text") {
      const text = this.#parts.join("") + data;
      this.#parts = [];
      this.onmessage({ data: text });
    } else {
      this.readyState = 3;
      sockets.delete(this.#number);
      this.onclose({ reason: data });
    }
  }
}

/** What the debugger calls, under this name. */
export const kaptureCarrier = {
  /** It is there now: sockets that waited for it are asked for. */
  attached() {
    for (const socket of sockets.values()) socket.dial();
  },
  /**
   * @param {number} number
   * @param {Kind} kind
   * @param {string} data
   */
  take(number, kind, data) {
    sockets.get(number)?.take(kind, data);
  },
};

Object.assign(globalThis, { kaptureCarrier });
tell(0, READY);
