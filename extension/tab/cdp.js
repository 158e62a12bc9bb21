import { KaptureError } from "../basics/errors.js";
/** @import { Chrome } from "../basics/chrome_door.js" */

/** @typedef {(method: string, params?: object) => Promise<any>} Send how a part of a tab sends a CDP command */

/** The one door to `chrome.debugger`: a persistent session on one tab. */
export class Cdp {
  /** @param {{chrome: Chrome, chromeTabId: number}} tab */
  constructor({ chrome, chromeTabId }) {
    this.chrome = chrome;
    this.target = { tabId: chromeTabId };
  }

  /**
   * Attach and stay attached.
   * @returns {Promise<boolean>} true when the attachment is new, false when it outlived a worker restart
   */
  async attach() {
    try {
      await this.chrome.debugger.attach(this.target, "1.3");
      return true;
    } catch (error) {
      const message = String(error.message ?? error);
      if (/already attached/i.test(message) && (await this.#ours())) return false;
      if (/cannot access|cannot attach|restricted|chrome:\/\//i.test(message))
        throw new KaptureError(
          "PROTECTED_PAGE",
          "Chrome lets no extension into this page (settings, web store and other extensions' pages)",
          "open a web page in the tab",
        );
      throw new KaptureError("TAB_DISCONNECTED", `the debugger could not attach: ${message}`);
    }
  }

  async #ours() {
    try {
      await this.chrome.debugger.sendCommand(this.target, "Runtime.evaluate", { expression: "0" });
      return true;
    } catch {
      return false; // another program's debugger holds the tab: the caller reports the attach error
    }
  }

  async detach() {
    await this.chrome.debugger.detach(this.target).catch(() => {}); // already gone with its tab
  }

  /**
   * Send one CDP command; `sessionId` names a child target such as a worker.
   * @param {string} method
   * @param {Record<string, any>} params
   * @param {string|undefined} sessionId
   * @returns {Promise<any>}
   */
  send(method, params = {}, sessionId = undefined) {
    return this.chrome.debugger.sendCommand(sessionId ? { ...this.target, sessionId } : this.target, method, params);
  }
}
