import { KaptureError } from "../basics/errors.js";
import { ANSWER_IT, named } from "./dialogs.js";
import { withSoFar } from "./so_far.js";
/** @import { Effects } from "./effects.js" */
/** @import { Lifetime } from "./lifetime.js" */
/** @import { TabEvent } from "./parts.js" */
/** @import { Queues } from "./queues.js" */
/** @import { Cdp, Send } from "./cdp.js" */
/** @import { Run } from "./run.js" */
/** @import { AnsweredDialog, Before, Dialogs, OpenDialog } from "./dialogs.js" */

/** A command tells this many dialogs that were answered under it, and how many more there were. */
const MAX_ANSWERED = 10;

/**
 * @typedef {{run: Run, rule: string, answered: AnsweredDialog[], action: boolean, before: Before,
 *   end: (done: object, dialog: OpenDialog) => void}} RuledCommand `rule` is "", "accept" or "dismiss"; `answered` gets what
 *   was answered by it; `end` lets an action answer what it has done, and the dialog that this opened
 */

/** What becomes of a dialog: answered at once as its command's client wants it, or told, and then it blocks. */
export class DialogRules {
  /**
   * The command that began last in the queue.
   * @type {RuledCommand|null}
   */
  #command = null;
  /** Those that run, as they began. @type {Set<RuledCommand>} */
  #running = new Set();

  /** @param {{cdp: Cdp, dialogs: Dialogs, effects: Effects, queues: Queues, lifetime: Lifetime, tell: (event: TabEvent) => void}} parts */
  constructor({ cdp, dialogs, effects, queues, lifetime, tell }) {
    this.cdp = cdp;
    this.dialogs = dialogs;
    this.effects = effects;
    this.queues = queues;
    this.lifetime = lifetime;
    this.tell = tell;
  }

  /**
   * From now on dialogs are those of this command.
   * @param {RuledCommand} command
   */
  begin(command) {
    this.#command = command;
    this.#running.add(command);
    command.run.signal.addEventListener("abort", () => this.#running.delete(command), { once: true });
  }

  /** Whether the command that runs has had more dialogs answered than are told. */
  get hasMany() {
    return this.#command?.answered.length === MAX_ANSWERED;
  }

  /** @param {{type: string, message: string, defaultPrompt?: string}} dialog */
  opened(dialog) {
    const command = [...this.#running].at(-1) ?? null;
    const closes = this.lifetime.isClosing;
    const opened = this.dialogs.opened(dialog, command && { ...command.before, closes });
    if (!command?.rule) return this.#blocks(opened, command);
    this.#answer(opened, command).catch(() => {
      if (this.dialogs.open === opened) this.#blocks(opened, command); // as without a rule
    });
  }

  /**
   * @param {OpenDialog} dialog
   * @param {RuledCommand|null} command the one it opened under
   */
  #blocks(dialog, command) {
    const { type, message } = dialog;
    this.lifetime.isClosing = false; // a beforeunload dialog keeps the tab
    dialog.told = true;
    const told = { kind: /** @type {const} */ ("dialog"), open: true, type, message };
    this.tell(told);
    // Those that wait find it when it is their turn, and may have a rule for it.
    if (command?.action && command.run.acknowledged) this.#endOnceAcknowledged(dialog, command);
    else this.#end(dialog, command);
  }

  /**
   * @param {OpenDialog} dialog
   * @param {RuledCommand} command
   */
  async #endOnceAcknowledged(dialog, command) {
    await command.run.acknowledged?.();
    // Whoever answered it meanwhile lets the command go on.
    if (this.dialogs.open === dialog && !command.run.signal.aborted) this.#end(dialog, command);
  }

  /**
   * End the running command, with what it has done, or with the dialog as its error.
   * @param {OpenDialog} dialog
   * @param {RuledCommand|null} command
   */
  #end(dialog, command) {
    const done = command?.action ? command.run.done() : null;
    if (done) command?.end(done, dialog);
    else {
      const error = dialogOpen(dialog);
      this.queues.commands.failRunning(command ? withSoFar(error, command.run) : error);
    }
  }

  /** @param {{result?: boolean}} params */
  closed(params) {
    const told = this.dialogs.open?.told;
    const byOthers = this.dialogs.closed(params);
    if (byOthers) this.effects.dialog(byOthers);
    if (told) this.tell({ kind: "dialog", open: false });
  }

  /**
   * Answer the dialog that stands before the command that begins, as its rule says.
   * @param {OpenDialog} dialog
   * @throws {KaptureError} DIALOG_OPEN without a rule
   */
  async answerOpen(dialog) {
    if (!this.#command?.rule) throw dialogOpen(dialog);
    await this.#answer(dialog, this.#command);
  }

  /**
   * A page that is being left is left: whoever has no command for dialogs asked for that.
   * @param {OpenDialog} dialog
   * @param {RuledCommand} command
   */
  async #answer({ type }, { rule, run, answered, action }) {
    const accept = type === "beforeunload" || rule === "accept";
    const sending = { signal: run.signal, /** @type {Send} */ send: (method, params) => this.cdp.send(method, params) };
    const answer = await this.dialogs.answer(sending, { accept });
    const last = answered[MAX_ANSWERED - 1];
    if (last) last.more = (last.more ?? 0) + 1;
    else answered.push(answer);
    if (action) this.effects.dialog(answer);
  }
}

/**
 * @param {OpenDialog} dialog
 */
function dialogOpen(dialog) {
  const { type, message } = dialog;
  return new KaptureError("DIALOG_OPEN", `the page shows ${named(dialog)}`, ANSWER_IT, { dialog: { type, message } });
}
