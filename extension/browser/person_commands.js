import { KaptureError } from "../basics/errors.js";
/** @import { DevToolsResult } from "../wire/protocol.js" */
/** @import { PanelLink } from "./panel_link.js" */

/** @typedef {{ended: Promise<object>, cancel: () => void}} PersonCommand a command that was begun */

/**
 * Commands the person gives in the extension's own pages. They go to the panel and come back to the tab like all others,
 * so they are checked, written down and recorded like all others.
 */
export class PersonCommands {
  /** @type {Map<string, (outcome: object) => void>} */
  #waiting = new Map();
  #serial = 0;

  /**
   * @param {Pick<PanelLink, "send">} link the browser's
   * @param {string} tabId
   * @param {string} command
   * @param {Record<string, any>} params
   * @returns {PersonCommand} `ended` resolves to the panel's `ran`; it never rejects
   */
  begin(link, tabId, command, params) {
    const id = `p${(this.#serial += 1)}`;
    const { promise, resolve } = Promise.withResolvers();
    this.#waiting.set(id, resolve);
    link.send({ type: "run", id, tabId, command, params });
    return { ended: promise, cancel: () => this.#waiting.has(id) && link.send({ type: "cancel", id }) };
  }

  /**
   * Take the panel's answer to one of them.
   * @param {DevToolsResult} frame
   */
  onRan({ type, id, ...outcome }) {
    this.#end(id, outcome);
  }

  /**
   * @param {string} id
   * @param {object} outcome
   */
  #end(id, outcome) {
    this.#waiting.get(id)?.(outcome);
    this.#waiting.delete(id);
  }

  /** The link broke: nobody knows how they ended. */
  failAll() {
    const error = new KaptureError(
      "OUTCOME_UNKNOWN",
      "the connection to the panel broke while the command ran",
      "look at the page before trying again",
    ).asWire();
    for (const id of [...this.#waiting.keys()]) this.#end(id, { success: false, error });
  }
}
