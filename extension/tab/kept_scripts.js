/** @import { Send } from "./cdp.js" */

/**
 * The scripts a tab runs first in each of its later documents. The browser keeps them as long as the debugger is
 * attached, also while the worker is away: the way to end them is remembered, and for a pause what they are.
 */
export class KeptScripts {
  /**
   * @param {Record<string, string>} identifiers the script's id → the browser's identifier
   * @param {(identifiers: Record<string, string>) => Promise<void>} onChanged
   * @param {(id: string, source: string|null) => Promise<void>} onSource what is kept under an id, null: nothing any more
   */
  constructor(identifiers, onChanged, onSource = async () => {}) {
    /** @type {Record<string, string>} */
    this.identifiers = {};
    this.adopt(identifiers);
    this.onChanged = onChanged;
    this.onSource = onSource;
  }

  /**
   * Take over those of an attachment that outlived the worker.
   * @param {Record<string, string>} identifiers
   */
  adopt(identifiers) {
    this.identifiers = Object.assign(Object.create(null), identifiers);
  }

  /**
   * Keep `source` under `id`, in the place of what was kept under it.
   * @param {{send: Send}} run
   * @param {string} id
   * @param {string} source
   */
  async keep(run, id, source) {
    const { identifier } = await run.send("Page.addScriptToEvaluateOnNewDocument", { source });
    await this.end(run, id);
    this.identifiers[id] = identifier;
    await this.onSource(id, source);
    await this.onChanged({ ...this.identifiers });
  }

  /**
   * Run it no more; an id that is not kept changes nothing.
   * @param {{send: Send}} run
   * @param {string} id
   * @returns whether it was kept
   */
  async end(run, id) {
    const identifier = this.identifiers[id];
    if (identifier === undefined) return false;
    delete this.identifiers[id];
    await this.onSource(id, null);
    await run.send("Page.removeScriptToEvaluateOnNewDocument", { identifier });
    await this.onChanged({ ...this.identifiers });
    return true;
  }
}
