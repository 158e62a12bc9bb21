import { ConsoleErrors } from "./console_errors.js";
/** @import { AnsweredDialog } from "./dialogs.js" */

/** What happens in a tab, collected between two answers: an action reports it, the rest rides on the next answer. */
const MAX_LISTED = 5;
const MAX_TEXT = 200;

/**
 * @typedef {import("./popups.js").Found} OpenedTab `closed`: it has gone by itself
 * @typedef {{newTabs?: OpenedTab[], dialogs?: object[], downloads?: object[], consoleErrors?: string[],
 *   fileChooser?: FileChooserTold, programs?: object[], requests?: number, url?: string, changed?: boolean}} EffectsTold
 *   `url` and `changed` only of what was given back
 * @typedef {{multiple?: boolean, folder?: boolean, accept?: string, refused?: boolean}} FileChooserTold as the wire has it
 */

export class Effects {
  #seen = empty();
  #consoleErrors = new ConsoleErrors();
  /** What an answer was to tell that told nothing. @type {EffectsTold} */
  #givenBack = {};

  /** @param {string} text */
  consoleError(text) {
    this.#consoleErrors.add(text);
  }

  request() {
    this.#seen.requests += 1;
  }

  /**
   * A dialog that was answered, but not by a command made for it.
   * @param {AnsweredDialog} dialog
   */
  dialog({ type, message, accepted }) {
    keep(this.#seen.dialogs, { type, message: message.slice(0, MAX_TEXT), accepted });
  }

  /** @param {{guid: string, url: string, suggestedFilename: string}} begun */
  download({ guid, url, suggestedFilename }) {
    keep(this.#seen.downloads, { guid, fileName: suggestedFilename.slice(0, MAX_TEXT), url: url.slice(0, MAX_TEXT) });
  }

  /** @param {Promise<FileChooserTold|null>} opening null when its page has gone, or it was the person's own */
  fileChooser(opening) {
    keep(this.#seen.fileChooser, opening);
  }

  /**
   * An address of another program the page led to; `kept` from it, or not: then the program may have been started.
   * @param {string} url
   * @param {boolean} kept
   */
  program(url, kept) {
    if (!this.#seen.programs.some((known) => known.url === url))
      keep(this.#seen.programs, { url: url.slice(0, MAX_TEXT), kept });
  }

  /**
   * The tab was taken for an address of another program; told once.
   * @param {string} url
   */
  ledAway(url) {
    if (this.#seen.programs.every(({ kept }) => kept)) this.program(url, false);
  }

  /** @param {Promise<OpenedTab|null>} opening null when no tab came of it */
  newTab(opening) {
    this.#seen.opening.push(opening);
  }

  /** Whether anything is there to tell. */
  get hasSign() {
    const { requests, ...rest } = this.#seen;
    return this.#consoleErrors.hasAny || Object.values(rest).some((list) => list.length > 0);
  }

  /**
   * Everything since the last call, empty things left out.
   * @returns {Promise<EffectsTold>}
   */
  async take() {
    const seen = this.#seen;
    const consoleErrors = this.#consoleErrors.take();
    const givenBack = this.#givenBack;
    this.#givenBack = {};
    this.#seen = empty();
    const newTabs = (await Promise.all(seen.opening)).filter((opened) => opened !== null);
    // A tab that was waited for may have turned out to be a download.
    if (seen.opening.length) seen.downloads.push(...this.#seen.downloads.splice(0));
    /** @type {EffectsTold} */
    const taken = {};
    if (newTabs.length) taken.newTabs = newTabs;
    if (seen.dialogs.length) taken.dialogs = seen.dialogs;
    if (seen.downloads.length) taken.downloads = seen.downloads;
    const choosers = await Promise.all(seen.fileChooser);
    const chooser = choosers.findLast((told) => told !== null); // only one waits at a time
    if (chooser) taken.fileChooser = chooser;
    if (consoleErrors.length) taken.consoleErrors = consoleErrors;
    if (seen.programs.length) taken.programs = seen.programs;
    if (seen.requests) taken.requests = seen.requests;
    return together(givenBack, taken);
  }

  /**
   * What was taken is told with the next answer after all.
   * @param {EffectsTold} taken
   */
  giveBack(taken) {
    this.#givenBack = together(taken, this.#givenBack);
  }
}

/**
 * @param {Record<string, any>} earlier
 * @param {Record<string, any>} later
 * @returns {EffectsTold}
 */
function together(earlier, later) {
  const all = { ...earlier, ...later };
  for (const [name, list] of Object.entries(earlier))
    if (Array.isArray(list) && name in later) all[name] = [...list, ...later[name]].slice(-MAX_LISTED);
  return all;
}

/**
 * Only what will be told is kept: a page may go on for hours between two commands.
 * @template T
 * @param {T[]} list
 * @param {T} item
 */
function keep(list, item) {
  list.push(item);
  if (list.length > MAX_LISTED) list.shift();
}

/**
 * @returns {{requests: number, dialogs: AnsweredDialog[], downloads: object[],
 *   programs: {url: string, kept: boolean}[], fileChooser: Promise<FileChooserTold|null>[], opening: Promise<OpenedTab|null>[]}}
 */
function empty() {
  return { requests: 0, dialogs: [], downloads: [], programs: [], fileChooser: [], opening: [] };
}
