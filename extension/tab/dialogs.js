import { Conditions } from "./conditions.js";
import { KaptureError } from "../basics/errors.js";

const MAX_TEXT = 2000;

/** The JavaScript dialog a tab shows, and the one way it is answered. */
export class Dialogs {
  #conditions = new Conditions();
  /** {type, message, defaultPrompt, before: where the action stood that it interrupted, or null}, or null. */
  open = null;
  /** The one closed last: {type, message, accepted}, or null. */
  last = null;
  #answering = null;

  opened({ type, message, defaultPrompt = "" }, before = null) {
    this.open = { type, message: message.slice(0, MAX_TEXT), defaultPrompt, before };
    this.#conditions.look();
  }

  /** @returns the dialog as `last` tells it when it was closed by others, such as the person; else null */
  closed({ result: accepted = false }) {
    if (!this.open) return null;
    const { type, message } = this.open;
    const byOthers = this.#answering !== this.open;
    this.last = { type, message, accepted };
    this.open = null;
    this.#conditions.look();
    return byOthers ? this.last : null;
  }

  /** Resolves when a dialog is open. */
  shown(signal) {
    return this.#conditions.until(() => this.open !== null, signal);
  }

  /**
   * Answer the open dialog and wait until it is closed.
   * @param {{send, signal}} run
   * @returns what is then `last`
   */
  async answer(run, { accept, promptText }) {
    const dialog = this.open;
    if (!dialog) throw this.#none();
    this.#answering = dialog;
    try {
      await run.send("Page.handleJavaScriptDialog", { accept, promptText });
    } catch (error) {
      if (this.open !== dialog) throw this.#none();
      throw error;
    }
    await this.#conditions.until(() => this.open !== dialog, run.signal);
    return { type: dialog.type, message: dialog.message, accepted: accept };
  }

  #none() {
    const last = this.last ? `; the last one, ${named(this.last)}, was ${this.last.accepted ? "accepted" : "dismissed"}` : "";
    return new KaptureError("INVALID_PARAMS", `no dialog is open in this tab${last}`);
  }
}

/** A dialog in words for an error. */
export function named({ type, message }) {
  return `${type === "alert" ? "an" : "a"} ${type} dialog: ${JSON.stringify(message.slice(0, 300))}`;
}
