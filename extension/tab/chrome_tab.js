/** @import { KaptureError } from "../basics/errors.js" */
/** @import { Chrome } from "../basics/chrome_door.js" */

/** The tab as Chrome has it in its window. */
export class ChromeTab {
  /** @param {{chrome: Chrome, chromeTabId: number}} tab */
  constructor({ chrome, chromeTabId }) {
    this.chrome = chrome;
    this.id = chromeTabId;
  }

  /** What Chrome says of it. @throws {KaptureError} TAB_DISCONNECTED when it is gone */
  get() {
    return this.chrome.tabs.get(this.id);
  }

  /** Close it. */
  remove() {
    return this.chrome.tabs.remove(this.id);
  }

  /** Show it in its window; the window itself stays where it is. */
  activate() {
    return this.chrome.tabs.update(this.id, { active: true });
  }

  /** Show it with its window in front, out of the task bar, too. */
  async bringForward() {
    const tab = await this.activate();
    await this.chrome.windows.update(/** @type {chrome.tabs.Tab} */ (tab).windowId, { focused: true });
  }
}
