import { KaptureError } from "../basics/errors.js";
import { Newest } from "../basics/newest.js";
/** @import { Catalogue } from "../wire/catalogue.js" */
/** @import { Connections } from "./connections.js" */
/** @import { Outcome } from "../tab/executor.js" */
/** @import { Link } from "../wire/link.js" */
/** @import { CommandFrame } from "../wire/protocol.js" */
/** @import { Grant } from "../wire/grant.js" */

/**
 * @typedef {{listTabs(): Promise<object[]>, connectGranted(chromeTabId: number, grant: Grant): Promise<object>,
 *   openTab(url: string, how: object): Promise<object>}} BrowserOfHandlers what handlers see of the whole browser
 * @typedef {{timeout: number, signal: AbortSignal, dialogs?: "" | "accept" | "dismiss", grant?: CommandFrame["grant"]}}
 *   How `signal` is aborted when its caller gives it up
 * @typedef {(params: any, browser: BrowserOfHandlers, how: How) => Promise<object>} BrowserHandler
 */

/** Of so many commands it is known that they came. */
const MAX_KNOWN = 1024;

/** Carries out the commands about the browser itself, each answered over its link as soon as it is done. */
export class BrowserCommands {
  /** The ids that came over each link; another one begins anew. @type {WeakMap<Pick<Link, "send">, Newest>} */
  #given = new WeakMap();
  /** What is under way, by its id. @type {Map<string, AbortController>} */
  #underWay = new Map();

  /** @param {{catalogue: Catalogue, handlers: Record<string, BrowserHandler>, browser: BrowserOfHandlers}} parts `browser` is what handlers get */
  constructor({ catalogue, handlers, browser }) {
    this.catalogue = catalogue;
    this.handlers = handlers;
    this.browser = browser;
  }

  /**
   * Never rejects. A frame that comes again is ignored: the answer to the first was sent, or is still to come.
   * @param {Pick<Link, "send">} link
   * @param {CommandFrame} frame
   */
  async execute(link, { id, command, params, timeout, dialogs, grant }) {
    const given = this.#given.get(link) ?? new Newest(MAX_KNOWN);
    if (given.has(id)) return;
    given.add(id);
    this.#given.set(link, given);
    const controller = new AbortController();
    this.#underWay.set(id, controller);
    const started = performance.now();
    const respond = (/** @type {Omit<Outcome, "type"|"id"|"ms">} */ rest) =>
      link.send({ type: "response", id, ...rest, ms: performance.now() - started });
    try {
      const handler = this.handlers[command];
      if (this.catalogue.commands.get(command)?.scope !== "browser" || !handler)
        throw new KaptureError(
          "INVALID_PARAMS",
          `this extension does not know ${command}`,
          "reload it to match the panel",
        );
      const how = { timeout, signal: controller.signal, dialogs, grant };
      respond({ success: true, ...(await handler(params, this.browser, how)) });
    } catch (error) {
      respond({ success: false, error: KaptureError.wire(error) });
    } finally {
      this.#underWay.delete(id);
    }
  }

  /**
   * Give up on a command whose caller has given it up.
   * @param {string} id
   */
  cancel(id) {
    this.#underWay.get(id)?.abort(new KaptureError("NOT_SENT", "its caller gave it up", "nothing was done"));
  }
}
