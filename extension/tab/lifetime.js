/** @import { Cdp } from "./cdp.js" */
/** @import { HeldKeys } from "./held_keys.js" */
/** @import { Ending, TabEvent } from "./parts.js" */
/** @import { Queues } from "./queues.js" */

/** How long a tab is ours: whether it was let go of, and why, or is being closed by a command. */
export class Lifetime {
  /** @type {PromiseWithResolvers<void>} */
  #over = Promise.withResolvers();
  /**
   * Why the tab was let go of, or null.
   * @type {Error|null}
   */
  ended = null;
  /** Whether Chrome ended it, of its own accord. */
  isTaken = false;
  /** Whether a command is closing the tab, or handing it over: what runs is not failed by that. */
  isClosing = false;

  /** @param {{cdp: Cdp, queues: Queues, heldKeys: HeldKeys, tell: (event: TabEvent) => void}} parts */
  constructor({ cdp, queues, heldKeys, tell }) {
    this.cdp = cdp;
    this.heldKeys = heldKeys;
    this.queues = queues;
    this.tell = tell;
  }

  /** Resolves when the tab is let go of. */
  get over() {
    return this.#over.promise;
  }

  /**
   * Let go of the tab for good: what runs fails with `error`, a `close_tab` may still answer.
   * @param {Error} error
   * @param {Ending} [told] what the panel is told: held, it comes back after the pause
   */
  async end(error, told = { kind: "closed" }) {
    this.ended = error;
    // Goes out before the errors: whoever hears that the tab is gone finds it gone.
    this.tell(told);
    if (!this.isClosing) this.queues.failAll(error);
    this.#over.resolve();
    void this.heldKeys.letGo("the browser let go of the tab"); // sent now; a page that hangs never answers
    await this.cdp.detach();
  }
}
