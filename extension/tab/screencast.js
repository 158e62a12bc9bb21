/** @import { Cdp } from "./cdp.js" */
/** @import { TabEvent } from "./parts.js" */
/** @import { LivePicture, Watch } from "../wire/protocol.js" */

/** Only so that the browser draws a page in the background at all. */
const FOR_DRAWING = { format: "jpeg", quality: 1, maxWidth: 64, maxHeight: 64 };
/** So long after a command its page is drawn: what the command began may go on, and the next one often follows. */
const AFTER_COMMAND_MS = 2_000;
/** Text stays sharp, and a picture of 1280 × 720 has about 100 kB. */
const QUALITY = 70;

/**
 * The one owner of a tab's screencast (CDP's Page.startScreencast): the browser knows only one at a time. The person who
 * watches gets its pictures. Commands only have it run: a tab in the background gets one frame a second otherwise, and a
 * hover, a moved mouse, an animation and whatever waits for a frame takes that second.
 */
export class Screencast {
  /** @type {Omit<Watch, "type">|null} */
  #watched = null;
  #drawings = 0;
  /** With what it runs, as JSON; empty while it does not. */
  #runs = "";
  /** Starts and stops, one after the other. @type {Promise<void>} */
  #changing = Promise.resolve();
  /**
   * Chrome's numbers of pictures that were not painted yet, by ours. Chrome sends two, and the next one once the first
   * is acknowledged.
   * @type {Map<number, {sessionId: number, at: number}>}
   */
  #unpainted = new Map();
  #number = 0;

  /**
   * @param {{cdp: Cdp, send: (picture: Omit<LivePicture, "type">) => void, tell?: (event: TabEvent) => void}} parts `send`
   *   gives the panel a picture, `tell` an event
   */
  constructor({ cdp, send, tell = () => {} }) {
    this.cdp = cdp;
    this.send = send;
    this.tell = tell;
  }

  /** Whether the person looks at the tab. */
  get isWatched() {
    return this.#watched !== null;
  }

  /**
   * Send the person pictures from now on, in this size and no more often than that.
   * @param {Omit<Watch, "type">} wanted
   */
  watch({ width, height, everyMs }) {
    this.#watched = { width, height, everyMs };
    return this.#adjust();
  }

  /** The person looks elsewhere. */
  unwatch() {
    this.#watched = null;
    return this.#adjust();
  }

  /**
   * Tell what is done in the page, for whoever looks to see where.
   * @param {TabEvent} event
   */
  show(event) {
    if (this.isWatched) this.tell(event);
  }

  /**
   * The person sees picture `number`: the browser may send another.
   * @param {number} number
   */
  painted(number) {
    for (const [older, { sessionId, at }] of this.#unpainted) {
      if (older > number) continue;
      this.#unpainted.delete(older);
      const runs = this.#runs;
      const acknowledge = () => {
        if (this.#runs === runs) this.#quietly("Page.screencastFrameAck", { sessionId });
      };
      const restMs = (this.#watched?.everyMs ?? 0) - (performance.now() - at);
      if (restMs > 0) setTimeout(acknowledge, restMs);
      else acknowledge();
    }
  }

  /**
   * A command begins: the browser draws the page, also in the background, until a while after the last one.
   * @returns {() => void} to be called when it is over
   */
  commandBegins() {
    this.#drawings += 1;
    void this.#adjust();
    return () => {
      setTimeout(() => {
        this.#drawings -= 1;
        void this.#adjust();
      }, AFTER_COMMAND_MS);
    };
  }

  /** Resolves once the browser draws the page for the command under way. */
  drawn() {
    return this.#changing;
  }

  /** @param {{data: string, sessionId: number, metadata: {deviceWidth: number, deviceHeight: number}}} picture */
  onFrame({ data, sessionId, metadata: { deviceWidth, deviceHeight } }) {
    if (!this.#watched) return;
    this.#number += 1;
    this.#unpainted.set(this.#number, { sessionId, at: performance.now() });
    this.send({ number: this.#number, data, width: deviceWidth, height: deviceHeight });
  }

  get #wanted() {
    const { width: maxWidth, height: maxHeight } = this.#watched ?? {};
    if (this.#watched) return { format: "jpeg", quality: QUALITY, maxWidth, maxHeight };
    return this.#drawings ? FOR_DRAWING : null;
  }

  /** Have it run as it is wanted once those before are through; it never rejects, for the tab may go meanwhile. */
  #adjust() {
    this.#changing = this.#changing.then(async () => {
      const wanted = this.#wanted;
      const runs = wanted ? JSON.stringify(wanted) : "";
      if (runs === this.#runs) return;
      if (this.#runs) await this.#quietly("Page.stopScreencast");
      this.#runs = runs;
      this.#unpainted.clear();
      if (wanted) await this.#quietly("Page.startScreencast", wanted);
    });
    return this.#changing;
  }

  /**
   * @param {string} method
   * @param {object} [params]
   */
  #quietly(method, params = {}) {
    return this.cdp.send(method, params).catch(() => null); // the tab has gone, and its screencast with it
  }
}
