/** The panel in DevTools: commands for the inspected tab, carried out by the desktop panel like everybody's. */
import { inOneLine } from "../basics/errors.js";
import { Following } from "../basics/following.js";
import { isShared } from "../basics/words.js";
import { CommandList } from "./command_list.js";
import { Commands } from "./commands.js";
import { Console } from "./console.js";
import { element, icon } from "./element.js";
import { Form } from "./form/form.js";
import { addressOf } from "./pictures.js";
import { Recent } from "./recent.js";
import { Result } from "./result.js";
import { RunBar } from "./run_bar.js";
import { RunningCommands } from "./running_commands.js";
import { Shots } from "./shots.js";
import { TabBar } from "./tab_bar.js";
import { TabState } from "./tab_state.js";
/** @import { Command } from "./commands.js" */
/** @import { Params } from "./form/field.js" */
/** @import { Answer } from "./running_commands.js" */

const FIRST_COMMAND = "kapturemcp_snapshot";

class Panel {
  /** @type {Map<string, Form>} */
  #forms = new Map();
  /** The one that is shown. */
  #form;
  #isUsable = false;
  /** @type {number|null} */
  #running = null;

  /** @param {{tabId: number, catalogue: ConstructorParameters<typeof Commands>[0]}} about */
  constructor({ tabId, catalogue }) {
    this.tabId = tabId;
    this.runningCommands = new RunningCommands((message) => this.following?.send(message));
    this.state = new TabState((what) => chrome.runtime.sendMessage({ ask: what, tabId }));
    this.commands = new Commands(catalogue);
    this.#form = this.#formOf(this.#first);
    this.list = new CommandList(this.commands, (command) => this.open(command));
    this.place = element("fieldset.place", { disabled: true, "aria-label": "Command" });
    this.bar = new RunBar({
      onRun: () => this.run(),
      onCancel: () => this.#cancel(),
      onJson: (isJson) => this.#form.showJson(isJson),
    });
    this.result = new Result();
    this.console = new Console(chrome.storage.local);
    this.shots = new Shots((address, name) => openShot(address, name));
    this.recent = new Recent(
      (command, params) => this.open(command, params),
      (command, params) => this.run(command, params),
    );
    this.parts = new TabBar([
      ["console", "Console", this.console.node],
      ["shots", "Screenshots", this.shots.node],
      ["recent", "Recent", this.recent.node],
    ]);
    this.node = element(
      "main",
      {},
      this.state.node,
      this.list.node,
      element("div.work", {}, this.place, this.result.node),
      this.parts.node,
    );
    // Not on our node: where nothing has the focus, the keys go to the body.
    document.body.addEventListener("keydown", (event) => this.#onKey(event));
  }

  /** The command whose form is shown at first. */
  get #first() {
    return /** @type {Command} */ (this.commands.get(FIRST_COMMAND));
  }

  /**
   * The form of a command, as it was left.
   * @param {Command} command
   */
  #formOf(command) {
    const form = this.#forms.get(command.name) ?? new Form(command);
    this.#forms.set(command.name, form);
    return form;
  }

  async begin() {
    this.list.choose(this.#first);
    await this.console.begin();
    this.following = new Following({
      chrome,
      name: "devtools",
      tabId: this.tabId,
      onMessage: (message) => this.#onMessage(message),
      onLost: () => this.runningCommands.failAll(),
    });
  }

  /**
   * Show the form of a command, with `params` or as it was left.
   * @param {Command} command
   * @param {Params} [params]
   */
  open(command, params) {
    this.#form = this.#formOf(command);
    this.#form.propose({ page: this.state.page });
    if (params) {
      this.#form.showJson(false);
      this.#form.write(params);
      this.list.choose(command, { silently: true });
    }
    const head = element("h2", {}, icon(command.icon), command.title);
    this.place.replaceChildren(
      element("div.bar", {}, head, element("span.grow"), this.bar.views),
      this.#form.node,
      this.bar.node,
    );
    this.bar.showJson(this.#form.isJson);
  }

  /**
   * Run a command: that of the form as it stands, or another one as it was.
   * @param {Command} [command]
   * @param {Params|null} [params]
   */
  async run(command = this.#form.command, params = this.#form.read()) {
    if (!params || !this.#isUsable || this.#running) return;
    const form = this.#form;
    const { id, ended } = this.runningCommands.begin(command.name, params);
    this.#running = id;
    this.#showUse();
    this.bar.begin();
    this.result.wait(command.title);
    const answer = await ended;
    this.#running = null;
    this.bar.end();
    this.recent.add(command, params, answer);
    this.#showUse();
    this.#show(command, params, answer);
    // In a low panel the answer would be out of sight below a long form.
    this.result.node.scrollIntoView({ block: "nearest" });
    if (answer.error?.param && form === this.#form && form.command === command)
      form.showProblem(answer.error.param, inOneLine(answer.error));
  }

  /**
   * @param {Command} command
   * @param {Params} params
   * @param {Answer} answer
   */
  #show(command, params, answer) {
    const { picture: base64, result } = answer;
    if (!base64) return this.result.show(command.title, answer);
    const address = addressOf(base64, result.format);
    const name = String(params.name ?? command.title);
    this.shots.add({ address, name, width: result.width, height: result.height });
    this.result.show(command.title, { ...answer, picture: address, name });
    this.parts.count("shots", this.shots.count);
  }

  /** @param {any} message as browser/extension_pages.js says */
  #onMessage({ state, lines, isWhole, isCleared, ran, ...outcome }) {
    if (state) {
      this.state.show(state);
      this.#form.propose({ page: this.state.page });
      this.#isUsable = isShared(state.tab) && state.panel === "connected" && state.tab !== "connecting";
      this.#showUse();
    }
    if (lines) this.console.add(lines, isWhole);
    if (isCleared) this.console.empty();
    if (ran) this.runningCommands.onRan(ran, /** @type {Answer} */ (outcome));
  }

  #showUse() {
    this.place.disabled = !this.#isUsable && !this.#running;
    this.recent.allow(this.#isUsable && !this.#running);
    this.parts.count("recent", this.recent.count);
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      this.run();
    } else if (event.key === "Escape" && this.#running) {
      event.stopPropagation();
      this.#cancel();
    }
  }

  #cancel() {
    if (this.#running !== null) this.runningCommands.cancel(this.#running);
  }
}

/**
 * Show a picture in a tab. The page is ours, so that nobody can be let in to it.
 * @param {string} address
 * @param {string} name
 */
function openShot(address, name) {
  chrome.tabs.create({ url: chrome.runtime.getURL(`devtools/shot.html#${new URLSearchParams({ address, name })}`) });
}

const catalogue = await (await fetch(chrome.runtime.getURL("commands.json"))).json();
const panel = new Panel({ tabId: chrome.devtools.inspectedWindow.tabId, catalogue });
document.body.append(panel.node);
await panel.begin();
