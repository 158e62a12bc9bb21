/** The isolated world of each frame, by the unique id of its context: numeric ids come back after a navigation. */
export const WORLD = "kapture";

/** @typedef {{id: string, session?: string}} World a document's isolated world, and the session of the target it is in, if not the tab's own */

export class Worlds {
  /** @type {Map<string|null, string>} */
  #byFrame = new Map();
  /**
   * Frame → the page's own world in it.
   * @type {Map<string|null, {id: string, origin: string}>}
   */
  #pages = new Map();
  /** @type {Map<string, number>} */
  #numbers = new Map();
  /** @type {Map<string|null, Set<() => void>>} */
  #waiting = new Map();

  /**
   * @param {string} method
   * @param {any} params
   */
  onEvent(method, params) {
    if (method === "Runtime.executionContextCreated") this.#created(params.context);
    else if (method === "Runtime.executionContextDestroyed") this.#destroyed(params.executionContextUniqueId);
    else if (method === "Runtime.executionContextsCleared") this.#cleared();
  }

  /** @param {{id: number, name: string, uniqueId: string, origin: string, auxData?: {isDefault?: boolean, frameId: string}}} context */
  #created({ id, name, uniqueId, origin, auxData }) {
    if (auxData?.isDefault) this.#pages.set(auxData.frameId, { id: uniqueId, origin });
    if (name !== WORLD || !auxData?.frameId) return;
    this.#byFrame.set(auxData.frameId, uniqueId);
    this.#numbers.set(uniqueId, id);
    for (const resolve of this.#waiting.get(auxData.frameId) ?? []) resolve();
    this.#waiting.delete(auxData.frameId);
  }

  #cleared() {
    this.#byFrame.clear();
    this.#pages.clear();
    this.#numbers.clear();
  }

  /** @param {string} uniqueId */
  #destroyed(uniqueId) {
    this.#numbers.delete(uniqueId);
    for (const [frameId, known] of this.#byFrame) if (known === uniqueId) this.#byFrame.delete(frameId);
    for (const [frameId, { id }] of this.#pages) if (id === uniqueId) this.#pages.delete(frameId);
  }

  /** @param {string} uniqueId */
  forget(uniqueId) {
    this.#destroyed(uniqueId);
  }

  get size() {
    return this.#byFrame.size;
  }

  /** Every context: {id, number}, the number for the few methods that know no unique ids. */
  all() {
    return [...this.#byFrame.values()].map((id) => ({ id, number: this.#numbers.get(id) }));
  }

  /**
   * The number of a context, for the few methods that know no unique ids.
   * @param {string} uniqueId
   */
  numberOf(uniqueId) {
    return this.#numbers.get(uniqueId);
  }

  /**
   * The context of `frameId`, or undefined while there is none.
   * @param {string|null} frameId
   */
  known(frameId) {
    return this.#byFrame.get(frameId);
  }

  /**
   * The page's own context in `frameId`, {id, origin}, or undefined while there is none.
   * @param {string|null} frameId
   */
  pageOf(frameId) {
    return this.#pages.get(frameId);
  }

  /**
   * The page's own context beside a world of ours, or undefined while there is none.
   * @param {string} uniqueId
   */
  pageBeside(uniqueId) {
    const [frameId] = [...this.#byFrame].find(([, known]) => known === uniqueId) ?? [];
    return frameId === undefined ? undefined : this.#pages.get(frameId);
  }

  /**
   * The context of `frameId`, once it is there.
   * @param {string|null} frameId
   * @param {AbortSignal} signal
   * @returns {Promise<string>}
   */
  async of(frameId, signal) {
    signal.throwIfAborted();
    for (;;) {
      const world = this.#byFrame.get(frameId);
      if (world !== undefined) return world;
      await new Promise((/** @type {(value?: undefined) => void} */ resolve, reject) => {
        const waiting = this.#waiting.get(frameId) ?? new Set();
        this.#waiting.set(frameId, waiting.add(resolve));
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      });
    }
  }
}
