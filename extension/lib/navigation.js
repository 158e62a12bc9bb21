/** How long a navigation that a page asked for may take to start before it counts as not coming. */
const START_DEADLINE_MS = 500;
/** An action does not wait longer than this for the last pictures of a page it led to. */
const LOAD_DEADLINE_MS = 3000;

/** What the main frame shows and where it is going, from CDP events. */
export class Navigation {
  #checks = new Set();

  constructor() {
    this.frameId = null;
    this.loaderId = null;
    this.url = "";
    this.unreachable = false;
    /** Milestones of the current document: DOMContentLoaded, load, … */
    this.reached = new Set();
    /** The navigation under way: {url, loaderId?}, or null. */
    this.pending = null;
    /** Why the last navigation that did not commit failed: {loaderId, error}, or null. */
    this.failure = null;
  }

  /** Take the state of a tab that was open before. */
  adopt(frame) {
    this.frameId = frame.id;
    this.loaderId = frame.loaderId;
    this.url = frame.url + (frame.urlFragment ?? "");
    this.unreachable = Boolean(frame.unreachableUrl);
  }

  onEvent(method, params) {
    const handle = EVENTS[method];
    if (!handle) return;
    handle(this, params);
    for (const check of this.#checks) check();
  }

  /** Resolves once `condition()` holds; looked at after every event. Rejects when `signal` aborts. */
  until(condition, signal) {
    if (condition()) return Promise.resolve();
    if (signal.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const end = () => {
        this.#checks.delete(check);
        signal.removeEventListener("abort", aborted);
      };
      const check = () => {
        if (!condition()) return;
        end();
        resolve();
      };
      const aborted = () => {
        end();
        reject(signal.reason);
      };
      this.#checks.add(check);
      signal.addEventListener("abort", aborted, { once: true });
    });
  }

  /**
   * Wait for a navigation an action started, until its document has loaded.
   * @param {string} from the loader of the document before the action: one that still loads by itself is not waited for
   * @returns whether another document came
   */
  async settled(signal, from) {
    if (!this.pending && this.loaderId === from) return false;
    do {
      if (this.pending && !this.pending.loaderId) await this.#started(this.pending, signal);
      await this.until(() => (this.pending ? !this.pending.loaderId : this.reached.has("DOMContentLoaded") || this.loaderId === from), signal);
    } while (this.pending);
    if (this.loaderId !== from) await this.#within(LOAD_DEADLINE_MS, () => this.pending || this.reached.has("load"), signal);
    return this.loaderId !== from;
  }

  async #started(asked, signal) {
    await this.#within(START_DEADLINE_MS, () => this.pending !== asked, signal);
    if (this.pending === asked) this.pending = null;
  }

  async #within(deadlineMs, condition, signal) {
    const deadline = AbortSignal.timeout(deadlineMs);
    await this.until(condition, AbortSignal.any([signal, deadline])).catch((error) => {
      if (!deadline.aborted || signal.aborted) throw error;
    });
  }
}

const isMain = (navigation, frameId) => frameId === navigation.frameId;

const EVENTS = {
  "Page.frameRequestedNavigation"(navigation, { frameId, url, disposition }) {
    if (!isMain(navigation, frameId) || disposition !== "currentTab" || /^javascript:/i.test(url)) return;
    // The navigation under way is aborted before the one that replaces it starts.
    if (navigation.pending?.loaderId) navigation.pending.replacedBy = { url };
    else navigation.pending ??= { url };
  },
  "Page.frameStartedNavigating"(navigation, { frameId, url, loaderId, navigationType }) {
    if (isMain(navigation, frameId) && !/SameDocument/i.test(navigationType)) navigation.pending = { url, loaderId };
  },
  "Page.frameNavigated"(navigation, { frame, type }) {
    if (frame.parentId) return;
    navigation.frameId = frame.id;
    navigation.loaderId = frame.loaderId;
    navigation.url = frame.url + (frame.urlFragment ?? "");
    navigation.unreachable = Boolean(frame.unreachableUrl);
    navigation.reached = new Set(type === "BackForwardCacheRestore" ? ["DOMContentLoaded", "load"] : []);
    if (!navigation.pending?.loaderId || navigation.pending.loaderId === frame.loaderId || type === "BackForwardCacheRestore")
      navigation.pending = null;
  },
  "Page.navigatedWithinDocument"(navigation, { frameId, url }) {
    if (!isMain(navigation, frameId)) return;
    navigation.url = url;
    if (navigation.pending && !navigation.pending.loaderId) navigation.pending = null;
  },
  "Page.lifecycleEvent"(navigation, { frameId, loaderId, name }) {
    if (isMain(navigation, frameId) && loaderId === navigation.loaderId) navigation.reached.add(name);
  },
  "Page.downloadWillBegin"(navigation, { frameId }) {
    if (isMain(navigation, frameId)) fail(navigation, navigation.pending?.loaderId, "download");
  },
  "Network.loadingFailed"(navigation, { requestId, errorText }) {
    if (navigation.pending?.loaderId === requestId && errorText === "net::ERR_ABORTED") fail(navigation, requestId, errorText);
  },
  "Network.responseReceived"(navigation, { requestId, response }) {
    if (navigation.pending?.loaderId === requestId && [204, 205].includes(response.status))
      fail(navigation, requestId, `HTTP ${response.status}`);
  },
};

function fail(navigation, loaderId, error) {
  navigation.failure = { loaderId, error };
  navigation.pending = navigation.pending?.replacedBy ?? null;
}
