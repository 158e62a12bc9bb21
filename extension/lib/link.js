import * as handshake from "./handshake.js";

/** Application pings keep the worker alive; protocol pings do not. */
const PING_INTERVAL_MS = 20_000;
const EVENT_BATCH_MS = 50;

/**
 * One WebSocket to the panel, for one tab or for the browser. Nothing about a tab is sent before the panel
 * has proved that it holds the key.
 */
export class Link {
  #socket = null;
  #events = [];
  #eventTimer = null;
  #pingTimer = null;

  /**
   * @param {{url: string, key: string, role: "tab"|"browser", install: string, tabId?: string,
   *   describe: () => Promise<object>, onCommand: (frame) => void, onCancel: (id: string) => void,
   *   onClosed: (reason: string) => void, WebSocket?: typeof WebSocket}} options
   */
  constructor(options) {
    this.options = { WebSocket: globalThis.WebSocket, ...options };
    this.state = "idle";
  }

  /** Dial, prove, register. Resolves once the panel has registered this link; rejects when it does not. */
  open() {
    const { role, install, tabId, url, WebSocket } = this.options;
    this.state = "connecting";
    const hello = { protocol: handshake.PROTOCOL, role, install, tabId: tabId ?? "", nonce: handshake.nonce() };
    return new Promise((resolve, reject) => {
      const socket = (this.#socket = new WebSocket(url));
      const steps = this.#greeting(hello, resolve);
      let reason = "the panel is not running";
      socket.onopen = () => this.send({ type: "hello", ...hello });
      socket.onmessage = async ({ data }) => {
        const frame = JSON.parse(data);
        if (this.state === "connected") return this.#receive(frame);
        try {
          await steps(frame);
        } catch (error) {
          reason = error.message;
          socket.close();
        }
      };
      socket.onclose = ({ reason: said }) => {
        const was = this.state;
        this.#ended();
        if (was === "connected") this.options.onClosed(said || "the panel closed the connection");
        else reject(new Error(said || reason));
      };
    });
  }

  /** The greeting as a machine: each frame must be the one that is due. */
  #greeting(hello, done) {
    const { key, describe } = this.options;
    let due = "challenge";
    return async (frame) => {
      if (frame.type === "refused") throw new Error(frame.message);
      if (frame.type !== due) throw new Error(`the panel sent ${frame.type} where ${due} was due`);
      if (due === "challenge") {
        due = "nothing";
        if (!(await handshake.verify(key, "panel", hello, frame.nonce, frame.proof)))
          throw new Error("the program on the panel's port does not hold this browser's key");
        due = "accepted";
        this.send({ type: "proof", proof: await handshake.proof(key, "extension", hello, frame.nonce) });
      } else if (due === "accepted") {
        due = "registered";
        this.send({ type: "register", tabId: hello.tabId, ...(await describe()) });
      } else {
        this.state = "connected";
        this.#pingTimer = setInterval(() => this.send({ type: "ping" }), PING_INTERVAL_MS);
        done();
      }
    };
  }

  #receive(frame) {
    if (frame.type === "command") this.options.onCommand(frame);
    else if (frame.type === "cancel") this.options.onCancel(frame.id);
    else if (frame.type === "ping") this.send({ type: "pong" });
  }

  /** Send one frame; a frame for a closed socket is dropped, the panel settles what it waits for. */
  send(message) {
    if (this.#socket?.readyState === 1) this.#socket.send(JSON.stringify(message));
  }

  /** Queue an event; events leave in batches. */
  event(event) {
    this.#events.push(event);
    this.#eventTimer ??= setTimeout(() => this.flushEvents(), EVENT_BATCH_MS);
  }

  /** Send waiting events now: a response must not overtake what happened before it. */
  flushEvents() {
    clearTimeout(this.#eventTimer);
    this.#eventTimer = null;
    if (this.state !== "connected" || this.#events.length === 0) return;
    this.send({ type: "event", events: this.#events });
    this.#events = [];
  }

  close() {
    this.flushEvents();
    this.#socket?.close(1000);
  }

  #ended() {
    clearTimeout(this.#eventTimer);
    clearInterval(this.#pingTimer);
    this.#eventTimer = null;
    this.state = "idle";
  }
}
