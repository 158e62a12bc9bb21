const LOST = { code: "OUTCOME_UNKNOWN", message: "the extension was started anew while the command ran; look at the page before trying again" };

/** The commands given here, until the worker says how they ended. */
export class Runs {
  #waiting = new Map();
  #serial = 0;

  constructor(send) {
    this.send = send;
  }

  /** @returns {{id: number, ended: Promise<{success, result, error, …}>}} `ended` never rejects */
  begin(command, params) {
    const id = (this.#serial += 1);
    const { promise, resolve } = Promise.withResolvers();
    this.#waiting.set(id, resolve);
    this.send({ run: id, command, params });
    return { id, ended: promise };
  }

  cancel(id) {
    if (this.#waiting.has(id)) this.send({ cancel: id });
  }

  onRan(id, outcome) {
    this.#waiting.get(id)?.(outcome);
    this.#waiting.delete(id);
  }

  failAll() {
    for (const id of [...this.#waiting.keys()]) this.onRan(id, { success: false, error: LOST });
  }
}
