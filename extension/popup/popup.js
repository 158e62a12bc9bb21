/** The popup: what is connected, and one button for this tab. */
const PANEL_WORDS = { idle: "not paired", refused: "does not know this browser", connecting: "not reachable", connected: "connected" };
const TAB_WORDS = { idle: "not shared", connecting: "connecting…", connected: "connected", executing: "being driven", disconnecting: "disconnecting…" };
const HINTS = {
  idle: "Pair this browser with Kapture Panel once; then connect tabs here.",
  refused: "It was unpaired in the panel, or another panel runs there. Pair it anew.",
  connecting: "Start Kapture Panel; this browser connects by itself.",
  connected: "",
};

const isShared = (tab) => ["connecting", "connected", "executing"].includes(tab);
const mustPair = (panel) => ["idle", "refused"].includes(panel);
const element = (id) => document.getElementById(id);
const ask = (message) => chrome.runtime.sendMessage(message);
const query = new URLSearchParams(location.search);

/** The tab the popup was opened over; a test names one in the address. */
async function thisTab() {
  if (query.has("tab")) return Number(query.get("tab"));
  const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
  return tab.id;
}

function show({ panel, tab, error }) {
  const state = (id, value, words) => {
    element(id).dataset.state = value;
    element(id).textContent = words[value];
  };
  element("hint").textContent = error ?? HINTS[panel] ?? "";
  element("hint").classList.toggle("error", Boolean(error));
  if (error) return;
  state("panel", panel, PANEL_WORDS);
  state("tab", tab, TAB_WORDS);
  const shared = isShared(tab);
  const button = element("toggle");
  if (mustPair(panel)) {
    button.textContent = "Connect to Kapture Panel";
    button.disabled = false;
    return;
  }
  button.textContent = shared ? "Disconnect this tab" : "Connect this tab";
  button.classList.toggle("quiet", shared);
  // Sharing can always be ended, whether the panel is there or not.
  button.disabled = !shared && (panel !== "connected" || tab === "disconnecting");
}

const tabId = await thisTab();
show(await ask({ ask: "status", tabId }));

element("toggle").addEventListener("click", async () => {
  if (mustPair(element("panel").dataset.state)) {
    await ask({ ask: "pair", tabId });
    return window.close();
  }
  const shared = isShared(element("tab").dataset.state);
  element("toggle").disabled = true;
  const answer = await ask({ ask: shared ? "disconnect" : "connect", tabId });
  show(answer);
  if (answer.error) element("toggle").disabled = false;
});
