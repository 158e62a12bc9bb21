/** A browser and a panel without either: they do what Chrome and the hub do, and note what they were told. */
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";

const EXTENSION = new URL("../../extension/", import.meta.url);
/** Where the panel listens. */
export const ADDRESS = "127.0.0.1:61822";
export const KEY = "k".repeat(64);
/** A command's grant that keeps it from nothing. */
export const EVERYTHING = { origins: "*", secret: "*" };
export const CONFIG = { install: "install-1", key: KEY, port: 61822, managed: true };

/** The text of a file of the extension. */
export const extensionFile = (path) => readFileSync(new URL(path, EXTENSION), "utf8");

export function catalogue() {
  const { commands } = JSON.parse(extensionFile("commands.json"));
  return { commands: new Map(commands.map((entry) => [entry.name, entry])), hash: "0123456789abcdef" };
}

// WebCrypto without its threads: what a handshake signs is there with the promise reactions that are due.
const hmac = (key, data) => createHmac("sha256", key).update(data).digest();
Object.assign(crypto.subtle, {
  importKey: async (_format, key) => key,
  sign: async (_algorithm, key, data) => hmac(key, data),
  verify: async (_algorithm, key, signature, data) => hmac(key, data).equals(signature),
  digest: async (_algorithm, data) => createHash("sha256").update(data).digest(),
});

/** Every promise reaction that is due, and what it leads to. */
export async function settle(rounds = 5) {
  for (let round = 0; round < rounds; round += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Something tests wait for by condition: looked at after every change, never on a clock. */
export class Watched {
  #checks = new Set();

  changed() {
    for (const check of [...this.#checks]) check();
  }

  until(condition) {
    return new Promise((resolve, reject) => {
      const check = () => {
        try {
          const found = condition();
          if (!found) return;
          resolve(found);
        } catch (error) {
          reject(error);
        }
        this.#checks.delete(check);
      };
      this.#checks.add(check);
      check();
    });
  }
}

export class FakeEvent {
  listeners = [];

  addListener(listener) {
    this.listeners.push(listener);
  }

  emit(...args) {
    return Promise.all(this.listeners.map((listener) => listener(...args)));
  }
}

/** The proof as the hub computes it, written apart from the extension's own code. */
export function panelProof(key, side, hello, panelNonce, address = ADDRESS) {
  const text = [
    side,
    address,
    String(hello.protocol),
    hello.role,
    hello.install,
    hello.tabId,
    hello.nonce,
    panelNonce,
  ].join("\n");
  return createHmac("sha256", key).update(text).digest("hex");
}

/** Both ends of a port: `page` is what a page holds, `worker` what the worker is given. */
export function fakePort(name, sender = undefined) {
  const end = () => ({ name, onMessage: new FakeEvent(), onDisconnect: new FakeEvent(), got: [] });
  const [page, worker] = [end(), { ...end(), sender }];
  for (const [from, to] of [
    [page, worker],
    [worker, page],
  ]) {
    from.postMessage = (message) => {
      if (from.isClosed) throw new Error("Attempting to use a disconnected port object");
      to.got.push(structuredClone(message));
      to.onMessage.emit(structuredClone(message));
    };
    from.disconnect = () => {
      from.isClosed = to.isClosed = true;
      to.onDisconnect.emit();
    };
  }
  return { page, worker };
}

class FakeSocket {
  readyState = 0;
  /** Frames the panel got, and their raw text. */
  received = [];
  raw = [];

  constructor(url, panel) {
    this.url = url;
    this.panel = panel;
    panel.sockets.push(this);
    panel.dialing += 1;
    panel.mostDialing = Math.max(panel.mostDialing, panel.dialing);
    queueMicrotask(() => this.#dialled());
  }

  #dialled() {
    if (this.readyState !== 0) return;
    if (!this.panel.running) return this.#over("");
    this.readyState = 1;
    this.onopen?.({});
    this.panel.changed();
  }

  /** Called by the extension. */
  send(text) {
    if (this.readyState !== 1) throw new Error("InvalidStateError");
    const frame = JSON.parse(text);
    this.raw.push(text);
    this.received.push(frame);
    this.panel.answers[frame.type]?.(this, frame);
    this.panel.changed();
  }

  /** Called by the extension. */
  close(code) {
    if (this.readyState >= 2) return;
    this.closedWith = code;
    this.readyState = 2;
    queueMicrotask(() => this.#over(""));
  }

  /** A frame from the panel. */
  tell(frame) {
    return this.onmessage({ data: typeof frame === "string" ? frame : JSON.stringify(frame) });
  }

  /** The panel ends the connection. */
  hangUp(reason = "") {
    if (this.readyState < 3) this.#over(reason);
  }

  #over(reason) {
    this.readyState = 3;
    this.greeted();
    this.onclose?.({ reason });
    this.panel.changed();
  }

  /** The dial is over, well or not. */
  greeted() {
    if (!this.wasGreeted) this.panel.dialing -= 1;
    this.wasGreeted = true;
  }

  /** The first frame of a type, once it is there. */
  async next(type, nth = 0) {
    return this.panel.until(() => this.received.filter((frame) => frame.type === type)[nth]);
  }

  frames(type) {
    return this.received.filter((frame) => frame.type === type);
  }

  events() {
    return this.frames("event").flatMap(({ events }) => events);
  }

  /** Send a command and wait for its response. */
  async command(id, command, params = {}, timeout = 30_000, grant = EVERYTHING) {
    this.tell({ type: "command", id, command, params, timeout, grant });
    return this.response(id);
  }

  response(id) {
    return this.panel.until(() => this.received.find((frame) => frame.type === "response" && frame.id === id));
  }
}

/** A panel that greets as the hub does; a test replaces an entry of `answers` to make it another one. */
export class FakePanel extends Watched {
  constructor({ key = KEY } = {}) {
    super();
    this.key = key;
    this.running = true;
    /** The ids of commands whose answers it lost, which it asks every link for. */
    this.open = [];
    this.sockets = [];
    this.dialing = 0;
    this.mostDialing = 0;
    const panel = this;
    this.WebSocket = class extends FakeSocket {
      constructor(url) {
        super(url, panel);
      }
    };
    this.answers = {
      hello: (socket, hello) => {
        socket.hello = hello;
        socket.nonce = "22".repeat(32);
        socket.tell({
          type: "challenge",
          nonce: socket.nonce,
          proof: panelProof(this.key, "panel", hello, socket.nonce),
        });
      },
      proof: (socket, { proof }) => {
        if (proof === panelProof(this.key, "extension", socket.hello, socket.nonce))
          return socket.tell({ type: "accepted" });
        socket.tell({ type: "refused", code: "DENIED", message: "the extension did not prove that it holds the key" });
      },
      register: (socket, register) => {
        socket.registered = register;
        socket.greeted();
        socket.tell({ type: "registered", tabId: socket.hello.tabId, open: this.open });
      },
      ping: (socket) => socket.tell({ type: "pong" }),
    };
  }

  /** Sockets that are registered and open. */
  get links() {
    return this.sockets.filter((socket) => socket.registered && socket.readyState === 1);
  }

  get tabLinks() {
    return this.links.filter(({ hello }) => hello.role === "tab");
  }

  browserLink() {
    return this.until(() => this.links.find(({ hello }) => hello.role === "browser"));
  }

  tabLink(tabId) {
    return this.until(() => this.tabLinks.find(({ hello }) => !tabId || hello.tabId === tabId));
  }

  /** The program ends: every connection breaks and no new one is taken. */
  stop() {
    this.running = false;
    for (const socket of this.sockets) socket.hangUp();
  }
}
