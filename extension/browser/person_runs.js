/**
 * Commands the person gives in the extension's own pages. They go to the panel and come back to the tab like all others,
 * so they are checked, written down and recorded like all others.
 */
export class PersonRuns {
  #waiting = new Map();
  #serial = 0;

  /**
   * @param link the browser's
   * @returns {{ended: Promise<object>, cancel: () => void}} `ended` resolves to the panel's `ran`; it never rejects
   */
  begin(link, tabId, command, params) {
    const id = `p${(this.#serial += 1)}`;
    const { promise, resolve } = Promise.withResolvers();
    this.#waiting.set(id, resolve);
    link.send({ type: "run", id, tabId, command, params });
    return { ended: promise, cancel: () => this.#waiting.has(id) && link.send({ type: "cancel", id }) };
  }

  /** Take the panel's answer to one of them. */
  onRan({ type, id, ...outcome }) {
    this.#waiting.get(id)?.(outcome);
    this.#waiting.delete(id);
  }

  /** The link broke: nobody knows how they ended. */
  failAll() {
    const error = { code: "OUTCOME_UNKNOWN", message: "the connection to the panel broke while the command ran; look at the page before trying again" };
    for (const id of [...this.#waiting.keys()]) this.onRan({ id, success: false, error });
  }
}
