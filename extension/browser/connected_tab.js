import { oneLine } from "../basics/one_line.js";
import { applies } from "../tab/mouse.js";
import { browserName } from "./panel_link.js";
/** @import { Chrome } from "../basics/chrome_door.js" */
/** @import { Session } from "../tab/session.js" */
/** @import { PanelLink } from "./panel_link.js" */
/** @import { Ending, TabEvent } from "../tab/parts.js" */
/** @import { Link } from "../wire/link.js" */
/** @import { CommandFrame, LivePicture, Response, Settings } from "../wire/protocol.js" */
/** @import { Input } from "../wire/link.js" */
/** @import { TabState } from "./tab_registry.js" */

/** A tab counts as driven for a moment longer, so that what is shown does not flicker. */
const LINGER_MS = 1000;

/** The pause before a tab dials again, while its browser's link is there: it grows until this tab is linked. */
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 2000;

/** A connected tab: its session, its own link to the panel, and who drives it. */
export class ConnectedTab {
  /**
   * The link; something stands for it until it is dialled.
   * @type {Pick<Link, "state"|"event"|"picture"|"read"> & Partial<Link>}
   */
  #link = {
    state: "connecting",
    event() {},
    picture() {},
    read: () => Promise.reject(new Error("the link is not there yet")),
  };
  #isDriven = false;
  /** @type {number|undefined} */
  #lingering;
  /** Who used it last, as the panel says; empty when nobody has. */
  driver = "";
  /**
   * Commands that run though the panel lost their answers, and wants them now.
   * @type {Set<string>}
   */
  #owed = new Set();
  #retryMs = FIRST_RETRY_MS;

  /**
   * @param {{chrome: Chrome, panel: PanelLink, session: Session, onDriver: (name: string) => void, onChanged: () => void,
   *   onRetry: () => void, onDisconnect: () => void}} parts `onRetry` is to connect the tab again, `onDisconnect` hears
   *   that the person wants it shared no more
   */
  constructor({ chrome, panel, session, onDriver, onChanged, onRetry, onDisconnect }) {
    this.chrome = chrome;
    this.panel = panel;
    this.session = session;
    this.onDriver = onDriver;
    this.onChanged = onChanged;
    this.onRetry = onRetry;
    this.onDisconnect = onDisconnect;
  }

  get isLinked() {
    return this.#link.state === "connected";
  }

  /** @returns {TabState} */
  get state() {
    if (this.session.isClosing) return "disconnecting";
    if (!this.isLinked) return "connecting"; // shared still: its link comes back by itself
    return this.#isDriven || this.session.isExecuting ? "executing" : "connected";
  }

  /**
   * Tell the panel an event of the tab.
   * @param {TabEvent} event
   */
  event(event) {
    this.#link.event(event);
  }

  /**
   * Give the panel a picture of the page.
   * @param {Omit<LivePicture, "type">} picture
   */
  picture(picture) {
    this.#link.picture(picture);
  }

  /**
   * A piece of a file, as `Link.read` says.
   * @param {string} token
   * @param {number} start
   * @param {number} size
   */
  readFile(token, start, size) {
    return this.#link.read(token, start, size);
  }

  /** Dial for the tab, also again. */
  async dial() {
    const { session, panel } = this;
    const link = panel.linkOf({
      role: "tab",
      tabId: session.id,
      describe: () => this.#describe(),
      masked: (frame) => session.masked(frame),
      onOpen: (ids) => this.#report(link, ids),
      onCommand: (frame) => link.answer(this.#drive(frame)),
      onPick: (frame) => link.answer(session.pick(frame)),
      onCheck: (frame) => link.answer(session.check(frame)),
      onCancel: (id) => session.cancel(id),
      onShow: () => session.show(),
      onDisconnect: () => this.onDisconnect(),
      onLetGo: () => session.letGoOfKeys("another agent has the tab now, or none"),
      onSettings: (settings) => this.#onSettings(settings),
      onWatch: (wanted) => session.watch(wanted),
      onUnwatch: () => session.unwatch(),
      onPainted: (number) => session.painted(number),
      onStepIn: () => session.hands.begin(),
      onStepOut: (id) => link.answer(this.#stepOut(id)),
      onPointAt: (frame) => link.answer(session.pointAt(frame)),
      onHands: (input) => handle(session, input),
      onClosed: () => {
        session.cutOff();
        session.unwatch();
        void session.hands.end();
        session.letGoOfKeys("the connection to the panel broke");
        this.onChanged();
        this.#retry();
      },
    });
    if (session.ended) throw session.ended;
    this.#link = link;
    try {
      await link.open();
    } catch (error) {
      this.#retry();
      throw error;
    }
    this.#retryMs = FIRST_RETRY_MS;
    this.onChanged();
  }

  /** Dial again after a pause. While the panel is away its browser's link does that, and the tabs come after it. */
  #retry() {
    setTimeout(() => {
      if (!this.session.ended && this.panel.isConnected) this.onRetry();
    }, this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS);
  }

  /**
   * Tell the panel what became of the commands whose answers it lost; of one that still runs when it is over.
   * @param {Link} link
   * @param {string[]} ids
   */
  #report(link, ids) {
    for (const id of ids) {
      const response = this.session.resultOf(id, ids.length);
      if (response) link.send(response);
      else this.#owed.add(id);
    }
  }

  /** @param {Omit<Settings, "type">} settings */
  #onSettings({ naturalMouse, showCursor, showFrame, driver }) {
    const { session, panel } = this;
    session.setMouse({ natural: applies(naturalMouse, panel.isManaged), cursor: applies(showCursor, panel.isManaged) });
    session.wantFrame(applies(showFrame, panel.isManaged));
    this.driver = oneLine(driver, 40);
    this.onDriver(this.driver);
    this.onChanged();
  }

  /**
   * The person gives the tab back; answered once all that they did is told.
   * @param {string} id
   * @returns {Promise<Response>}
   */
  async #stepOut(id) {
    await this.session.hands.end();
    return { type: "response", id, success: true, ms: 0 };
  }

  async #describe() {
    const { url, title, favIconUrl } = await this.chrome.tabs.get(this.session.chromeTabId);
    return {
      url: url ?? "",
      title: title ?? "",
      favicon: (favIconUrl ?? "").slice(0, 2000),
      browser: browserName(),
      memory: this.session.memory,
    };
  }

  /**
   * Carry out a command; while it runs, and a moment longer, its tab is shown as driven.
   * @param {CommandFrame} frame
   */
  async #drive(frame) {
    const { session } = this;
    if (session.ended) return session.execute(frame);
    clearTimeout(this.#lingering);
    if (!this.#isDriven) this.#show(true);
    const response = await session.execute(frame);
    const owed = response && this.#owed.delete(frame.id) && session.resultOf(frame.id, 1);
    if (owed) this.#link.send?.(owed);
    clearTimeout(this.#lingering);
    if (!session.isExecuting && !session.ended) this.#lingering = setTimeout(() => this.#show(false), LINGER_MS);
    return response;
  }

  /** @param {boolean} isDriven */
  #show(isDriven) {
    this.#isDriven = isDriven;
    this.session.drive(isDriven && !this.session.ended);
    this.onChanged();
  }

  /**
   * Let go of the tab, as `Lifetime.end` says.
   * @param {Error} error
   * @param {Ending} [told]
   */
  async end(error, told) {
    clearTimeout(this.#lingering);
    await this.session.end(error, told);
    // Answers that are on their way (of close_tab, of what just failed) go out before the link closes.
    await this.session.idle();
    await this.#link.close?.();
  }
}

/**
 * @param {Session} session
 * @param {Input} input
 */
function handle({ hands }, input) {
  if (input.type === "mouse") hands.mouse(input);
  else if (input.type === "key") hands.key(input);
  else if (input.type === "text") hands.text(input);
  else hands.compose(input);
}
