import { Conditions } from "./conditions.js";
import { Navigation } from "./navigation.js";

/** An action does not wait longer for a frame that it led to another document. */
const LOAD_DEADLINE_MS = 3000;

/** The frames of a tab that its top document cannot read: where their worlds are and whose refs are theirs. */
export class Frames {
  #conditions = new Conditions();
  /** World → {frameId, parent: the world its element is in, door, accepted: the ref after the last one it told}. */
  #known = new Map();
  /** "world/door" → frameId. */
  #doors = new Map();
  /** Refs given out in frames: {from, to, world}, `to` not included. */
  #refs = [];
  #followed = new Set();
  /** Called when a frame has come, gone, or shows another document. */
  listeners = new Set();
  #news = 0;

  constructor(session) {
    this.session = session;
  }

  /** Whether the tab has any frame, of whatever origin. */
  get any() {
    return this.session.worlds.size > 1 || this.session.children.hasFrames;
  }

  onEvent(method, params) {
    if (method === "Runtime.executionContextDestroyed") this.#forget(params.executionContextUniqueId);
    if (method.startsWith("Page.") || method.startsWith("Network.")) for (const navigation of this.#followed) navigation.onEvent(method, params);
    if (/^(Runtime\.executionContext|Target\.|Page\.frameDetached)/.test(method)) this.#look();
  }

  #look() {
    this.#news += 1;
    this.#conditions.look();
    for (const listener of this.listeners) listener();
  }

  /** Resolves when a frame next comes, goes, or shows another document. */
  changed(signal) {
    const known = this.#news;
    return this.#conditions.until(() => this.#news !== known, signal);
  }

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

  /** The world of a frame {id, session}, or null; `around` is the session of the document its element is in. */
  worldOf(frameId, around) {
    const session = this.session.children.ofFrame(frameId) ?? around;
    const id = this.worldsOf(session)?.known(frameId);
    return id ? { id, session } : null;
  }

  worldsOf(session) {
    return session ? this.session.children.get(session)?.worlds : this.session.worlds;
  }

  /** The same, waited for. */
  async worldWithin(deadlineMs, frameId, around, signal) {
    await this.#conditions.within(deadlineMs, () => this.worldOf(frameId, around) !== null, signal);
    return this.worldOf(frameId, around);
  }

  /** The frame behind a door of a world, while it shows a document. */
  behind(world, door, around) {
    const frameId = this.#doors.get(`${world}/${door}`);
    return frameId && this.worldOf(frameId, around) ? frameId : undefined;
  }

  /** Remember the way into a frame. */
  entered({ world, frameId, parent, door }) {
    this.#doors.set(`${parent.world.id}/${door}`, frameId);
    this.#known.set(world.id, { ...this.#known.get(world.id), frameId, parent: parent.world.id, door });
  }

  /** The ways from the top into a world: [{world, door}], empty when it is not known any more. */
  wayTo(world) {
    const way = [];
    for (let id = world; this.#known.has(id) && this.#known.get(id).door; id = this.#known.get(id).parent)
      way.unshift({ world: id, door: this.#known.get(id).door });
    return way;
  }

  /** The world that gave out a ref, or undefined: one of the top document's. */
  ownerOf(ref) {
    const number = Number(ref.slice(1));
    return this.#refs.find(({ from, to }) => from <= number && number < to)?.world;
  }

  /** Numbers for the next refs of a world: from when on, and from where it gives up those whose answer never came. */
  numbers(world, nextRef) {
    const accepted = this.#known.get(world)?.accepted ?? nextRef;
    this.#known.set(world, { ...this.#known.get(world), accepted });
    return { from: nextRef, accepted };
  }

  /** A world has told refs from `from` up to before `to`. */
  told(world, { from, to, inFrame }) {
    this.#known.set(world, { ...this.#known.get(world), accepted: to });
    if (!inFrame || to <= from) return;
    const last = this.#refs.at(-1);
    if (last?.world === world && last.to === from) last.to = to;
    else this.#refs.push({ from, to, world });
  }

  /** Follow where a frame goes while a command acts in it. */
  follow(frameId, signal) {
    const navigation = new Navigation(true);
    navigation.adopt({ id: frameId, loaderId: null, url: "" });
    this.#followed.add(navigation);
    signal.addEventListener("abort", () => this.#followed.delete(navigation), { once: true });
    return navigation;
  }

  /** Whether a followed frame went to another document, once that is there. */
  async settled(navigation, signal) {
    const deadline = AbortSignal.timeout(LOAD_DEADLINE_MS);
    try {
      return await navigation.settled(AbortSignal.any([signal, deadline]), null);
    } catch (error) {
      if (!deadline.aborted || signal.aborted) throw error;
      return true;
    }
  }

  /** A frame's document came in a process of its own, told by nobody else. */
  arrived(frame) {
    for (const navigation of this.#followed)
      if (navigation.frameId === frame.id && navigation.pending) navigation.onEvent("Page.frameNavigated", { frame, type: "Navigation" });
    this.#look();
  }
}
