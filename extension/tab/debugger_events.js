import { isOfProgram } from "./led_away.js";
import { PRESS_BINDING } from "./press.js";
import { crashed } from "./renderer.js";
import { isOfPage, kindOf } from "./repeated_requests.js";
import { PROGRAM_BINDING } from "./subscriptions.js";
/** @import { TabParts } from "./parts.js" */
/** @import { Picker } from "./pick.js" */

/** Hands each event of the debugger to the parts of the tab that it concerns. */
export class DebuggerEvents {
  /**
   * @param {TabParts} tab
   * @param {Picker} picker
   */
  constructor(tab, picker) {
    this.tab = tab;
    this.picker = picker;
  }

  /** Take an event of the tab, or of a child target such as a worker. */
  onEvent(method, params, childSession) {
    if (childSession) return this.#onChildEvent(method, params, childSession);
    const { tab } = this;
    tab.worlds.onEvent(method, params);
    tab.navigation.onEvent(method, params);
    tab.console.onEvent(method, params, "page");
    tab.networkLog.onEvent(method, params);
    EVENTS[method]?.(tab, params);
    tab.frames.onEvent(method, params);
    this.picker.onEvent(method, params);
  }

  #onChildEvent(method, params, childSession) {
    const { tab } = this;
    const child = tab.children.get(childSession);
    if (!child) return;
    tab.console.onEvent(method, params, child.context, childSession);
    tab.networkLog.onEvent(method, params, childSession, child.context);
    CHILD_EVENTS[method]?.(tab, params, childSession);
    if (!child.worlds) return;
    this.picker.onEvent(method, params, childSession);
    child.worlds.onEvent(method, params);
    FRAME_EVENTS[method]?.(tab, params, childSession);
    tab.frames.onEvent(method, params);
  }
}

function onCrash({ renderer, dialogs, dialogRules, queues, tell }) {
  const isAskedFor = renderer.crashed();
  if (dialogs.open) dialogRules.closed({ result: false }); // nobody tells
  if (isAskedFor) return;
  tell({ kind: "crash" });
  queues.failAll(crashed());
}

/**
 * What Chrome tells of a page once it has drawn it, and once it is whole: an empty one is never drawn. One that it kept
 * and brings back has neither.
 */
const SHOWS_ANOTHER_PAGE = new Set(["firstPaint", "load"]);

const EVENTS = {
  // Goes out before the answer of the command that led here: the panel decides by the address.
  "Page.frameNavigated": (
    { frames, fileChooser, heldKeys, pointer, drivenFrame, console: log, navigation, screencast, tell },
    { frame, type },
  ) => {
    if (frame.parentId) return;
    if (type === "BackForwardCacheRestore") screencast.looksOtherwise();
    frames.left();
    log.flood.forget();
    fileChooser.over();
    heldKeys.lose("the tab shows another page");
    pointer.cursor.redraw();
    drivenFrame.redraw();
    tell({ kind: "tab", url: navigation.url, navigated: true });
  },
  "Page.navigatedWithinDocument": ({ navigation, tell }, { frameId }) =>
    frameId === navigation.frameId && tell({ kind: "tab", url: navigation.url }),
  "Page.frameResized": ({ drivenFrame, screencast }) => {
    drivenFrame.redraw();
    screencast.looksOtherwise();
  },
  "Page.lifecycleEvent": ({ screencast, navigation }, { frameId, name }) =>
    frameId === navigation.frameId && SHOWS_ANOTHER_PAGE.has(name) && screencast.looksOtherwise(),
  "Page.screencastFrame": ({ screencast }, params) => screencast.onFrame(params),
  "Network.requestWillBeSent": countRequest,
  "Page.downloadWillBegin": ({ effects }, params) => effects.download(params),
  "Page.fileChooserOpened": ({ fileChooser }, params) => fileChooser.onOpened(params),
  "Input.dragIntercepted": ({ pointer }, { data }) => (pointer.drag = data),
  "Page.windowOpen": onWindow,
  "Runtime.bindingCalled": ({ effects, presses }, { name, payload }) => {
    if (name === PROGRAM_BINDING) effects.program(payload, true);
    else if (name === PRESS_BINDING) presses.onReport(payload);
  },
  "Page.javascriptDialogOpening": ({ dialogRules }, params) => dialogRules.opened(params),
  "Page.javascriptDialogClosed": ({ dialogRules }, params) => dialogRules.closed(params),
  "Target.attachedToTarget": ({ children }, params) => children.attached(params),
  "Target.detachedFromTarget": ({ children }, { sessionId }) => children.detached(sessionId),
  "Inspector.targetCrashed": onCrash,
  "Inspector.targetReloadedAfterCrash": ({ renderer }) => renderer.reloaded(),
};

/**
 * @param {{effects: import("./effects.js").Effects}} parts
 * @param {any} params
 */
function countRequest({ effects }, params) {
  if (isOfPage({ url: params.request?.url ?? "", ...kindOf(params) })) effects.request();
}

/**
 * A script opens a window. One for another program shows nothing, and nothing held it.
 * @param {TabParts} tab
 * @param {{url: string, userGesture: boolean}} params
 */
function onWindow({ popups, effects }, { url, userGesture }) {
  if (isOfProgram(url)) effects.program(url, false);
  else popups.expect(url, userGesture);
}

/** Of a worker or a frame with a target of its own; the page's dialogs are the tab's. */
const CHILD_EVENTS = {
  "Target.attachedToTarget": ({ children }, params, childSession) => children.attached(params, childSession),
  "Target.detachedFromTarget": ({ children }, { sessionId }) => children.detached(sessionId),
};

const FRAME_EVENTS = {
  "Page.frameNavigated": ({ children, console: log }, { frame }, childSession) =>
    children.get(childSession).frameId === frame.id && log.flood.forget(childSession),
  "Network.requestWillBeSent": countRequest,
  "Page.fileChooserOpened": ({ fileChooser }, params, childSession) => fileChooser.onOpened(params, childSession),
  "Page.windowOpen": onWindow,
  "Runtime.bindingCalled": ({ presses }, { name, payload }) => name === PRESS_BINDING && presses.onReport(payload),
  "Input.dragIntercepted": ({ pointer }, { data }) => (pointer.drag = data),
  "Inspector.targetCrashed": ({ children }, _params, childSession) => children.detached(childSession),
};
