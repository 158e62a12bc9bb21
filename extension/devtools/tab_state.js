import { driverWords, hintOf, TAB_WORDS, toggleOf } from "../basics/words.js";
import { element } from "./element.js";
/** @import { Status } from "../browser/popup_messages.js" */

/** The head of the panel: the inspected tab, how it stands with the panel, and the one button that changes it. */
export class TabState {
  /** @type {Status|null} */
  #status = null;
  #isBusy = false;

  /** @param {(what: string) => Promise<Status & {error?: string}>} ask the worker, with the word of browser/popup_messages.js */
  constructor(ask) {
    this.ask = ask;
    this.state = element("strong.state", { id: "state", "data-state": "idle" }, "…");
    this.title = element("span.one-line", { id: "title" });
    this.url = element("span.secondary.small.one-line", { id: "url" });
    this.driver = element("span.pill", { id: "driver", hidden: true });
    this.button = element(
      "button.primary",
      { id: "toggle", type: "button", disabled: true, "aria-describedby": "hint", on: { click: () => this.#press() } },
      "Connect this tab",
    );
    this.hint = element("p.message", { id: "hint", role: "status", hidden: true });
    this.node = element(
      "header",
      {},
      element("div.bar", {}, this.state, element("span.page", {}, this.title, this.url), this.driver, this.button),
      this.hint,
    );
  }

  /** What the page calls itself. */
  get page() {
    return this.#status?.title ?? "";
  }

  /** @param {Status} status */
  show(status) {
    const isAnother = !this.#status || hintOf(status) !== hintOf(this.#status) || status.tab !== this.#status.tab;
    this.#status = status;
    this.state.dataset.state = status.tab;
    this.state.textContent = TAB_WORDS[status.tab];
    this.title.textContent = status.title || "Untitled";
    this.title.title = status.title;
    this.url.textContent = this.url.title = status.url;
    this.driver.hidden = !status.driver;
    this.driver.dataset.tone = status.tab === "executing" ? "driving" : "";
    this.driver.textContent = driverWords(status);
    if (isAnother) this.#say(hintOf(status));
    this.#showButton();
  }

  async #press() {
    if (!this.#status || this.#isBusy) return;
    const { ask, isBusy } = toggleOf(this.#status);
    if (isBusy) return;
    this.#isBusy = true;
    this.#showButton();
    const answer = await this.ask(ask);
    this.#isBusy = false;
    if (answer.error) this.#say(answer.error, true);
    else this.show(answer);
    this.#showButton();
  }

  #say(words, isError = false) {
    this.hint.textContent = words;
    this.hint.hidden = !words;
    this.hint.classList.toggle("error", isError);
  }

  #showButton() {
    if (!this.#status) return;
    const { words, isQuiet, isDisabled, isBusy } = toggleOf(this.#status);
    this.button.textContent = words;
    this.button.classList.toggle("primary", !isQuiet);
    this.button.disabled = isDisabled;
    this.button.ariaDisabled = String(this.#isBusy || isBusy);
  }
}
