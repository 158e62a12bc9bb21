/**
 * The worker as a page of ours sees it: a port over which it tells every change of a tab and of the panel
 * (browser/extension_pages.js). A worker that ends takes the port with it, and the next one is asked at once.
 */
export class Following {
  /** @type {chrome.runtime.Port|null} */
  #port = null;

  /** @param {{chrome: typeof chrome, name: "popup"|"devtools"|"pair", tabId: number, onMessage: (message: any) => void, onLost?: () => void}} options */
  constructor(options) {
    this.options = { onLost() {}, ...options };
    this.#open();
  }

  /** @param {object} message */
  send(message) {
    this.#port?.postMessage(message);
  }

  #open() {
    const { chrome, name, tabId, onMessage, onLost } = this.options;
    const port = (this.#port = chrome.runtime.connect({ name }));
    port.onMessage.addListener(onMessage);
    port.onDisconnect.addListener(() => {
      this.#port = null;
      onLost();
      if (chrome.runtime.id) this.#open(); // without an id the extension itself is gone
    });
    this.send({ follow: tabId });
  }
}
