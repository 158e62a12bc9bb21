import { Watched, FakeEvent, extensionFile } from "./fakes.js";

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
    this.#makePage();
    this.#makeDebugger();
    this.#makeTabs();
    this.#makeRest();
  }

  /** What answers in a page and for the debugger, until a test says otherwise. */
  #makePage() {
    this.page = {
      observe: () => null,
      observed: () => ({ changed: false, ...this.pageState() }),
      settled: () => ({ changed: false, ...this.pageState() }),
      state: () => this.pageState(),
      firstSign: () => null,
      changedSince: () => false,
      frame: () => null,
      guardOthers: () => null,
      endGuard: () => ({ passed: 1, held: null, hit: "<button>" }),
      watchChanges: () => ({ seen: 0, quiet: false }),
      nextChange: () => ({ seen: 0, quiet: true }),
      stopWatchingChanges: () => null,
      stopWaiting: () => null,
      startType: () => ({}),
      watchFocus: () => null,
      isOnline: () => true,
      typedInto: () => ({ kept: true }),
      locate: () => ({ x: 10, y: 20, element: "<button>" }),
    };
    this.replies = {
      "Page.getLayoutMetrics": () => ({
        cssLayoutViewport: { clientWidth: 1280, clientHeight: 720 },
        cssVisualViewport: { zoom: 1 },
      }),
      "Page.getFrameTree": (_params, { tabId }) => ({
        frameTree: { frame: { id: "F1", loaderId: "L1", url: this.byId.get(tabId).url } },
      }),
      "Runtime.enable": (_params, { tabId, sessionId }) => {
        if (!sessionId) this.announceWorld(tabId);
      },
      "Page.setLifecycleEventsEnabled": (_params, { tabId }) => {
        for (const name of ["DOMContentLoaded", "load"])
          this.cdp(tabId, "Page.lifecycleEvent", { frameId: "F1", loaderId: "L1", name });
      },
      "Runtime.callFunctionOn": async ({ arguments: [{ value: name }, { value: args }] }) => ({
        result: { value: { value: (await this.page[name](...args)) ?? null } },
      }),
    };
  }

  /** chrome.debugger. */
  #makeDebugger() {
    this.debugger = {
      onEvent: new FakeEvent(),
      onDetach: new FakeEvent(),
      attach: async ({ tabId }) => {
        const tab = this.byId.get(tabId);
        if (!tab) throw new Error(`No tab with given id ${tabId}.`);
        if (/^chrome:/.test(tab.url)) throw new Error("Cannot access a chrome:// URL");
        if (this.attached.has(tabId))
          throw new Error(`Another debugger is already attached to the tab with id: ${tabId}.`);
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
  }

  /** chrome.tabs and chrome.windows. */
  #makeTabs() {
    this.tabs = {
      onRemoved: new FakeEvent(),
      onCreated: new FakeEvent(),
      onUpdated: new FakeEvent(),
      get: (id) => {
        if (id < 0) throw new TypeError("Error at parameter 'tabId': Value must be at least 0."); // before any promise
        if (!this.byId.has(id)) return Promise.reject(new Error(`No tab with id: ${id}.`));
        return Promise.resolve(this.byId.get(id));
      },
      query: async ({ windowId } = {}) =>
        [...this.byId.values()].filter((tab) => windowId === undefined || tab.windowId === windowId),
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
  }

  /** All else that is asked of `chrome`. */
  #makeRest() {
    this.storage = { session: this.#area(this.stored), local: this.#area(this.kept) };
    this.alarms = {
      onAlarm: new FakeEvent(),
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
      onMessage: new FakeEvent(),
      onConnect: new FakeEvent(),
      onInstalled: new FakeEvent(),
      getURL: (path) =>
        path === ""
          ? "chrome-extension://extension-id/"
          : `data:text/plain;base64,${Buffer.from(extensionFile(path)).toString("base64")}`,
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
        if (values === this.kept)
          await onChanged.emit(
            Object.fromEntries(Object.entries(changes).map(([name, newValue]) => [name, { newValue }])),
          );
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
    return this.cdp(tabId, "Runtime.executionContextCreated", {
      context: { name: "kapture", uniqueId, auxData: { frameId } },
    });
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
    const on = (event, method) => event.addListener((...args) => connections.events[method](...args));
    on(this.debugger.onEvent, "onDebuggerEvent");
    on(this.debugger.onDetach, "onDebuggerDetach");
    on(this.tabs.onRemoved, "onTabRemoved");
    on(this.tabs.onCreated, "onTabCreated");
    on(this.tabs.onUpdated, "onTabUpdated");
    on(this.alarms.onAlarm, "onAlarm");
  }

  /** The worker is killed: its listeners are gone, tabs, storage and debuggers stay. */
  killWorker() {
    for (const { listeners } of [
      this.debugger.onEvent,
      this.debugger.onDetach,
      this.tabs.onRemoved,
      this.tabs.onCreated,
      this.tabs.onUpdated,
      this.alarms.onAlarm,
    ])
      listeners.length = 0;
  }
}
