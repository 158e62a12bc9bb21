import { Cdp } from "./cdp.js";
import { Children } from "./children.js";
import { Cursor } from "./cursor.js";
import { Dialogs, named } from "./dialogs.js";
import { DrivenFrame } from "./driven_frame.js";
import { Effects } from "./effects.js";
import { KaptureError } from "../basics/errors.js";
import { Frames } from "./frames.js";
import { EVERYTHING, Grant } from "../wire/grant.js";
import { Navigation } from "./navigation.js";
import { Overlay } from "./overlay.js";
import { Queue } from "./queue.js";
import { eventOf, Requests } from "./requests.js";
import { Ring } from "../basics/ring.js";
import { Run } from "./run.js";
import { Worlds } from "./worlds.js";
import { Snapshots } from "./snapshots.js";
import { Stuck } from "./stuck.js";
import * as consoleText from "./console_text.js";

const MAX_CONSOLE_LINES = 10_000;
/** A command tells this many dialogs that were answered under it, and how many more there were. */
const MAX_ANSWERED = 10;
/** A window the page asked for may be blocked: after this long it is not waited for. */
const TAB_DEADLINE_MS = 1000;

/** What the page's half calls with an address that it kept from another program. */
const PROGRAM = "kaptureProgram";
/** What Page.windowOpen tells of a window for another program. */
const OF_PAGES = /^$|^(https?|about|blob|data|file|filesystem|javascript|chrome|chrome-[a-z]+|devtools|edge|brave|view-source):/i;

/** What still works when the page is stuck or has crashed. */
const LEAVES_THE_PAGE = /_(navigate|reload|go_back|go_forward|close_tab)$/;

/** All state of one connected tab: debugger, queue, console, navigation, effects, snapshots. */
export class Session {
  /**
   * @param {{chrome, chromeTabId: number, id: string, pageSource: {source, worldName}, catalogue, handlers,
   *   viewport: the size every tab gets, as setDeviceMetricsOverride takes it, or null,
   *   onEvent: (event: object) => void, onRefs: (nextRef: number) => void}} parts
   */
  constructor({ chrome, chromeTabId, id, pageSource, catalogue, handlers, viewport = null, onEvent, onRefs }) {
    Object.assign(this, { chrome, chromeTabId, id, pageSource, catalogue, handlers, viewport, onEvent });
    this.cdp = new Cdp({ chrome, chromeTabId });
    this.queue = new Queue();
    this.immediate = new Queue();
    this.navigation = new Navigation();
    this.worlds = new Worlds();
    this.effects = new Effects();
    this.snapshots = new Snapshots(onRefs);
    this.console = new Ring(MAX_CONSOLE_LINES);
    this.requests = new Requests(undefined, (record) => this.onEvent(eventOf(record)));
    this.offline = false;
    this.mouse = { x: 0, y: 0 };
    this.naturalMouse = false;
    this.random = Math.random;
    this.overlay = new Overlay(this.cdp);
    this.cursor = new Cursor(this.overlay);
    this.drivenFrame = new DrivenFrame(this.overlay);
    this.size = null;
    this.drag = null;
    this.dialogs = new Dialogs();
    /** The command that runs in the queue: {signal, rule, answered, action, before: {url, loaderId}}. */
    this.call = null;
    /** What the page was asked to say of a command that a dialog then interrupted. */
    this.untold = null;
    this.crashed = false;
    this.stuck = new Stuck(this);
    this.closing = false;
    this.ended = null;
    this.isTaken = false; // whether Chrome ended it, of its own accord
    this.over = Promise.withResolvers(); // resolved when the tab is let go of
    this.picking = null;
    this.children = new Children(this);
    this.frames = new Frames(this);
    this.expectedTabs = [];
    this.onOffline = async () => {}; // whoever remembers it beyond the worker's life listens here
    this.onSize = async () => {};
    this.kept = null; // set with what outlived the worker, once it is known whether the attachment did
  }

  /**
   * Attach the debugger, install the page's half, learn where the tab is.
   * @returns whether the attachment is new, not one that outlived the worker
   */
  async start() {
    const fresh = await this.cdp.attach();
    // What is emulated ends with the attachment.
    if (fresh) this.offline = false;
    // Contexts announced to a worker that has died are announced again after a disable.
    if (!fresh) await this.cdp.send("Runtime.disable");
    // So are workers and frames after they were let go.
    if (!fresh) await this.cdp.send("Target.setAutoAttach", { autoAttach: false, flatten: true, waitForDebuggerOnStart: false });
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
      fresh && this.viewport && this.cdp.send("Emulation.setDeviceMetricsOverride", this.viewport),
      this.cdp.send("Target.setAutoAttach", { autoAttach: true, flatten: true, waitForDebuggerOnStart: this.offline }),
      // After Runtime.enable: the world of a document that was there before is given no other.
      this.cdp.send("Runtime.addBinding", { name: PROGRAM, executionContextName: this.pageSource.worldName }),
    ]);
    return fresh;
  }

  /**
   * Let go of the tab for good: what runs fails with `error`, a `close_tab` may still answer.
   * @param {"closed"|"held"} kind what the panel is told: held, it comes back after the pause
   */
  async end(error, kind = "closed") {
    this.ended = error;
    // Goes out before the errors: whoever hears that the tab is gone finds it gone.
    this.onEvent({ kind });
    if (!this.closing) {
      this.queue.failAll(error);
      this.immediate.failAll(error);
    }
    this.over.resolve();
    await this.cdp.detach();
  }

  /** What the person chose for the agent's mouse in this browser. */
  setMouse({ natural, cursor }) {
    this.naturalMouse = natural;
    this.cursor.show(cursor);
  }

  /** The size its viewport was given, as setDeviceMetricsOverride takes it, or null: the window's own. */
  async resized(size) {
    this.size = size;
    await this.onSize(size);
    this.drivenFrame.redraw();
  }

  /** Do `work` while the browser paints nothing of ours over the page. */
  unmarked(work) {
    return this.drivenFrame.hiddenWhile(() => this.cursor.hiddenWhile(work));
  }

  get executing() {
    return this.queue.size + this.immediate.size > 0;
  }

  /** The dialog the tab shows, or null. */
  get dialog() {
    return this.dialogs.open;
  }

  /**
   * Carry out one command frame and return the response frame. Never rejects.
   * @param {{dialogs?: "accept"|"dismiss", grant?: {origins, secret}}} frame `dialogs` is how a client that has no
   *   command for it answers them; `grant` is what it may touch
   */
  async execute({ id, command, params, timeout, dialogs: rule = "", grant }) {
    const started = performance.now();
    // What came after the answer before rides on this one, whether it succeeds or fails.
    const late = {};
    const targets = [];
    const dialogs = [];
    const respond = (rest) => ({ type: "response", id, ...rest, ...(targets.length && { targets }), ...(dialogs.length && { dialogs }), ms: Math.round((performance.now() - started) * 100) / 100 });
    try {
      const entry = this.catalogue.commands.get(command);
      const handler = this.handlers[command];
      if (!entry || !handler)
        throw new KaptureError("INVALID_PARAMS", `this extension does not know ${command}; reload it to match the panel`);
      const queue = entry.immediate ? this.immediate : this.queue;
      const outcome = await queue.run(id, timeout, (signal) => this.#perform(entry, handler, params, { signal, timeout, late, targets, rule, answered: dialogs, grant: grantOf(entry, params, grant) }), () => this.#probe());
      return respond({ success: true, ...outcome, ...late });
    } catch (error) {
      return respond({ success: false, error: KaptureError.wire(error), ...late });
    }
  }

  cancel(id) {
    this.queue.cancel(id);
    this.immediate.cancel(id);
  }

  async #perform(entry, handler, params, { signal, timeout, late, targets, rule, answered, grant }) {
    // A dialog that is just being answered belongs to that answer, with all it leads to.
    if (!entry.immediate) await this.immediate.idle();
    if (this.ended) throw this.ended;
    const run = new Run(this, signal, timeout, targets, grant);
    // What has no element to look at is done to the tab's document.
    if (entry.class === "interact" && entry.target === "none" && !entry.inputSchema.properties.fields) grant.demand(this.navigation.url);
    const { url, loaderId } = this.navigation;
    const before = (entry.immediate && this.dialog?.before) || { url, loaderId };
    if (!entry.immediate) {
      this.call = { signal, rule, answered, action: entry.action, before };
      if (this.dialog && !(rule && this.stuck.now)) await this.#answerFirst(run);
    }
    if (this.crashed && !LEAVES_THE_PAGE.test(entry.name)) throw crashed();
    if (this.stuck.now) {
      if (!LEAVES_THE_PAGE.test(entry.name)) throw stuck();
      await this.stuck.leave();
    }
    Object.assign(late, await this.#lateEffects());
    if (!entry.action) return { result: await this.#handled(handler, params, run) };
    const observed = entry.class !== "navigate";
    // What a dialog interrupted is observed since before it: behind the dialog the page takes no calls.
    const observing = observed && !entry.immediate ? run.page("observe") : undefined;
    if (observed) run.startWatching();
    const [result] = await Promise.all([this.#handled(handler, params, run), observing]);
    if (this.ended) return { result, effects: { ...(await this.effects.take()), changed: this.closing } };
    const told = this.#tell(run, params.snapshot, { observed, before, frame: entry.class === "interact" });
    return { result, ...(await (entry.immediate ? this.#unlessDialog(run, told, before) : told)) };
  }

  /** "Nothing was done" is said only while it is true; the element is told where the page has it. */
  async #handled(handler, params, run) {
    try {
      return await handler(params, run);
    } catch (error) {
      if (error.code !== "NEEDS_APPROVAL") throw error;
      if (run.acted)
        throw new KaptureError("EXECUTION_ERROR", "the page changed under the command to what was not allowed; look at it before you go on");
      if (!error.details.box) throw error;
      const { scrollX, scrollY } = await run.page("viewport");
      const { x, y, width, height } = error.details.box;
      throw new KaptureError(error.code, error.message, { ...error.details, box: { x: x + scrollX, y: y + scrollY, width, height } });
    }
  }

  /** What an action did, with a snapshot where one was asked for. */
  async #tell(run, snapshot, action) {
    const effects = await this.#settle(run, action);
    if (!snapshot || snapshot === "none" || this.dialog) return { effects };
    return { effects, snapshot: await this.snapshots.take(run, { diff: snapshot === "diff" }) };
  }

  /** The same, unless the page shows its next dialog: then that is told, and the rest with the answer to that one. */
  async #unlessDialog(run, telling, before) {
    const shown = this.dialogs.shown(run.signal);
    shown.catch(() => {}); // given up with the command
    await Promise.race([telling, shown]);
    if (!this.dialog) return telling;
    telling.catch(() => {}); // waits behind the dialog and ends with the command
    this.dialog.before = before;
    const { type, message } = this.dialog;
    return { effects: { ...(await this.effects.take()), dialogs: [{ type, message, open: true }], changed: true } };
  }

  /** Answer the dialog that stands before a command as its client's rule says, and let the page go on from there. */
  async #answerFirst(run) {
    if (!this.call.rule) throw this.#dialogOpen();
    const { loaderId } = this.dialog.before ?? this.navigation;
    await this.#answerByRule(this.call);
    await this.#look(run, "settled").catch((error) => {
      if (!error.contextGone) throw error;
    });
    await this.navigation.settled(run.signal, loaderId);
  }

  /** A page that is being left is left: whoever has no command for dialogs asked for that. */
  async #answerByRule({ rule, signal, answered, action }) {
    const { type, defaultPrompt } = this.dialog;
    const accept = type === "beforeunload" || rule === "accept";
    const run = { signal, send: (method, params) => this.cdp.send(method, params) };
    const answer = await this.dialogs.answer(run, { accept, promptText: accept ? defaultPrompt : undefined });
    if (answered.length < MAX_ANSWERED) answered.push(answer);
    else answered.at(-1).more = (answered.at(-1).more ?? 0) + 1;
    if (action) this.effects.dialog(answer);
  }

  async #probe() {
    // A page that shows one dialog after the other may be as stuck as one that shows none.
    const dialogs = this.call?.answered.length === MAX_ANSWERED;
    if ((dialogs || !this.dialog) && !this.crashed) await this.stuck.probe();
  }

  async #lateEffects() {
    const { requests, ...late } = await this.effects.take();
    return Object.keys(late).length ? { lateEffects: late } : {};
  }

  /** Wait for what the action started and say what it changed. */
  async #settle(run, { observed, before, frame }) {
    let page = {};
    if (observed) {
      const name = frame ? "settled" : "observed";
      const inFrames = run.watchedSettled(name);
      try {
        [page] = await Promise.all([this.#look(run, name), inFrames]);
      } catch (error) {
        if (!error.contextGone) throw error;
      }
      if (await inFrames) page.changed = true;
      if (await this.navigation.settled(run.signal, before.loaderId)) page = {};
    }
    const effects = await this.effects.take();
    const { url, loaderId, unreachable } = this.navigation;
    const loaded = loaderId !== before.loaderId;
    if (!loaded && url === before.url) return { ...effects, changed: Boolean(page.changed) };
    // Until the next action the page is watched for what a dialog nobody's command opened leads to.
    if (loaded) this.callPage("observe");
    if (page.title === undefined && !this.dialog) page = await run.page("state");
    const reloaded = loaded && url === before.url ? { reloaded: true } : {};
    const failed = unreachable ? { loadFailed: true } : {};
    return { url, title: page.title, ...effects, ...failed, ...reloaded, changed: true };
  }

  /** Ask the page what changed; a dialog in between leaves it untold, for the command that answers the dialog. */
  async #look(run, name) {
    const earlier = this.untold;
    const asking = run.pageOnce(name);
    this.untold = asking.catch(() => ({})); // who waits for it hears of the error
    const [page, before] = await Promise.all([asking, earlier]);
    if (!run.signal.aborted) this.untold = null;
    return before?.changed ? { ...page, changed: true } : page;
  }

  #dialogOpen() {
    const { type, message } = this.dialog;
    return new KaptureError("DIALOG_OPEN", `the page shows ${named(this.dialog)}; answer it with kapturemcp_handle_dialog`, { dialog: { type, message } });
  }

  /** Take a debugger event of this tab, or of a child target such as a worker. */
  onDebuggerEvent(method, params, childSession) {
    if (childSession) return this.#onChildEvent(method, params, childSession);
    this.worlds.onEvent(method, params);
    this.navigation.onEvent(method, params);
    CONSOLE_EVENTS[method]?.(this, params, "page");
    this.requests.onEvent(method, params);
    EVENTS[method]?.(this, params);
    this.frames.onEvent(method, params);
    this.picking?.onEvent(method, params);
  }

  #onChildEvent(method, params, childSession) {
    const child = this.children.get(childSession);
    if (!child) return;
    CONSOLE_EVENTS[method]?.(this, params, child.context);
    this.requests.onEvent(method, params, childSession, child.context);
    CHILD_EVENTS[method]?.(this, params, childSession);
    if (!child.frameId) return;
    this.picking?.onEvent(method, params, childSession);
    child.worlds.onEvent(method, params);
    FRAME_EVENTS[method]?.(this, params, childSession);
    this.frames.onEvent(method, params);
  }

  log(line) {
    this.console.push(line);
    if (line.level === "error") this.effects.consoleError(line.text);
    this.onEvent({ kind: "console", ...line });
  }

  dialogOpened(dialog) {
    const call = this.call?.signal.aborted ? null : this.call;
    const closes = this.closing;
    this.dialogs.opened(dialog, call && { ...call.before, closes });
    if (!call?.rule) return this.#dialogBlocks();
    const opened = this.dialog;
    this.#answerByRule(call).catch(() => {
      if (this.dialog === opened) this.#dialogBlocks(); // as without a rule
    });
  }

  #dialogBlocks() {
    const { type, message } = this.dialog;
    this.closing = false; // a beforeunload dialog keeps the tab
    this.dialog.told = true;
    this.onEvent({ kind: "dialog", open: true, type, message });
    // Those that wait find it when it is their turn, and may have a rule for it.
    this.queue.failRunning(this.#dialogOpen());
  }

  dialogClosed(params) {
    const told = this.dialog?.told;
    const byOthers = this.dialogs.closed(params);
    if (byOthers) this.effects.dialog(byOthers);
    if (told) this.onEvent({ kind: "dialog", open: false });
  }

  /** Call a page function outside any command, in the top document or a frame's world; one that is gone needs no call. */
  callPage(name, world = null) {
    const run = new Run(this, new AbortController().signal);
    return (world ? run.call(world, name, []) : run.pageOnce(name)).catch(() => {});
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

  tabCrashed() {
    this.crashed = true;
    if (this.dialog) this.dialogClosed({ result: false }); // nobody tells
    if (this.stuck.crashed()) return;
    this.onEvent({ kind: "crash" });
    this.queue.failAll(crashed());
    this.immediate.failAll(crashed());
  }
}

/** Reads may look everywhere; waiting for an expression runs code. */
function grantOf(entry, params, grant) {
  return entry.class === "read" && params.expression === undefined ? EVERYTHING : new Grant(grant);
}

function stuck() {
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
  "Page.frameNavigated": (session, { frame }) => {
    if (frame.parentId) return;
    session.frames.left();
    session.cursor.redraw();
    session.drivenFrame.redraw();
    session.onEvent({ kind: "tab", url: session.navigation.url, navigated: true });
  },
  "Page.navigatedWithinDocument": (session, { frameId }) =>
    frameId === session.navigation.frameId && session.onEvent({ kind: "tab", url: session.navigation.url }),
  "Page.frameResized": (session) => session.drivenFrame.redraw(),
  "Network.requestWillBeSent": (session) => session.effects.request(),
  "Page.downloadWillBegin": (session, params) => session.effects.download(params),
  "Input.dragIntercepted": (session, { data }) => (session.drag = data),
  "Page.windowOpen": (session, { url }) => (OF_PAGES.test(url) ? session.expectTab() : session.effects.program(url, false)),
  "Runtime.bindingCalled": (session, { name, payload }) => name === PROGRAM && session.effects.program(payload, true),
  "Page.javascriptDialogOpening": (session, params) => session.dialogOpened(params),
  "Page.javascriptDialogClosed": (session, params) => session.dialogClosed(params),
  "Target.attachedToTarget": (session, params) => session.children.attached(params),
  "Target.detachedFromTarget": (session, { sessionId }) => session.children.detached(sessionId),
  "Inspector.targetCrashed": (session) => session.tabCrashed(),
  "Inspector.targetReloadedAfterCrash": (session) => {
    session.crashed = false;
    session.stuck.reloaded();
  },
};

/** Of a worker or a frame with a target of its own; the page's dialogs are the tab's. */
const CHILD_EVENTS = {
  "Target.attachedToTarget": (session, params, childSession) => session.children.attached(params, childSession),
  "Target.detachedFromTarget": (session, { sessionId }) => session.children.detached(sessionId),
};

const FRAME_EVENTS = {
  "Network.requestWillBeSent": (session) => session.effects.request(),
  "Page.windowOpen": (session) => session.expectTab(),
  "Input.dragIntercepted": (session, { data }) => (session.drag = data),
  "Inspector.targetCrashed": (session, _params, childSession) => session.children.detached(childSession),
};
