/**
 * @typedef {{panel: "idle"|"refused"|"outdated"|"ahead"|"connecting"|"connected", protected: string, paused: boolean,
 *   managed: boolean, driver: string, tab: "idle"|"connecting"|"connected"|"executing"|"disconnecting"|"paused"}} State
 *   of the panel and of a tab, as the worker's status says
 */

/** The words for what the worker's status says, the same in the popup and in DevTools. */
export const PANEL_WORDS = {
  idle: "not paired",
  refused: "does not know this browser",
  outdated: "newer than this extension",
  ahead: "older than this extension",
  connecting: "not reachable",
  connected: "connected",
};
export const TAB_WORDS = {
  idle: "not connected",
  connecting: "connecting…",
  connected: "connected",
  executing: "being driven",
  paused: "paused",
  disconnecting: "disconnecting…",
};
/** What to do next about the panel. */
export const PANEL_HINTS = {
  idle: "Pair this browser with Kapture Panel once; then connect tabs here.",
  refused: "It was unpaired in the panel, or another panel runs there. Pair it again.",
  outdated: "Reload Kapture Panel on the extensions page (chrome://extensions).",
  ahead: "Update Kapture Panel: it is older than this extension.",
  connecting: "Start Kapture Panel; this browser connects by itself. If its port has changed: unpair, then pair again.",
  connected: "",
};

export const isShared = (/** @type {State["tab"]} */ tab) =>
  ["connecting", "connected", "executing", "paused"].includes(tab);
/** Whether one of the two is to be brought up to date first. */
const isMismatch = (/** @type {State["panel"]} */ panel) => ["outdated", "ahead"].includes(panel);
export const mustPair = (/** @type {State["panel"]} */ panel) => ["idle", "refused"].includes(panel);

/**
 * The one button of a tab: what it says, what it asks of the worker, whether it can be pressed, and whether its last
 * press is still being carried out.
 * @param {Pick<State, "panel"|"tab"|"protected">} state
 */
export function toggleOf({ panel, tab, protected: why }) {
  if (mustPair(panel))
    return { words: "Pair with Kapture Panel", ask: "pair", isQuiet: false, isDisabled: false, isBusy: false };
  // Sharing can always be ended, whether the panel is there or not.
  if (isShared(tab))
    return { words: "Disconnect this tab", ask: "disconnect", isQuiet: true, isDisabled: false, isBusy: false };
  return {
    words: "Connect this tab",
    ask: "connect",
    isQuiet: false,
    isDisabled: Boolean(why) || isMismatch(panel),
    isBusy: tab === "disconnecting",
  };
}

/**
 * The one button for all agents.
 * @param {Pick<State, "panel"|"paused">} state
 */
export function brakeOf({ panel, paused }) {
  return {
    words: paused ? "Resume agents" : "Pause agents",
    ask: paused ? "resume" : "pause",
    isDisabled: panel !== "connected",
  };
}

/**
 * What a pause means here; empty without one.
 * @param {Pick<State, "paused"|"managed">} state
 */
export function pauseWords({ paused, managed }) {
  if (!paused) return "";
  return managed
    ? "Agents are paused: they can do nothing until you resume."
    : "Agents are paused. Your tabs are disconnected, and come back when you resume.";
}

/**
 * Who drives a tab, beside its state; empty when nobody has.
 * @param {Pick<State, "tab"|"driver">} state
 */
export function driverWords({ tab, driver }) {
  if (!driver) return "";
  return tab === "executing" ? `by ${driver}` : `last by ${driver}`;
}

/** The sentence below a tab's state: the next step, or why there is none. */
export const hintOf = (/** @type {Pick<State, "panel"|"tab"|"protected">} */ { panel, tab, protected: why }) =>
  PANEL_HINTS[panel] || (isShared(tab) ? "" : why) || "";
