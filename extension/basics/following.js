/**
 * The worker as a page of ours sees it: a port over which it tells every change of a tab (browser/own_pages.js). A worker
 * that ends takes the port with it, and the next one is asked at once.
 */
export class Following {
  #port = null;

  /** @param {{chrome, name: "popup"|"devtools", tabId: number, onMessage, onLost?: () => void}} options */
  constructor(options) {
    this.options = { onLost() {}, ...options };
    this.#open();
  }

  send(message) {
    this.#port?.postMessage(message);
  }

  #open() {
    const { chrome, name, tabId, onMessage, onLost } = this.options;
    this.#port = chrome.runtime.connect({ name });
    this.#port.onMessage.addListener(onMessage);
    this.#port.onDisconnect.addListener(() => {
      this.#port = null;
      onLost();
      if (chrome.runtime.id) this.#open(); // without an id the extension itself is gone
    });
    this.send({ follow: tabId });
  }
}
