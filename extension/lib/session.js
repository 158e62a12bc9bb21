import { Cdp } from "./cdp.js";
import { Effects } from "./effects.js";
import { KaptureError } from "./errors.js";
import { Navigation } from "./navigation.js";
import { applyOffline } from "./offline.js";
import { Queue } from "./queue.js";
import { Requests } from "./requests.js";
import { Ring } from "./ring.js";
import { Run } from "./run.js";
import { Worlds } from "./worlds.js";
import { Snapshots } from "./snapshots.js";
import * as consoleText from "./console_text.js";

const MAX_CONSOLE_LINES = 10_000;
/** A window the page asked for may be blocked: after this long it is not waited for. */
const TAB_DEADLINE_MS = 1000;
/** A page that takes longer than this to evaluate nothing is stuck. */
const HUNG_AFTER_MS = 300;
const WORKER_CONTEXTS = { worker: "worker", shared_worker: "worker", service_worker: "serviceWorker", iframe: "page" };

/** What still works when the page is stuck or has crashed. */
const LEAVES_THE_PAGE = /_(navigate|reload|go_back|go_forward|close_tab)$/;

/** All state of one connected tab: debugger, queue, console, navigation, effects, snapshots. */
export class Session {
  /**
   * @param {{chrome, chromeTabId: number, id: string, pageSource: {source, worldName}, catalogue, handlers,
   *   onEvent: (event: object) => void, onRefs: (nextRef: number) => void}} parts
   */
  constructor({ chrome, chromeTabId, id, pageSource, catalogue, handlers, onEvent, onRefs }) {
    Object.assign(this, { chrome, chromeTabId, id, pageSource, catalogue, handlers, onEvent });
    this.cdp = new Cdp({ chrome, chromeTabId });
    this.queue = new Queue();
    this.immediate = new Queue();
    this.navigation = new Navigation();
    this.worlds = new Worlds();
    this.effects = new Effects();
    this.snapshots = new Snapshots(onRefs);
    this.console = new Ring(MAX_CONSOLE_LINES);
    this.requests = new Requests();
    this.offline = false;
    this.mouse = { x: 0, y: 0 };
    this.drag = null;
    this.dialog = null;
    this.crashed = false;
    this.hung = false;
    this.freed = null;
    this.closing = false;
    this.ended = null;
    this.children = new Map();
    this.expectedTabs = [];
  }

  /** Attach the debugger, install the page's half, learn where the tab is. */
  async start() {
    const fresh = await this.cdp.attach();
    // Contexts announced to a worker that has died are announced again after a disable.
    if (!fresh) await this.cdp.send("Runtime.disable");
    // Listening first: a navigation between the look and the listening would be missed.
    await this.cdp.send("Page.enable");
    const { frameTree } = await this.cdp.send("Page.getFrameTree");
    this.navigation.adopt(frameTree.frame);
    await Promise.all([
      // Tells the milestones the document has already reached, too.
      this.cdp.send("Page.setLifecycleEventsEnabled", { enabled: true }),
      this.cdp.send("Page.addScriptToEvaluateOnNewDocument", { ...this.pageSource, runImmediately: true }),
      this.cdp.send("Runtime.enable"),
      this.cdp.send("Log.enable"),
      this.cdp.send("Network.enable", { maxTotalBufferSize: 20_000_000, maxResourceBufferSize: 5_000_000 }),
      this.cdp.send("Inspector.enable"),
      this.cdp.send("Emulation.setFocusEmulationEnabled", { enabled: true }),
      this.cdp.send("Target.setAutoAttach", { autoAttach: true, flatten: true, waitForDebuggerOnStart: false }),
    ]);
  }

  /** Let go of the tab for good: what runs fails with `error`, a `close_tab` may still answer. */
  async end(error) {
    this.ended = error;
    // Goes out before the errors: whoever hears that the tab is gone finds it gone.
    this.onEvent({ kind: "closed" });
    if (!this.closing) this.queue.failAll(error);
    this.immediate.failAll(error);
    await this.cdp.detach();
  }

  get executing() {
    return this.queue.size + this.immediate.size > 0;
  }

  /** Carry out one command frame and return the response frame. Never rejects. */
  async execute({ id, command, params, timeout }) {
    const started = performance.now();
    // What came after the answer before rides on this one, whether it succeeds or fails.
    const late = {};
    const respond = (rest) => ({ type: "response", id, ...rest, ms: Math.round((performance.now() - started) * 100) / 100 });
    try {
      const entry = this.catalogue.commands.get(command);
      const handler = this.handlers[command];
      if (!entry || !handler)
        throw new KaptureError("INVALID_PARAMS", `this extension does not know ${command}; reload it to match the panel`);
      const queue = entry.immediate ? this.immediate : this.queue;
      const outcome = await queue.run(id, timeout, (signal) => this.#perform(entry, handler, params, { signal, timeout, late }), () => this.#probe());
      return respond({ success: true, ...outcome, ...late });
    } catch (error) {
      return respond({ success: false, error: KaptureError.wire(error), ...late });
    }
  }

  cancel(id) {
    this.queue.cancel(id);
    this.immediate.cancel(id);
  }

  async #perform(entry, handler, params, { signal, timeout, late }) {
    if (this.ended) throw this.ended;
    if (this.dialog && !entry.immediate) throw this.#dialogOpen();
    if (this.crashed && !LEAVES_THE_PAGE.test(entry.name)) throw crashed();
    if (this.hung) {
      if (!LEAVES_THE_PAGE.test(entry.name)) throw hung();
      await this.#free();
    }
    const run = new Run(this, signal, timeout);
    Object.assign(late, await this.#lateEffects());
    if (!entry.action) return { result: await handler(params, run) };
    const { url, loaderId } = this.navigation;
    const observed = entry.class !== "navigate" && !entry.immediate;
    // Not awaited one by one: the page takes calls in the order they were sent.
    const observing = observed ? run.page("observe") : undefined;
    const [result] = await Promise.all([handler(params, run), observing]);
    const effects = await this.#settle(run, { observed, before: { url, loaderId }, frame: entry.class === "interact" });
    const snapshot = params.snapshot && params.snapshot !== "none" && !this.dialog
      ? { snapshot: await this.snapshots.take(run, { diff: params.snapshot === "diff" }) }
      : {};
    return { result, effects, ...snapshot };
  }

  /** After a time-out: stop a navigation, or learn whether the page is stuck in a script of its own. */
  async #probe() {
    if (this.dialog || this.crashed) return;
    const late = new Promise((resolve) => setTimeout(resolve, HUNG_AFTER_MS));
    if (this.navigation.pending) {
      // A page on its way answers nothing before it commits: what timed out is given up.
      const stopping = this.cdp.send("Page.stopLoading").catch(() => {}); // the answer stays the time-out
      await Promise.race([stopping, late]);
      this.navigation.pending = null;
      return;
    }
    const answering = this.cdp.send("Runtime.evaluate", { expression: "0" }).then(
      () => (this.hung = false),
      () => (this.hung = false),
    );
    this.hung = true;
    await Promise.race([answering, late]);
  }

  /**
   * Leave a page that is stuck: nothing else gets through to it, and a page in its process would be stuck too.
   * Extensions may not use Runtime.terminateExecution.
   */
  async #free() {
    const { promise, resolve } = Promise.withResolvers();
    this.freed = resolve;
    this.cdp.send("Page.crash").catch(() => {}); // a crashed page does not answer
    await promise;
    this.freed = null;
    this.hung = false;
  }

  async #lateEffects() {
    const { requests, ...late } = await this.effects.take();
    return Object.keys(late).length ? { lateEffects: late } : {};
  }

  /** Wait for what the action started and say what it changed. */
  async #settle(run, { observed, before, frame }) {
    let page = {};
    if (observed) {
      try {
        page = await run.pageOnce(frame ? "settled" : "observed");
      } catch (error) {
        if (!error.contextGone) throw error;
      }
      if (await this.navigation.settled(run.signal, before.loaderId)) page = {};
    }
    const effects = await this.effects.take();
    if (this.navigation.url === before.url) return { ...effects, changed: Boolean(page.changed) };
    if (page.title === undefined && !this.dialog) page = await run.page("state");
    const failed = this.navigation.unreachable ? { loadFailed: true } : {};
    return { url: this.navigation.url, title: page.title, ...effects, ...failed, changed: true };
  }

  #dialogOpen() {
    const { type, message } = this.dialog;
    return new KaptureError(
      "DIALOG_OPEN",
      `the page shows a ${type} dialog: ${JSON.stringify(message.slice(0, 300))}; answer it with kapturemcp_handle_dialog`,
      { dialog: { type, message: message.slice(0, 2000) } },
    );
  }

  /** Take a debugger event of this tab, or of a child target such as a worker. */
  onDebuggerEvent(method, params, childSession) {
    if (childSession) {
      const context = this.children.get(childSession);
      if (!context) return;
      CONSOLE_EVENTS[method]?.(this, params, context);
      this.requests.onEvent(method, params, childSession, context);
      return;
    }
    this.worlds.onEvent(method, params);
    this.navigation.onEvent(method, params);
    CONSOLE_EVENTS[method]?.(this, params, "page");
    this.requests.onEvent(method, params);
    EVENTS[method]?.(this, params);
  }

  log(line) {
    this.console.push(line);
    if (line.level === "error") this.effects.consoleError(line.text);
    this.onEvent({ kind: "console", ...line });
  }

  dialogOpened(dialog) {
    this.dialog = dialog;
    this.closing = false; // a beforeunload dialog keeps the tab
    this.effects.dialog(dialog);
    this.onEvent({ kind: "dialog", open: true, type: dialog.type, message: dialog.message.slice(0, 2000) });
    this.queue.failAll(this.#dialogOpen());
  }

  dialogClosed() {
    this.dialog = null;
    this.onEvent({ kind: "dialog", open: false });
  }

  /** Call a page function outside any command; a page that is gone needs no call. */
  callPage(name) {
    const over = new AbortController();
    return new Run(this, over.signal).pageOnce(name).catch(() => {});
  }

  /** The page asked for a window: its tab is part of the running action's effects. */
  expectTab() {
    const { promise, resolve } = Promise.withResolvers();
    const timer = setTimeout(resolve, TAB_DEADLINE_MS, null);
    this.expectedTabs.push((opened) => {
      clearTimeout(timer);
      resolve(opened);
    });
    this.effects.newTab(promise);
  }

  /** A tab with this one as its opener appeared; `opened` resolves to {tabId, url} when it can be driven. */
  tabOpened(opened) {
    const expecting = this.expectedTabs.shift();
    if (expecting) expecting(opened);
    else this.effects.newTab(opened);
  }

  async childAttached({ sessionId, targetInfo, waitingForDebugger }) {
    const context = WORKER_CONTEXTS[targetInfo.type];
    if (context) await this.#listenTo(sessionId, context);
    if (waitingForDebugger) await this.cdp.send("Runtime.runIfWaitingForDebugger", {}, sessionId).catch(() => {}); // it has just ended
  }

  async #listenTo(sessionId, context) {
    this.children.set(sessionId, context);
    try {
      await Promise.all([
        this.cdp.send("Network.enable", { maxTotalBufferSize: 5_000_000, maxResourceBufferSize: 1_000_000 }, sessionId).catch(() => {}), // the console does without
        this.offline && applyOffline(this, sessionId),
        this.cdp.send("Runtime.enable", {}, sessionId),
        this.cdp.send("Log.enable", {}, sessionId),
      ]);
    } catch {
      this.children.delete(sessionId); // a worker that ended before it could be listened to
    }
  }

  tabCrashed() {
    this.crashed = true;
    if (this.freed) return this.freed();
    this.onEvent({ kind: "crash" });
    this.queue.failAll(crashed());
  }
}

function hung() {
  return new KaptureError("COMMAND_TIMEOUT", "the page is stuck in a script of its own; kapturemcp_reload or kapturemcp_navigate leaves it");
}

function crashed() {
  return new KaptureError("TAB_CRASHED", "the tab's renderer crashed; load the page again with kapturemcp_reload or kapturemcp_navigate");
}

const CONSOLE_EVENTS = {
  "Runtime.consoleAPICalled": (session, params, context) => session.log(consoleText.fromConsole(params, context)),
  "Runtime.exceptionThrown": (session, params, context) => session.log(consoleText.fromException(params, context)),
  "Log.entryAdded": (session, params, context) => session.log(consoleText.fromLog(params, context)),
};

const EVENTS = {
  // Goes out before the answer of the command that led here: the panel decides by the address.
  "Page.frameNavigated": (session, { frame }) => frame.parentId || session.onEvent({ kind: "tab", url: session.navigation.url }),
  "Page.navigatedWithinDocument": (session, { frameId }) =>
    frameId === session.navigation.frameId && session.onEvent({ kind: "tab", url: session.navigation.url }),
  "Network.requestWillBeSent": (session) => session.effects.request(),
  "Page.downloadWillBegin": (session, params) => session.effects.download(params),
  "Input.dragIntercepted": (session, { data }) => (session.drag = data),
  "Page.windowOpen": (session) => session.expectTab(),
  "Page.javascriptDialogOpening": (session, params) => session.dialogOpened(params),
  "Page.javascriptDialogClosed": (session) => session.dialogClosed(),
  "Target.attachedToTarget": (session, params) => session.childAttached(params),
  "Target.detachedFromTarget": (session, { sessionId }) => session.children.delete(sessionId),
  "Inspector.targetCrashed": (session) => session.tabCrashed(),
  "Inspector.targetReloadedAfterCrash": (session) => {
    session.crashed = false;
    session.freed = null;
  },
};
