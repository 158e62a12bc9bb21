/** The popup: what is connected, one button for this tab and one for all of its window. */
import { Following } from "../basics/following.js";
import {
  brakeOf,
  driverWords,
  hintOf,
  mustPair,
  PANEL_WORDS,
  pauseWords,
  TAB_WORDS,
  toggleOf,
} from "../basics/words.js";
/** @import { Status } from "../browser/popup_messages.js" */

const element = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const button = (/** @type {string} */ id) => /** @type {HTMLButtonElement} */ (element(id));
const query = new URLSearchParams(location.search);
let isBusy = false;
let wantsUnpair = false;

/** The tab the popup was opened over; a test names one in the address. */
async function thisTab() {
  if (query.has("tab")) return Number(query.get("tab"));
  const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
  return /** @type {number} */ (tab.id);
}

/**
 * @param {string} words
 * @param {{isError?: boolean}} how
 */
function say(words, { isError = false } = {}) {
  element("hint").textContent = words;
  element("hint").classList.toggle("error", isError);
}

/**
 * @param {string} id
 * @param {string} words
 */
function text(id, words) {
  element(id).textContent = words;
}

/**
 * @param {string} id
 * @param {string} value
 * @param {Record<string, string>} words
 */
function state(id, value, words) {
  element(id).dataset.state = value;
  text(id, words[value]);
}

/** @param {Status} status */
function show(status) {
  const hint = hintOf(status);
  // What went wrong stays to be read until something else is to be said.
  if (status === shown || hint !== hintOf(shown) || status.tab !== shown.tab) say(hint);
  shown = status;
  state("panel", status.panel, PANEL_WORDS);
  state("tab", status.tab, TAB_WORDS);
  text("title", status.title || "Untitled");
  text("url", status.url);
  element("url").title = status.url;
  element("driver").hidden = !status.driver;
  element("driver").dataset.tone = status.tab === "executing" ? "driving" : "";
  text("driver", driverWords(status));
  text("server", status.address || "–");
  text("debugger", status.attached ? "attached to this tab" : "not attached to this tab");
  text("connected", String(status.connected));
  showButtons();
}

function showButtons() {
  const { words, isQuiet, isDisabled, isBusy: isUnderWay } = toggleOf(shown);
  const toggle = button("toggle");
  text("toggle", words);
  toggle.classList.toggle("primary", !isQuiet);
  toggle.classList.toggle("quiet", isQuiet);
  toggle.disabled = isDisabled;
  toggle.ariaDisabled = String(isBusy || isUnderWay);
  element("all").hidden = mustPair(shown.panel);
  button("all").disabled = shown.panel !== "connected";
  const brake = brakeOf(shown);
  text("brake", brake.words);
  element("brake").classList.toggle("primary", shown.paused);
  button("brake").disabled = brake.isDisabled;
  element("agents").hidden = mustPair(shown.panel);
  element("paused").hidden = !shown.paused;
  text("paused", pauseWords(shown));
  element("unpair").hidden = shown.managed || shown.panel === "idle";
  for (const id of ["all", "brake", "unpair"]) button(id).ariaDisabled = String(isBusy);
  text("pairing", pairingWords(shown));
}

/** @param {Pick<Status, "managed"|"panel">} status */
function pairingWords({ managed, panel }) {
  if (managed) return "This browser belongs to the panel";
  if (panel === "idle") return "Not paired";
  return panel === "refused" ? "The panel ended the pairing" : "Paired with the panel";
}

/**
 * Ask the worker; while it works nothing else can be asked.
 * @param {string} what
 */
async function ask(what) {
  if (isBusy) return {};
  isBusy = true;
  showButtons();
  const answer = await chrome.runtime.sendMessage({ ask: what, tabId });
  isBusy = false;
  if (answer.error) {
    say(answer.error, { isError: true });
    showButtons();
  } else show(answer);
  return answer;
}

/** @param {{connected: number, refused: {title: string, why: string}[]}} all */
function showRefused({ connected, refused }) {
  say(
    `${connected} ${connected === 1 ? "tab is" : "tabs are"} connected${refused.length ? `, ${refused.length} could not be:` : "."}`,
  );
  element("refused").hidden = refused.length === 0;
  element("refused").replaceChildren(
    ...refused.map(({ title, why }) => {
      const item = document.createElement("li");
      const name = document.createElement("b");
      name.textContent = `${title}: `;
      item.append(name, why);
      return item;
    }),
  );
}

/**
 * The second press in a row means it: beside the other buttons one is easily made by mistake.
 * @param {boolean} isAsked
 */
function askUnpair(isAsked) {
  wantsUnpair = isAsked;
  text("unpair", isAsked ? "Press again to unpair" : "Unpair");
}

const tabId = await thisTab();
/** @type {Status} */
let shown = await chrome.runtime.sendMessage({ ask: "status", tabId });
show(shown);
new Following({ chrome, name: "popup", tabId, onMessage: ({ state: status }) => status && show(status) });

element("toggle").addEventListener("click", async () => {
  const { ask: what, isBusy: isUnderWay } = toggleOf(shown);
  if (!isUnderWay) await ask(what);
  if (what === "pair") window.close();
});
element("brake").addEventListener("click", () => ask(brakeOf(shown).ask));
element("all").addEventListener("click", async () => {
  const { all } = await ask("connectWindow");
  if (all) showRefused(all);
});
element("unpair").addEventListener("click", async () => {
  const isMeant = wantsUnpair;
  askUnpair(!isMeant);
  if (isMeant) await ask("unpair");
});
element("unpair").addEventListener("blur", () => askUnpair(false));
