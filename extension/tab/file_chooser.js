import { Conditions } from "./conditions.js";
/** @import { Cdp } from "./cdp.js" */
/** @import { Effects, FileChooserTold } from "./effects.js" */
/** @import { Frames } from "./frames.js" */
/** @import { Run } from "./run.js" */

/** So long after an action a page may open a chooser because of it: then Chrome's user activation is over. */
export const ACTIVATION_MS = 5000;
/** Under this name Chrome holds the field of one chooser for us: the next one's is not let go of with it. */
const groupOf = (/** @type {number} */ backendNodeId) => `kapture file chooser ${backendNodeId}`;

/**
 * @typedef {{multiple: boolean, folder: boolean, accept: string}} Asked
 * @typedef {Asked & {frameId: string, session: string|undefined, backendNodeId: number}} Waiting a chooser, and the field
 *   that opened it, which need not be in the page
 */

/**
 * The file chooser that a page opens because of an agent's action: instead of a window in front of the person it waits
 * for files here. One that the person opens meanwhile is given back to them; once the action can have opened none any
 * more, choosers are theirs without a look.
 */
export class FileChooser {
  #conditions = new Conditions();
  /** Where choosers are kept from the person: "" is the tab's own session. @type {Set<string>} */
  #kept = new Set();
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #timer;
  #running = 0;
  /** When the last action was over, as `Date.now()` has it: the one clock that pages go by, too. */
  #endedAt = 0;
  /**
   * The one that waits.
   * @type {Waiting|null}
   */
  waiting = null;
  /** How many the page has opened, those that take no files from here, too. */
  #opened = 0;

  /** @param {{cdp: Cdp, frames: Frames, effects: Effects}} parts */
  constructor({ cdp, frames, effects }) {
    this.cdp = cdp;
    this.frames = frames;
    this.effects = effects;
  }

  /**
   * Do `work` while a chooser that it opens waits for files instead of a person; no longer than its command goes on.
   * @template T
   * @param {() => Promise<T>} work
   * @param {AbortSignal} signal
   * @returns {Promise<T>}
   */
  async during(work, signal) {
    signal.throwIfAborted(); // no abort would be told any more
    this.begin();
    const over = new AbortController();
    AbortSignal.any([signal, over.signal]).addEventListener("abort", () => this.end(), { once: true });
    return work().finally(() => over.abort());
  }

  /** An action begins, which may open one; what it sends to the page comes behind this. */
  begin() {
    this.#running += 1;
    clearTimeout(this.#timer);
    const sessions = ["", ...this.frames.children.frameSessions].filter((session) => !this.#kept.has(session));
    for (const session of sessions) {
      this.#kept.add(session);
      this.#intercept(session, true);
    }
  }

  /** It is over. */
  end() {
    this.#running -= 1;
    if (this.#running) return;
    this.#endedAt = Date.now();
    this.#timer = setTimeout(() => this.#giveBack(), ACTIVATION_MS);
  }

  async #giveBack() {
    clearTimeout(this.#timer);
    const kept = [...this.#kept];
    this.#kept.clear();
    await Promise.all(kept.map((session) => this.#intercept(session, false)));
  }

  /**
   * @param {string} session
   * @param {boolean} enabled
   */
  #intercept(session, enabled) {
    return this.cdp
      .send("Page.setInterceptFileChooserDialog", { enabled }, session || undefined)
      .catch(() => this.#kept.delete(session)); // the tab or frame has just gone
  }

  /**
   * The page opened one. Its field may be known to nobody else, and is kept from here on.
   * @param {{frameId: string, mode: string, backendNodeId?: number}} event
   * @param {string} [session]
   */
  onOpened({ frameId, mode, backendNodeId }, session) {
    this.#opened += 1;
    const multiple = mode === "selectMultiple";
    this.#leave();
    if (backendNodeId === undefined) this.effects.fileChooser(Promise.resolve({ refused: true, multiple }));
    else {
      this.waiting = { frameId, session, backendNodeId, multiple, folder: false, accept: "" };
      this.effects.fileChooser(this.#unlessPersons(this.waiting));
    }
    this.#conditions.look();
  }

  /**
   * What an agent's chooser asks for; the person's own is opened for the person.
   * @param {Waiting} waiting
   * @returns {Promise<FileChooserTold|null>}
   */
  async #unlessPersons(waiting) {
    this.#hold(waiting);
    if (this.#running || !(await this.#isPersons(waiting))) return this.#describe(waiting);
    if (this.waiting === waiting) this.waiting = null;
    await this.#giveBack();
    await this.#openFor(waiting).catch(() => {}); // its field or page has gone
    this.#letGo(waiting);
    return null;
  }

  /**
   * A field that is not in the page belongs to nobody, and could be collected as garbage while others are asked about it.
   * @param {Waiting} waiting
   */
  #hold({ session, backendNodeId }) {
    const held = this.cdp.send("DOM.resolveNode", { backendNodeId, objectGroup: groupOf(backendNodeId) }, session);
    held.catch(() => {}); // gone with its page
  }

  /** @param {Waiting} waiting */
  #letGo({ session, backendNodeId }) {
    const released = this.cdp.send("Runtime.releaseObjectGroup", { objectGroup: groupOf(backendNodeId) }, session);
    released.catch(() => {}); // gone with its page
  }

  /**
   * Whether something was pressed since the last action was over: an agent presses only while one runs.
   * @param {Waiting} waiting
   */
  async #isPersons({ frameId, session }) {
    const own = this.frames.worldsOf(session)?.known(frameId);
    // What was pressed may lie in another document than the field.
    const worlds = [...(session && own ? [{ id: own, session }] : []), ...this.frames.worlds.all()];
    const pressed = await Promise.all(worlds.map((world) => this.#lastInput(world).catch(() => null)));
    return pressed.some((at) => at !== null && at > this.#endedAt);
  }

  /**
   * @param {{id: string, session?: string}} world
   * @returns {Promise<number|null>}
   */
  async #lastInput({ id, session }) {
    const call = {
      functionDeclaration: "function () { return globalThis.kapture('lastInput', []); }",
      uniqueContextId: id,
      awaitPromise: true,
      returnByValue: true,
    };
    return (await this.cdp.send("Runtime.callFunctionOn", call, session)).result.value.value;
  }

  /**
   * The browser's own window for files, as the person's press would have opened it.
   * @param {Waiting} waiting
   */
  async #openFor({ frameId, session, backendNodeId }) {
    const worlds = this.frames.worldsOf(session);
    const world = worlds?.known(frameId);
    const number = world && worlds?.numberOf(world);
    const node = { backendNodeId, executionContextId: number || undefined, objectGroup: groupOf(backendNodeId) };
    const { object } = await this.cdp.send("DOM.resolveNode", node, session);
    const open = "function () { HTMLInputElement.prototype.showPicker.call(this); }";
    const call = { functionDeclaration: open, objectId: object.objectId, userGesture: true };
    await this.cdp.send("Runtime.callFunctionOn", call, session);
  }

  /** @param {Waiting} waiting */
  async #describe(waiting) {
    const { backendNodeId, session } = waiting;
    try {
      const { node } = await this.cdp.send("DOM.describeNode", { backendNodeId }, session);
      const at = (/** @type {string} */ name) =>
        (node.attributes ?? []).findIndex((one, index) => !(index % 2) && one === name);
      const accept = at("accept");
      waiting.accept = accept < 0 ? "" : node.attributes[accept + 1].slice(0, 200);
      waiting.folder = at("webkitdirectory") >= 0;
    } catch {
      if (this.waiting === waiting) this.waiting = null; // its document has gone
      return null;
    }
    const { multiple, folder, accept } = waiting;
    return { multiple, folder, accept };
  }

  /** How many the page has opened so far. */
  get mark() {
    return this.#opened;
  }

  /**
   * Until the page has opened one since `mark`, for `deadlineMs` at most.
   * @param {number} mark
   * @param {number} deadlineMs
   * @param {AbortSignal} signal
   * @returns {Promise<boolean>} whether it has
   */
  opened(mark, deadlineMs, signal) {
    return this.#conditions.within(deadlineMs, () => this.#opened > mark, signal);
  }

  /**
   * Its field in the world of the page's half, or null when that is gone.
   * @param {Run} run
   * @param {Waiting} waiting
   * @returns {Promise<{objectId: string, world: import("./worlds.js").World}|null>}
   */
  async field(run, { frameId, session, backendNodeId }) {
    const worlds = run.frames.worldsOf(session);
    const id = worlds?.known(frameId);
    const number = id && worlds?.numberOf(id);
    if (!id || number === undefined) return null;
    const resolving = run.send(
      "DOM.resolveNode",
      { backendNodeId, executionContextId: number, objectGroup: groupOf(backendNodeId) },
      session,
    );
    const resolved = await resolving.catch(() => null); // with its document
    return resolved && { objectId: resolved.object.objectId, world: { id, session } };
  }

  /** It has got its files, or its page is gone. */
  over() {
    this.#leave();
  }

  #leave() {
    const { waiting } = this;
    this.waiting = null;
    if (waiting) this.#letGo(waiting);
  }
}
