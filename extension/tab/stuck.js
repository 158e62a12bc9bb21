/** A page that takes longer than this to evaluate nothing is stuck. */
const STUCK_AFTER_MS = 300;

/** Whether the page is stuck in a script of its own, and the way out of it. */
export class Stuck {
  #freed = null;

  /** @param {{cdp, navigation}} session */
  constructor({ cdp, navigation }) {
    Object.assign(this, { cdp, navigation, now: false });
  }

  /** After a time-out: stop a navigation, or learn whether the page is stuck. */
  async probe() {
    const late = new Promise((resolve) => setTimeout(resolve, STUCK_AFTER_MS));
    if (this.navigation.pending) {
      // A page on its way answers nothing before it commits: what timed out is given up.
      const stopping = this.cdp.send("Page.stopLoading").catch(() => {}); // the answer stays the time-out
      await Promise.race([stopping, late]);
      this.navigation.pending = null;
      return;
    }
    const answering = this.cdp.send("Runtime.evaluate", { expression: "0" }).then(
      () => (this.now = false),
      () => (this.now = false),
    );
    this.now = true;
    await Promise.race([answering, late]);
  }

  /**
   * Leave a page that is stuck: nothing else gets through to it, and a page in its process would be stuck too.
   * Extensions may not use Runtime.terminateExecution.
   */
  async leave() {
    const { promise, resolve } = Promise.withResolvers();
    this.#freed = resolve;
    this.cdp.send("Page.crash").catch(() => {}); // a crashed page does not answer
    await promise;
    this.#freed = null;
    this.now = false;
  }

  /** The renderer crashed. @returns whether that was asked for */
  crashed() {
    this.#freed?.();
    return this.#freed !== null;
  }

  /** Another renderer shows the tab. */
  reloaded() {
    this.#freed = null;
  }
}
