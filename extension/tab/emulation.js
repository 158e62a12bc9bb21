/** @import { Children } from "./children.js" */
/** @import { DrivenFrame } from "./driven_frame.js" */
/** @import { Remembered } from "./parts.js" */
/** @import { Cdp, Send } from "./cdp.js" */

/** @typedef {{width: number, height: number, deviceScaleFactor: number, mobile: boolean}} Size as setDeviceMetricsOverride takes it */

/** What a tab is made to seem: of another size, or cut off the network. The browser ends it with the debugger's attachment. */
export class Emulation {
  /**
   * The size the viewport was given, or null: the window's own.
   * @type {Size|null}
   */
  size = null;
  isOffline = false;

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
    const given = size ?? this.viewport;
    if (given) await run.send("Emulation.setDeviceMetricsOverride", given);
    else await run.send("Emulation.clearDeviceMetricsOverride");
    this.size = size;
    await this.remember({ size });
    this.drivenFrame.redraw();
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
    await Promise.all([run.send("Network.emulateNetworkConditions", conditions(isOffline)), ...children]);
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
