import { KaptureError } from "../basics/errors.js";
/** @import { Run } from "./run.js" */
/** @import { World } from "./worlds.js" */

/** As much of a file comes from the panel at a time, so that no side ever holds a large one. */
const PIECE_BYTES = 1024 * 1024;
/** The browser keeps what comes in pieces, in its memory or in a folder of its own, until the page lets go of it. */
const MAX_PIECES_BYTES = 1024 * 1024 * 1024;
const NOT_ALLOWED = /not allowed/i;
const SWITCH =
  "a person can switch on 'Allow access to file URLs' for Kapture Panel on the browser's page chrome://extensions";

/**
 * @typedef {{name: string, size: number, type?: string, modified?: number, token?: string, path?: string,
 *   folder?: boolean, files?: number}} Offered what the panel offers: a file, or a folder with its number of files
 * @typedef {{name: string, size: number}} Given
 */

/** The files of one upload in the world where they are needed: by their paths if the browser may read them, else in pieces. */
export class Files {
  /**
   * @param {Run} run
   * @param {World} world
   * @param {Offered[]} offered
   */
  constructor(run, world, offered) {
    this.run = run;
    this.world = world;
    this.offered = offered;
    this.way = offered.length ? "path" : "pieces";
  }

  /**
   * Find out which way there is, and fetch the pieces where it is that one.
   * @returns {Promise<"path"|"pieces">}
   */
  async ready() {
    if (this.way === "path" && !(await this.#areReadable())) {
      this.way = "pieces";
      await this.#fetch();
    }
    return /** @type {"path"|"pieces"} */ (this.way);
  }

  get paths() {
    return this.offered.map(({ path }) => path);
  }

  /** What is given, as the panel saw it. @returns {Given[]} */
  get told() {
    return this.offered.map(({ name, size }) => ({ name, size }));
  }

  /** Whether the browser reads all of them by their paths: it may be kept from it, or be elsewhere. */
  async #areReadable() {
    if (this.offered.some(({ path }) => !path)) return false;
    const files = this.offered.filter(({ folder }) => !folder);
    const folders = this.offered.filter(({ folder }) => folder);
    const plan = [files, ...folders.map((folder) => [folder])].filter((list) => list.length);
    for (const list of plan) {
      const folder = list[0].folder ?? false;
      if (!(await this.put(await this.object("probeField", [folder]), list))) return false;
      const { unreadable, files: found } = (await this.run.call(this.world, "probed", [])).value;
      if (unreadable !== null || found !== (list[0].files ?? list.length)) return false;
    }
    return true;
  }

  /**
   * A field as an object of the debugger.
   * @param {"probeField"|"takingField"} name
   * @param {any[]} args
   * @returns {Promise<string>}
   */
  async object(name, args = []) {
    const { result } = await this.run.send(
      "Runtime.callFunctionOn",
      {
        functionDeclaration: `function (...args) { return globalThis.kapture.${name}(...args); }`,
        uniqueContextId: this.world.id,
        arguments: args.map((value) => ({ value })),
      },
      this.world.session,
    );
    if (!result.objectId) throw new KaptureError("ELEMENT_NOT_FOUND", "the file field is gone", "take a new snapshot");
    return result.objectId;
  }

  /**
   * Put files into a field by their paths.
   * @param {string} objectId
   * @param {Offered[]} list
   * @returns {Promise<boolean>} whether the browser lets an extension do so
   */
  async put(objectId, list = this.offered) {
    const { session } = this.world;
    const files = list.map(({ path }) => path);
    try {
      await this.run.send("DOM.setFileInputFiles", { objectId, files }, session);
      return true;
    } catch (error) {
      if (!NOT_ALLOWED.test(error.message)) throw error;
      return false;
    } finally {
      await this.run.undo("Runtime.releaseObject", { objectId }, session).catch(() => {}); // gone with its page
    }
  }

  /** Files made of pieces, in the world of the page's half, in the order they are offered. */
  async #fetch() {
    const folder = this.offered.find((one) => one.folder);
    if (folder)
      throw new KaptureError(
        "FILE_NOT_ALLOWED",
        `the browser may not read the folder ${folder.name} by itself, and a folder cannot be sent in pieces`,
        `${SWITCH}`,
      );
    const bytes = this.offered.reduce((sum, { size }) => sum + size, 0);
    if (bytes > MAX_PIECES_BYTES)
      throw new KaptureError(
        "INVALID_PARAMS",
        `the browser may not read files by itself, and ${Math.round(bytes / 1_000_000)} MB are more than the ${Math.round(MAX_PIECES_BYTES / 1_000_000)} that can be sent`,
        `${SWITCH}`,
      );
    await this.#call("dropPieces");
    try {
      for (const file of this.offered) await this.#fetchOne(file);
    } catch (error) {
      await this.run.callBeside("dropPieces", this.world);
      throw error;
    }
  }

  /** @param {Offered} file */
  async #fetchOne({ name, size, type, modified, token = "" }) {
    const read = (/** @type {number} */ start) =>
      start < size ? this.run.readFile(token, start, Math.min(PIECE_BYTES, size - start)) : null;
    let coming = read(0);
    for (let start = 0; start < size; start += PIECE_BYTES) {
      const data = /** @type {string} */ (await coming);
      coming = read(start + PIECE_BYTES);
      coming?.catch(() => {}); // waited for in the next round, if there is one
      if (bytesIn(data) !== Math.min(PIECE_BYTES, size - start))
        throw new KaptureError("FILE_NOT_FOUND", `${name} became shorter while it was read`, "give it again");
      await this.#call("addPiece", data);
    }
    await this.#call("endFile", { name, type, modified });
  }

  /**
   * @param {string} name
   * @param {any[]} args
   */
  async #call(name, ...args) {
    return (await this.run.call(this.world, name, args)).value;
  }
}

/** How many bytes a text in base64 stands for. */
const bytesIn = (/** @type {string} */ text) =>
  (text.length / 4) * 3 - (text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0);
