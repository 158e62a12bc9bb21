import { messageOf } from "../basics/chrome_door.js";
import { KaptureError } from "../basics/errors.js";
/** @import { Cdp } from "./cdp.js" */
/** @import { FloodBrakes } from "./flood_brake.js" */
/** @import { Navigation } from "./navigation.js" */

/** A page that takes longer than this to evaluate nothing is stuck. */
const STUCK_AFTER_MS = 300;
/** The next command gives it so long again, for it may have been only busy. */
const REFUSED_AFTER_MS = 1000;
/** One that is about to be left, and may only be busy, is waited for so long. */
const LEFT_AFTER_MS = 5000;
/** How a call fails when the renderer crashes meanwhile; an event tells of the crash, too. */
const CRASHED = /crashed/i;

/** What still works when the page is stuck or has crashed. */
const LEAVES_THE_PAGE = /_(navigate|reload|go_back|go_forward|close_tab)$/;
export const leavesPage = (command) => LEAVES_THE_PAGE.test(command);

const after = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Whether the page's renderer answers: it may be stuck in a script of its own, or crashed. */
export class Renderer {
  /** @type {((value?: any) => void)|null} */
  #freed = null;
  /** Resolves when the page answers what it was asked last. */
  #answered = Promise.resolve();
  isStuck = false;
  isCrashed = false;

  /** @param {{cdp: Cdp, navigation: Navigation, flood: FloodBrakes}} parts */
  constructor({ cdp, navigation, flood }) {
    this.cdp = cdp;
    this.navigation = navigation;
    this.flood = flood;
  }

  /**
   * Refuse a command that cannot be done to a page like this.
   * @param {string} command
   * @param {number} [timeoutMs] the command's: it says so before that is over
   */
  async demandUsable(command, timeoutMs = Infinity) {
    if (leavesPage(command)) return;
    if (this.isStuck) await Promise.race([this.#answered, after(Math.min(REFUSED_AFTER_MS, timeoutMs / 2))]);
    if (this.isCrashed) throw crashed();
    if (this.isStuck) throw stuck();
  }

  /** After a time-out: stop a navigation, and learn whether the page is stuck. */
  async probe() {
    if (this.navigation.pending) {
      // A page on its way answers nothing before it commits: what timed out is given up.
      const stopping = this.cdp.send("Page.stopLoading").catch(() => {}); // the answer stays the time-out
      await Promise.race([stopping, after(STUCK_AFTER_MS)]);
      this.navigation.pending = null;
    }
    if (!this.flood.isSlow) await this.#look(STUCK_AFTER_MS); // what we slow ourselves may take longer
  }

  /**
   * A page that is stuck keeps its tab from whatever comes next, and one that is slowed takes long to go.
   * @param {boolean} looks whether nobody may know yet that it is: it is about to be left
   */
  async leaveIfStuck(looks) {
    const mayAnswer = !this.isStuck || this.flood.isSlow;
    if (looks) this.flood.forget();
    if (looks && mayAnswer && !this.isCrashed && !this.navigation.pending) await this.#look(LEFT_AFTER_MS);
    if (this.isStuck) await this.leave();
  }

  /**
   * Learn whether the page is stuck.
   * @param {number} ms it answers by then, or is
   */
  async #look(ms) {
    let answers = false;
    const answered = () => {
      answers = true;
      this.isStuck = false;
    };
    this.#answered = this.cdp.send("Runtime.evaluate", { expression: "0" }).then(answered, answered);
    await Promise.race([this.#answered, after(ms)]);
    // Only now: what runs beside what timed out would be refused meanwhile.
    if (!answers) this.isStuck = true;
  }

  /**
   * Leave a page that is stuck: nothing else gets through to it, and a page in its process would be stuck too.
   * Extensions may not use Runtime.terminateExecution.
   */
  async leave() {
    /** @type {PromiseWithResolvers<void>} */
    const { promise, resolve } = Promise.withResolvers();
    this.#freed = resolve;
    // Chrome refuses to crash a page that is on its way to another one.
    this.cdp.send("Page.stopLoading").catch(() => {}); // the crash below is refused then, and that is heard
    this.cdp.send("Page.crash").catch((error) => {
      // Refused, or another page came first: there is nothing to wait for.
      if (!CRASHED.test(messageOf(error))) resolve();
    });
    await promise;
    this.#freed = null;
    this.isStuck = false;
  }

  /** The renderer crashed. @returns whether that was asked for */
  crashed() {
    this.isCrashed = true;
    this.#freed?.();
    return this.#freed !== null;
  }

  /** Another renderer shows the tab. */
  reloaded() {
    this.isCrashed = false;
    this.#freed = null;
  }
}

/** What fails with the renderer, and what cannot be done until the page is loaded again. */
export function crashed() {
  return new KaptureError(
    "TAB_CRASHED",
    "the tab's renderer crashed",
    "load the page again with kapturemcp_reload or kapturemcp_navigate",
  );
}

function stuck() {
  return new KaptureError(
    "COMMAND_TIMEOUT",
    "the page is stuck in a script of its own",
    "kapturemcp_reload or kapturemcp_navigate leaves it",
  );
}
