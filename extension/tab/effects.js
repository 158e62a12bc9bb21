/** What happens in a tab, collected between two answers: an action reports it, the rest rides on the next answer. */
const MAX_LISTED = 5;
const MAX_TEXT = 200;

export class Effects {
  #seen = empty();

  consoleError(text) {
    keep(this.#seen.consoleErrors, text.slice(0, MAX_TEXT));
  }

  request() {
    this.#seen.requests += 1;
  }

  /** A dialog that was answered, but not by a command made for it. */
  dialog({ type, message, accepted }) {
    keep(this.#seen.dialogs, { type, message: message.slice(0, MAX_TEXT), accepted });
  }

  download({ guid, url, suggestedFilename }) {
    keep(this.#seen.downloads, { guid, fileName: suggestedFilename.slice(0, MAX_TEXT), url: url.slice(0, MAX_TEXT) });
  }

  /** An address of another program the page led to; `kept` from it, or not: then the program may have been started. */
  program(url, kept) {
    if (!this.#seen.programs.some((known) => known.url === url)) keep(this.#seen.programs, { url: url.slice(0, MAX_TEXT), kept });
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
    if (seen.dialogs.length) taken.dialogs = seen.dialogs;
    if (seen.downloads.length) taken.downloads = seen.downloads;
    if (seen.consoleErrors.length) taken.consoleErrors = seen.consoleErrors;
    if (seen.programs.length) taken.programs = seen.programs;
    if (seen.requests) taken.requests = seen.requests;
    return taken;
  }
}

/** Only what will be told is kept: a page may go on for hours between two commands. */
function keep(list, item) {
  list.push(item);
  if (list.length > MAX_LISTED) list.shift();
}

function empty() {
  return { consoleErrors: [], requests: 0, dialogs: [], downloads: [], programs: [], opening: [] };
}
