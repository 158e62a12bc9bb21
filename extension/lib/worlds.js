/** The isolated world of each frame, by the unique id of its context: numeric ids come back after a navigation. */
export const WORLD = "kapture";

export class Worlds {
  #byFrame = new Map();
  #waiting = new Map();

  onEvent(method, params) {
    if (method === "Runtime.executionContextCreated") this.#created(params.context);
    else if (method === "Runtime.executionContextDestroyed") this.#destroyed(params.executionContextUniqueId);
    else if (method === "Runtime.executionContextsCleared") this.#byFrame.clear();
  }

  #created({ name, uniqueId, auxData }) {
    if (name !== WORLD || !auxData?.frameId) return;
    this.#byFrame.set(auxData.frameId, uniqueId);
    for (const resolve of this.#waiting.get(auxData.frameId) ?? []) resolve();
    this.#waiting.delete(auxData.frameId);
  }

  #destroyed(uniqueId) {
    for (const [frameId, known] of this.#byFrame) if (known === uniqueId) this.#byFrame.delete(frameId);
  }

  forget(uniqueId) {
    this.#destroyed(uniqueId);
  }

  /** The context of `frameId`, or undefined while there is none. */
  known(frameId) {
    return this.#byFrame.get(frameId);
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
