import { mock } from "node:test";
import { BROWSER_HANDLERS, TAB_HANDLERS } from "../../extension/handlers/index.js";
import { throughDoor } from "../../extension/basics/chrome_door.js";
import { Connections } from "../../extension/browser/connections.js";
import { FakeChrome } from "./fake_chrome.js";
import { CONFIG, FakePanel, catalogue, settle } from "./fakes.js";

/** The configuration of a person's own browser. */
export const OWN = { ...CONFIG, managed: false };

/** A worker that has just started, over a fake browser with two tabs and a fake panel; the clock stands still. */
export class FakeBrowser {
  constructor() {
    mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
    this.panel = new FakePanel();
    globalThis.WebSocket = this.panel.WebSocket;
    this.over(new FakeChrome({ tabs: [{ id: 1 }, { id: 2, url: "https://bank.example/" }] }));
  }

  /** For `afterEach`: what the test left under way dials nobody in the next one. */
  async end() {
    const ended = this.connections.start();
    ended.catch(() => {}); // a test may have broken what it would need
    await settle();
    mock.timers.reset();
  }

  /** Start a worker in another browser. */
  over(chrome) {
    this.chrome = chrome;
    this.worker();
    return this;
  }

  /** A worker that has just started. */
  worker() {
    this.connections = new Connections({
      chrome: throughDoor(this.chrome),
      pageSource: { worldName: "kapture", source: "0" },
      catalogue: catalogue(),
      tabHandlers: TAB_HANDLERS,
      browserHandlers: BROWSER_HANDLERS,
    });
    this.chrome.wire(this.connections);
    return this.connections;
  }

  /** The worker is killed: its sockets close, its listeners are gone. */
  killWorker() {
    this.chrome.killWorker();
    for (const socket of this.panel.sockets) socket.onclose = null;
    for (const socket of this.panel.sockets) socket.hangUp();
  }

  /** A person's own browser, connected to the panel. */
  async paired() {
    await this.connections.start(OWN);
    await this.panel.browserLink();
  }

  /** So many tabs are linked, and the extension has heard that they are. */
  async tabsLinked(count) {
    await this.panel.until(() => this.panel.tabLinks.length === count);
    await settle();
  }

  /** What is remembered of a tab. */
  record(id) {
    return this.chrome.stored.tabs?.[id];
  }

  /** Have an agent open a tab. */
  async newTab(params, id = "c1") {
    return (await this.panel.browserLink()).command(
      id,
      "kapturemcp_new_tab",
      { url: "about:blank", background: false, snapshot: "none", ...params },
      5000,
    );
  }

  /** Give a connected tab a size, as an agent does. */
  async resize(tabId, { width, height, deviceScaleFactor }) {
    this.chrome.page.viewport = () => ({ width, height, devicePixelRatio: deviceScaleFactor });
    await (
      await this.panel.tabLink(tabId)
    ).command("resize", "kapturemcp_resize", { width, height, deviceScaleFactor });
  }

  /** The panel says whether the agents are paused. */
  async pausing(isPaused) {
    (await this.panel.browserLink()).tell({ type: "settings", paused: isPaused });
    await settle(60);
  }
}
