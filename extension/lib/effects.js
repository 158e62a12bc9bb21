/** What happens in a tab, collected between two answers: an action reports it, the rest rides on the next answer. */
const MAX_LISTED = 5;
const MAX_TEXT = 200;

export class Effects {
  #seen = empty();

  consoleError(text) {
    this.#seen.consoleErrors.push(text.slice(0, MAX_TEXT));
  }

  request() {
    this.#seen.requests += 1;
  }

  dialog({ type, message }) {
    this.#seen.dialogs.push({ type, message: message.slice(0, MAX_TEXT) });
  }

  download({ url, suggestedFilename }) {
    this.#seen.downloads.push({ fileName: suggestedFilename, url: url.slice(0, MAX_TEXT) });
  }

  /** @param {Promise<{tabId?: string, url: string}|null>} opening null when no tab came of it */
  newTab(opening) {
    this.#seen.opening.push(opening);
  }

  /** Everything since the last call, empty things left out. */
  async take() {
    const seen = this.#seen;
    this.#seen = empty();
    const newTabs = (await Promise.all(seen.opening)).filter(Boolean);
    const taken = {};
    if (newTabs.length) taken.newTabs = newTabs;
    if (seen.dialogs.length) taken.dialogs = seen.dialogs.slice(-MAX_LISTED);
    if (seen.downloads.length) taken.downloads = seen.downloads.slice(-MAX_LISTED);
    if (seen.consoleErrors.length) taken.consoleErrors = seen.consoleErrors.slice(-MAX_LISTED);
    if (seen.requests) taken.requests = seen.requests;
    return taken;
  }
}

function empty() {
  return { consoleErrors: [], requests: 0, dialogs: [], downloads: [], opening: [] };
}
