/**
 * The scripts a tab runs first in each of its later documents. The browser keeps them as long as the debugger is
 * attached, also while the worker is away: the way to end them is remembered, and for a pause what they are.
 */
export class KeptScripts {
  /**
   * @param identifiers the script's id → the browser's identifier
   * @param {(identifiers: object) => Promise<void>} onChanged
   * @param {(id: string, source: string|null) => Promise<void>} onSource what is kept under an id, null: nothing any more
   */
  constructor(identifiers, onChanged, onSource = async () => {}) {
    this.identifiers = { __proto__: null, ...identifiers };
    this.onChanged = onChanged;
    this.onSource = onSource;
  }

  /** Keep `source` under `id`, in the place of what was kept under it. */
  async keep(run, id, source) {
    const { identifier } = await run.send("Page.addScriptToEvaluateOnNewDocument", { source });
    await this.end(run, id);
    this.identifiers[id] = identifier;
    await this.onSource(id, source);
    await this.onChanged({ ...this.identifiers });
  }

  /** Run it no more; an id that is not kept changes nothing. */
  async end(run, id) {
    const identifier = this.identifiers[id];
    if (identifier === undefined) return;
    delete this.identifiers[id];
    await this.onSource(id, null);
    await run.send("Page.removeScriptToEvaluateOnNewDocument", { identifier });
    await this.onChanged({ ...this.identifiers });
  }
}
