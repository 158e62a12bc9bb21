import { Conditions } from "./conditions.js";
import { KaptureError } from "../basics/errors.js";
/** @import { Send } from "./cdp.js" */

const MAX_TEXT = 2000;

/**
 * @typedef {{url: string, loaderId: string|null, mark?: number, closes?: boolean}} Before where the action stood that a dialog
 *   interrupted, and whether it was to close the tab
 * @typedef {{type: string, message: string, defaultPrompt: string, before: Before|null, told?: boolean}} OpenDialog
 *   `told`: the panel knows of it
 * @typedef {{type: string, message: string, accepted: boolean, more?: number}} AnsweredDialog
 */

/** The JavaScript dialog a tab shows, and the one way it is answered. */
export class Dialogs {
  #conditions = new Conditions();
  /** @type {OpenDialog|null} */
  open = null;
  /**
   * The one closed last.
   * @type {AnsweredDialog|null}
   */
  last = null;
  /** @type {OpenDialog|null} */
  #answering = null;

  /**
   * @param {{type: string, message: string, defaultPrompt?: string}} dialog
   * @param {Before|null} before
   */
  opened({ type, message, defaultPrompt = "" }, before = null) {
    const opened = (this.open = { type, message: message.slice(0, MAX_TEXT), defaultPrompt, before });
    this.#conditions.look();
    return opened;
  }

  /**
   * @param {{result?: boolean}} event
   * @returns {AnsweredDialog|null} the dialog when it was closed by others, such as the person
   */
  closed({ result: accepted = false }) {
    if (!this.open) return null;
    const { type, message } = this.open;
    const byOthers = this.#answering !== this.open;
    this.last = { type, message, accepted };
    this.open = null;
    this.#conditions.look();
    return byOthers ? this.last : null;
  }

  /**
   * Resolves when a dialog is open.
   * @param {AbortSignal} signal
   */
  shown(signal) {
    return this.#conditions.until(() => this.open !== null, signal);
  }

  /**
   * Answer the open dialog and wait until it is closed. A prompt that is accepted without a text gets its default.
   * @param {{send: Send, signal: AbortSignal}} run
   * @param {{accept: boolean, promptText?: string}} how
   * @returns {Promise<AnsweredDialog>} what is then `last`
   */
  async answer(run, { accept, promptText }) {
    const dialog = this.open;
    if (!dialog) throw this.#none();
    this.#answering = dialog;
    try {
      const text = promptText ?? (accept ? dialog.defaultPrompt : undefined);
      await run.send("Page.handleJavaScriptDialog", { accept, promptText: text });
    } catch (error) {
      if (this.open !== dialog) throw this.#none();
      throw error;
    }
    await this.#conditions.until(() => this.open !== dialog, run.signal);
    return { type: dialog.type, message: dialog.message, accepted: accept };
  }

  #none() {
    const last = this.last
      ? `the last one, ${named(this.last)}, was ${this.last.accepted ? "accepted" : "dismissed"}`
      : "";
    return new KaptureError("INVALID_PARAMS", "no dialog is open in this tab", last);
  }
}

/** What is to be done about a dialog that is open. */
export const ANSWER_IT = "answer it with kapturemcp_handle_dialog";

/** Of a field that was given something when a dialog opened. */
export const UNREAD = "a dialog opened before it could be read back";

/**
 * An open dialog as the answer tells it that led to it.
 * @param {OpenDialog} dialog
 */
export function openTold({ type, message, defaultPrompt }) {
  return { type, message, ...(defaultPrompt && { default: defaultPrompt }), open: true, next: ANSWER_IT };
}

/**
 * A dialog in words for an error.
 * @param {{type: string, message: string}} dialog
 */
export function named({ type, message }) {
  return `${type === "alert" ? "an" : "a"} ${type} dialog: ${JSON.stringify(message.slice(0, 300))}`;
}
