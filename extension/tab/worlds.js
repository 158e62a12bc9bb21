/** The isolated world of each frame, by the unique id of its context: numeric ids come back after a navigation. */
export const WORLD = "kapture";

export class Worlds {
  #byFrame = new Map();
  /** Frame → {id, origin} of the page's own world in it. */
  #pages = new Map();
  #numbers = new Map();
  #waiting = new Map();

  onEvent(method, params) {
    if (method === "Runtime.executionContextCreated") this.#created(params.context);
    else if (method === "Runtime.executionContextDestroyed") this.#destroyed(params.executionContextUniqueId);
    else if (method === "Runtime.executionContextsCleared") this.#cleared();
  }

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

  #destroyed(uniqueId) {
    this.#numbers.delete(uniqueId);
    for (const [frameId, known] of this.#byFrame) if (known === uniqueId) this.#byFrame.delete(frameId);
    for (const [frameId, { id }] of this.#pages) if (id === uniqueId) this.#pages.delete(frameId);
  }

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

  /** The number of a context, for the few methods that know no unique ids. */
  numberOf(uniqueId) {
    return this.#numbers.get(uniqueId);
  }

  /** The context of `frameId`, or undefined while there is none. */
  known(frameId) {
    return this.#byFrame.get(frameId);
  }

  /** The page's own context in `frameId`, {id, origin}, or undefined while there is none. */
  pageOf(frameId) {
    return this.#pages.get(frameId);
  }

  /** The context of `frameId`, once it is there. */
  async of(frameId, signal) {
    signal.throwIfAborted();
    while (!this.#byFrame.has(frameId)) {
      await new Promise((resolve, reject) => {
        if (!this.#waiting.has(frameId)) this.#waiting.set(frameId, new Set());
        this.#waiting.get(frameId).add(resolve);
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      });
    }
    return this.#byFrame.get(frameId);
  }
}
