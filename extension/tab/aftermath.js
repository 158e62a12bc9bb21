/** @import { Effects } from "./effects.js" */
/** @import { Navigation } from "./navigation.js" */
/** @import { NetworkLog } from "./network_log.js" */
/** @import { Before } from "./dialogs.js" */
/** @import { PageState } from "./observer.js" */
/** @import { Run } from "./run.js" */

/** So long an answer waits for what its action began: requests of the page and the start of a navigation. */
const SETTLE_MS = 2000;
/** So long for a first sign of an action that has shown none. */
const SIGN_MS = 150;
/** An answer names this many requests that are under way. */
const MAX_PENDING = 3;
const MAX_URL = 200;

/** What an action began in the page, such as a request, and how long its answer waits for that. */
export class Aftermath {
  /** @param {{navigation: Navigation, effects: Effects, networkLog: NetworkLog}} parts */
  constructor({ navigation, effects, networkLog }) {
    this.navigation = navigation;
    this.effects = effects;
    this.networkLog = networkLog;
  }

  /**
   * Wait for what an action began, or, where it has shown no sign yet, for a first one.
   * @param {Run} run
   * @param {Before} before
   * @param {() => Promise<PageState>} look asks the page what has changed since it was asked last, after its next frame
   * @returns {Promise<{page: PageState, pending: string[]}>} what has changed, and what is still under way
   */
  async settled(run, before, look) {
    const looking = look();
    looking.catch(() => {}); // who waits for it hears of the error
    if (await this.#isHeldUp(run, before, looking)) {
      const page = await Promise.race([looking, Promise.resolve({})]);
      return { page, pending: [`GET ${this.navigation.pending?.url.slice(0, MAX_URL)}`] };
    }
    return this.#requestsOver(run, before.mark ?? this.networkLog.mark, await looking, look);
  }

  /**
   * Whether the action began a navigation whose server is slow: from then on the page answers nothing. Otherwise
   * `looking` is done, or about to be.
   * @param {Run} run
   * @param {Before} before
   * @param {Promise<PageState>} looking
   */
  async #isHeldUp(run, before, looking) {
    const { navigation } = this;
    const limit = AbortSignal.timeout(SETTLE_MS);
    const late = new Promise((resolve) => limit.addEventListener("abort", resolve, { once: true }));
    await Promise.race([looking.catch(() => {}), late]);
    const isCommitted = () => !navigation.pending?.loaderId || navigation.loaderId !== before.loaderId;
    if (isCommitted()) return false;
    await navigation.until(isCommitted, AbortSignal.any([run.signal, limit])).catch((error) => {
      if (!limit.aborted || run.signal.aborted) throw error;
    });
    return !isCommitted();
  }

  /**
   * @param {Run} run
   * @param {number} mark the last request before the action
   * @param {PageState} page
   * @param {() => Promise<PageState>} look
   */
  async #requestsOver(run, mark, page, look) {
    const started = performance.now();
    const leftMs = () => Math.max(0, Math.round(SETTLE_MS - (performance.now() - started)));
    const lookAgain = async () => {
      const { changed } = page;
      page = await look();
      if (changed) page = { ...page, changed };
    };
    if (!page.changed && !this.#hasBegun(mark) && !this.effects.hasSign) {
      await this.#sign(run, mark);
      await lookAgain();
    }
    while (!this.navigation.pending && this.networkLog.openSince(mark).length && leftMs() > 0) {
      run.callBeside("goOn");
      await this.networkLog.over(mark, leftMs(), run.signal);
      await lookAgain();
    }
    const open = this.navigation.pending ? [] : this.networkLog.openSince(mark).slice(0, MAX_PENDING);
    return { page, pending: open.map(({ method, url }) => `${method} ${url.slice(0, MAX_URL)}`) };
  }

  /** @param {number} mark */
  #hasBegun(mark) {
    const { navigation, networkLog } = this;
    return navigation.pending !== null || (networkLog.openSince(mark).length > 0 && !networkLog.onlyRepeated(mark));
  }

  /**
   * Until the page shows a first sign, begins a request or a navigation, or the time for it is over.
   * @param {Run} run
   * @param {number} mark
   */
  async #sign(run, mark) {
    run.signal.throwIfAborted(); // whoever listens from here on would hear nothing of it
    const over = new AbortController();
    const signal = AbortSignal.any([run.signal, over.signal, AbortSignal.timeout(SIGN_MS)]);
    const ended = new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    const unlessOver = () => {};
    await Promise.race([
      ended,
      run.pageOnce("firstSign").catch(unlessOver),
      this.networkLog.begun(mark, signal).catch(unlessOver),
      this.navigation.until(() => this.navigation.pending !== null, signal).catch(unlessOver),
    ]);
    over.abort();
    run.signal.throwIfAborted();
  }
}
