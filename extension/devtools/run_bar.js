import { element, icon } from "./element.js";

/** Shorter work shows neither time nor Cancel: they would only flicker. */
const PATIENCE_MS = 300;
const TICK_MS = 100;

/** Run, what it takes, the way back; and whether the form or its JSON is edited. */
export class RunBar {
  /** @type {number|undefined} */
  #timer;

  /** @param {{onRun: () => void, onCancel: () => void, onJson: (isJson: boolean) => boolean}} actions the last says whether it was done */
  constructor({ onRun, onCancel, onJson }) {
    this.runWords = element("span", {}, "Run");
    this.run = element(
      "button.primary",
      { id: "run", type: "button", title: "Run the command (Ctrl+Enter)", on: { click: onRun } },
      icon("mdi6.play"),
      this.runWords,
    );
    this.cancel = element(
      "button",
      {
        id: "cancel",
        type: "button",
        title: "Cancel the running command (Esc)",
        hidden: true,
        on: { click: onCancel },
      },
      "Cancel",
    );
    this.elapsed = element("span.secondary", { hidden: true });
    this.node = element("div.bar.run", {}, this.run, this.cancel, this.elapsed);
    this.radios = ["Form", "JSON"].map((words) =>
      element("input", {
        type: "radio",
        name: "edit-as",
        value: words,
        on: { change: () => this.#onView(words === "JSON", onJson) },
      }),
    );
    this.views = element(
      "div.segments",
      { role: "radiogroup", "aria-label": "Edit as" },
      ...["Form", "JSON"].map((words, index) => element("label", {}, this.radios[index], element("span", {}, words))),
    );
  }

  /** @param {boolean} isJson */
  showJson(isJson) {
    this.radios.forEach((radio, index) => (radio.checked = (index === 1) === isJson));
  }

  begin() {
    const started = performance.now();
    this.run.ariaDisabled = "true";
    this.runWords.textContent = "Running …";
    this.#timer = setInterval(() => {
      const ms = performance.now() - started;
      if (ms < PATIENCE_MS) return;
      this.cancel.hidden = this.elapsed.hidden = false;
      this.elapsed.textContent = `${(ms / 1000).toFixed(1)} s`;
    }, TICK_MS);
  }

  end() {
    clearInterval(this.#timer);
    this.run.ariaDisabled = "false";
    this.runWords.textContent = "Run";
    this.cancel.hidden = this.elapsed.hidden = true;
  }

  /**
   * @param {boolean} isJson
   * @param {(isJson: boolean) => boolean} onJson
   */
  #onView(isJson, onJson) {
    if (!onJson(isJson)) this.showJson(!isJson);
  }
}
