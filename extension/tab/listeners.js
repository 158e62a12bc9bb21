// Which elements listen for presses: no script of another world can ask, but the browser can (page/pressable.js).

/** @import { World } from "./worlds.js" */
/** @import { Run } from "./run.js" */

const PRESSES = new Set(
  "click dblclick contextmenu mousedown mouseup pointerdown pointerup touchstart touchend".split(" "),
);
/** Each costs a call; those beyond are learnt at the next looks. */
const MAX_NEW = 500;
/** Worlds are forgotten in the order they came: their documents have mostly gone. */
const MAX_WORLDS = 50;
const GROUP = "kapture listeners";
/** Handles of documents, which are kept as long as those are there. */
const DOCUMENTS = "kapture documents";

/** What each document of a tab was told of its elements that listen. */
export class Listeners {
  /** World → the browser's numbers of the nodes it knows, those that are not elements of it included. @type {Map<string, Set<number>>} */
  #known = new Map();
  /** A page's own world → the handle of its document there. @type {Map<string, string>} */
  #documents = new Map();

  /**
   * Hand the elements that listen for presses into a world, as far as it does not know them yet.
   * @param {Run} run
   * @param {World} world
   */
  async handIn(run, { id, session }) {
    const send = (method, params) => run.send(method, params, session);
    const page = run.frames.worldsOf(session)?.pageBeside(id);
    if (!page) return;
    const listeners = await this.#listenersOf(page.id, send);
    if (!listeners) return;
    const numbers = [
      ...new Set(listeners.filter(({ type }) => PRESSES.has(type)).map(({ backendNodeId }) => backendNodeId)),
    ];
    const known = this.#known.get(id) ?? new Set();
    if (numbers.length || known.size) await this.#tell(run, { id, session }, numbers, known);
    send("Runtime.releaseObjectGroup", { objectGroup: GROUP }).catch(() => {}); // gone with its page, or the command
  }

  /**
   * All listeners below the document of a page's own world. Asked by our own world's document, the browser spoils the
   * elements for that world (Chromium 156).
   * @param {string} page
   * @param {(method: string, params: object) => Promise<any>} send
   * @returns {Promise<{type: string, backendNodeId: number}[]|null>} null: there is no document
   */
  async #listenersOf(page, send) {
    const ask = async (/** @type {string} */ objectId) =>
      (await send("DOMDebugger.getEventListeners", { objectId, depth: -1, pierce: true })).listeners;
    const kept = this.#documents.get(page);
    if (kept) {
      const known = await ask(kept).catch(unlessReleased);
      if (known) return known;
    }
    const document = { expression: "document", uniqueContextId: page, objectGroup: DOCUMENTS };
    const { objectId } = (await send("Runtime.evaluate", document)).result;
    if (!objectId) return null;
    keep(this.#documents, page, objectId);
    return ask(objectId);
  }

  async #tell(run, { id, session }, numbers, known) {
    const context = run.frames.worldsOf(session)?.numberOf(id);
    const fresh = numbers.filter((number) => !known.has(number)).slice(0, MAX_NEW);
    const resolved = await Promise.all(
      fresh.map((backendNodeId) =>
        run
          .send("DOM.resolveNode", { backendNodeId, executionContextId: context, objectGroup: GROUP }, session)
          .then(({ object }) => ({ backendNodeId, objectId: object.objectId }))
          .catch(unlessGone),
      ),
    );
    const elements = resolved.filter((one) => one !== null);
    await run.send(
      "Runtime.callFunctionOn",
      {
        functionDeclaration: "function (...told) { globalThis.kapture.noteListening(...told); }",
        uniqueContextId: id,
        arguments: [
          { value: numbers },
          { value: elements.map(({ backendNodeId }) => backendNodeId) },
          ...elements.map(({ objectId }) => ({ objectId })),
        ],
      },
      session,
    );
    keep(this.#known, id, new Set([...numbers.filter((number) => known.has(number)), ...fresh]));
  }
}

/**
 * @template T
 * @param {Map<string, T>} known
 * @param {string} world
 * @param {T} value
 */
function keep(known, world, value) {
  known.delete(world);
  known.set(world, value);
  for (const oldest of [...known.keys()].slice(0, -MAX_WORLDS)) known.delete(oldest);
}

/** Of a handle that the browser has let go of, another one is asked for. */
function unlessReleased(error) {
  if (error.contextGone || error.code !== "EXECUTION_ERROR") throw error;
  return null;
}

/** A node that went meanwhile, or that belongs to no world of ours, is not told of. */
function unlessGone(error) {
  if (error.contextGone || error.code !== "EXECUTION_ERROR") throw error;
  return null;
}
