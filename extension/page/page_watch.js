// The watch over a page: what changes in its documents and shadow roots, sorted into what may be an action's effect, what
// was undone at once, and what the page does by itself.

import { defaultView, listen, nodeType, unlisten } from "./dom.js";
import { anythingMoves, movingPlace, noteMove, ownDoing, placeOf } from "./own_motion.js";
import { whatIsLeftOf } from "./undone.js";

/** What of a document or shadow root is observed. */
export const CHANGES = { subtree: true, childList: true, attributes: true, characterData: true };
const WITH_OLD = { ...CHANGES, attributeOldValue: true, characterDataOldValue: true };

/** Events that tell of a change no mutation does. */
const KINDS = [
  ...["input", "change", "invalid", "scroll", "toggle", "fullscreenchange"],
  ...["play", "pause", "seeking", "volumechange", "ratechange", "beforeprint"],
  // Of an SVG's own animations.
  ...["beginEvent", "endEvent"],
];
/** What a page put into the clipboard nobody reads. */
const UNREAD = ["copy", "cut"];
/** What a page does in its listeners for these is an effect of the input, wherever it is. */
const INPUTS = [
  ...["pointerover", "mouseover", "pointermove", "mousemove", "pointerdown", "mousedown", "pointerup", "mouseup"],
  ...["click", "auxclick", "dblclick", "contextmenu", "keydown", "keypress", "keyup", "beforeinput", "input", "change"],
  ...["wheel", "dragstart", "dragenter", "dragover", "drop", "dragend", "focusin", "focusout", "paste"],
];
/** Between two actions a page is watched until it has changed so often, and so many of each time are looked at. */
const MAX_IDLE_RECORDS = 3000;
const MAX_LEARNT = 100;
const OPTIONS = { capture: true, passive: true };

export class PageWatch {
  /** The documents and shadow roots that are watched. @type {Set<Node>} */
  roots = new Set();
  /** Hears of the first effect. */
  onSign = () => {};
  /** Hears that something was copied. */
  onUnread = () => {};
  /** In words what changed that may not be an effect. @type {string|null} */
  doubt = null;
  /** The first field whose value the browser or the page refused. @type {any} */
  refused = null;
  #hasChanged = false;
  #isActing = false;
  /** When the action under way began, and when the last one was over. */
  #begunAt = -Infinity;
  #actedAt = -Infinity;
  #idleRecords = 0;
  /** In how many listeners for input the page may be. */
  #inInput = 0;
  #observer = new MutationObserver((records) => this.#sort(records));
  #isOver = (/** @type {Event} */ event) => this.#onEvent(event);
  #copied = () => this.onUnread();
  #refuse = (/** @type {Event} */ { target }) => (this.refused ??= target);
  #input = (/** @type {Event} */ event) => this.#onInput(event);
  /** @type {(event: Event) => boolean} */
  #ignores;

  /** @param {(event: Event) => boolean} ignores which events are the extension's own doing */
  constructor(ignores) {
    this.#ignores = ignores;
  }

  /**
   * Begin anew.
   * @param {Iterable<Node>} roots
   * @param {boolean} isActing whether an action is under way; else what changes is learnt to change by itself
   */
  begin(roots, isActing) {
    const all = [...roots];
    this.#stop();
    if (this.#isActing && !isActing) this.#actedAt = performance.now();
    if (!this.#isActing && isActing) this.#begunAt = performance.now();
    this.#isActing = isActing;
    this.#hasChanged = false;
    this.doubt = null;
    this.refused = null;
    this.#idleRecords = 0;
    this.roots = new Set();
    for (const root of all) this.watch(root);
  }

  /** @param {Node} root */
  watch(root) {
    if (this.roots.has(root)) return;
    this.roots.add(root);
    this.#observer.observe(root, WITH_OLD);
    for (const kind of KINDS) listen(root, kind, this.#isOver, OPTIONS);
    for (const kind of UNREAD) listen(root, kind, this.#copied, OPTIONS);
    listen(root, "invalid", this.#refuse, OPTIONS);
    const view = nodeType(root) === 9 && defaultView(root);
    if (view && this.#isActing && anythingMoves()) for (const kind of INPUTS) listen(view, kind, this.#input, OPTIONS);
  }

  /** Whether an effect was seen since it began. */
  get changed() {
    this.#sort(this.#observer.takeRecords());
    return this.#hasChanged;
  }

  /** The action is not over, after all: what changes from now on may be its doing. */
  goOn() {
    this.#isActing = true;
  }

  /** What changed so far came before the action's own. @returns {boolean} whether anything did */
  forgetEarlier() {
    const hadChanged = this.changed || this.doubt !== null;
    if (hadChanged) this.begin(this.roots, true);
    return hadChanged;
  }

  #stop() {
    this.#stopChanges();
    for (const root of this.roots) {
      for (const kind of UNREAD) unlisten(root, kind, this.#copied, OPTIONS);
      unlisten(root, "invalid", this.#refuse, OPTIONS);
    }
  }

  #stopChanges() {
    this.#observer.disconnect();
    this.#inInput = 0;
    for (const root of this.roots) {
      for (const kind of KINDS) unlisten(root, kind, this.#isOver, OPTIONS);
      const view = nodeType(root) === 9 && defaultView(root);
      if (view) for (const kind of INPUTS) unlisten(view, kind, this.#input, OPTIONS);
    }
  }

  /** @param {MutationRecord[]} records that came together */
  #sort(records) {
    if (!records.length) return;
    if (!this.#isActing) this.#learnFrom(records);
    if (this.#hasChanged) return;
    const left = whatIsLeftOf(records);
    if (left === "undone") this.doubt ??= "what was changed on the page was changed back at once";
    if (left !== "lasting") return;
    for (const record of records) {
      const { place, kind } = placeOf(record);
      if (!this.#isOwn(place, kind)) return this.#sign();
    }
  }

  #learnFrom(records) {
    for (const record of records.slice(0, MAX_LEARNT)) {
      const { place, kind } = placeOf(record);
      noteMove(place, kind, this.#actedAt);
    }
    this.#idleRecords += records.length;
    if (this.#idleRecords > MAX_IDLE_RECORDS) this.#observer.disconnect();
  }

  /** @param {Event} event */
  #onEvent(event) {
    if (this.#ignores(event)) return;
    const place = /** @type {Node} */ (event.target);
    if (!this.#isActing) noteMove(place, event.type, this.#actedAt);
    if (!this.#hasChanged && !this.#isOwn(place, event.type)) this.#sign();
  }

  /** @param {Node} place @param {string} kind */
  #isOwn(place, kind) {
    const moving = this.#inInput ? null : movingPlace(place, kind, this.#isActing ? this.#begunAt : performance.now());
    if (!moving) return false;
    this.doubt = ownDoing(moving);
    noteMove(place, kind, this.#actedAt);
    return true;
  }

  #sign() {
    this.#hasChanged = true;
    // What comes next is not asked for, unless it shows what the page does by itself.
    if (this.#isActing) this.#stopChanges();
    this.onSign();
  }

  #inputEnds() {
    this.#sort(this.#observer.takeRecords());
    this.#inInput = Math.max(0, this.#inInput - 1);
  }

  /** From the first listener until the page's next task. @param {Event} event */
  #onInput(event) {
    if (!event.isTrusted || this.#hasChanged) return;
    this.#sort(this.#observer.takeRecords());
    this.#inInput += 1;
    // Before the page's timers, which may be due since long ago.
    void scheduler.postTask(() => this.#inputEnds(), { priority: "user-blocking" });
  }
}
