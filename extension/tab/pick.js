import { KaptureError } from "../basics/errors.js";
import { inTime } from "./frame_answers.js";
import { Inside } from "./inside.js";
import { Run } from "./run.js";
/** @import { TabParts } from "./parts.js" */
/** @import { Outcome } from "./executor.js" */

/** A person who has not chosen by then has gone elsewhere. */
const PICK_DEADLINE_MS = 120_000;

/** @typedef {{node?: number, childSession?: string, ended?: "escape"|"left"}} Choice a node of the browser's, or why there is none */

/** The product's blue over the element, lighter shades for its padding and margin. */
const HIGHLIGHT = {
  showInfo: true,
  contentColor: { r: 37, g: 99, b: 235, a: 0.25 },
  borderColor: { r: 37, g: 99, b: 235, a: 1 },
  paddingColor: { r: 37, g: 99, b: 235, a: 0.12 },
  marginColor: { r: 217, g: 119, b: 6, a: 0.15 },
};

/**
 * Lets the person choose an element of the page: the browser outlines what is under the mouse and takes the click (CDP's
 * Overlay), so the page neither sees nor gets it.
 */
export class Picker {
  #tab;
  /** @type {Pick|null} */
  #current = null;

  /** @param {TabParts} tab */
  constructor(tab) {
    this.#tab = tab;
  }

  /**
   * It stands in the tab's queue like a command, since an agent's click would choose meanwhile.
   * @param {{id: string}} frame the panel's request
   * @returns {Promise<Outcome>} a response frame. Its result is {element, reachable, candidates} as page/candidates.js has them, or
   *   {ended: "escape" | "left"}: the person pressed Escape there, or the page went elsewhere
   */
  async pick({ id }) {
    /** @param {Omit<Outcome, "type"|"id">} rest @returns {Outcome} */
    const respond = (rest) => ({ type: "response", id, ms: 0, ...rest });
    try {
      const result = await this.#tab.queues.commands.run(id, PICK_DEADLINE_MS, (signal) => this.#choose(signal));
      return respond({ success: true, result });
    } catch (error) {
      return respond({ success: false, error: KaptureError.wire(error) });
    }
  }

  /** @param {AbortSignal} signal */
  async #choose(signal) {
    const { dialogs, lifetime } = this.#tab;
    if (lifetime.ended) throw lifetime.ended;
    if (dialogs.open) throw new KaptureError("DIALOG_OPEN", "the page shows a dialog", "answer it first");
    const pick = (this.#current = new Pick(this.#tab, signal));
    return pick.choose(() => (this.#current = null));
  }

  /** Whether the person is choosing. */
  get isPicking() {
    return this.#current !== null;
  }

  /** Take an event of the tab or of a frame with a target of its own. */
  onEvent(method, params, childSession) {
    this.#current?.onEvent(method, params, childSession);
  }
}

class Pick {
  /** @type {PromiseWithResolvers<Choice>} */
  #outcome = Promise.withResolvers();

  /**
   * @param {TabParts} tab
   * @param {AbortSignal} signal
   */
  constructor(tab, signal) {
    this.tab = tab;
    this.run = new Run(tab, { signal });
    signal.addEventListener("abort", () => this.#outcome.reject(signal.reason), { once: true });
    this.#outcome.promise.catch(() => {}); // the queue tells it
  }

  /** @param {() => void} onOver called before what was begun is taken back */
  async choose(onOver) {
    const { children } = this.tab;
    const targets = [undefined, ...[...children.keys()].filter((key) => children.get(key)?.frameId)];
    /** @type {Choice} */
    let chosen = {};
    try {
      await Promise.all(targets.map((target) => this.#begin(target)));
      await this.#show();
      chosen = await this.#outcome.promise;
      return chosen.ended ? chosen : await this.#describe(chosen);
    } finally {
      onOver();
      const isChosen = Boolean(chosen.node);
      await Promise.all(targets.map((target) => this.#end(target, isChosen)));
    }
  }

  /** Take an event of the tab or of a frame with a target of its own. */
  onEvent(method, params, childSession) {
    if (method === "Overlay.inspectNodeRequested") this.#outcome.resolve({ node: params.backendNodeId, childSession });
    else if (method === "Overlay.inspectModeCanceled") this.#outcome.resolve({ ended: "escape" });
    else if (method === "Page.frameNavigated" && !childSession && !params.frame.parentId)
      this.#outcome.resolve({ ended: "left" });
  }

  /** The person is to click in the page, so its window comes in front, out of the task bar, too. */
  async #show() {
    await this.tab.chromeTab.bringForward();
    await this.run.send("Page.bringToFront");
  }

  async #begin(target) {
    const start = async () => {
      await this.run.send("DOM.enable", {}, target); // Overlay wants it
      await this.run.send("Overlay.enable", {}, target);
      await this.run.send("Overlay.setInspectMode", { mode: "searchForNode", highlightConfig: HIGHLIGHT }, target);
    };
    if (!target) return start();
    await start().catch(() => {}); // a frame that went away is not to be chosen from
  }

  /**
   * Nothing is outlined any more; an end must not fail, whatever became of the tab. After a choice the Overlay stays
   * on: it keeps from the page the release of the mouse button, too, which comes when the person's finger does.
   */
  async #end(target, isChosen) {
    const { cdp, pointer, overlay } = this.tab;
    const send = (method, params = {}) => cdp.send(method, params, target).catch(() => {}); // it has gone
    await send("Overlay.setInspectMode", { mode: "none", highlightConfig: HIGHLIGHT });
    await send("Overlay.hideHighlight");
    if (!target && overlay.isUsed) return pointer.cursor.redraw();
    if (isChosen) return;
    await send("Overlay.disable");
    await send("DOM.disable");
  }

  /** @param {Choice} choice */
  async #describe({ node, childSession }) {
    for (const { id, number } of this.tab.frames.worldsOf(childSession)?.all() ?? []) {
      const objectId = await this.#resolve(node, number, childSession);
      if (!objectId) continue;
      const world = { id, session: childSession };
      const described = await this.#candidates(objectId, world);
      if (described.reachable) return described;
      // The document knows its own part of the way; the frames around tell the rest.
      const inside = await this.#insideOf(await Inside.top(this.run), id);
      return inside ? this.#candidates(objectId, world, inside.place) : { ...described, candidates: [] };
    }
    throw new KaptureError(
      "ELEMENT_NOT_FOUND",
      "the element is in a part of the page that cannot be read",
      "choose what is around it",
    );
  }

  /** The node as an object of a world; undefined in every world but that of its own frame. */
  async #resolve(backendNodeId, executionContextId, target) {
    const resolving = this.run.send("DOM.resolveNode", { backendNodeId, executionContextId }, target);
    return resolving.then(
      ({ object }) => object.objectId,
      () => undefined,
    );
  }

  async #candidates(objectId, { session }, place = undefined) {
    const { result, exceptionDetails } = await this.run.send(
      "Runtime.callFunctionOn",
      {
        functionDeclaration: "function (place) { return globalThis.kapture('candidates', [this], place); }",
        objectId,
        arguments: place ? [{ value: place }] : [],
        awaitPromise: true,
        returnByValue: true,
      },
      session,
    );
    if (exceptionDetails)
      throw new KaptureError("INTERNAL", `page/candidates: ${exceptionDetails.exception?.description}`);
    return result.value.value;
  }

  /** The document of a world, as it is reached from the top. */
  async #insideOf(inside, world) {
    if (inside.world.id === world) return inside;
    for (const way of await inside.call("allDoors")) {
      const found = await inTime(
        this.run,
        inside.enter(way).then((frame) => this.#insideOf(frame, world)),
      );
      if (found) return found;
    }
    return null;
  }
}
