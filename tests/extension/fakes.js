/** A browser and a panel without either: they do what Chrome and the hub do, and note what they were told. */
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";

const EXTENSION = new URL("../../extension/", import.meta.url);
/** Where the panel listens. */
export const ADDRESS = "127.0.0.1:61822";
export const KEY = "k".repeat(64);
/** A command's grant that keeps it from nothing. */
export const EVERYTHING = { origins: "*", secret: true };
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
class Watched {
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

class FakeEvent {
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
  const text = [side, address, String(hello.protocol), hello.role, hello.install, hello.tabId, hello.nonce, panelNonce].join("\n");
  return createHmac("sha256", key).update(text).digest("hex");
}

/** Both ends of a port: `page` is what a page holds, `worker` what the worker is given. */
export function fakePort(name, sender = undefined) {
  const end = () => ({ name, onMessage: new FakeEvent(), onDisconnect: new FakeEvent(), got: [] });
  const [page, worker] = [end(), { ...end(), sender }];
  for (const [from, to] of [[page, worker], [worker, page]]) {
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
        socket.tell({ type: "challenge", nonce: socket.nonce, proof: panelProof(this.key, "panel", hello, socket.nonce) });
      },
      proof: (socket, { proof }) => {
        if (proof === panelProof(this.key, "extension", socket.hello, socket.nonce)) return socket.tell({ type: "accepted" });
        socket.tell({ type: "refused", code: "DENIED", message: "the extension did not prove that it holds the key" });
      },
      register: (socket, register) => {
        socket.registered = register;
        socket.greeted();
        socket.tell({ type: "registered", tabId: socket.hello.tabId });
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

/** The parts of `chrome` the extension uses. `replies` answers CDP methods, `page` the functions of the page's half. */
export class FakeChrome extends Watched {
  #nextTab = 1;

  constructor({ tabs = [] } = {}) {
    super();
    /** CDP commands in the order they were sent: {method, params, tabId, sessionId}. */
    this.sent = [];
    this.attached = new Set();
    /** What is in session storage, and in local storage. */
    this.stored = {};
    this.kept = {};
    this.badges = new Map();
    this.badgeColors = new Map();
    this.titles = new Map();
    this.alarmsMade = [];
    this.byId = new Map();
    this.held = [];
    for (const tab of tabs) this.addTab(tab);

    this.page = {
      observe: () => null,
      observed: () => ({ changed: false, ...this.pageState() }),
      settled: () => ({ changed: false, ...this.pageState() }),
      state: () => this.pageState(),
      frame: () => null,
      stopWaiting: () => null,
      startType: () => ({}),
      typedInto: () => ({ kept: true }),
      locate: () => ({ x: 10, y: 20, element: "<button>" }),
    };
    this.replies = {
      "Page.getFrameTree": (_params, { tabId }) => ({ frameTree: { frame: { id: "F1", loaderId: "L1", url: this.byId.get(tabId).url } } }),
      "Runtime.enable": (_params, { tabId, sessionId }) => {
        if (!sessionId) this.announceWorld(tabId);
      },
      "Page.setLifecycleEventsEnabled": (_params, { tabId }) => {
        for (const name of ["DOMContentLoaded", "load"]) this.cdp(tabId, "Page.lifecycleEvent", { frameId: "F1", loaderId: "L1", name });
      },
      "Runtime.callFunctionOn": async ({ arguments: [{ value: name }, { value: args }] }) => ({
        result: { value: { value: (await this.page[name](...args)) ?? null } },
      }),
    };

    const event = () => new FakeEvent();
    this.debugger = {
      onEvent: event(),
      onDetach: event(),
      attach: async ({ tabId }) => {
        const tab = this.byId.get(tabId);
        if (!tab) throw new Error(`No tab with given id ${tabId}.`);
        if (/^chrome:/.test(tab.url)) throw new Error("Cannot access a chrome:// URL");
        if (this.attached.has(tabId)) throw new Error(`Another debugger is already attached to the tab with id: ${tabId}.`);
        this.attached.add(tabId);
      },
      detach: async ({ tabId }) => {
        if (!this.attached.delete(tabId)) throw new Error(`Debugger is not attached to the tab with id: ${tabId}.`);
        this.changed();
      },
      sendCommand: async ({ tabId, sessionId }, method, params) => {
        if (!this.attached.has(tabId)) throw new Error(`Debugger is not attached to the tab with id: ${tabId}.`);
        this.sent.push({ method, params, tabId, sessionId });
        this.changed();
        return (await this.replies[method]?.(params, { tabId, sessionId })) ?? {};
      },
    };
    this.tabs = {
      onRemoved: event(),
      onCreated: event(),
      onUpdated: event(),
      get: async (id) => {
        if (!this.byId.has(id)) throw new Error(`No tab with id: ${id}.`);
        return this.byId.get(id);
      },
      query: async ({ windowId } = {}) => [...this.byId.values()].filter((tab) => windowId === undefined || tab.windowId === windowId),
      create: async ({ url, active }) => {
        if (!this.byId.size) throw new Error("No current window");
        return this.addTab({ url, active });
      },
      remove: async (id) => this.removeTab(id),
      update: async (id, { active }) => Object.assign(this.byId.get(id), { active }),
    };
    this.focusedWindows = [];
    this.windows = {
      update: async (id, { focused }) => void (focused && this.focusedWindows.push(id)),
      getAll: async () => [...new Set([...this.byId.values()].map(({ windowId }) => windowId))].map((id) => ({ id })),
      create: async ({ url }) => ({ tabs: [this.addTab({ url, active: true })] }),
    };
    this.storage = { session: this.#area(this.stored), local: this.#area(this.kept) };
    this.alarms = {
      onAlarm: event(),
      create: async (name, when) => void this.alarmsMade.push([name, when]),
      clear: async (name) => void (this.alarmsMade = this.alarmsMade.filter(([made]) => made !== name)),
    };
    this.action = {
      setBadgeText: async ({ tabId, text }) => void this.badges.set(tabId, text),
      setBadgeBackgroundColor: async ({ tabId, color }) => void this.badgeColors.set(tabId, color),
      setTitle: async ({ tabId, title }) => void this.titles.set(tabId, title),
    };
    this.runtime = {
      id: "extension-id",
      onMessage: event(),
      onConnect: event(),
      onInstalled: event(),
      getURL: (path) => path === "" ? "chrome-extension://extension-id/" : `data:text/plain;base64,${Buffer.from(extensionFile(path)).toString("base64")}`,
      getManifest: () => JSON.parse(extensionFile("manifest.json")),
    };
  }

  #area(values) {
    const onChanged = new FakeEvent();
    return {
      onChanged,
      get: async (name) => structuredClone(name in values ? { [name]: values[name] } : {}),
      set: async (changes) => {
        Object.assign(values, structuredClone(changes));
        if (values === this.kept) await onChanged.emit(Object.fromEntries(Object.entries(changes).map(([name, newValue]) => [name, { newValue }])));
      },
      remove: async (name) => {
        if (!(name in values)) return;
        delete values[name];
        await onChanged.emit({ [name]: {} });
      },
    };
  }

  pageState() {
    return { url: "https://shop.example/", title: "Shop" };
  }

  addTab({ id = this.#nextTab, url = "https://shop.example/", title = "Shop", active = true, ...rest } = {}) {
    this.#nextTab = Math.max(this.#nextTab, id + 1);
    const tab = { id, url, title, active, ...rest };
    this.byId.set(id, tab);
    return tab;
  }

  removeTab(id) {
    this.byId.delete(id);
    this.attached.delete(id);
    return this.tabs.onRemoved.emit(id, {});
  }

  /** An event of the debugger. */
  cdp(tabId, method, params = {}, sessionId = undefined) {
    return this.debugger.onEvent.emit(sessionId ? { tabId, sessionId } : { tabId }, method, params);
  }

  announceWorld(tabId, frameId = "F1", uniqueId = "W1") {
    return this.cdp(tabId, "Runtime.executionContextCreated", { context: { name: "kapture", uniqueId, auxData: { frameId } } });
  }

  /** A debugger that lets go by itself. */
  detached(tabId, reason) {
    this.attached.delete(tabId);
    return this.debugger.onDetach.emit({ tabId }, reason);
  }

  methods(tabId) {
    return this.sent.filter((one) => tabId === undefined || one.tabId === tabId).map(({ method }) => method);
  }

  /** A reply that does not come before `release(value)`. */
  hold(method) {
    const { promise, resolve, reject } = Promise.withResolvers();
    this.replies[method] = () => promise;
    return { release: resolve, fail: reject };
  }

  /** The listeners as background.js registers them. */
  wire(connections) {
    const on = (event, method) => event.addListener((...args) => connections[method](...args));
    on(this.debugger.onEvent, "onDebuggerEvent");
    on(this.debugger.onDetach, "onDebuggerDetach");
    on(this.tabs.onRemoved, "onTabRemoved");
    on(this.tabs.onCreated, "onTabCreated");
    on(this.tabs.onUpdated, "onTabUpdated");
    on(this.alarms.onAlarm, "onAlarm");
  }

  /** The worker is killed: its listeners are gone, tabs, storage and debuggers stay. */
  killWorker() {
    for (const { listeners } of [this.debugger.onEvent, this.debugger.onDetach, this.tabs.onRemoved, this.tabs.onCreated, this.tabs.onUpdated, this.alarms.onAlarm])
      listeners.length = 0;
  }
}
