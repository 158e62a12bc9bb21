import { KaptureError } from "../basics/errors.js";
import { TypedSecrets } from "../tab/typed_secrets.js";
import { CarriedSocket } from "../wire/carrier.js";
import { Link, Refused } from "../wire/link.js";
/** @import { Chrome } from "../basics/chrome_door.js" */
/** @import { Catalogue } from "../wire/catalogue.js" */
/** @import { PersonCommands } from "./person_commands.js" */
/** @import { Size } from "../tab/emulation.js" */
/** @import { TabEvent } from "../tab/parts.js" */
/** @import { CommandFrame, FromExtension } from "../wire/protocol.js" */

const ALARM = "reconnect";
const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 30_000;
/**
 * What the panel's codes mean; any other one, that it does not know this browser.
 * @type {Map<string, Refusal>}
 */
const REFUSALS = new Map([
  ["OLD_EXTENSION", "outdated"],
  ["OLD_PANEL", "ahead"],
]);
/** @type {Record<Refusal, [what: string, nextStep: string]>} */
const WHY_REFUSED = {
  refused: ["the panel does not know this browser any more", "pair it again"],
  outdated: ["the panel is newer than this extension", "reload Kapture Panel on the extensions page"],
  ahead: ["the panel is older than this extension", "update Kapture Panel"],
};

/**
 * @typedef {{install: string, key: string, port: number, managed: boolean, viewport?: Size, carried?: boolean}} Config of
 *   the panel that is dialled; `viewport` is the size every tab gets, and `carried` says that the panel is on another
 *   machine and its debugger carries the links
 * @typedef {"refused"|"outdated"|"ahead"} Refusal by a panel that does not know this browser, is newer than this
 *   extension, or older
 * @typedef {"idle"|Refusal|"connecting"|"connected"} PanelState idle without a configuration, else what the panel said
 *   against it, else connecting (also between two tries) or connected
 * @typedef {ConstructorParameters<typeof Link>[0]} LinkOptions
 */

/** The link of the browser itself to the panel. It dials first and alone retries while the panel is away. */
export class PanelLink {
  /** @type {Config|null} */
  #config = null;
  /** @type {Link|null} */
  #link = null;
  /** @type {Promise<void>|null} */
  #dialing = null;
  /** @type {Refusal|null} */
  #refusal = null;
  #retryMs = FIRST_RETRY_MS;
  /** @type {number|undefined} */
  #retryTimer;
  /** What the panel is never told, over whichever link; forgotten with the panel. */
  typedSecrets = new TypedSecrets();

  /**
   * @param {{chrome: Chrome, catalogue: Catalogue, personCommands: PersonCommands, onChanged: () => void, onConnected: () => Promise<void>,
   *   onLeaving: () => Promise<void>, onCommand: (link: Link, frame: CommandFrame) => void,
   *   onCancel: (id: string) => void, onPaused: (isPaused: boolean) => void}} parts `onLeaving` lets go of what is shared with a panel; `onConnected` is
   *   called as often as somebody dials while the link is there
   */
  constructor({ chrome, catalogue, personCommands, onChanged, onConnected, onLeaving, onCommand, onCancel, onPaused }) {
    this.chrome = chrome;
    this.catalogue = catalogue;
    this.personCommands = personCommands;
    this.onChanged = onChanged;
    this.onConnected = onConnected;
    this.onLeaving = onLeaving;
    this.onCommand = onCommand;
    this.onCancel = onCancel;
    this.onPaused = onPaused;
  }

  /**
   * Take up a configuration in place of the one before; none ends all.
   * @param {Config|null} config
   */
  async start(config = null) {
    if (JSON.stringify(config) === JSON.stringify(this.#config)) return;
    const before = this.#config;
    this.#config = config;
    if (before) await this.#leave();
    this.onChanged();
    if (!config || this.#config !== config) return;
    await this.chrome.alarms.create(ALARM, { periodInMinutes: 0.5 });
    await this.dial();
  }

  /** Share nothing with the panel there was. */
  async #leave() {
    this.#stopRetry();
    this.#refusal = null;
    this.#retryMs = FIRST_RETRY_MS;
    await this.onLeaving();
    this.typedSecrets.clear();
    const link = this.#link;
    this.#link = null;
    await link?.close();
    await this.#dialing;
    await this.chrome.alarms.clear(ALARM);
  }

  get isConfigured() {
    return this.#config !== null;
  }

  /** Whether the panel started this browser. */
  get isManaged() {
    return Boolean(this.#config?.managed);
  }

  /** The size every tab gets, or null. */
  get viewport() {
    return this.#config?.viewport ?? null;
  }

  /** Where the panel is dialled; empty without a configuration. */
  get address() {
    return this.#config ? `ws://127.0.0.1:${this.#config.port}` : "";
  }

  get isConnected() {
    return this.#link?.state === "connected";
  }

  /** @returns {PanelState} */
  get state() {
    if (!this.#config) return "idle";
    if (this.#refusal) return this.#refusal;
    return this.isConnected ? "connected" : "connecting";
  }

  /**
   * Be connected to the panel, for the person who waits for it.
   * @throws {KaptureError} with what there is to do
   */
  async reach() {
    if (this.state !== "connected") await this.dial();
    if (this.state === "idle")
      throw new KaptureError("PANEL_DOWN", "this browser is not paired with a panel yet", "pair it first");
    if (this.#refusal) {
      const [what, nextStep] = WHY_REFUSED[this.#refusal];
      throw new KaptureError("DENIED", what, nextStep);
    }
    if (this.state !== "connected")
      throw new KaptureError(
        "PANEL_DOWN",
        `Kapture Panel does not answer at ${this.address}`,
        "start it, then connect again",
      );
  }

  /**
   * Dial the panel for the browser itself, unless that is under way.
   * @returns {Promise<void>}
   */
  dial() {
    if (!this.#config) return Promise.resolve();
    if (this.isConnected) return this.onConnected();
    this.#dialing ??= this.#dial().finally(() => (this.#dialing = null));
    return this.#dialing;
  }

  async #dial() {
    this.#stopRetry();
    const config = this.#config;
    const link = (this.#link = this.#browserLink(config));
    try {
      await link.open();
    } catch (error) {
      if (this.#config !== config) return;
      this.#refusal = error instanceof Refused ? (REFUSALS.get(error.code) ?? "refused") : null;
      if (this.#refusal) this.#retryMs = LAST_RETRY_MS; // it will not change its mind by being asked again and again
      this.onChanged();
      return this.#retry(); // the popup shows the state; the alarm goes on after the worker has slept
    }
    this.#refusal = null;
    this.#retryMs = FIRST_RETRY_MS;
    this.onChanged();
    this.onConnected(); // not awaited: a tab that hangs must not keep the browser from dialling again
  }

  /**
   * @param {Config|null} config
   * @returns {Link}
   */
  #browserLink(config) {
    const link = this.linkOf({
      role: "browser",
      masked: (frame) => this.#masked(frame),
      describe: async () => ({
        browser: browserName(),
        version: this.chrome.runtime.getManifest().version,
        catalogue: this.catalogue.hash,
      }),
      onCommand: (frame) => this.onCommand(link, frame),
      onCancel: (id) => this.onCancel(id),
      onSettings: ({ paused }) => this.onPaused(Boolean(paused)),
      onRan: (frame) => this.personCommands.onRan(frame),
      onUnpaired: () => this.#onUnpaired(config),
      onClosed: () => {
        this.personCommands.failAll();
        this.onChanged();
        if (this.#config === config) this.#retry();
      },
    });
    return link;
  }

  /**
   * A link of the browser or of a tab to the panel that is configured.
   * @param {Omit<LinkOptions, "url"|"key"|"install">} options
   */
  linkOf(options) {
    if (!this.#config)
      throw new KaptureError("PANEL_DOWN", "this browser is not paired with a panel any more", "pair it again");
    const { port, key, install, carried } = this.#config;
    const way = carried ? { WebSocket: CarriedSocket } : {};
    return new Link({ url: `ws://127.0.0.1:${port}`, key, install, ...way, ...options });
  }

  /**
   * An answer without secrets; what the person runs in DevTools goes to the panel as it is.
   * @param {any} frame
   */
  #masked(frame) {
    return frame.type === "response" ? this.typedSecrets.masked(frame) : frame;
  }

  /** Dial again after a pause. */
  #retry() {
    if (this.#retryTimer) return;
    const again = () => {
      this.#retryTimer = undefined;
      this.dial();
    };
    this.#retryTimer = setTimeout(again, this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS);
  }

  #stopRetry() {
    clearTimeout(this.#retryTimer);
    this.#retryTimer = undefined;
  }

  /**
   * Send a frame over the browser's link; one that is not there takes none.
   * @param {FromExtension} frame
   */
  send(frame) {
    this.#link?.send(frame);
  }

  /**
   * Tell the panel an event of the browser, if it is there.
   * @param {TabEvent} event
   */
  event(event) {
    this.#link?.event(event);
  }

  /**
   * The person took this browser off in the panel: the key is worth nothing any more.
   * @param {Config|null} config
   */
  async #onUnpaired(config) {
    if (this.#config !== config || this.isManaged) return;
    await this.chrome.storage.local.remove("pairing");
    await this.start();
  }

  /** The person takes this browser off here; a panel that is there is told. */
  async unpair() {
    if (this.isManaged) throw new KaptureError("DENIED", "this browser belongs to the panel", "end it there");
    if (this.isConnected) this.send({ type: "unpair" });
    await this.chrome.storage.local.remove("pairing");
    await this.start();
  }

  /** @param {{name: string}} alarm */
  onAlarm({ name }) {
    if (name === ALARM) return this.dial();
  }
}

/** The browser in its own words, as "Google Chrome 140". */
export function browserName() {
  const { userAgentData } = /** @type {{userAgentData?: {brands: {brand: string, version: string}[]}}} */ (
    globalThis.navigator ?? {}
  );
  const brands = userAgentData?.brands ?? [];
  const brand =
    brands.find(({ brand: name }) => !/not.*brand|chromium/i.test(name)) ??
    brands.find(({ brand: name }) => /chromium/i.test(name));
  return brand ? `${brand.brand} ${brand.version}` : "Chromium";
}
