import { applyOffline } from "./offline.js";
import { Worlds } from "./worlds.js";

const CONTEXTS = { worker: "worker", shared_worker: "worker", service_worker: "serviceWorker", iframe: "page" };

/** The targets of a tab beside its page, by their session: its workers and the frames that run in other processes. */
export class Children {
  #bySession = new Map();

  constructor(session) {
    this.session = session;
  }

  get size() {
    return this.#bySession.size;
  }

  keys() {
    return this.#bySession.keys();
  }

  /** The child of a session, or undefined. */
  get(sessionId) {
    return this.#bySession.get(sessionId);
  }

  /** The session of a frame with a target of its own, or undefined. */
  ofFrame(frameId) {
    for (const [sessionId, child] of this.#bySession) if (child.frameId === frameId) return sessionId;
    return undefined;
  }

  get hasFrames() {
    return [...this.#bySession.values()].some(({ frameId }) => frameId);
  }

  /** Take a target the browser has attached; `parent` is the session of the frame it belongs to. */
  async attached({ sessionId, targetInfo, waitingForDebugger }, parent) {
    const context = CONTEXTS[targetInfo.type];
    if (context) await this.#listenTo(sessionId, new Child({ context, parent, frameId: targetInfo.type === "iframe" ? targetInfo.targetId : null }));
    if (waitingForDebugger) await this.#send("Runtime.runIfWaitingForDebugger", {}, sessionId).catch(() => {}); // it has just ended
  }

  async #listenTo(sessionId, child) {
    this.#bySession.set(sessionId, child);
    const send = (method, params = {}) => this.#send(method, params, sessionId);
    try {
      await Promise.all([
        ...(child.frameId ? this.#enter(send) : []),
        send("Network.enable", { maxTotalBufferSize: 5_000_000, maxResourceBufferSize: 1_000_000 }).catch(() => {}), // the console does without
        this.session.offline && applyOffline(this.session, sessionId),
        send("Runtime.enable"),
        send("Log.enable"),
      ]);
      if (child.frameId) await this.#adopt(send);
    } catch {
      this.detached(sessionId); // it ended before it could be listened to
    }
  }

  /** What a frame needs beyond a worker: the page's half, and its own frames and workers. */
  #enter(send) {
    return [
      send("Page.enable"),
      send("Page.setLifecycleEventsEnabled", { enabled: true }),
      send("Page.addScriptToEvaluateOnNewDocument", { ...this.session.pageSource, runImmediately: true }),
      send("Inspector.enable"),
      send("Target.setAutoAttach", { autoAttach: true, flatten: true, waitForDebuggerOnStart: this.session.offline }),
    ];
  }

  /** A navigation that led to another process has committed before it could be listened to. */
  async #adopt(send) {
    const { frameTree } = await send("Page.getFrameTree");
    this.session.frames.arrived(frameTree.frame);
  }

  #send(method, params, sessionId) {
    return this.answered(sessionId, this.session.cdp.send(method, params, sessionId));
  }

  /** What `sending` resolves to; rejects when the child ends, since Chrome answers nothing for it any more. */
  answered(sessionId, sending) {
    const child = this.#bySession.get(sessionId);
    return child ? child.answered(sending) : sending;
  }

  detached(sessionId) {
    this.#bySession.get(sessionId)?.end();
    this.#bySession.delete(sessionId);
    for (const [id, { parent }] of this.#bySession) if (parent === sessionId) this.detached(id);
  }
}

class Child {
  #pending = new Set();

  /** @param {{context: string, parent: string|undefined, frameId: string|null}} about */
  constructor(about) {
    Object.assign(this, about);
    this.worlds = about.frameId ? new Worlds() : null;
  }

  async answered(sending) {
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
