import { Aftermath } from "./aftermath.js";
import { openTold } from "./dialogs.js";
import { outcomeOf, tellsOfAny } from "./outcome.js";
/** @import { Effects } from "./effects.js" */
/** @import { Navigation } from "./navigation.js" */
/** @import { Snapshots } from "./snapshots.js" */
/** @import { Before, Dialogs, OpenDialog } from "./dialogs.js" */
/** @import { Run } from "./run.js" */

/**
 * @typedef {import("../wire/protocol.js").TargetChanges} TargetChanges
 * @typedef {{url?: string, title?: string, changed?: boolean, target?: TargetChanges, isOwn?: boolean, holds?: boolean,
 *   invalid?: {field: string, message: string}[], stands?: {value?: string, length?: number}, hasInput?: boolean, unseen?: string}} PageState what the page says of
 *   itself; `isOwn`: a state of the target's own is another one; `invalid`: fields that were
 *   refused; `holds`: what was asked for stands there; `stands`: what
 *   stands in the field that text was put into; `hasInput`: mouse or keyboard arrived; `unseen`: in words what may have
 *   changed where nobody looks
 * @typedef {{observed: boolean, before: Before, frame: boolean, isInput: boolean}} Action whether the page is asked what
 *   changed, where it stood before, whether it is asked after its next frame, and whether what it begins is waited for
 * @typedef {{effects: Record<string, any>, outcome: import("./outcome.js").Outcome, stands?: PageState["stands"], snapshot?: any}} Told
 */

/** What an action did to the page: waited for, and told with its answer. */
export class Observer {
  /**
   * What the page was asked to say of a command that a dialog then interrupted.
   * @type {Promise<PageState>|null}
   */
  #untold = null;
  /**
   * Where the last answer said its action had led, and whether more may come of it there.
   * @type {{url: string, loaderId: string|null, isOpen: boolean}|null}
   */
  #told = null;

  /**
   * @param {{navigation: Navigation, effects: Effects, dialogs: Dialogs, snapshots: Snapshots,
   *   networkLog: import("./network_log.js").NetworkLog}} parts
   */
  constructor({ navigation, effects, dialogs, snapshots, networkLog }) {
    this.aftermath = new Aftermath({ navigation, effects, networkLog });
    this.networkLog = networkLog;
    this.navigation = navigation;
    this.effects = effects;
    this.dialogs = dialogs;
    this.snapshots = snapshots;
  }

  /**
   * What happened since the last answer: {lateEffects} or {}.
   * @param {Run} run
   * @param {boolean} looks whether the page is asked, too
   * @returns {Promise<{lateEffects?: Record<string, any>}>}
   */
  async late(run, looks) {
    const changed = looks ? await this.#changedLate(run) : {};
    const { requests, ...late } = { ...(await this.effects.take()), ...changed };
    return Object.keys(late).length ? { lateEffects: late } : {};
  }

  /**
   * Where an action has led since its answer, and whether it changed the page after one that said that nothing did or
   * that something was under way.
   * @param {Run} run
   */
  async #changedLate(run) {
    const told = this.#told;
    if (!told || this.dialogs.open || this.navigation.pending) return {};
    const { url, loaderId } = this.navigation;
    const isMoved = url !== told.url || loaderId !== told.loaderId;
    if (!isMoved && !(told.isOpen && (await run.page("changedSince")))) return {};
    if (this.#told !== told) return {}; // a command beside this one tells it
    this.#told = null;
    return { ...(isMoved && { url }), changed: true };
  }

  /**
   * What an action did, with a snapshot where one was asked for.
   * @param {Run} run
   * @param {string|undefined} snapshot "none", "diff" or "full"
   * @param {Action} action
   * @returns {Promise<Told>}
   */
  async tell(run, snapshot, action) {
    const told = await this.#settle(run, action);
    // A page whose next one is slow to come answers nothing.
    if (!snapshot || snapshot === "none" || this.dialogs.open || this.navigation.pending) return told;
    const { snapshots } = this;
    return { ...told, snapshot: await (snapshot === "diff" ? snapshots.takeChanges(run) : snapshots.take(run)) };
  }

  /**
   * What `telling` tells, unless the page shows its next dialog: then that is told, and the rest with the answer to that one.
   * @param {Run} run
   * @param {Promise<Told>} telling
   * @param {Before} before
   * @returns {Promise<Told>}
   */
  async unlessDialog(run, telling, before) {
    const shown = this.dialogs.shown(run.signal);
    shown.catch(() => {}); // given up with the command
    await Promise.race([telling, shown]);
    const dialog = this.dialogs.open;
    if (!dialog) return telling;
    telling.catch(() => {}); // waits behind the dialog and ends with the command
    dialog.before = before;
    return { effects: await this.behind(dialog, before), outcome: outcomeOf({ ...run.facts, hasEffect: true }) };
  }

  /**
   * What is seen of an action whose page shows a dialog; the rest is told once that is answered.
   * @param {OpenDialog} dialog
   * @param {Before} before
   */
  async behind(dialog, before) {
    const { url, loaderId } = this.navigation;
    this.#told = { url, loaderId, isOpen: true };
    const moved = url === before.url ? {} : { url };
    return { ...moved, ...(await this.effects.take()), dialogs: [openTold(dialog)], changed: true };
  }

  /**
   * Wait for what the action started and say what it changed.
   * @param {Run} run
   * @param {Action} action
   * @returns {Promise<Told>}
   */
  async #settle(run, { observed, before, frame, isInput }) {
    /** @type {PageState} */
    let page = {};
    /** @type {string[]} */
    let pending = [];
    if (observed) {
      const look = () => this.#lookEverywhere(run, frame ? "settled" : "observed");
      if (isInput) ({ page, pending } = await this.aftermath.settled(run, before, look));
      else page = await look();
      if (!this.#isHeldUp(before, pending) && (await this.navigation.settled(run.signal, before.loaderId))) page = {};
    }
    const effects = { ...(await this.effects.take()), ...(pending.length && { pending }) };
    const { url, loaderId, unreachable } = this.navigation;
    const loaded = loaderId !== before.loaderId;
    const isOpen = isInput && (pending.length > 0 || !(page.changed || loaded));
    this.#told = observed ? { url, loaderId, isOpen } : null;
    const repeated = this.#repeated(before);
    if (!loaded && url === before.url) {
      if (repeated) page = { ...page, unseen: page.unseen ?? repeated };
      const told = { ...effects, ...changedOf(page, effects, run.facts) };
      return toldOf(run, page, told, repeated ? { ...told, requests: 0, pending: undefined } : told);
    }
    // Until the next action the page is watched for what a dialog nobody's command opened leads to.
    if (loaded) run.callBeside("observe", null, [false]);
    if (page.title === undefined && !this.dialogs.open) page = this.#known(run) ?? (await run.page("state"));
    const reloaded = loaded && url === before.url ? { reloaded: true } : {};
    const failed = unreachable ? { loadFailed: true } : {};
    return toldOf(run, page, { url, title: page.title, ...effects, ...failed, ...reloaded, changed: true });
  }

  /**
   * In words that all requests meanwhile are those that the page also makes by itself; null where they are not.
   * @param {Before} before
   */
  #repeated({ mark }) {
    if (mark === undefined) return null;
    const repeated = this.networkLog.onlyRepeated(mark);
    this.networkLog.actionOver(mark);
    return (
      repeated && `only ${repeated.method} ${pathOf(repeated.url)} was requested, which the page also does by itself`
    );
  }

  /**
   * What its handler was just told of the document that is shown, if there is no other by now.
   * @param {Run} run
   */
  #known({ shown }) {
    const { loaderId, url } = this.navigation;
    return shown?.loaderId === loaderId && shown.url === url ? shown : null;
  }

  /**
   * Whether the page's next one is slow to come: it is not waited for.
   * @param {Before} before
   * @param {string[]} pending
   */
  #isHeldUp({ loaderId }, pending) {
    return pending.length > 0 && this.navigation.pending !== null && this.navigation.loaderId === loaderId;
  }

  /**
   * What changed in the page and in the frames the action entered; of a page that was left meanwhile nothing is known.
   * @param {Run} run
   * @param {string} name
   * @returns {Promise<PageState>}
   */
  async #lookEverywhere(run, name) {
    const inFrames = run.watchedSettled(name);
    const page = await this.look(run, name).catch((error) => {
      if (!error.contextGone) throw error;
      return {};
    });
    const told = merged([page, ...(await inFrames)]);
    if (told.changed !== false || told.unseen || !(await run.hasChangedBeside())) return told;
    return { ...told, unseen: "a frame changed meanwhile, which may be its own doing" };
  }

  /**
   * Ask the page what changed; a dialog in between leaves it untold, for the command that answers the dialog. Where it
   * was asked behind the last thing that was done, that answer counts.
   * @param {Run} run
   * @param {string} name
   * @returns {Promise<PageState>}
   */
  async look(run, name) {
    const { told } = run.code;
    run.code.told = null; // holds once
    const page = await (told ?? this.#ask(run, name));
    if (!run.signal.aborted) this.#untold = null;
    return page;
  }

  /**
   * From now on `run.code` asks the page behind what it has just sent, so that the two ways there and back are one. What
   * is answered before that is not about all of it, and of a command that fails nothing is told.
   * @param {Run} run
   * @param {string} name
   */
  standBehind(run, name) {
    run.code.askBehind = () => {
      const asked = { page: this.#ask(run, name), isAnswered: false };
      const answered = () => (asked.isAnswered = true);
      asked.page.then(answered, answered);
      return asked;
    };
    run.code.failed = () => (this.#untold = null);
    run.code.isAsked = true;
  }

  /**
   * What the page says, with what it was asked before and did not tell.
   * @param {Run} run
   * @param {string} name
   * @returns {Promise<PageState>}
   */
  #ask(run, name) {
    const asking = Promise.all([run.pageOnce(name, ...run.code.takeGuard()), this.#untold]).then(([page, before]) =>
      before?.changed ? { ...page, changed: true } : page,
    );
    this.#untold = asking.catch(() => ({})); // who waits for it hears of the error
    return asking;
  }
}

/**
 * What happened elsewhere is no "nothing", and what nobody looks at is unknown.
 * @param {PageState} page
 * @param {Record<string, any>} effects
 * @param {Run["facts"]} facts
 */
function changedOf({ changed, unseen, hasInput }, effects, { hasChanged = false, byKeys, arrived }) {
  if (changed || hasChanged) return { changed: true };
  if ("fileChooser" in effects || "downloads" in effects || "newTabs" in effects) return {};
  return { changed: unseen || (byKeys ? hasInput : arrived) === false ? "unknown" : false };
}

/** @param {string} url */
const pathOf = (url) => (URL.canParse(url) ? new URL(url).pathname : url).slice(0, MAX_PATH);
const MAX_PATH = 80;

/**
 * @param {Run} run
 * @param {PageState} page
 * @param {Record<string, any>} effects
 * @param {Record<string, any>} its those of them that are the action's
 * @returns {Told}
 */
function toldOf({ facts }, { target, isOwn, invalid, holds, stands, hasInput, unseen }, effects, its = effects) {
  // What the handler read back may be gone again by now.
  const readBack = holds === false || facts.readBack === false ? false : (holds ?? facts.readBack);
  const arrived = facts.byKeys ? hasInput : facts.arrived;
  const hasEffect = tellsOfAny(its) || facts.hasValue;
  return {
    effects: { ...effects, ...(target && { target }), ...(invalid && { invalid }) },
    outcome: outcomeOf({ readBack, isOwn, arrived, hasEffect, unseen }),
    ...(stands && { stands }),
  };
}

/**
 * What several documents say together; of the target the one that has it.
 * @param {PageState[]} pages the top one first
 * @returns {PageState}
 */
function merged([top, ...inner]) {
  if (!inner.length) return top;
  const all = [top, ...inner];
  const { url: _, title: __, ...within } = Object.assign({}, ...inner);
  return {
    ...top,
    ...within,
    changed: all.some((page) => page.changed),
    hasInput: all.some((page) => page.hasInput),
    ...(all.some((page) => page.holds === false) && { holds: false }),
  };
}
