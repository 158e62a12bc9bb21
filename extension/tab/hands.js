import { keyOf } from "./keys.js";
import { Run } from "./run.js";
/** @import { TabParts } from "./parts.js" */
/** @import { Composition, KeyInput, MouseInput, PersonDid, TextInput } from "../wire/protocol.js" */

/** A mouse that moves no further while a button is down has clicked. */
const CLICK_PX = 5;
/**
 * A page that does not say by then what an act is about gets the act all the same, and it is told without. One that is
 * only slow would not have taken the act earlier either.
 */
const ASKING_MS = 1_500;
/** The page takes the last acts, and says what they were about, within this time, or is not waited for. */
const DEADLINE_MS = 3_000;
const NOTHING = { role: "", name: "" };
const WITH_TEXT_TOO = 1 | 2 | 4; // Alt, Control, Meta make no text
/** These wait for a frame of the page, and lead nowhere. */
const PASSING = new Set(["mouseMoved", "mouseWheel"]);
const EDITING = /^(Backspace|Delete)$/;
const MODIFIER = /^(Alt|Control|Meta|Shift)$/;

/**
 * The person's own mouse and keyboard in a tab they have stepped into. What they do is sent on at once, in order, and
 * told by its kind and by what it was done to, never with what was typed.
 */
export class Hands {
  #tab;
  #isIn = false;
  #last = "";
  /** Whether the last act was a key that writes. */
  #isTyping = false;
  /** What is done comes after what was done before. @type {Promise<void>} */
  #turn = Promise.resolve();
  /** @type {{x: number, y: number}|null} */
  #pressed = null;
  /** Buttons and keys that are down. @type {Map<string, () => void>} */
  #down = new Map();
  /**
   * The last act that may lead elsewhere. A question that is sent behind a press reaches the page before it.
   * @type {Promise<void>}
   */
  #acted = Promise.resolve();
  /** Whether the page owes an answer for longer than that, and nothing more is waited for. */
  #isStuck = false;
  /** What is not answered yet. @type {Set<Promise<void>>} */
  #underWay = new Set();
  #ended = new AbortController();

  /** @param {TabParts} tab */
  constructor(tab) {
    this.#tab = tab;
  }

  /** The person has the tab from now on. */
  begin() {
    this.#isIn = true;
    this.#last = "";
    this.#isTyping = false;
    this.#ended = new AbortController();
  }

  /** They have given it back, or are gone: nothing stays pressed. Resolves once all they did is told. */
  async end() {
    if (!this.#isIn) return;
    this.#isIn = false;
    for (const release of [...this.#down.values()].reverse()) release();
    this.#down.clear();
    this.#pressed = null;
    const late = new Promise((resolve) => setTimeout(resolve, DEADLINE_MS));
    await Promise.race([this.#settled(), late]);
    this.#ended.abort();
  }

  /** @param {Omit<MouseInput, "type">} input */
  mouse({ act, x, y, button = "none", buttons = 0, count = 0, modifiers = 0, deltaX = 0, deltaY = 0 }) {
    if (!this.#isIn) return;
    const at = { x, y, modifiers };
    if (act === "move") {
      this.#send("Input.dispatchMouseEvent", { type: "mouseMoved", ...at, button, buttons });
    } else if (act === "wheel") {
      this.#send("Input.dispatchMouseEvent", { type: "mouseWheel", ...at, deltaX, deltaY });
      this.#tell("scrolled");
    } else if (act === "down") {
      this.#pressed = { x, y };
      this.#tell("pressed", "pressedAt", x, y);
      const press = { ...at, button, buttons, clickCount: count };
      this.#send("Input.dispatchMouseEvent", { type: "mousePressed", ...press });
      this.#down.set(button, () =>
        this.#send("Input.dispatchMouseEvent", { type: "mouseReleased", ...press, buttons: 0 }),
      );
    } else {
      this.#down.delete(button);
      const from = this.#pressed;
      if (from && Math.hypot(x - from.x, y - from.y) > CLICK_PX) this.#tell("dragged");
      this.#send("Input.dispatchMouseEvent", { type: "mouseReleased", ...at, button, buttons, clickCount: count });
    }
  }

  /** @param {Omit<KeyInput, "type">} input */
  key({ down = false, key: name, modifiers = 0, repeat = false }) {
    if (!this.#isIn) return;
    const found = keyOf(name);
    if (!found) {
      if (down) this.text({ text: name });
      return;
    }
    const { key, code, keyCode, location } = found;
    const text = modifiers & WITH_TEXT_TOO ? "" : found.text;
    const event = {
      key,
      code,
      windowsVirtualKeyCode: keyCode,
      modifiers,
      ...(location && { location, isKeypad: true }),
    };
    const up = () => this.#send("Input.dispatchKeyEvent", { type: "keyUp", ...event, modifiers: 0 });
    if (!down) {
      this.#down.delete(`key ${key}`);
      this.#send("Input.dispatchKeyEvent", { type: "keyUp", ...event });
      return;
    }
    if (key === "Enter" || key === "Escape") this.#tell(`pressed ${key}`, "typedAt");
    else if (text || EDITING.test(key)) this.#tell("typed", "typedAt");
    else if (!MODIFIER.test(key)) this.#isTyping = false; // it may lead to another field
    const type = text ? "keyDown" : "rawKeyDown";
    this.#send("Input.dispatchKeyEvent", { type, text, unmodifiedText: text, autoRepeat: repeat, ...event });
    this.#down.set(`key ${key}`, up);
  }

  /** Text that no key makes: of an input method, or of the clipboard. @param {Omit<TextInput, "type">} input */
  text({ text, pasted = false }) {
    if (!this.#isIn) return;
    this.#tell(pasted ? "pasted" : "typed", "typedAt");
    this.#send("Input.insertText", { text });
  }

  /** What an input method has not committed yet. @param {Omit<Composition, "type">} input */
  compose({ text, start, end }) {
    if (!this.#isIn) return;
    this.#send("Input.imeSetComposition", { text, selectionStart: start, selectionEnd: end });
  }

  /**
   * @param {string} method
   * @param {{type?: string, [name: string]: unknown}} params
   */
  #send(method, params) {
    // Chrome is given them in order; an act that opens a dialog is not answered before that is.
    this.#turn = this.#turn.then(() => {
      const sent = this.#tab.cdp.send(method, params).catch(() => {}); // the tab has gone
      if (!PASSING.has(params.type ?? "")) this.#acted = sent;
      this.#wait(sent);
    });
    this.#wait(this.#turn);
  }

  /**
   * Tell what is done; the same to the same once. The page is asked before the act reaches it, since that may lead
   * elsewhere; of keys in a row only before the first.
   * @param {PersonDid["act"]} act
   * @param {string} [asked] the page function that knows what it is done to
   * @param {number[]} args
   */
  #tell(act, asked = "", ...args) {
    if (act === "typed" && this.#isTyping) return;
    this.#isTyping = act === "typed";
    this.#turn = this.#turn.then(async () => {
      const { role, name } = asked ? await this.#about(asked, args) : NOTHING;
      const did = { kind: /** @type {const} */ ("did"), act, role, name };
      const said = JSON.stringify(did);
      if (said !== this.#last) this.#tab.tell(did);
      this.#last = said;
    });
    this.#wait(this.#turn);
  }

  /** What was sent may have led to more. */
  async #settled() {
    while (this.#underWay.size) await Promise.all(this.#underWay);
  }

  /** @param {Promise<void>} work that never rejects */
  #wait(work) {
    this.#underWay.add(work);
    void work.then(() => this.#underWay.delete(work));
  }

  /**
   * What the page says that an act will be done to; nothing where it does not say so in time: later it would speak of
   * where the act has led.
   * @param {string} asked
   * @param {number[]} args
   * @returns {Promise<{role: string, name: string}>}
   */
  async #about(asked, args) {
    await this.#inTime(this.#acted, undefined);
    if (this.#isStuck || this.#tab.dialogs.open) return NOTHING;
    const run = new Run(this.#tab, { signal: this.#ended.signal });
    const told = run.pageOnce(asked, ...args).catch(() => NOTHING); // the page went elsewhere
    return (await this.#inTime(told, NOTHING)) ?? NOTHING;
  }

  /**
   * @template T
   * @param {Promise<T>} answer of the page; never rejects
   * @param {T} without what holds if it does not come in time
   * @returns {Promise<T>}
   */
  async #inTime(answer, without) {
    if (this.#isStuck) return without;
    const late = Symbol("late");
    const patience = new Promise((resolve) => setTimeout(resolve, ASKING_MS, late));
    const first = await Promise.race([answer, patience]);
    if (first !== late) return answer;
    this.#isStuck = true;
    void answer.then(() => (this.#isStuck = false));
    return without;
  }
}
