import { FloodBrakes } from "./flood_brake.js";
import { PRESS_BINDING } from "./press.js";
import { Worlds } from "./worlds.js";
/** @import { Emulation } from "./emulation.js" */
/** @import { PageSource } from "./parts.js" */
/** @import { Cdp, Send } from "./cdp.js" */

/** @type {Record<string, string|undefined>} */
const CONTEXTS = { worker: "worker", shared_worker: "worker", service_worker: "serviceWorker", iframe: "page" };

/** The targets of a tab beside its page, by their session: its workers and the frames that run in other processes. */
export class Children {
  /** @type {Map<string, Child>} */
  #bySession = new Map();

  /** @param {{cdp: Cdp, pageSource: PageSource, emulation: Emulation, onFrame: (frame: object) => void}} parts `onFrame` hears of a document that came before it could be listened to */
  constructor({ cdp, pageSource, emulation, onFrame }) {
    this.cdp = cdp;
    this.pageSource = pageSource;
    this.emulation = emulation;
    this.onFrame = onFrame;
    /** Of the page and of each frame. */
    this.flood = new FloodBrakes(cdp);
  }

  get size() {
    return this.#bySession.size;
  }

  keys() {
    return this.#bySession.keys();
  }

  /**
   * The child of a session, or undefined.
   * @param {string} sessionId
   */
  get(sessionId) {
    return this.#bySession.get(sessionId);
  }

  /**
   * The session of a frame with a target of its own, or undefined.
   * @param {string|null} frameId
   * @returns {string|undefined}
   */
  ofFrame(frameId) {
    for (const [sessionId, child] of this.#bySession) if (child.frameId === frameId) return sessionId;
    return undefined;
  }

  /** The sessions of the frames. */
  get frameSessions() {
    return [...this.#bySession].filter(([, { frameId }]) => frameId).map(([session]) => session);
  }

  get hasFrames() {
    return [...this.#bySession.values()].some(({ frameId }) => frameId);
  }

  /**
   * Take a target the browser has attached; `parent` is the session of the frame it belongs to.
   * @param {{sessionId: string, targetInfo: {type: string, targetId: string}, waitingForDebugger?: boolean}} event
   * @param {string} [parent]
   */
  async attached({ sessionId, targetInfo, waitingForDebugger }, parent) {
    const context = CONTEXTS[targetInfo.type];
    if (context)
      await this.#listenTo(
        sessionId,
        new Child({ context, parent, frameId: targetInfo.type === "iframe" ? targetInfo.targetId : null }),
      );
    if (waitingForDebugger) await this.#send("Runtime.runIfWaitingForDebugger", {}, sessionId).catch(() => {}); // it has just ended
  }

  /**
   * @param {string} sessionId
   * @param {Child} child
   */
  async #listenTo(sessionId, child) {
    this.#bySession.set(sessionId, child);
    const send = (/** @type {string} */ method, params = {}) => this.#send(method, params, sessionId);
    try {
      await Promise.all([
        ...(child.frameId ? this.#enter(send) : []),
        send("Network.enable", { maxTotalBufferSize: 5_000_000, maxResourceBufferSize: 1_000_000 }).catch(() => {}), // the console does without
        this.emulation.isOffline && this.emulation.applyTo(sessionId),
        send("Runtime.enable"),
        send("Log.enable"),
      ]);
      if (child.frameId) await this.#adopt(send);
    } catch {
      this.detached(sessionId); // it ended before it could be listened to
    }
  }

  /**
   * What a frame needs beyond a worker: the page's half, and its own frames and workers.
   * @param {Send} send
   */
  #enter(send) {
    return [
      send("Page.enable"),
      send("Page.setLifecycleEventsEnabled", { enabled: true }),
      send("Page.addScriptToEvaluateOnNewDocument", { ...this.pageSource, runImmediately: true }),
      send("Inspector.enable"),
      send("Runtime.addBinding", { name: PRESS_BINDING, executionContextName: this.pageSource.worldName }),
      send("Target.setAutoAttach", {
        autoAttach: true,
        flatten: true,
        waitForDebuggerOnStart: this.emulation.isOffline,
      }),
    ];
  }

  /**
   * A navigation that led to another process has committed before it could be listened to.
   * @param {Send} send
   */
  async #adopt(send) {
    const { frameTree } = await send("Page.getFrameTree");
    this.onFrame(frameTree.frame);
  }

  /**
   * @param {string} method
   * @param {Record<string, any>} params
   * @param {string} sessionId
   */
  #send(method, params, sessionId) {
    return this.answered(sessionId, this.cdp.send(method, params, sessionId));
  }

  /**
   * What `sending` resolves to; rejects when the child ends, since Chrome answers nothing for it any more.
   * @template T
   * @param {string} sessionId
   * @param {Promise<T>} sending
   * @returns {Promise<T>}
   */
  answered(sessionId, sending) {
    const child = this.#bySession.get(sessionId);
    return child ? child.answered(sending) : sending;
  }

  /** @param {string} sessionId */
  detached(sessionId) {
    this.#bySession.get(sessionId)?.end();
    this.#bySession.delete(sessionId);
    this.flood.gone(sessionId);
    for (const [id, { parent }] of this.#bySession) if (parent === sessionId) this.detached(id);
  }
}

class Child {
  /** @type {Set<(error: Error) => void>} */
  #pending = new Set();

  /** @param {{context: string, parent?: string, frameId: string|null}} about */
  constructor(about) {
    this.context = about.context;
    this.parent = about.parent;
    this.frameId = about.frameId;
    this.worlds = about.frameId ? new Worlds() : null;
  }

  /**
   * @template T
   * @param {Promise<T>} sending
   * @returns {Promise<T>}
   */
  async answered(sending) {
    /** @type {PromiseWithResolvers<never>} */
    const ended = Promise.withResolvers();
    this.#pending.add(ended.reject);
    try {
      return await Promise.race([sending, ended.promise]);
    } finally {
      this.#pending.delete(ended.reject);
    }
  }

  end() {
    for (const reject of this.#pending) reject(new Error("Target closed."));
  }
}
