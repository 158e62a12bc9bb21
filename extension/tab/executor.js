import { KaptureError } from "../basics/errors.js";
import { besideOf, grantOf, isInput, isRead, opensChoosers } from "./kinds.js";
import { Observer } from "./observer.js";
import { ledAway } from "./led_away.js";
import { outcomeOf } from "./outcome.js";
import { patienceOf } from "./patience.js";
import { leavesPage } from "./renderer.js";
import { neverBegan } from "./results.js";
import { Run } from "./run.js";
import { withSoFar } from "./so_far.js";
import { OF_CODE } from "./typed_secrets.js";
/** @import { TabParts } from "./parts.js" */
/** @import { Catalogue, Entry } from "../wire/catalogue.js" */
/** @import { CommandFrame } from "../wire/protocol.js" */
/** @import { AnsweredDialog, Before, OpenDialog } from "./dialogs.js" */

/**
 * @typedef {import("../wire/protocol.js").Response} Outcome the response frame
 * @typedef {((params: any, run: Run) => any) & {overlaps?: true}} Handler carries out a command; what it returns, or
 *   resolves to, is its result; `overlaps`: as overlapping.js says
 */

/**
 * @typedef {import("./led_away.js").Late} Late
 * @typedef {{entry: Entry, handler: Handler, params: Record<string, any>, run: Run, late: Late, rule: string,
 *   answered: AnsweredDialog[], quiet: boolean}} Command `late` and `answered` get what is told beside the result; one
 *   that is `quiet` leaves what is told late to the next one
 * @typedef {{result: any, outcome?: import("./outcome.js").Outcome, effects?: object, snapshot?: string}} Done
 */

/** An action whose caller lost the connection may come to its own end for so long: its effects are waited for less. */
const ORPHAN_MS = 2500;

/** Carries out the commands of one tab: each in its queue, by its handler, answered with what it did. */
export class Executor {
  /**
   * The commands that wait or run.
   * @type {Set<string>}
   */
  #underWay = new Set();
  /**
   * What runs and may change something.
   * @type {Map<string, import("./led_away.js").Acting>}
   */
  #acting = new Map();
  /**
   * While a dialog that stood before a command is being answered; never rejects.
   * @type {Promise<unknown>|null}
   */
  #answering = null;
  /**
   * Those of them whose answer goes nowhere.
   * @type {Set<string>}
   */
  #orphans = new Set();

  /**
   * @param {TabParts} tab
   * @param {{catalogue: Catalogue, handlers: Record<string, Handler>}} commands
   */
  constructor(tab, { catalogue, handlers }) {
    this.tab = tab;
    this.catalogue = catalogue;
    this.handlers = handlers;
    this.observer = new Observer(tab);
  }

  /**
   * Carry out one command frame and return the response frame. Never rejects. A frame that comes again is not carried
   * out again.
   * @param {CommandFrame | Omit<CommandFrame, "type">} frame `dialogs` is how a client that has no command for it
   *   answers them; `grant` is what it may touch
   * @returns {Promise<Outcome|null>} of one that came again what is known of it; null while it waits or runs, for then
   *   the answer to the first is still to come
   */
  async execute(frame) {
    const { id } = frame;
    if (!this.tab.results.give(id)) return this.tab.results.of(id, this.#underWay.has(id), 1);
    this.#underWay.add(id);
    const commandEnds = this.tab.screencast.commandBegins();
    const response = await this.#execute(frame);
    commandEnds();
    this.#acting.delete(id);
    this.#orphans.delete(id);
    this.tab.results.end(response);
    this.#underWay.delete(id);
    return response;
  }

  /**
   * Give up on a command, or a pick, whose caller has given it up.
   * @param {string} id
   */
  cancel(id) {
    const waits = this.#underWay.has(id) && !this.tab.results.hasBegun(id);
    this.tab.queues.cancel(id, waits ? givenUp() : undefined);
  }

  /**
   * Nobody waits for an answer any more: what waits or only looks ends, an action that runs may come to its own end.
   */
  cutOff() {
    const { queues } = this.tab;
    for (const id of queues.ids()) if (!this.#acting.has(id)) queues.cancel(id, neverBegan());
    const cutOff = [...this.#acting.keys()];
    // Cut in the middle of its input, nobody would know what an action has done; at its end it can still be told.
    for (const id of cutOff) this.#orphans.add(id);
    setTimeout(() => this.#giveUp(cutOff, broken()), ORPHAN_MS);
  }

  /**
   * Give up on the actions whose answer goes nowhere.
   * @param {Error} error
   */
  giveUpOrphans(error) {
    this.#giveUp([...this.#orphans], error);
  }

  /**
   * @param {string[]} ids
   * @param {Error} error
   */
  #giveUp(ids, error) {
    for (const id of ids) this.tab.queues.cancel(id, error);
  }

  /**
   * @param {CommandFrame | Omit<CommandFrame, "type">} frame
   * @returns {Promise<Outcome>}
   */
  async #execute({ id, command, params, timeout, dialogs: rule = "", grant, quiet = false }) {
    const started = performance.now();
    // What came after the answer before rides on this one, whether it succeeds or fails.
    /** @type {Late} */
    const late = {};
    /** @type {Record<string, any>[]} */
    const targets = [];
    /** @type {AnsweredDialog[]} */
    const dialogs = [];
    /** @param {Omit<Outcome, "type"|"id">} rest @returns {Outcome} */
    const respond = (rest) => ({
      type: "response",
      id,
      ...rest,
      ...(targets.length && { targets }),
      ...(dialogs.length && { dialogs }),
      ms: Math.round((performance.now() - started) * 100) / 100,
    });
    try {
      const entry = this.catalogue.commands.get(command);
      const handler = this.handlers[command];
      if (!entry || !handler)
        throw new KaptureError(
          "INVALID_PARAMS",
          `this extension does not know ${command}`,
          "reload it to match the panel",
        );
      const { commands, immediate } = this.tab.queues;
      // What answers a dialog must not wait behind the command that the dialog holds up.
      const queue = entry.immediate ? immediate : commands;
      const perform = (signal) => {
        this.tab.results.begin(id);
        const run = new Run(this.tab, {
          signal,
          id,
          timeoutMs: timeout,
          targets,
          grant: grantOf(entry, params, grant),
          patience: patienceOf(params.wait, timeout),
        });
        if (!isRead(entry, params)) this.#acting.set(id, { run, isAction: Boolean(entry.action) });
        return this.#untilDialog({ entry, handler, params, run, late, rule, answered: dialogs, quiet });
      };
      const outcome = await queue.run(id, timeout, perform, () => this.#probe(), besideOf(entry, handler, rule));
      return respond({ success: true, ...outcome, ...late, ...(entry.class === "execute" && { [OF_CODE]: true }) });
    } catch (error) {
      return respond(await this.#failed(id, error, late));
    }
  }

  /**
   * What a command is answered that failed.
   * @param {string} id
   * @param {any} error
   * @param {Late} late
   */
  async #failed(id, error, late) {
    const acting = this.#acting.get(id);
    if (acting && error.code === "COMMAND_TIMEOUT") error = withSoFar(error, acting.run);
    const failure = { success: false, error: KaptureError.wire(error) };
    if (error.code === "NEEDS_APPROVAL") {
      // Nothing is answered yet: what has come since the last answer is told with the one that will be.
      this.tab.effects.giveBack(late.lateEffects ?? {});
      return failure;
    }
    const led = acting && error instanceof KaptureError && (await ledAway(this.tab, acting, error, late));
    return led || { ...failure, ...late };
  }

  /**
   * Carry out a command; one that opened a dialog is over then, as far as it was done.
   * @param {Command} command
   * @returns {Promise<Done>}
   */
  #untilDialog(command) {
    const { entry, run } = command;
    /** @type {PromiseWithResolvers<Done>} */
    const { promise, resolve } = Promise.withResolvers();
    const ended = async (
      /** @type {object} */ done,
      /** @type {OpenDialog} */ dialog,
      /** @type {Before} */ before,
    ) => ({
      result: withCosts(done, run, isInput(entry)),
      effects: await this.observer.behind(dialog, before),
      // What it was to set was not read back before the dialog came.
      outcome: outcomeOf({ arrived: run.facts.arrived, hasEffect: true }),
    });
    const performing = this.#perform(command, (done, dialog, before) => resolve(ended(done, dialog, before)));
    return Promise.race([performing, promise]);
  }

  /**
   * @param {Command} command
   * @param {(done: object, dialog: OpenDialog, before: Before) => void} end
   * @returns {Promise<Done>}
   */
  async #perform({ entry, handler, params, run, late, rule, answered, quiet }, end) {
    const { tab, observer } = this;
    // A dialog that is just being answered belongs to that answer, with all it leads to.
    if (!entry.immediate) await tab.queues.immediate.idle();
    if (tab.lifetime.ended) throw tab.lifetime.ended;
    // What has no element to look at is done to the tab's document.
    if (entry.class === "interact" && entry.target === "none" && !entry.inputSchema.properties.fields)
      run.grant.demand(tab.navigation.url);
    const { url, loaderId } = tab.navigation;
    /** @type {Before} */
    const before = (entry.immediate && tab.dialogs.open?.before) || { url, loaderId, mark: tab.networkLog.mark };
    if (!entry.immediate) {
      tab.dialogRules.begin({
        run,
        rule,
        answered,
        action: Boolean(entry.action),
        before,
        end: (done, dialog) => end(done, dialog, before),
      });
      if (tab.dialogs.open && !(rule && tab.renderer.isStuck)) await this.#answerFirst(run);
    }
    await tab.renderer.demandUsable(entry.name, run.timeoutMs);
    await tab.renderer.leaveIfStuck(entry.class === "navigate" && !tab.dialogs.open);
    if (!quiet) Object.assign(late, await observer.late(run, !leavesPage(entry.name)));
    if (!entry.action) return { result: await handled(handler, params, run) };
    const observed = entry.class !== "navigate";
    // What a dialog interrupted is observed since before it: behind the dialog the page takes no calls.
    const observing = observed && !entry.immediate ? run.page("observe") : undefined;
    if (observed) run.startWatching();
    if (observing) observer.standBehind(run, entry.class === "interact" ? "settled" : "observed");
    const work = () => handled(handler, params, run);
    const [done] = await Promise.all([this.#withChoosers(entry, work, run), observing]);
    run.done = () => done;
    const result = withCosts(done, run, isInput(entry));
    if (tab.lifetime.ended) {
      // Closed or not: Chrome takes the debugger from a tab that led to another program, too.
      const effects = { ...(await tab.effects.take()), changed: tab.lifetime.isClosing };
      const programs = /** @type {{kept: boolean}[]|undefined} */ (effects.programs);
      const isHandedOver = programs?.some(({ kept }) => !kept);
      const hasEffect = tab.lifetime.isClosing || isHandedOver;
      const outcome = outcomeOf({ hasEffect, unseen: "the tab is not connected any more" });
      return { result, outcome, effects };
    }
    const how = { observed, before, frame: entry.class === "interact", isInput: isInput(entry) };
    const telling = observer.tell(run, params.snapshot, how);
    const { stands, ...told } = await (entry.immediate ? observer.unlessDialog(run, telling, before) : telling);
    const isForm = "fields" in entry.inputSchema.properties;
    return { result: withStanding(result, stands, told.effects, isForm), ...told };
  }

  /**
   * @template T
   * @param {Command["entry"]} entry
   * @param {() => Promise<T>} work
   * @param {Run} run
   */
  #withChoosers(entry, work, { signal }) {
    return opensChoosers(entry) ? this.tab.fileChooser.during(work, signal) : work();
  }

  /**
   * Answer the dialog that stands before a command as its client's rule says, and let the page go on from there.
   * @param {Run} run
   */
  async #answerFirst(run) {
    while (this.#answering) await this.#answering; // for a command beside this one
    const dialog = this.tab.dialogs.open;
    if (!dialog) return;
    const answering = this.#answer(run, dialog);
    const over = () => (this.#answering = null);
    this.#answering = answering.then(over, over);
    await answering;
  }

  /**
   * @param {Run} run
   * @param {OpenDialog} dialog
   */
  async #answer(run, dialog) {
    const { dialogRules, navigation } = this.tab;
    const { loaderId } = dialog.before ?? navigation;
    await dialogRules.answerOpen(dialog);
    await this.observer.look(run, "settled").catch((error) => {
      if (!error.contextGone) throw error;
    });
    await navigation.settled(run.signal, loaderId);
  }

  async #probe() {
    const { dialogs, dialogRules, renderer } = this.tab;
    // A page that shows one dialog after the other may be as stuck as one that shows none.
    if ((dialogRules.hasMany || !dialogs.open) && !renderer.isCrashed) await renderer.probe();
  }
}

/**
 * The result with what an agent should know of how it came about: it was waited for, one of several was taken, keys
 * are held down.
 * @param {any} done
 * @param {Run} run
 * @param {boolean} isInput
 */
function withCosts(done, { waitedMs, matches, heldKeys }, isInput) {
  const held = isInput ? heldKeys.names : [];
  if (!waitedMs && !Object.keys(matches).length && !held.length) return done;
  return {
    ...done,
    ...(waitedMs && { waitedMs }),
    ...(Object.keys(matches).length && { matches }),
    ...(held.length && { held }),
  };
}

/**
 * The result with what stands there now; a value is told once.
 * @param {any} result
 * @param {{value?: string, length?: number}|undefined} stands
 * @param {{target?: Record<string, any[]>}} effects
 * @param {boolean} isForm the result tells of several fields what they hold, the effects would of one of them
 */
function withStanding(result, stands, effects, isForm) {
  const told = { ...stands, ...result };
  const { target } = effects;
  for (const name of ["value", "length"])
    if (target?.[name] && told[name] !== undefined && !target[name][0]) delete target[name];
  if (isForm || (target && !Object.keys(target).length)) delete effects.target;
  return stands ? told : result;
}

/**
 * "Nothing was done" is said only while it is true; the element is told where the page has it.
 * @param {Handler} handler
 * @param {Record<string, any>} params
 * @param {Run} run
 */
async function handled(handler, params, run) {
  try {
    return await handler(params, run);
  } catch (error) {
    // What a dialog has cut off is told with the answer to that.
    if (!run.signal.aborted) run.code.failed();
    for (const press of run.code.takeGuard()) run.callBeside("endGuard", null, [press]);
    if (error.code !== "NEEDS_APPROVAL") throw error;
    if (run.acted)
      throw new KaptureError(
        "EXECUTION_ERROR",
        "while the command ran, the page changed to something that was not allowed",
        "look at it before you go on",
      );
    if (!error.details.box) throw error;
    const { scrollX, scrollY } = await run.page("viewport");
    const { x, y, width, height } = error.details.box;
    throw error.reworded({ details: { box: { x: x + scrollX, y: y + scrollY, width, height } } });
  }
}

function givenUp() {
  return new KaptureError("NOT_SENT", "its caller gave it up before it had begun", "nothing was done");
}

function broken() {
  return new KaptureError(
    "OUTCOME_UNKNOWN",
    "the connection to the panel broke, and cut the action off before its end",
    "look at the page before trying again",
  );
}
