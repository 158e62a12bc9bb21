import { Conditions } from "./conditions.js";

/** How long a navigation that a page asked for may take to start before it counts as not coming. */
const START_DEADLINE_MS = 500;
/** An action does not wait longer than this for the last pictures of a page it led to. */
const LOAD_DEADLINE_MS = 3000;

/** What a frame, usually the main one, shows and where it is going, from CDP events. */
export class Navigation {
  #conditions = new Conditions();

  /** @param inFrame whether it is about one frame only, not about whatever the main one is */
  constructor(inFrame = false) {
    this.inFrame = inFrame;
    /** @type {string|null} */
    this.frameId = null;
    /** @type {string|null} */
    this.loaderId = null;
    this.url = "";
    this.unreachable = false;
    /**
     * Milestones of the current document: DOMContentLoaded, load, …
     * @type {Set<string>}
     */
    this.reached = new Set();
    /**
     * The navigation under way.
     * @type {{url: string, loaderId?: string, replacedBy?: {url: string}}|null}
     */
    this.pending = null;
    /** Whether the page is asking if it may be left. */
    this.asking = false;
    /**
     * Why the last navigation that did not commit failed.
     * @type {{loaderId: string|undefined, error: string}|null}
     */
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
    this.#conditions.look();
  }

  /**
   * Resolves once `condition()` holds; looked at after every event. Rejects when `signal` aborts.
   * @param {() => boolean} condition
   * @param {AbortSignal} signal
   */
  until(condition, signal) {
    return this.#conditions.until(condition, signal);
  }

  /**
   * Wait for a navigation an action started, until its document has loaded.
   * @param {AbortSignal} signal
   * @param {string|null} from the loader of the document before the action: one that still loads by itself is not waited for
   * @returns whether another document came
   */
  async settled(signal, from) {
    if (!this.pending && this.loaderId === from) return false;
    do {
      if (this.pending && !this.pending.loaderId) await this.#started(this.pending, signal);
      await this.until(
        () => (this.pending ? !this.pending.loaderId : this.reached.has("DOMContentLoaded") || this.loaderId === from),
        signal,
      );
    } while (this.pending);
    if (this.loaderId !== from)
      await this.#conditions.within(LOAD_DEADLINE_MS, () => Boolean(this.pending) || this.reached.has("load"), signal);
    return this.loaderId !== from;
  }

  async #started(asked, signal) {
    await this.#conditions.within(START_DEADLINE_MS, () => this.pending !== asked, signal);
    if (this.pending === asked) this.pending = null;
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
    if (navigation.inFrame ? !isMain(navigation, frame.id) : frame.parentId) return;
    navigation.frameId = frame.id;
    navigation.loaderId = frame.loaderId;
    navigation.url = frame.url + (frame.urlFragment ?? "");
    navigation.unreachable = Boolean(frame.unreachableUrl);
    navigation.reached = new Set(type === "BackForwardCacheRestore" ? ["DOMContentLoaded", "load"] : []);
    if (
      !navigation.pending?.loaderId ||
      navigation.pending.loaderId === frame.loaderId ||
      type === "BackForwardCacheRestore"
    )
      navigation.pending = null;
  },
  "Page.frameDetached"(navigation, { frameId, reason }) {
    if (!isMain(navigation, frameId) || reason === "swap") return;
    navigation.pending = null;
    navigation.reached = new Set(["DOMContentLoaded", "load"]);
  },
  "Page.navigatedWithinDocument"(navigation, { frameId, url }) {
    if (!isMain(navigation, frameId)) return;
    navigation.url = url;
    if (navigation.pending && !navigation.pending.loaderId) navigation.pending = null;
  },
  "Page.lifecycleEvent"(navigation, { frameId, loaderId, name }) {
    if (isMain(navigation, frameId) && loaderId === navigation.loaderId) navigation.reached.add(name);
  },
  "Page.javascriptDialogOpening"(navigation, { type }) {
    navigation.asking = type === "beforeunload";
  },
  "Page.javascriptDialogClosed"(navigation, { result }) {
    // The page stays: nothing else tells that the navigation is over.
    if (navigation.asking && !result) {
      navigation.failure = { loaderId: navigation.pending?.loaderId, error: "the page was not left" };
      navigation.pending = null;
    }
    navigation.asking = false;
  },
  "Page.downloadWillBegin"(navigation, { frameId }) {
    if (isMain(navigation, frameId)) fail(navigation, navigation.pending?.loaderId, "download");
  },
  "Network.loadingFailed"(navigation, { requestId, errorText }) {
    if (navigation.pending?.loaderId === requestId && errorText === "net::ERR_ABORTED")
      fail(navigation, requestId, errorText);
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
