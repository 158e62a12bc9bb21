import { KaptureError } from "../basics/errors.js";
import { Absence } from "./absence.js";
import { AgentTabs } from "./agent_tabs.js";
import { BrowserCommands } from "./browser_commands.js";
import { Connector } from "./connector.js";
import { LostTabs } from "./lost_tabs.js";
import { MadeTabs } from "./made_tabs.js";
import { Opener } from "./opener.js";
import { PanelLink } from "./panel_link.js";
import { Pause, paused } from "./pause.js";
import { PersonCommands } from "./person_commands.js";
import { isOfExtension } from "./protected_pages.js";
import { Sharing } from "./sharing.js";
import { TabEvents } from "./tab_events.js";
import { TabRecords } from "./tab_records.js";
import { TabRegistry } from "./tab_registry.js";
import { Toolbar } from "./toolbar.js";
/** @import { Chrome } from "../basics/chrome_door.js" */
/** @import { Catalogue } from "../wire/catalogue.js" */
/** @import { BrowserHandler } from "./browser_commands.js" */
/** @import { Handler } from "../tab/executor.js" */
/** @import { PageSource, TabEvent } from "../tab/parts.js" */
/** @import { Grant } from "../wire/grant.js" */
/** @import { Config } from "./panel_link.js" */
/** @import { TabState } from "./tab_registry.js" */

/** This browser as the worker's listeners, our own pages and the handlers deal with it; puts its parts together. */
export class Connections {
  #registry = new TabRegistry();
  #personCommands = new PersonCommands();
  #panel;
  #pause;
  #absence;
  #connector;
  #sharing;
  #opener;

  /**
   * @param {{chrome: Chrome, pageSource: PageSource, catalogue: Catalogue, tabHandlers: Record<string, Handler>,
   *   browserHandlers: Record<string, BrowserHandler>, onChanged?: (chromeTabId?: number) => void,
   *   onHeard?: (chromeTabId: number, event: TabEvent) => void}} parts the last two hear what pages of ours show: that a tab, or
   *   the panel, changed, and the events of a tab
   */
  constructor({ chrome, pageSource, catalogue, tabHandlers, browserHandlers, onChanged, onHeard }) {
    this.chrome = chrome;
    /** @type {(chromeTabId?: number) => void} */
    this.onChanged = onChanged ?? (() => {});
    const registry = this.#registry;
    const records = new TabRecords(chrome.storage.session, (chromeTabId) => registry.sessionOf(chromeTabId)?.id);
    const agentTabs = new AgentTabs({ chrome, records });
    const commands = new BrowserCommands({ catalogue, handlers: browserHandlers, browser: this });
    const toolbar = new Toolbar(chrome);
    /** Show a tab's state in the pages that follow it. */
    const onShown = (/** @type {number} */ chromeTabId) => this.onChanged(chromeTabId);
    /** The same, and on the toolbar's icon. */
    const onTabChanged = (/** @type {number} */ chromeTabId, /** @type {{isNew?: boolean}} */ how = {}) => {
      const state = this.stateOf(chromeTabId);
      toolbar.show(chromeTabId, state, this.driverOf(chromeTabId), { isPause: this.paused, ...how });
      onShown(chromeTabId);
    };
    const connect = (/** @type {number} */ chromeTabId) => this.#connector.connect(chromeTabId);
    const panel = (this.#panel = new PanelLink({
      chrome,
      catalogue,
      personCommands: this.#personCommands,
      onChanged: () => (toolbar.showPanel(panel.state), this.#absence.onPanel(), this.onChanged()),
      onConnected: () => this.#sharing.connectAll(),
      onLeaving: () => this.#sharing.end(),
      onCommand: (link, frame) => commands.execute(link, frame),
      onCancel: (id) => commands.cancel(id),
      onPaused: (isPaused) => pause.set(isPaused),
    }));
    const drop = (/** @type {Parameters<Connector["drop"]>} */ ...args) => this.#connector.drop(...args);
    const letsGo = { chrome, panel, registry, records, drop };
    const absence = (this.#absence = new Absence({ ...letsGo, onChanged: onTabChanged }));
    const pause = (this.#pause = new Pause({
      ...letsGo,
      connectAll: () => this.#sharing.connectAll(),
      onChanged: (chromeTabId) => (chromeTabId === undefined ? this.onChanged() : onTabChanged(chromeTabId)),
    }));
    const shared = { chrome, panel, registry, records, pause, absence, agentTabs, madeTabs: new MadeTabs() };
    const lost = new LostTabs({ ...shared, connect });
    const shown = { lost, onChanged: onTabChanged, onShown };
    const needs = { pageSource, catalogue, tabHandlers, onHeard: onHeard ?? (() => {}) };
    const onDisconnect = this.disconnect.bind(this);
    const connector = (this.#connector = new Connector({ ...shared, ...shown, ...needs, onDisconnect }));
    const sharing = (this.#sharing = new Sharing({ ...shared, connector }));
    this.#opener = new Opener({ ...shared, connect });
    /** What Chrome tells goes here. */
    this.events = new TabEvents({ ...shared, ...shown, connector, sharing });
  }

  /**
   * Take up a configuration, or none, as `PanelLink.start` says.
   * @param {Config} [config]
   */
  start(config) {
    return this.#panel.start(config);
  }

  /** Whether the panel started this browser. */
  get managed() {
    return this.#panel.isManaged;
  }

  /** Where the panel is dialled; empty without a configuration. */
  get address() {
    return this.#panel.address;
  }

  /** As `PanelLink.state` says. */
  get panelState() {
    return this.#panel.state;
  }

  /** Whether the person paused the agents, as the panel says. */
  get paused() {
    return this.#pause.isOn;
  }

  /** How many tabs are connected. */
  get connectedCount() {
    return this.#registry.size;
  }

  /**
   * @param {number} chromeTabId
   * @returns {TabState}
   */
  stateOf(chromeTabId) {
    if (this.#pause.isHeld(chromeTabId)) return "paused";
    return this.#absence.isHeld(chromeTabId) ? "connecting" : this.#registry.stateOf(chromeTabId);
  }

  /**
   * Who used a connected tab last, as the panel says; empty when nobody has.
   * @param {number} chromeTabId
   */
  driverOf(chromeTabId) {
    return this.#registry.driverOf(chromeTabId);
  }

  /**
   * Whether the debugger is at a tab for good.
   * @param {number} chromeTabId
   */
  isAttached(chromeTabId) {
    return this.#registry.isAttached(chromeTabId);
  }

  /**
   * The session of a connected tab, or null.
   * @param {number} chromeTabId
   */
  sessionOf(chromeTabId) {
    return this.#registry.sessionOf(chromeTabId);
  }

  /**
   * Whether an address is a page of this extension.
   * @param {string|undefined} url
   */
  isOfExtension(url) {
    return isOfExtension(this.chrome, url);
  }

  /** Be connected to the panel, as `PanelLink.reach` says. */
  reach() {
    return this.#panel.reach();
  }

  /** The person takes this browser off here, as `PanelLink.unpair` says. */
  unpair() {
    return this.#panel.unpair();
  }

  /**
   * Have the panel pause the agents, or let them go on, because the person wants it so.
   * @param {boolean} on
   */
  askPause(on) {
    return this.#pause.ask(on);
  }

  /**
   * Have the panel run a command in a tab for the person, as `PersonCommands.begin` says.
   * @param {number} chromeTabId
   * @param {string} command
   * @param {Record<string, any>} params
   */
  run(chromeTabId, command, params) {
    const session = this.#registry.sessionOf(chromeTabId);
    if (session && this.panelState === "connected")
      return this.#personCommands.begin(this.#panel, session.id, command, params);
    const error = this.#pause.isHeld(chromeTabId)
      ? paused()
      : new KaptureError("TAB_DISCONNECTED", "the tab is not connected", "connect it first");
    return { ended: Promise.resolve({ success: false, error: error.asWire() }), cancel() {} };
  }

  /**
   * Connect a tab, as `Connector.connect` says.
   * @param {number} chromeTabId
   */
  connect(chromeTabId) {
    return this.#connector.connect(chromeTabId);
  }

  /**
   * Stop sharing a tab because a person wants it so: it is not connected again by itself.
   * @param {number} chromeTabId
   */
  disconnect(chromeTabId) {
    return this.#sharing.disconnect(chromeTabId);
  }

  /**
   * Connect every tab of a window, as `Sharing.connectWindow` says.
   * @param {number} windowId
   */
  connectWindow(windowId) {
    return this.#sharing.connectWindow(windowId);
  }

  /**
   * Connect a tab for an agent on a person's word, as `Sharing.connectGranted` says.
   * @param {number} chromeTabId
   * @param {Grant} grant
   */
  connectGranted(chromeTabId, grant) {
    return this.#sharing.connectGranted(chromeTabId, grant);
  }

  /** Every open tab, as `Sharing.list` says. */
  listTabs() {
    return this.#sharing.list();
  }

  /**
   * Open a tab for an agent, as `Opener.open` says.
   * @param {string} url
   * @param {any} how
   */
  openTab(url, how) {
    return this.#opener.open(url, how);
  }
}
