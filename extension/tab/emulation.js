/** @import { Children } from "./children.js" */
/** @import { DrivenFrame } from "./driven_frame.js" */
/** @import { Remembered } from "./parts.js" */
/** @import { Cdp, Send } from "./cdp.js" */

/** @typedef {{width: number, height: number, deviceScaleFactor: number, mobile: boolean}} Size as setDeviceMetricsOverride takes it */

/** A window that gives no other picture for so long has its size. */
const REST_MS = 150;
/** A browser that keeps to the window's size all the same is not asked without end. */
const MOST_TIMES = 3;
/** A worker that is busy, or a frame that is stuck, takes what it is told later. */
const CHILDREN_MS = 1000;

/** What a tab is made to seem: of another size, or cut off the network. The browser ends it with the debugger's attachment. */
export class Emulation {
  /**
   * The size the viewport was given, or null: the window's own.
   * @type {Size|null}
   */
  size = null;
  isOffline = false;
  /** Has the tab drawn once more after its size was given again: a still page would go on showing the one before. */
  onGivenAgain = () => {};
  /** How often it was given again since a picture had it. */
  #times = 0;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #again;

  /**
   * @param {{cdp: Cdp, drivenFrame: DrivenFrame, children: () => Children, remember: (changes: Partial<Remembered>) => Promise<void>,
   *   viewport?: Size|null}} parts `remember` keeps {size} and {offline} beyond the worker's life; `viewport` is the
   *   size every tab gets, as setDeviceMetricsOverride takes it
   */
  constructor({ cdp, drivenFrame, children, remember, viewport = null }) {
    this.cdp = cdp;
    this.drivenFrame = drivenFrame;
    this.children = children;
    this.remember = remember;
    this.viewport = viewport;
  }

  /**
   * Give the viewport a size, or with null back its own.
   * @param {{send: Send}} run
   * @param {Size|null} size
   */
  async resize(run, size) {
    const before = this.size;
    const given = size ?? this.viewport;
    this.size = size; // a picture that comes meanwhile has either size, and only this one is to be given again
    try {
      if (given) await run.send("Emulation.setDeviceMetricsOverride", given);
      else await run.send("Emulation.clearDeviceMetricsOverride");
    } catch (error) {
      this.size = before;
      throw error;
    }
    await this.remember({ size });
    this.drivenFrame.redraw();
  }

  /**
   * The browser has drawn the tab in this size. When its window gets another one, or a bar comes into it, the page keeps
   * the size it was given, but is drawn in the window's: cut off, or with nothing beside it. So it is given again once
   * the window is at rest.
   * @param {number} width
   * @param {number} height
   */
  drawn(width, height) {
    clearTimeout(this.#again);
    if (!this.#misses(width, height)) this.#times = 0;
    else if (this.#times < MOST_TIMES) this.#again = setTimeout(() => this.#giveAgain(width, height), REST_MS);
  }

  /** A picture is taken, for which the browser shows the page otherwise: what it draws afterwards tells its size. */
  leave() {
    clearTimeout(this.#again);
  }

  /** The size that the tab was given, where this is another. */
  #misses(width, height) {
    const given = this.size ?? this.viewport;
    return given && (width !== given.width || height !== given.height) ? given : null;
  }

  async #giveAgain(width, height) {
    const given = this.#misses(width, height);
    if (!given) return; // it was given that one meanwhile, or none
    this.#times += 1;
    await this.cdp.send("Emulation.setDeviceMetricsOverride", given).catch(() => null); // the tab has gone
    this.onGivenAgain();
  }

  /**
   * Cut the tab off the network, or let it back: each worker has a network of its own.
   * @param {{send: Send}} run
   * @param {boolean} isOffline
   */
  async setOffline(run, isOffline) {
    this.isOffline = isOffline;
    // A worker that starts while offline waits until it is cut off as well: none gets a first request out.
    await run.send("Target.setAutoAttach", { autoAttach: true, flatten: true, waitForDebuggerOnStart: isOffline });
    const children = [...this.children().keys()].map((child) => this.#cutOff(child).catch(() => {})); // one that has just ended
    const busy = new Promise((resolve) => setTimeout(resolve, CHILDREN_MS));
    await Promise.all([
      run.send("Network.emulateNetworkConditions", conditions(isOffline)),
      Promise.race([Promise.all(children), busy]),
    ]);
    await this.remember({ offline: isOffline });
  }

  /**
   * A frame with a target of its own has workers of its own, too.
   * @param {string} child
   */
  async #cutOff(child) {
    await this.applyTo(child);
    if (this.children().get(child)?.frameId)
      await this.cdp.send(
        "Target.setAutoAttach",
        { autoAttach: true, flatten: true, waitForDebuggerOnStart: this.isOffline },
        child,
      );
  }

  /**
   * Make a worker or frame with a target of its own as the tab is.
   * @param {string} childSession
   */
  applyTo(childSession) {
    return this.cdp.send("Network.emulateNetworkConditions", conditions(this.isOffline), childSession);
  }
}

/** @param {boolean} offline */
function conditions(offline) {
  return { offline, latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
}
