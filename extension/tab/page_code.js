import { originOf } from "../basics/addresses.js";
/** @import { PageState } from "./observer.js" */
/** @import { TabParts } from "./parts.js" */
/** @import { Run } from "./run.js" */

/** Code that a command runs in the page's own world, and what the page says right behind the last thing that was done. */
export class PageCode {
  #tab;

  /**
   * Asks the page what has changed behind what was sent just now (`Observer.standBehind`); null where it is not asked.
   * @type {() => {page: Promise<PageState>, isAnswered: boolean}|null}
   */
  askBehind = () => null;
  /**
   * What it answers to that is told to nobody.
   * @type {() => void}
   */
  failed = () => {};
  /** Whether the page is asked at the end what the command has changed. */
  isAsked = false;
  /**
   * What it answers to that, as long as nothing was done since.
   * @type {Promise<PageState>|null}
   */
  told = null;

  /**
   * The number of the press whose guard ends with the next question; null: there is none.
   * @type {number|null}
   */
  #guard = null;

  /**
   * @param {Run} run
   * @param {Pick<TabParts, "navigation"|"worlds">} tab
   */
  constructor(run, tab) {
    this.run = run;
    this.#tab = tab;
  }

  /**
   * Evaluate as Runtime.evaluate has it. What may not run everywhere is bound to the one document that was looked at: when
   * another has come in between, nothing ran, and that one is looked at.
   * @param {Record<string, any>} params
   */
  async evaluate(params) {
    const { run } = this;
    if (run.grant.isFull) return this.#evaluating(params);
    for (;;) {
      const { navigation, worlds } = this.#tab;
      await run.topWorld(); // announced right after the page's own
      const page = worlds.pageOf(navigation.frameId);
      // Of a document without an origin of its own its address has to do.
      run.grant.demand(
        navigation.url,
        /^https?:/.test(page?.origin ?? "") ? page?.origin : originOf(navigation.url || "about:blank"),
      );
      try {
        return await this.#evaluating({ ...params, uniqueContextId: page?.id });
      } catch (error) {
        if (!/uniqueContextId not found/i.test(error.message)) throw error;
        if (page) worlds.forget(page.id);
        await run.frame();
      }
    }
  }

  /**
   * Leave the guard of a press in the top document to the question what has come of it, one call less.
   * @param {number} press
   * @returns whether that is asked, so that nobody else has to end it
   */
  leaveGuard(press) {
    if (!this.isAsked || this.run.frames.any || this.run.signal.aborted) return false;
    this.#guard = press;
    return true;
  }

  /** @returns {number[]} what the next question ends */
  takeGuard() {
    const left = this.#guard === null ? [] : [this.#guard];
    this.#guard = null;
    return left;
  }

  /** @param {Record<string, any>} params */
  async #evaluating(params) {
    this.told = null;
    const evaluating = this.run.send("Runtime.evaluate", params);
    const asked = this.askBehind();
    const ran = await evaluating;
    // Code that waited for something went on after the page was asked.
    if (asked && !asked.isAnswered) this.told = asked.page;
    return ran;
  }

  /**
   * What `asking`, which has just been sent to the page and is the last of its command, is answered: what that led to is
   * asked right behind it.
   * @template T
   * @param {Promise<T>} asking
   * @returns {Promise<T>}
   */
  async last(asking) {
    const asked = this.askBehind();
    const answer = await asking;
    if (asked) this.told = asked.page;
    return answer;
  }
}
