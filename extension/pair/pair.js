/** The pair page: shows the code, and keeps a key only after the person has said here that the panel shows the same. */
import { Following } from "../basics/following.js";
import { PANEL_HINTS } from "../basics/words.js";
import { hex } from "../wire/handshake.js";
import { Pairing } from "./pairing.js";
/** @import { State } from "../basics/words.js" */

const NO_TAB = -1;
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 30_000;
const LAST_PORT = 65_535;
/** What is said in each state, and which buttons there are. */
/** @type {Record<string, {words: string, shows: string[]}>} */
const VIEWS = {
  searching: { words: "Looking for Kapture Panel on this computer …", shows: ["where"] },
  port: { words: "Ports are 1 to 65535. Which one is the panel's?", shows: ["where"] },
  away: {
    words: "Kapture Panel is not running. Start it, then this page continues by itself.",
    shows: ["again", "where"],
  },
  code: {
    words: "Kapture Panel shows a code, too. Do both codes match? Press Yes here and there, or No if they differ.",
    shows: ["code", "yes", "no"],
  },
  confirmed: { words: "Now press Yes in Kapture Panel, too, if it shows this code.", shows: ["code", "no"] },
  expired: {
    words: "The code has expired. Nothing was paired. Press Try again for a new code.",
    shows: ["again", "where"],
  },
  refused: { words: "Nothing was paired: {message}. Press Try again to ask once more.", shows: ["again", "where"] },
  busy: { words: "Pairing is not possible now: {message}. Then press Try again.", shows: ["again", "where"] },
  different: {
    words:
      "Nothing was paired. Another program may listen on the panel's port: look at the port, then press Try again.",
    shows: ["again", "where"],
  },
  wrong: { words: "Nothing was paired: {message}. Is this the panel's port?", shows: ["again", "where"] },
  paired: {
    words:
      "This browser is paired with Kapture Panel (port {port}) until you unpair it, here or in the panel.\nNext: open a web page, press Kapture's icon beside the address, then “Connect this tab”.",
    shows: ["unpair"],
  },
  forgotten: {
    words: "The panel on port {port} does not know this browser any more. Press Try again to pair it again.",
    shows: ["again", "unpair", "where"],
  },
  outdated: { words: PANEL_HINTS.outdated, shows: ["again"] },
  ahead: { words: PANEL_HINTS.ahead, shows: ["again"] },
  unpaired: {
    words: "This browser is not paired any more. Press Try again to pair it again.",
    shows: ["again", "where"],
  },
  managed: { words: "This browser belongs to Kapture Panel: it needs no pairing.", shows: [] },
};
/** The views of a pairing there is, by how it stands with the panel. @type {Partial<Record<State["panel"], string>>} */
const OF_PANEL = { refused: "forgotten", outdated: "outdated", ahead: "ahead" };
const SHOWN = ["code", "yes", "no", "again", "unpair", "where"];

const element = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const portField = /** @type {HTMLInputElement} */ (element("port"));
const unpairButton = /** @type {HTMLButtonElement} */ (element("unpair"));
/** @returns {Promise<{port: number}|undefined>} */
const pairingOf = async () => /** @type {any} */ (await chrome.storage.local.get("pairing")).pairing;
/** @type {Pairing|null} */
let pairing = null;
/** The pairing there is. @type {{port: number}|null} */
let kept = null;
let isBusy = false;
/** @type {Following|null} */
let following = null;
let retryMs = FIRST_RETRY_MS;
/** @type {number|undefined} */
let retryTimer;
let tries = 0;

/**
 * @param {string} state
 * @param {{message?: string, port?: string|number, shows?: string[]}} about
 */
function show(state, { message = "", port = "", shows = VIEWS[state].shows } = {}) {
  const { words } = VIEWS[state];
  document.body.dataset.state = state;
  element("words").textContent = words.replace("{message}", message).replace("{port}", String(port));
  for (const id of SHOWN) element(id).hidden = !shows.includes(id);
}

function giveUp() {
  tries += 1;
  clearTimeout(retryTimer);
  pairing?.close();
  pairing = null;
}

/**
 * A name for this browser that says nothing about it; kept, so that pairing again replaces what was.
 * @returns {Promise<string>}
 */
async function installName() {
  /** @type {{install?: string}} */
  const { install } = await chrome.storage.local.get("install");
  if (install) return install;
  const made = hex(crypto.getRandomValues(new Uint8Array(8)));
  await chrome.storage.local.set({ install: made });
  return made;
}

async function start() {
  giveUp();
  const mine = tries;
  const port = Number(portField.value);
  if (!Number.isInteger(port) || port < 1 || port > LAST_PORT) return show("port");
  const install = await installName();
  if (mine !== tries) return; // begun again meanwhile
  show(retryMs === FIRST_RETRY_MS ? "searching" : "away");
  const begun = (pairing = new Pairing({
    url: `ws://127.0.0.1:${port}`,
    install,
    onCode(code) {
      retryMs = FIRST_RETRY_MS;
      element("code").textContent = `${code.slice(0, 3)} ${code.slice(3)}`;
      show("code");
    },
    async onPaired(key) {
      await chrome.storage.local.set({ pairing: { install, key, port, managed: false } });
    },
    onOver({ why, message }) {
      const showed = document.body.dataset.state;
      // A panel that goes while the codes are compared has not answered: nothing is asked of it again by itself.
      if (why === "away" && (showed === "code" || showed === "confirmed"))
        return show("refused", { message: "the panel has gone" });
      show(why, { message });
      if (why === "away") retry();
    },
  }));
  await begun.open();
}

/** While the page is looked at, and ever less often. */
function retry() {
  if (document.hidden) return;
  retryTimer = setTimeout(start, retryMs);
  retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
}

function again() {
  retryMs = FIRST_RETRY_MS;
  return start();
}

/** What this browser is now: managed, paired, or neither; the latter looks for a panel. */
async function begin() {
  const { config } = await chrome.storage.session.get("config");
  if (config) return show("managed");
  const known = await pairingOf();
  if (known) return follow(known);
  await again();
}

/**
 * Hear from the worker how it stands with the panel of this pairing, now and whenever that changes.
 * @param {{port: number}} known
 */
function follow(known) {
  kept = known;
  following ??= new Following({ chrome, name: "pair", tabId: NO_TAB, onMessage: onPanel });
}

/** @param {{state: Pick<State, "panel">}} message */
function onPanel({ state: { panel } }) {
  const showed = document.body.dataset.state;
  const wanted = OF_PANEL[panel] ?? "paired";
  // What is shown already may say more by now, such as why the pairing could not be ended.
  if (!kept || showed === wanted) return;
  // Whoever is pairing it again looks at that.
  if (showed && showed !== "paired" && !Object.values(OF_PANEL).includes(showed)) return;
  // The worker goes on by itself: only a browser that the panel has forgotten is paired again.
  show(wanted, { port: kept.port, ...(wanted !== "forgotten" && { shows: ["unpair"] }) });
}

element("yes").addEventListener("click", () => {
  show("confirmed");
  pairing?.confirm();
});
element("no").addEventListener("click", () => {
  giveUp();
  show("different");
});
element("again").addEventListener("click", again);
element("unpair").addEventListener("click", async () => {
  if (isBusy) return;
  isBusy = true;
  unpairButton.ariaDisabled = "true";
  const answer = await chrome.runtime.sendMessage({ ask: "unpair" });
  isBusy = false;
  unpairButton.ariaDisabled = "false";
  if (answer.error) element("words").textContent = answer.error;
});
element("port").addEventListener("change", again);
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && document.body.dataset.state === "away") start();
});
chrome.storage.local.onChanged.addListener(({ pairing: changed }) => {
  if (!changed) return;
  giveUp();
  kept = /** @type {{port: number}|undefined} */ (changed.newValue) ?? null;
  if (!kept) return show("unpaired");
  show("paired", kept);
  follow(kept);
});
chrome.storage.session.onChanged.addListener(({ config }) => {
  if (!config) return;
  giveUp();
  show("managed");
});

portField.value = (await (await fetch(chrome.runtime.getURL("panel.json"))).json()).port;
await begin();
