import { KaptureError, NeedsApproval } from "../basics/errors.js";
import { hostOf, OF_PAGES, originOf } from "../basics/addresses.js";
import { giveBack } from "../tab/held.js";
import { KeptScripts } from "../tab/kept_scripts.js";
import { check } from "../tab/check.js";
import { Link, Refused } from "../wire/link.js";
import { applies } from "../tab/mouse.js";
import { PersonRuns } from "./person_runs.js";
import { pick } from "../tab/pick.js";
import { line } from "../basics/plain.js";
import { whyProtected, whyRefused } from "./protected_pages.js";
import { Session } from "../tab/session.js";
import { TabGroups } from "./tab_group.js";
import { TabRecords } from "./tab_records.js";
import { Toolbar } from "./toolbar.js";

const ALARM = "reconnect";
const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 30_000;
const DIALS_AT_A_TIME = 4;
/** A tab with an open dialog or a script without end answers nothing; it is tried again with the alarm. */
const ATTACH_DEADLINE_MS = 10_000;
/** Chrome allows 255 sockets per profile; near that, pages lose theirs. */
const MAX_TABS = 200;
/** A tab counts as driven for a moment longer, so that what is shown does not flicker. */
const LINGER_MS = 1000;

/**
 * Which tabs are connected: one session and one link for each, one link for the browser. The browser link
 * dials first and alone retries while the panel is away.
 */
export class Connections {
  #dialing = null;
  #retryMs = FIRST_RETRY_MS;
  /** Tabs that were lost though a person shares them, by their number in Chrome, until they are connected again. */
  #left = new Set();
  #retryTimer = null;
  #connectingAll = Promise.resolve();
  #config = null;
  #isRefused = false;
  #runs = new PersonRuns();

  /**
   * @param {{chrome, pageSource, catalogue, tabHandlers, browserHandlers, onChanged?: (chromeTabId?: number) => void,
   *   onHeard?: (chromeTabId: number, event) => void}} parts the last two hear what pages of ours show: that a tab, or
   *   the panel, changed, and the events of a tab
   */
  constructor(parts) {
    Object.assign(this, { onChanged() {}, onHeard() {} }, parts);
    this.toolbar = new Toolbar(this.chrome);
    /** Chrome's tab id → {session, link, driver: name, isDriven}. */
    this.tabs = new Map();
    /** Chrome's tab id → the promise of its connection, while it is being made. */
    this.connecting = new Map();
    this.browserLink = null;
    /** Whether the person paused the agents, as the panel says. */
    this.paused = false;
    /** Chrome's tab id → tabId of the tabs that were let go of and come back after the pause. */
    this.held = new Map();
    this.records = new TabRecords(this.chrome.storage.session, (chromeTabId) => this.tabs.get(chromeTabId)?.session.id);
    this.tabGroups = new TabGroups({ chrome: this.chrome, groups: () => this.#groups() });
  }

  /** Take up a configuration {install, key, port, managed, viewport} in place of the one before; none ends all. */
  async start(config = null) {
    if (JSON.stringify(config) === JSON.stringify(this.#config)) return;
    const before = this.#config;
    this.#config = config;
    if (before) await this.#leave();
    this.onChanged();
    if (!config || this.#config !== config) return;
    await this.chrome.alarms.create(ALARM, { periodInMinutes: 0.5 });
    await this.dialBrowser();
  }

  get managed() {
    return Boolean(this.#config?.managed);
  }

  /** Where the panel is dialled; empty without a configuration. */
  get address() {
    return this.#config ? `ws://127.0.0.1:${this.#config.port}` : "";
  }

  /** idle without a configuration, refused by a panel that does not know it, else connecting (also between two tries) or connected. */
  get panelState() {
    if (!this.#config) return "idle";
    if (this.#isRefused) return "refused";
    return this.browserLink?.state === "connected" ? "connected" : "connecting";
  }

  /** Whether the person's own browser is let go of. */
  get isHolding() {
    return this.paused && !this.managed;
  }

  /** idle, connecting, connected, executing, disconnecting or paused. */
  stateOf(chromeTabId) {
    if (this.held.has(chromeTabId)) return "paused";
    if (this.connecting.has(chromeTabId)) return "connecting";
    const entry = this.tabs.get(chromeTabId);
    if (!entry) return "idle";
    if (entry.session.closing) return "disconnecting";
    if (entry.link.state !== "connected") return "connecting"; // shared still: its link comes back by itself
    return entry.isDriven || entry.session.executing ? "executing" : "connected";
  }

  /** Who used a connected tab last, as the panel says; empty when nobody has. */
  driverOf(chromeTabId) {
    return this.tabs.get(chromeTabId)?.driver ?? "";
  }

  /**
   * Be connected to the panel, for the person who waits for it.
   * @throws {KaptureError} with what there is to do
   */
  async reach() {
    if (this.panelState !== "connected") await this.dialBrowser();
    if (this.panelState === "idle") throw new KaptureError("PANEL_DOWN", "This browser is not paired with a panel yet. Pair it first.");
    if (this.panelState === "refused") throw new KaptureError("DENIED", "The panel does not know this browser any more. Pair it anew.");
    if (this.panelState !== "connected") throw new KaptureError("PANEL_DOWN", `Kapture Panel does not answer at ${this.address}. Start it, then connect again.`);
  }

  /** Have the panel run a command in a tab for the person, as `PersonRuns.begin` says. */
  run(chromeTabId, command, params) {
    const { session } = this.tabs.get(chromeTabId) ?? {};
    if (session && this.panelState === "connected") return this.#runs.begin(this.browserLink, session.id, command, params);
    const error = this.held.has(chromeTabId) ? paused() : new KaptureError("TAB_DISCONNECTED", "the tab is not connected; connect it first");
    return { ended: Promise.resolve({ success: false, error: error.asWire() }), cancel() {} };
  }

  /** Dial the panel for the browser itself, unless that is under way; once it is connected, for the tabs that are not. */
  dialBrowser() {
    if (!this.#config) return Promise.resolve();
    if (this.browserLink?.state === "connected") return this.#connectAll();
    this.#dialing ??= this.#dial().finally(() => (this.#dialing = null));
    return this.#dialing;
  }

  async #dial() {
    this.#stopRetry();
    const config = this.#config;
    const link = this.#link({
      role: "browser",
      describe: () => ({ browser: browserName(), version: this.chrome.runtime.getManifest().version, catalogue: this.catalogue.hash }),
      onCommand: (frame) => this.#executeInBrowser(link, frame),
      onCancel: () => {},
      onSettings: ({ paused: isPaused }) => this.#setPaused(Boolean(isPaused)),
      onRan: (frame) => this.#runs.onRan(frame),
      onUnpaired: () => this.#onUnpaired(config),
      onClosed: () => {
        this.#runs.failAll();
        this.onChanged();
        if (this.#config === config) this.#retry();
      },
    });
    this.browserLink = link;
    try {
      await link.open();
    } catch (error) {
      if (this.#config !== config) return;
      this.#isRefused = error instanceof Refused;
      if (this.#isRefused) this.#retryMs = LAST_RETRY_MS; // it will not change its mind by being asked again and again
      this.onChanged();
      return this.#retry(); // the popup shows the state; the alarm goes on after the worker has slept
    }
    this.#isRefused = false;
    this.#retryMs = FIRST_RETRY_MS;
    this.onChanged();
    this.#connectAll(); // not awaited: a tab that hangs must not keep the browser from dialling again
  }

  /** The person took this browser off in the panel: the key is worth nothing any more. */
  async #onUnpaired(config) {
    if (this.#config !== config || this.managed) return;
    await this.chrome.storage.local.remove("pairing");
    await this.start();
  }

  /** The person takes this browser off here; a panel that is there is told. */
  async unpair() {
    if (this.managed) throw new KaptureError("DENIED", "this browser belongs to the panel: end it there");
    if (this.browserLink?.state === "connected") this.browserLink.send({ type: "unpair" });
    await this.chrome.storage.local.remove("pairing");
    await this.start();
  }

  /** Share nothing with the panel there was. */
  async #leave() {
    this.#stopRetry();
    this.#isRefused = false;
    this.#retryMs = FIRST_RETRY_MS;
    const tabs = [...this.tabs.keys()];
    await Promise.all(tabs.map((id) => this.#drop(id, new KaptureError("TAB_DISCONNECTED", "the browser is not paired any more"))));
    for (const id of [...tabs, ...this.held.keys()]) await this.records.put(id, { connected: false, held: false });
    this.held.clear();
    this.paused = false;
    const link = this.browserLink;
    this.browserLink = null;
    await link?.close();
    await this.#dialing;
    await this.chrome.alarms.clear(ALARM);
  }

  /** Dial for every tab that is to be connected: those of before, and in a managed browser all. */
  #connectAll() {
    this.#connectingAll = this.#connectingAll.then(() => this.#connectWanted()).catch(() => {}); // the alarm tries again
    return this.#connectingAll;
  }

  async #connectWanted() {
    if (this.isHolding) return;
    const tabs = await this.records.all();
    const open = await this.chrome.tabs.query({});
    const wanted = open.filter(({ id }) => this.tabs.has(id) || tabs[id]?.connected || (this.managed && !tabs[id]?.declined));
    await this.#eachFew(wanted, ({ id }) => this.connect(id));
  }

  /** Have the panel pause the agents, or let them go on, because the person wants it so. */
  async askPause(on) {
    await this.reach();
    this.browserLink.send({ type: "pause", on });
  }

  async #setPaused(isPaused) {
    if (isPaused === this.paused) return;
    this.paused = isPaused;
    this.onChanged();
    if (this.managed) return; // stays attached for the person's own commands
    if (isPaused) await this.#letGo();
    else await this.#takeBack();
  }

  /** Take the debugger from every tab at once, also where it outlived the worker that attached it. */
  async #letGo() {
    await Promise.all([...this.tabs.keys()].map((id) => this.#drop(id, pausedUnder(), "held")));
    for (const [key, { id: tabId, connected }] of Object.entries(await this.records.all())) {
      if (!connected || !this.isHolding) continue;
      const id = Number(key);
      this.held.set(id, tabId);
      await this.records.put(id, { held: true });
      await this.chrome.debugger.detach({ tabId: id }).catch(() => {}); // let go of already
      this.#changed(id);
    }
  }

  async #takeBack() {
    const held = [...this.held.keys()];
    this.held.clear();
    await this.#connectAll();
    this.browserLink?.event({ kind: "back" });
    for (const id of held) this.#changed(id);
  }

  /** A tab that was let go of does not come back. */
  #forgetHeld(chromeTabId) {
    const tabId = this.held.get(chromeTabId);
    if (!this.held.delete(chromeTabId)) return;
    this.browserLink?.event({ kind: "closed", tabId });
    this.#changed(chromeTabId);
  }

  /** Dial again after a pause; links that break together wait for one try. */
  #retry() {
    if (this.#retryTimer) return;
    const again = () => {
      this.#retryTimer = null;
      this.dialBrowser();
    };
    this.#retryTimer = setTimeout(again, this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS);
  }

  #stopRetry() {
    clearTimeout(this.#retryTimer);
    this.#retryTimer = null;
  }

  #link({ role, tabId, ...rest }) {
    const { port, key, install } = this.#config;
    return new Link({ url: `ws://127.0.0.1:${port}`, key, install, role, tabId, ...rest });
  }

  async #executeInBrowser(link, { id, command, params, timeout, dialogs, grant }) {
    const started = performance.now();
    const respond = (rest) => link.send({ type: "response", id, ...rest, ms: performance.now() - started });
    try {
      const handler = this.browserHandlers[command];
      if (this.catalogue.commands.get(command)?.scope !== "browser" || !handler)
        throw new KaptureError("INVALID_PARAMS", `this extension does not know ${command}; reload it to match the panel`);
      respond({ success: true, ...(await handler(params, this, { timeout, dialogs, grant })) });
    } catch (error) {
      respond({ success: false, error: KaptureError.wire(error) });
    }
  }

  /** Connect a tab, or its link again, and return its tabId; a tab that is connected already stays as it is. */
  connect(chromeTabId) {
    const known = this.tabs.get(chromeTabId);
    if (known?.link.state === "connected") return Promise.resolve(known.session.id);
    if (!this.connecting.has(chromeTabId)) {
      const connecting = this.#connect(chromeTabId).finally(() => {
        this.connecting.delete(chromeTabId);
        this.#changed(chromeTabId);
      });
      this.connecting.set(chromeTabId, connecting);
      this.onChanged(chromeTabId);
    }
    return this.connecting.get(chromeTabId);
  }

  async #connect(chromeTabId) {
    if (!this.#config) throw new KaptureError("PANEL_DOWN", "this browser is not paired with a panel yet");
    if (this.isHolding) throw paused();
    const known = this.tabs.get(chromeTabId);
    if (known) {
      await this.#redial(known.session);
      return known.session.id;
    }
    const { url, pendingUrl } = await this.chrome.tabs.get(chromeTabId);
    if (this.isOurs(url) || this.isOurs(pendingUrl)) throw ownPage();
    const address = url || pendingUrl; // a tab that was just opened has no address yet
    if (whyProtected(address)) throw new KaptureError("PROTECTED_PAGE", whyProtected(address));
    const record = await this.records.of(chromeTabId);
    if (this.tabs.size >= MAX_TABS)
      throw new KaptureError("BUSY", `${MAX_TABS} tabs are connected, more would starve the browser's own pages; disconnect one`);
    const session = new Session({
      chrome: this.chrome,
      chromeTabId,
      id: record.id,
      pageSource: this.managed ? { ...this.pageSource, source: `globalThis.keepsFromPrograms = true;\n${this.pageSource.source}` } : this.pageSource,
      catalogue: this.catalogue,
      handlers: this.tabHandlers,
      viewport: this.#config.viewport,
      onEvent: (event) => {
        entry.link.event(event);
        this.onHeard(chromeTabId, event);
      },
      onRefs: (nextRef) => this.records.put(chromeTabId, { nextRef }),
    });
    session.snapshots.nextRef = record.nextRef;
    session.offline = record.offline;
    session.onOffline = (offline) => this.records.put(chromeTabId, { offline });
    session.size = record.size;
    session.onSize = (size) => this.records.put(chromeTabId, { size });
    const entry = { session, link: { state: "connecting", event() {} }, driver: "", isDriven: false };
    this.tabs.set(chromeTabId, entry);
    try {
      const isNew = await answered(session.start());
      if (this.isOurs(session.navigation.url)) throw ownPage(); // it went there meanwhile
      session.kept = new KeptScripts(
        isNew ? {} : record.kept,
        (kept) => this.records.put(chromeTabId, { kept }),
        (id, source) => this.records.putSource(chromeTabId, id, source),
      );
      if (isNew && record.held) await giveBack(session, { ...record, scripts: await this.records.sources(chromeTabId) });
      else if (isNew) await this.records.put(chromeTabId, { size: null, offline: false, kept: {} });
      await this.#redial(session);
      if (session.ended) throw session.ended; // a person disconnected it meanwhile
    } catch (failure) {
      const error = session.ended ?? failure; // what became of the tab says more than what then failed
      // A tab that is on its way to a page answers nothing until that has come, or does not.
      if (record.connected) this.#left.add(chromeTabId);
      this.tabs.delete(chromeTabId);
      await session.end(error);
      if (error.code === "PROTECTED_PAGE" && !this.isOurs(session.navigation.url)) error.message = whyRefused(address);
      throw error;
    }
    this.#left.delete(chromeTabId);
    await this.records.put(chromeTabId, { connected: true, declined: false, held: false });
    if (session.ended) throw session.ended;
    return session.id;
  }

  async #redial(session) {
    const link = this.#link({
      role: "tab",
      tabId: session.id,
      describe: () => this.#describe(session.chromeTabId),
      onCommand: (frame) => link.answer(this.#drive(session, frame)),
      onPick: (frame) => link.answer(pick(session, frame)),
      onCheck: (frame) => link.answer(check(session, frame)),
      onCancel: (id) => session.cancel(id),
      onSettings: ({ naturalMouse, showCursor, showFrame, driver }) => {
        session.setMouse({ natural: applies(naturalMouse, this.managed), cursor: applies(showCursor, this.managed) });
        session.drivenFrame.want(applies(showFrame, this.managed));
        entry.driver = line(driver, 40);
        this.#group(session.chromeTabId, entry);
        this.#changed(session.chromeTabId);
      },
      onClosed: () => {
        const broke = new KaptureError("OUTCOME_UNKNOWN", "the connection to the panel broke");
        session.queue.failAll(broke);
        session.immediate.failAll(broke);
        this.#changed(session.chromeTabId);
        if (!session.ended) this.#retry();
      },
    });
    if (session.ended) throw session.ended;
    const entry = this.tabs.get(session.chromeTabId);
    entry.link = link;
    await link.open();
    this.#changed(session.chromeTabId);
  }

  /** Carry out a command; while it runs, and a moment longer, its tab is shown as driven. */
  async #drive(session, frame) {
    const entry = this.tabs.get(session.chromeTabId);
    const show = (isDriven) => {
      entry.isDriven = isDriven;
      session.drivenFrame.drive(isDriven && !session.ended);
      this.#changed(session.chromeTabId);
    };
    if (!entry) return session.execute(frame);
    clearTimeout(entry.lingering);
    if (!entry.isDriven) show(true);
    const response = await session.execute(frame);
    clearTimeout(entry.lingering);
    if (!session.executing && !session.ended) entry.lingering = setTimeout(show, LINGER_MS, false);
    return response;
  }

  /** Connect every tab of a window; returns {connected: how many are, refused: [{title, why}]}. */
  async connectWindow(windowId) {
    const open = await this.chrome.tabs.query({ windowId });
    const refused = [];
    await this.#eachFew(open, async ({ id, title, url, pendingUrl }) => {
      await this.connect(id).catch((error) => refused.push({ title: line(title || url || pendingUrl, 80), why: error.message }));
    });
    return { connected: open.length - refused.length, refused };
  }

  /**
   * Connect a tab for an agent, also one a person disconnected before, but only on a person's word.
   * @param {Grant} grant the origin a person allowed it for
   */
  async connectGranted(chromeTabId, grant) {
    const tab = await this.chrome.tabs.get(chromeTabId).catch(() => null);
    if (!tab) throw new KaptureError("TAB_NOT_FOUND", `the browser has no tab ${chromeTabId}; kapturemcp_list_browser_tabs lists those it has`);
    const known = this.tabs.get(chromeTabId);
    if (known) throw new KaptureError("INVALID_PARAMS", `the tab is connected already: its tabId is ${known.session.id}`);
    const { title = "" } = tab;
    const url = tab.url || tab.pendingUrl || "about:blank";
    if (this.isOurs(url)) throw ownPage();
    if (!OF_PAGES.test(url)) throw new KaptureError("PROTECTED_PAGE", `Chrome lets no extension into ${hostOf(url)}; only web pages can be connected`);
    if (!grant.covers(originOf(url))) throw new NeedsApproval({ url, title });
    return { tabId: await this.connect(chromeTabId), url, title };
  }

  async #describe(chromeTabId) {
    const { url, title, favIconUrl } = await this.chrome.tabs.get(chromeTabId);
    return { url: url ?? "", title: title ?? "", favicon: (favIconUrl ?? "").slice(0, 2000), browser: browserName() };
  }

  /** Stop sharing a tab because a person wants it so: it is not connected again by itself. */
  async disconnect(chromeTabId) {
    const dropped = this.#drop(chromeTabId, new KaptureError("TAB_DISCONNECTED", "a person disconnected the tab"));
    this.#forgetHeld(chromeTabId);
    const { group } = await this.records.of(chromeTabId);
    await this.records.put(chromeTabId, { connected: false, declined: true, held: false, group: null });
    if (group) await this.tabGroups.leave(chromeTabId);
    await dropped;
  }

  async #drop(chromeTabId, error, kind = "closed") {
    const entry = this.tabs.get(chromeTabId);
    if (!entry) return;
    this.tabs.delete(chromeTabId);
    clearTimeout(entry.lingering);
    await entry.session.end(error, kind);
    // Answers that are on their way (of close_tab, of what just failed) go out before the link closes.
    await entry.session.queue.idle();
    await entry.link.close?.();
    this.#changed(chromeTabId);
  }

  /**
   * Open a tab, connect it, then load `url` in it.
   * @param {{active: boolean, snapshot: string, timeout: number, dialogs?: string}} how the last two as in a session's `execute`
   * @returns what the response says: {result: {tabId, …}, effects, snapshot, dialogs}, or {success: false, error, dialogs}
   */
  async openTab(url, { active, snapshot, timeout, dialogs: rule, grant }) {
    if (this.isHolding) throw paused();
    const created = await this.#blankTab();
    if (active) await this.chrome.tabs.update(created.id, { active });
    const tabId = await this.connect(created.id).catch(async (error) => {
      await this.chrome.tabs.remove(created.id).catch(() => {}); // it may be gone, which is why it was not connected
      throw error;
    });
    const { session } = this.tabs.get(created.id) ?? {};
    if (session && !this.managed) this.tabs.get(created.id).isAgents = true; // its group waits for the agent's name
    if (!session) throw new KaptureError("TAB_DISCONNECTED", "the tab was closed while it was opened");
    if (url === "about:blank" && snapshot === "none") return { result: { tabId, url }, effects: { url, title: "", changed: true } };
    const { success, result, error, effects, snapshot: text, dialogs } = await session.execute({
      id: `open-${tabId}`,
      command: "kapturemcp_navigate",
      params: { url, waitUntil: "load", snapshot },
      timeout,
      dialogs: rule,
      grant,
    });
    if (!success) return { success, error: { ...error, message: `${error.message} (the tab ${tabId} is open)`, tabId }, dialogs };
    delete effects.reloaded; // that a blank page went is no news to whoever asked for a tab
    return { result: { tabId, ...result }, effects, snapshot: text, dialogs };
  }

  /**
   * A tab behind the others: one that is made as the active one takes the keyboard from whatever program has it, one
   * that becomes so does not. A browser may go on without a window; then it gets one.
   */
  async #blankTab() {
    const { tabs, windows } = this.chrome;
    const isOpen = (await windows.getAll({ windowTypes: ["normal"] })).length > 0;
    if (isOpen) return tabs.create({ url: "about:blank", active: false });
    return (await windows.create({ url: "about:blank", focused: false })).tabs[0];
  }

  /** Every open tab; of one that is not connected only where it is, never its title or address. */
  async listTabs() {
    const open = await this.chrome.tabs.query({});
    return open.map(({ id, url, title, active }) => {
      const session = this.tabs.get(id)?.session;
      const shown = session ? { tabId: session.id, url, title } : { host: hostOf(url) };
      return { browserTabId: id, connected: Boolean(session), active, ...shown };
    });
  }

  // What Chrome tells about tabs and debuggers.

  onDebuggerEvent({ tabId, sessionId }, method, params) {
    // Before anything else can be done there: Chrome tells of the address only later (onTabUpdated).
    if (method === "Page.frameNavigated" && !sessionId && !params.frame.parentId && this.isOurs(params.frame.url)) return this.#drop(tabId, ownPage());
    this.tabs.get(tabId)?.session.onDebuggerEvent(method, params, sessionId);
  }

  onDebuggerDetach({ tabId }, reason) {
    const entry = this.tabs.get(tabId);
    if (!entry || entry.session.ended) return;
    if (reason === "canceled_by_user") return this.disconnect(tabId);
    const why = "the tab was closed, or led where no extension may follow: to a page of the browser, or to another program (mailto: and the like)";
    entry.session.isTaken = true;
    const dropped = this.#drop(tabId, new KaptureError("TAB_DISCONNECTED", why));
    this.#left.add(tabId);
    dropped.then(() => this.#comeBack(tabId));
    return dropped;
  }

  /**
   * Chrome takes the debugger from a tab that leads to another program, though the page stays: connect it again as it
   * was. Until Chrome has given up that navigation nothing may attach; then it tells that the tab has loaded.
   */
  async #comeBack(chromeTabId) {
    const tab = await this.chrome.tabs.get(chromeTabId).catch(() => null);
    const { connected } = await this.records.of(chromeTabId);
    if (!tab || !connected || this.tabs.has(chromeTabId) || this.isHolding || this.panelState !== "connected") {
      this.#left.delete(chromeTabId);
      return;
    }
    if (!OF_PAGES.test(tab.url)) return;
    await this.records.put(chromeTabId, { held: true }); // what it was given comes with it
    await this.connect(chromeTabId).catch(() => {}); // the next page it comes to, or the alarm, tries again
  }

  async onTabRemoved(chromeTabId) {
    this.#left.delete(chromeTabId);
    this.#forgetHeld(chromeTabId);
    await this.#drop(chromeTabId, new KaptureError("TAB_DISCONNECTED", "the tab was closed"));
    await this.records.forget(chromeTabId);
  }

  onTabCreated(tab) {
    if (!this.managed) return;
    const opened = this.connect(tab.id)
      .then(async (tabId) => {
        const { pendingUrl, url } = await this.chrome.tabs.get(tab.id);
        return { tabId, url: pendingUrl || url || "" };
      })
      .catch(() => null); // a page no extension may enter; onTabUpdated tries again when it leaves that page
    this.tabs.get(tab.openerTabId)?.session.tabOpened(opened);
  }

  async onTabUpdated(chromeTabId, change, tab) {
    const entry = this.tabs.get(chromeTabId);
    if (entry && this.isOurs(change.url)) return this.#drop(chromeTabId, ownPage());
    if (entry && (change.url || change.title || change.favIconUrl))
      entry.link.event({ kind: "tab", url: tab.url ?? "", title: tab.title ?? "", favicon: (tab.favIconUrl ?? "").slice(0, 2000) });
    if (change.status) this.#changed(chromeTabId, { isNew: true });
    else if (change.url || change.title) this.onChanged(chromeTabId);
    if (change.groupId !== undefined) {
      const { group } = await this.records.of(chromeTabId);
      if (group && group !== change.groupId) return this.disconnect(chromeTabId); // the person took it out of the agent's group
    }
    if (!entry && change.status === "complete" && this.#left.has(chromeTabId)) return this.#comeBack(chromeTabId);
    if (entry || !change.url || this.panelState !== "connected") return;
    const { connected, declined } = await this.records.of(chromeTabId);
    if (connected || (this.managed && !declined)) await this.connect(chromeTabId).catch(() => {}); // still a protected page
  }

  /** A page of this extension, or what it made: whoever drives it could connect tabs and pair. */
  isOurs(url) {
    return Boolean(url?.replace(/^(blob|filesystem):/, "").startsWith(this.chrome.runtime.getURL("")));
  }

  onAlarm({ name }) {
    if (name === ALARM) return this.dialBrowser();
  }

  /** Put a tab an agent opened under that agent's name, once the panel has said who it was. */
  async #group(chromeTabId, entry) {
    if (!entry.isAgents || !entry.driver) return;
    entry.isAgents = false;
    const group = await this.tabGroups.join(chromeTabId, entry.driver);
    if (group) await this.records.put(chromeTabId, { group, groupName: entry.driver });
  }

  async #groups() {
    return Object.values(await this.records.all()).filter(({ group }) => group).map(({ group, groupName }) => ({ group, name: groupName }));
  }

  async #eachFew(items, work) {
    const waiting = [...items];
    const one = async () => {
      for (let item = waiting.shift(); item; item = waiting.shift())
        await Promise.resolve(work(item)).catch(() => {}); // one tab that cannot connect must not keep back the rest
    };
    await Promise.all(Array.from({ length: DIALS_AT_A_TIME }, one));
  }

  /** Show a tab's state on the toolbar's icon and in the pages that follow it. */
  #changed(chromeTabId, { isNew = false } = {}) {
    this.toolbar.show(chromeTabId, this.stateOf(chromeTabId), this.driverOf(chromeTabId), { isNew });
    this.onChanged(chromeTabId);
  }
}

function paused() {
  return new KaptureError("PAUSED", "the agents are paused, and this browser is let go of for that long; resume first");
}

/** Whoever waits for it has been told by the panel already. */
function pausedUnder() {
  return new KaptureError("OUTCOME_UNKNOWN", "a person paused the agents while it ran; look at the page before trying again");
}

function ownPage() {
  return new KaptureError("PROTECTED_PAGE", "Kapture Panel's own pages are not shared; open a web page in the tab");
}

/** What `promise` resolves to; rejects when the tab answers nothing. */
async function answered(promise) {
  let timer;
  const late = new Promise((_, reject) => {
    const error = new KaptureError("TAB_DISCONNECTED", "the tab does not answer; close its dialog, stop its loading or load its page again, then connect it");
    timer = setTimeout(reject, ATTACH_DEADLINE_MS, error);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

function browserName() {
  const brands = globalThis.navigator?.userAgentData?.brands ?? [];
  const brand = brands.find(({ brand: name }) => !/not.*brand|chromium/i.test(name)) ?? brands.find(({ brand: name }) => /chromium/i.test(name));
  return brand ? `${brand.brand} ${brand.version}` : "Chromium";
}
