import { Conditions } from "./conditions.js";
import { Navigation } from "./navigation.js";
/** @import { Children } from "./children.js" */
/** @import { Inside } from "./inside.js" */
/** @import { World, Worlds } from "./worlds.js" */

/** An action does not wait longer for a frame that it led to another document. */
const LOAD_DEADLINE_MS = 3000;

/** The frames of a tab that its top document cannot read: where their worlds are and whose refs are theirs. */
export class Frames {
  #conditions = new Conditions();
  /**
   * World → what is known of it: `parent` is the world its element is in, `accepted` the ref after the last one it told.
   * @type {Map<string, {frameId?: string|null, parent?: string, door?: number, accepted?: number}>}
   */
  #known = new Map();
  /**
   * "world/door" → frameId.
   * @type {Map<string, string|null>}
   */
  #doors = new Map();
  /**
   * Refs given out in frames, `to` not included.
   * @type {{from: number, to: number, world: string}[]}
   */
  #refs = [];
  /** @type {Set<Navigation>} */
  #followed = new Set();
  /**
   * Called when a frame has come, gone, or shows another document.
   * @type {Set<() => void>}
   */
  listeners = new Set();
  #news = 0;

  /** @param {{worlds: Worlds, children: Children}} parts */
  constructor({ worlds, children }) {
    this.worlds = worlds;
    this.children = children;
  }

  /** Whether the tab has any frame, of whatever origin. */
  get any() {
    return this.worlds.size > 1 || this.children.hasFrames;
  }

  /**
   * @param {string} method
   * @param {any} params
   */
  onEvent(method, params) {
    if (method === "Runtime.executionContextDestroyed") this.#forget(params.executionContextUniqueId);
    if (method.startsWith("Page.") || method.startsWith("Network."))
      for (const navigation of this.#followed) navigation.onEvent(method, params);
    if (/^(Runtime\.executionContext|Target\.|Page\.frameDetached)/.test(method)) this.#look();
  }

  #look() {
    this.#news += 1;
    this.#conditions.look();
    for (const listener of this.listeners) listener();
  }

  /**
   * Resolves when a frame next comes, goes, or shows another document.
   * @param {AbortSignal} signal
   */
  changed(signal) {
    const known = this.#news;
    return this.#conditions.until(() => this.#news !== known, signal);
  }

  /** @param {string} world */
  #forget(world) {
    this.#known.delete(world);
    for (const key of this.#doors.keys()) if (key.startsWith(`${world}/`)) this.#doors.delete(key);
  }

  /** The top document was left: its refs, and those of its frames, are told apart by the next one's first number. */
  left() {
    this.#known.clear();
    this.#doors.clear();
    this.#refs = [];
  }

  /**
   * The world of a frame {id, session}, or null; `around` is the session of the document its element is in.
   * @param {string} frameId
   * @param {string|undefined} around
   * @returns {World|null}
   */
  worldOf(frameId, around) {
    const session = this.children.ofFrame(frameId) ?? around;
    const id = this.worldsOf(session)?.known(frameId);
    return id ? { id, session } : null;
  }

  /** @param {string|undefined} session */
  worldsOf(session) {
    return session ? this.children.get(session)?.worlds : this.worlds;
  }

  /**
   * The page's half in every document of the tab.
   * @returns {import("./worlds.js").World[]}
   */
  get everyWorld() {
    const inChildren = [...this.children.keys()].flatMap((session) =>
      (this.worldsOf(session)?.all() ?? []).map(({ id }) => ({ id, session })),
    );
    return [...this.worlds.all().map(({ id }) => ({ id })), ...inChildren];
  }

  /**
   * The same, waited for.
   * @param {number} deadlineMs
   * @param {string} frameId
   * @param {string|undefined} around
   * @param {AbortSignal} signal
   */
  async worldWithin(deadlineMs, frameId, around, signal) {
    await this.#conditions.within(deadlineMs, () => this.worldOf(frameId, around) !== null, signal);
    return this.worldOf(frameId, around);
  }

  /**
   * The frame behind a door of a world, while it shows a document.
   * @param {string} world
   * @param {number} door
   * @param {string|undefined} around
   */
  behind(world, door, around) {
    const frameId = this.#doors.get(`${world}/${door}`);
    return frameId && this.worldOf(frameId, around) ? frameId : undefined;
  }

  /**
   * Remember the way into a frame.
   * @param {Inside} inside
   */
  entered({ world, frameId, parent, door }) {
    const around = /** @type {Inside} */ (parent).world.id;
    this.#doors.set(`${around}/${door}`, frameId);
    this.#known.set(world.id, { ...this.#known.get(world.id), frameId, parent: around, door });
  }

  /**
   * The ways from the top into a world: [{world, door}], empty when it is not known any more.
   * @param {string} world
   * @returns {{world: string, door: number}[]}
   */
  wayTo(world) {
    const way = [];
    for (
      let id = world, known = this.#known.get(id);
      known?.door && known.parent;
      id = known.parent, known = this.#known.get(id)
    )
      way.unshift({ world: id, door: known.door });
    return way;
  }

  /**
   * The world that gave out a ref, or undefined: one of the top document's.
   * @param {string} ref
   * @returns {string|undefined}
   */
  ownerOf(ref) {
    const number = Number(ref.slice(1));
    return this.#refs.find(({ from, to }) => from <= number && number < to)?.world;
  }

  /**
   * Numbers for the next refs of a world: from when on, and from where it gives up those whose answer never came.
   * @param {string} world
   * @param {number} nextRef
   */
  numbers(world, nextRef) {
    const accepted = this.#known.get(world)?.accepted ?? nextRef;
    this.#known.set(world, { ...this.#known.get(world), accepted });
    return { from: nextRef, accepted };
  }

  /**
   * A world has told refs from `from` up to before `to`.
   * @param {string} world
   * @param {{from: number, to: number, inFrame: boolean}} refs
   */
  told(world, { from, to, inFrame }) {
    this.#known.set(world, { ...this.#known.get(world), accepted: to });
    if (!inFrame || to <= from) return;
    const last = this.#refs.at(-1);
    if (last?.world === world && last.to === from) last.to = to;
    else this.#refs.push({ from, to, world });
  }

  /**
   * Follow where a frame goes while a command acts in it.
   * @param {string|null} frameId
   * @param {AbortSignal} signal
   */
  follow(frameId, signal) {
    const navigation = new Navigation(true);
    navigation.adopt({ id: frameId, loaderId: null, url: "" });
    this.#followed.add(navigation);
    signal.addEventListener("abort", () => this.#followed.delete(navigation), { once: true });
    return navigation;
  }

  /**
   * Whether a followed frame went to another document, once that is there.
   * @param {Navigation} navigation
   * @param {AbortSignal} signal
   */
  async settled(navigation, signal) {
    const deadline = AbortSignal.timeout(LOAD_DEADLINE_MS);
    try {
      return await navigation.settled(AbortSignal.any([signal, deadline]), null);
    } catch (error) {
      if (!deadline.aborted || signal.aborted) throw error;
      return true;
    }
  }

  /**
   * A frame's document came in a process of its own, told by nobody else.
   * @param {any} frame
   */
  arrived(frame) {
    for (const navigation of this.#followed)
      if (navigation.frameId === frame.id && navigation.pending)
        navigation.onEvent("Page.frameNavigated", { frame, type: "Navigation" });
    this.#look();
  }
}
