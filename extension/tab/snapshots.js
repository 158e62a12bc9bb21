import { KaptureError } from "../basics/errors.js";
import { difference } from "./difference.js";
import { linesSaying } from "./find.js";
import { answerIn } from "./frame_answers.js";
import { reach } from "./inside.js";

/** What one answer carries of a long page: 8,000 tokens of four bytes, less what else it may have to say. */
const PAGE_BYTES = 31_000;
/** Kept free of it for the line that says what is left out, and for the one before a run of lines. */
const TAIL_BYTES = 250;
const RUN_BYTES = 60;
/** A page may give itself a title and an address of any length. */
const MAX_TITLE = 200;
const MAX_URL = 1000;
/** A frame that shows no document yet is waited for this long. */
const LOADING_MS = 300;

/** Of so many parts of a page the last snapshot is kept. */
const MAX_SCOPES = 8;
/** Why a part of the page cannot be shown any more. */
const GONE = /^(ELEMENT_NOT_FOUND|STALE_REF|ELEMENT_NOT_VISIBLE)$/;

/** The snapshots of one tab: numbering of refs over its life, pages of a long one, the last of each part for a diff. */
export class Snapshots {
  /** Scope → the lines of its last snapshot, and the document that was. @type {Map<string, {lines: string[], loaderId: string|null}>} */
  #byScope = new Map();
  /** What the last one was of: the target and the options. @type {{target: object, options: object, loaderId: string|null}|null} */
  #scope = null;
  /** @type {{id: string, lines: string[], runs: Map<number, number>, view: string}|null} */
  #last = null;
  #serial = 0;

  /** @param {(nextRef: number) => void} onRefs told whenever new refs were given, to outlive the worker */
  constructor(onRefs) {
    this.onRefs = onRefs;
    /** The number of the next ref; no number is ever given twice in a tab's life. */
    this.nextRef = 1;
  }

  /** Walk the page and return the text, or its first page; for a formatter in the panel the nodes, too. */
  async take(run, { diff = false, find = "", target = {}, ...options } = {}) {
    const { value, inside } = await reach(run, target, "snapshot", options);
    const { lines, nodes } = await withFrames(inside, value, options);
    const { title, url } = inside.parent ? await run.page("state") : value;
    const head = `# ${clipped(title, MAX_TITLE) || "untitled"} — ${clipped(url, MAX_URL)}`;
    if (find) return this.#found(run, linesSaying(lines, find), head, find);
    const scope = JSON.stringify([target, withoutNodes(options)]);
    const previous = this.#before(scope, run);
    this.#keep(scope, { lines, loaderId: run.navigation.loaderId });
    this.#scope = { target, options: withoutNodes(options), loaderId: run.navigation.loaderId };
    const taken = this.#paged(run, lines);
    if (nodes) return { head, nodes, text: page(taken, head, 0) };
    if (!diff) return page(taken, head, 0);
    if (typeof previous === "string")
      return page(taken, `${head}\n(${previous}: this is all of ${whatOf(target, options)})`, 0);
    const changes = difference(previous, lines);
    if (changes.length) return bounded(head, changes);
    const what = whatOf(target, options);
    const where = what === "it" ? "" : ` in ${what}`;
    return `${head}\n(nothing changed${where} since the last snapshot)`;
  }

  /** What a search found. It is no snapshot that a later one is compared with: it shows too little of the page. */
  #found(run, lines, head, find) {
    if (lines.length) return page(this.#paged(run, lines), head, 0);
    return `${head}\n(no line says ${JSON.stringify(find)}; kapturemcp_find_by_text looks into long texts, too)`;
  }

  #paged(run, lines) {
    const id = `s${(this.#serial += 1)}`;
    return (this.#last = { id, lines, runs: runsOutOfSight(lines), view: viewOf(run.navigation) });
  }

  /** What has changed of what the last snapshot showed; of a part that is not there any more, of the whole page. */
  async takeChanges(run) {
    const { target = {}, options = {}, loaderId } = this.#scope ?? {};
    if (!Object.keys(target).length || loaderId !== run.navigation.loaderId)
      return this.take(run, { ...options, diff: true });
    return this.take(run, { ...options, target, diff: true }).catch((error) => {
      if (!GONE.test(error.code)) throw error;
      return this.take(run, { ...options, diff: true });
    });
  }

  /**
   * @param {string} scope
   * @returns {string[]|string} the lines of its last snapshot, or why there is nothing to compare with
   */
  #before(scope, { navigation }) {
    const known = this.#byScope.get(scope);
    if (!known) return "no earlier snapshot to compare with";
    return known.loaderId === navigation.loaderId ? known.lines : "another page than that of the last snapshot";
  }

  #keep(scope, taken) {
    this.#byScope.delete(scope);
    this.#byScope.set(scope, taken);
    const [oldest] = this.#byScope.keys();
    if (this.#byScope.size > MAX_SCOPES) this.#byScope.delete(oldest);
  }

  /** A document has given out refs up to before `nextRef`. */
  count(nextRef) {
    if (nextRef > this.nextRef) this.onRefs((this.nextRef = nextRef));
  }

  /** Go on where an earlier answer ended: in the page as it was then, however it has changed meanwhile. */
  next(cursor, run) {
    const [id, start] = cursor.split(":");
    const refuse = (why) =>
      new KaptureError("INVALID_PARAMS", `the cursor ${JSON.stringify(cursor)} belongs to ${why}`, "take a new one");
    const last = this.#last;
    if (!last || last.id !== id || !/^\d+$/.test(start ?? "")) throw refuse("an older snapshot");
    if (last.view !== viewOf(run.navigation)) throw refuse("a snapshot of a page the tab has left");
    return page(last, "", Number(start));
  }
}

/**
 * In words what of the page a snapshot shows.
 * @param {Record<string, any>} target
 * @param {Record<string, any>} options
 */
const whatOf = (target, { interactiveOnly }) => {
  const [place] = Object.values(target);
  if (interactiveOnly) return place === undefined ? "its interactive elements" : `the interactive elements in ${place}`;
  return place ?? "it";
};

/**
 * The text of a snapshot from line `start` on, as much as one answer carries.
 * @param {{id: string, lines: string[], runs: Map<number, number>}} snapshot
 * @param {string} head
 * @param {number} start
 */
function page({ id, lines, runs }, head, start) {
  const shown = head ? [head] : [];
  let room = PAGE_BYTES - TAIL_BYTES - bytesOf(head);
  let index = start;
  while (index < lines.length) {
    const run = runs.get(index) ?? (index === start ? runAround(runs, index) : null);
    const end = run ?? index + 1;
    if (run) room -= RUN_BYTES;
    const part = [];
    for (; index < end; index += 1) {
      const line = run && isOutOfSight(lines[index]) ? lines[index].replace(OUT_OF_SIGHT, "") : lines[index];
      room -= bytesOf(line) + 1;
      if (room < 0 && index > start) break;
      part.push(line);
    }
    if (run && part.length) shown.push(`(the next ${part.length} lines are offscreen)`);
    shown.push(...part);
    if (index < end) break;
  }
  if (index < lines.length)
    shown.push(
      `(${lines.length - index} of ${lines.length} nodes left out; go on with kapturemcp_snapshot and cursor "${id}:${index}", or narrow it with a target, roles or interactiveOnly)`,
    );
  return shown.join("\n");
}

/** @param {{nodes?: any, [name: string]: any}} options */
const withoutNodes = ({ nodes: _, ...options }) => options;
const encoder = new TextEncoder();
const bytesOf = (text) => encoder.encode(text).length;

const clipped = (text, length) => (text.length > length ? `${text.slice(0, length - 1)}…` : text);

/** Which document a tab shows, and which view of an application. */
function viewOf({ loaderId, url }) {
  const [address, route = ""] = (url ?? "").split("#");
  return [loaderId, address.split("?")[0], /^[/!]/.test(route) ? route : ""].join(" ");
}

/** What was walked of a document, with what is in its frames of another origin at their places. */
async function withFrames(inside, walked, options) {
  if (!walked.doors.length) return walked;
  const whole = { lines: [], nodes: walked.nodes && [] };
  const add = (part, from, to) => {
    for (const kind of ["lines", "nodes"])
      if (whole[kind]) for (const one of part[kind].slice(from, to)) whole[kind].push(one);
  };
  let from = 0;
  for (const { at, depth, ...way } of walked.doors) {
    add(walked, from, at);
    add(await frameAt(inside, way, { ...options, nodes: Boolean(walked.nodes), depth }));
    from = at;
  }
  add(walked, from);
  return whole;
}

async function frameAt(inside, way, options) {
  const walk = (frame) => frame.reply("snapshot", {}, options);
  const walked = await answerIn(inside, { way, loadingMs: LOADING_MS }, walk);
  if (walked) return withFrames(walked.frame, walked.reply.value, options);
  const name = "(this frame is loading or does not answer)";
  return {
    lines: [`${" ".repeat(options.depth)}- text: ${name}`],
    nodes: [{ role: "text", name, depth: options.depth }],
  };
}

const OUT_OF_SIGHT = / offscreen$/;
const isText = (line) => line.trimStart().startsWith("- text:");
const isOutOfSight = (line) => OUT_OF_SIGHT.test(line) && !isText(line);
/** From this many lines on, one line before them says what the word on each would. */
const MIN_RUN = 8;

/** Where a run of nodes that are all out of sight starts → where it ends; nodes without a ref are of any run. */
function runsOutOfSight(lines) {
  const runs = new Map();
  let start = null;
  let end = 0;
  const close = () => {
    if (start !== null && end - start >= MIN_RUN) runs.set(start, end);
    start = null;
  };
  lines.forEach((line, index) => {
    if (isOutOfSight(line)) {
      start ??= index;
      end = index + 1;
    } else if (line.includes(" [ref=e") && !isText(line)) close();
  });
  close();
  return runs;
}

function runAround(runs, index) {
  for (const [start, end] of runs) if (start < index && index < end) return end;
  return null;
}

function bounded(head, changes) {
  const shown = [head];
  let room = PAGE_BYTES - TAIL_BYTES - bytesOf(head);
  for (const [index, change] of changes.entries()) {
    room -= bytesOf(change) + 1;
    if (room < 0) return [...shown, `(${changes.length - index} more changed; take a new snapshot)`].join("\n");
    shown.push(change);
  }
  return shown.join("\n");
}
