/** @import { WireError } from "../basics/errors.js" */
/** @import { DevToolsResult } from "../wire/protocol.js" */
/**
 * @typedef {{success: boolean, result?: any, error?: WireError|null, outcome?: DevToolsResult["outcome"], effects?: Record<string, any>|null,
 *   lateEffects?: Record<string, any>|null, snapshot?: string|null, picture?: string, name?: string, ms?: number}} Answer
 *   what the worker says of a command, as the panel's `ran` has it
 */

const LOST = {
  code: "OUTCOME_UNKNOWN",
  message: "the extension was restarted while the command ran",
  nextStep: "look at the page before trying again",
};

/** The commands given here, until the worker says how they ended. */
export class RunningCommands {
  /** @type {Map<number, (answer: Answer) => void>} */
  #waiting = new Map();
  #serial = 0;

  /** @param {(message: object) => void} send */
  constructor(send) {
    this.send = send;
  }

  /**
   * @param {string} command
   * @param {Record<string, any>} params
   * @returns {{id: number, ended: Promise<Answer>}} `ended` never rejects
   */
  begin(command, params) {
    const id = (this.#serial += 1);
    const { promise, resolve } = Promise.withResolvers();
    this.#waiting.set(id, resolve);
    this.send({ run: id, command, params });
    return { id, ended: promise };
  }

  /** @param {number} id */
  cancel(id) {
    if (this.#waiting.has(id)) this.send({ cancel: id });
  }

  /**
   * @param {number} id
   * @param {Answer} outcome
   */
  onRan(id, outcome) {
    this.#waiting.get(id)?.(outcome);
    this.#waiting.delete(id);
  }

  failAll() {
    for (const id of [...this.#waiting.keys()]) this.onRan(id, { success: false, error: LOST });
  }
}
