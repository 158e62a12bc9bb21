import { check } from "./check.js";
import { DebuggerEvents } from "./debugger_events.js";
import { Executor } from "./executor.js";
import { Hands } from "./hands.js";
import { giveBack } from "./restoring.js";
import { Picker } from "./pick.js";
import { pointedAt } from "./pointing.js";
import { subscribe } from "./subscriptions.js";
/** @import { Catalogue } from "../wire/catalogue.js" */
/** @import { Size } from "./emulation.js" */
/** @import { CommandFrame, Watch } from "../wire/protocol.js" */
/** @import { Found } from "./popups.js" */
/** @import { Handler } from "./executor.js" */
/** @import { Ending, Remembered, TabParts } from "./parts.js" */
/** @import { Held } from "./restoring.js" */

/** One connected tab, as the rest of the browser deals with it. */
export class Session {
  #tab;
  #executor;
  #picker;
  #hands;
  #events;

  /**
   * @param {TabParts} tab what it is made of
   * @param {{catalogue: Catalogue, handlers: Record<string, Handler>}} commands
   */
  constructor(tab, commands) {
    this.#tab = tab;
    this.#executor = new Executor(tab, commands);
    this.#picker = new Picker(tab);
    this.#hands = new Hands(tab);
    this.#events = new DebuggerEvents(tab, this.#picker);
  }

  /** The tabId the panel knows it by. */
  get id() {
    return this.#tab.id;
  }

  get chromeTabId() {
    return this.#tab.chromeTab.id;
  }

  /** What its main frame shows. */
  get url() {
    return this.#tab.navigation.url;
  }

  /** Why it was let go of, or null. */
  get ended() {
    return this.#tab.lifetime.ended;
  }

  /** Whether a command is closing the tab. */
  get isClosing() {
    return this.#tab.lifetime.isClosing;
  }

  /** Whether a command runs or waits. */
  get isExecuting() {
    return this.#tab.queues.size > 0;
  }

  /**
   * Attach the debugger and listen. What was remembered of the tab is taken up as far as the attachment is that of before.
   * @param {Partial<Remembered>} remembered
   * @returns {Promise<boolean>} whether the attachment is new, not one that outlived the worker
   */
  async start({ nextRef = 1, offline = false, size = null, kept = {} } = {}) {
    const { emulation, keptScripts, snapshots } = this.#tab;
    snapshots.nextRef = nextRef;
    Object.assign(emulation, { isOffline: offline, size });
    const isNew = await subscribe(this.#tab);
    if (!isNew) keptScripts.adopt(kept);
    return isNew;
  }

  /**
   * Give a new attachment what a pause took from the tab, as `restoring.js` says.
   * @param {Held} held
   */
  giveBack(held) {
    return giveBack(this.#tab, held);
  }

  /**
   * Let go of the tab for good, as `Lifetime.end` says.
   * @param {Error} error
   * @param {Ending} [told]
   */
  end(error, told) {
    this.#tab.children.flood.end();
    return this.#tab.lifetime.end(error, told);
  }

  /** Chrome ended it, of its own accord. */
  taken() {
    this.#tab.lifetime.isTaken = true;
  }

  /**
   * Carry out a command frame and return the response frame, as `Executor.execute` says. Never rejects.
   * @param {CommandFrame | Omit<CommandFrame, "type">} frame
   */
  execute(frame) {
    return this.#executor.execute(frame);
  }

  /**
   * Let the person choose an element, as `pick.js` says.
   * @param {{id: string}} frame
   */
  pick(frame) {
    return this.#picker.pick(frame);
  }

  /** Bring the tab's window in front, for the person. */
  show() {
    this.#tab.chromeTab.bringForward().catch(() => {}); // it has gone, which is told otherwise
  }

  /**
   * Try the debugger and the page, as `check.js` says.
   * @param {{id: string}} frame
   */
  check(frame) {
    return check(this.#tab, frame);
  }

  /**
   * Give up on the command or pick called `id`.
   * @param {string} id
   */
  cancel(id) {
    this.#executor.cancel(id);
  }

  /**
   * The keys that are held down in it go up.
   * @param {string} why in words
   */
  letGoOfKeys(why) {
    return this.#tab.heldKeys.letGo(why);
  }

  /** The connection to the panel broke, as `Executor.cutOff` says. */
  cutOff() {
    this.#executor.cutOff();
  }

  /**
   * Give up on what still runs since then.
   * @param {Error} error
   */
  giveUpOrphans(error) {
    this.#executor.giveUpOrphans(error);
  }

  /** The name of what is remembered of its commands. */
  get memory() {
    return this.#tab.results.memory;
  }

  /**
   * What became of a command whose answer the panel lost, as `Results.of` says; null while it runs.
   * @param {string} id
   * @param {number} lost how many answers it lost
   */
  resultOf(id, lost) {
    return this.#tab.results.of(id, this.#tab.queues.has(id), lost);
  }

  /** What became of its last commands, as `Results.last` says, without what was typed into secret fields. */
  lastResults() {
    return this.masked(this.#tab.results.last());
  }

  /** Resolves when every command given so far is over. */
  idle() {
    return this.#tab.queues.commands.idle();
  }

  /**
   * What the person chose for the agent's mouse in this browser.
   * @param {{natural: boolean, cursor: boolean}} choice
   */
  setMouse(choice) {
    this.#tab.pointer.choose(choice);
  }

  /**
   * Whether a frame is shown around the page while it is driven.
   * @param {boolean} isWanted
   */
  wantFrame(isWanted) {
    this.#tab.drivenFrame.want(isWanted);
  }

  /**
   * The page is driven from now on, or no more.
   * @param {boolean} isDriven
   */
  drive(isDriven) {
    this.#tab.drivenFrame.drive(isDriven);
  }

  /**
   * A frame for the panel without what was typed into secret fields.
   * @template T
   * @param {T} frame
   */
  masked(frame) {
    return this.#tab.typedSecrets.masked(frame);
  }

  /**
   * Show the person the page from now on, as `Screencast.watch` says.
   * @param {Omit<Watch, "type">} wanted
   */
  watch(wanted) {
    return this.#tab.screencast.watch(wanted);
  }

  /** The person looks at it no more. */
  unwatch() {
    return this.#tab.screencast.unwatch();
  }

  /**
   * The person sees picture `number` of it.
   * @param {number} number
   */
  painted(number) {
    this.#tab.screencast.painted(number);
  }

  /**
   * What lies where the person points, as `pointing.js` says.
   * @param {{id: string, x: number, y: number}} frame
   */
  pointAt(frame) {
    return pointedAt(this.#tab, frame);
  }

  /** What the person's own mouse and keyboard do in it, once they have stepped in. */
  get hands() {
    return this.#hands;
  }

  /** The console lines that are kept, newest first. */
  consoleLines() {
    return this.#tab.console.newestFirst();
  }

  /** Whether its page asked for a window whose tab has not come. */
  get isExpectingTab() {
    return this.#tab.popups.isExpecting;
  }

  /**
   * A tab with this one as its opener appeared, as `Popups.opened` says.
   * @param {Promise<Found|null>} opened
   */
  tabOpened(opened) {
    return this.#tab.popups.opened(opened);
  }

  /**
   * @param {string} method
   * @param {any} params
   * @param {string|undefined} childSession
   */
  onDebuggerEvent(method, params, childSession) {
    this.#events.onEvent(method, params, childSession);
  }
}
