import { KaptureError } from "../basics/errors.js";
import { leftOut, unfoldingOf } from "../tab/unfolding.js";
import { nodeWords } from "../tab/value_nodes.js";
import { asJson } from "../tab/values.js";
/** @import { Handler } from "../tab/executor.js" */
/** @import { Run } from "../tab/run.js" */

/**
 * A way to read a piece of code. A block answers its last statement's value and keeps its variables to itself. One that
 * awaits is read as consoles read it (`replMode`), which nothing but running it can try.
 * @typedef {{wrap: (code: string) => string, isTried?: (code: string) => string, replMode?: boolean}} Form `isTried`: what
 *   is compiled in its place
 */

/** @param {string} code */
const expression = (code) => `(\n${code}\n)`;
/** @param {string} code */
const block = (code) => `{\n${code}\n}`;
/** @param {string} code */
const asyncBody = (code) => `(async () => {\n${code}\n})()`;

const AWAITS = /\bawait\b/;
/**
 * Outside of functions that are async `await (x)` calls a function of that name, but for a static block, where it is an error.
 * @param {string} code
 * @param {(code: string) => string} wrap
 */
const unawaited = (code, wrap) => (AWAITS.test(code) ? `class Tried { static { ${wrap(code)} } }` : wrap(code));

/**
 * Tried in order until one compiles. Nothing runs before that, so the code runs at most once.
 * @type {Form[]}
 */
const FORMS = [
  { wrap: expression, isTried: (code) => unawaited(code, expression) },
  { wrap: (code) => `(async () => (\n${code}\n))()` },
  { wrap: block, isTried: (code) => unawaited(code, block) },
  { wrap: block, isTried: asyncBody, replMode: true },
  { wrap: asyncBody },
];
/** Every form puts a line above the code. */
const LINES_BEFORE = 1;

/** The panel reads frames to a depth of 64. */
const MAX_DEPTH = 50;
/** What is unfolded stands in a list. */
const SERIALIZATION = { serialization: "deep", maxDepth: MAX_DEPTH + 1, additionalParameters: { maxNodeDepth: 0 } };
const GROUP = "kapture values";

/** Of code that a dialog has interrupted, or that was still waiting when one opened. */
const HELD_UP = "the code has not finished: it continues once the dialog is answered, and its value is not reported";

/** Of a script that was kept and is not any more: whoever stops one does not want it to run once again. */
const ENDED = "it was kept, and is not any more; it did not run now";

/** @type {Handler} */
async function evaluate({ code, awaitPromise }, run) {
  run.done = () => ({ note: HELD_UP });
  const { replMode, ran } = await ranInOneForm(code, awaitPromise, run);
  const { result, exceptionDetails } = replMode ? await awaited(run, ran) : ran;
  if (exceptionDetails) throw await thrownInFull(run, exceptionDetails, code);
  // Of code that was asked, what it answers is its effect.
  run.facts.hasValue = result.type !== "undefined";
  return answerOf(run, result, LINES_BEFORE);
}

/** How much of an object that was thrown is told. */
const MAX_THROWN = 500;

/**
 * An object that is not an error describes itself as "Object": what it holds is told.
 * @param {Run} run
 * @param {any} details
 * @param {string} code
 */
async function thrownInFull(run, details, code) {
  const { exception } = details;
  const error = thrown(details, { code, linesBefore: LINES_BEFORE });
  if (exception?.type !== "object" || !exception.objectId || exception.subtype === "error") return error;
  const { value } = await answerOf(run, exception, LINES_BEFORE);
  const told = JSON.stringify(value) ?? error.what;
  return error.reworded({
    what: `the code threw ${told.length > MAX_THROWN ? `${told.slice(0, MAX_THROWN)} …` : told}`,
  });
}

/** What no expression begins with, or goes on with. */
const OF_STATEMENTS = /^\s*(?:const|let|var|if|for|while|do|switch|try|throw|return|class|\{|\/)|;\s*\S/;

/**
 * Most code is an expression, and what is none does not compile as one, so that nothing of it runs: where it looks like
 * one it is run as one at once.
 * @param {string} code
 * @param {boolean} awaitPromise
 * @param {Run} run
 */
async function ranInOneForm(code, awaitPromise, run) {
  const [expression] = FORMS;
  const first = OF_STATEMENTS.test(code) || AWAITS.test(code) ? null : await ranAs(expression, code, awaitPromise, run);
  if (first && !mayNotHaveRun(first.ran.exceptionDetails)) return first;
  const forms = await compiling(code, run);
  if (first && forms[0] === expression) return first;
  for (const [index, form] of forms.entries()) {
    if (form.replMode && !awaitPromise) continue;
    const tried = await ranAs(form, code, awaitPromise, run);
    if (index === forms.length - 1 || !(form.replMode && neverRan(tried.ran.exceptionDetails))) return tried;
  }
  throw new KaptureError("INTERNAL", "code that compiles was not run"); // the last form is one that always is
}

/**
 * @param {Form} form
 * @param {string} code
 * @param {boolean} awaitPromise
 * @param {Run} run
 */
async function ranAs({ wrap, replMode = false }, code, awaitPromise, run) {
  return { replMode, ran: await run.code.evaluate({ ...how(run), expression: wrap(code), awaitPromise, replMode }) };
}

/**
 * Run a whole script in the page's own world, as a script tag would: its declarations stay. `id` names it
 * from one call to the next; `url` is where the panel got it from. One that was kept is only ended without `keep`.
 * @type {Handler}
 */
async function injectScript({ source, url, id, keep }, run) {
  const { keptScripts } = run;
  if (!keep && (await keptScripts.end(run, id))) return { kept: false, note: ENDED };
  const address = url?.replace(/\s/g, "");
  const named = url ? `${source}\n//# sourceURL=${address}` : source;
  run.done = () => ({ note: HELD_UP });
  const { result, exceptionDetails } = await run.code.evaluate({ ...how(run), expression: named });
  if (exceptionDetails) throw thrown(exceptionDetails, { code: source, linesBefore: 0, address });
  if (keep) await keptScripts.keep(run, id, named);
  return { ...(await answerOf(run, result, 0)), kept: keep };
}

/** @param {Run} run */
const how = (run) => ({
  userGesture: true,
  allowUnsafeEvalBlockedByCSP: true,
  timeout: run.timeoutMs,
  objectGroup: GROUP,
});

/**
 * The forms from the first one that compiles on: of one that can only be tried by running it, the next ones, too.
 * @param {string} code
 * @param {Run} run
 * @returns {Promise<Form[]>}
 */
async function compiling(code, run) {
  const tried = await Promise.all(FORMS.map(({ wrap, isTried = wrap }) => compiled(isTried(code), run)));
  const first = tried.findIndex((failure) => !failure);
  if (first >= 0) return FORMS.slice(first);
  const failure = tried.at(-1); // of the form that takes most
  if (!isBehind(code, failure)) throw thrown(failure, { code, linesBefore: LINES_BEFORE });
  // What is missed at the end is told as the code alone would miss it, not as what stands around it.
  const alone = await compiled(code, run);
  if (alone && !OF_FUNCTIONS.test(alone.exception?.description)) throw thrown(alone, { code, linesBefore: 0 });
  throw new KaptureError("EXECUTION_ERROR", "SyntaxError: Unexpected end of input", "", endOf(code));
}

/**
 * Why a piece of code does not compile, as CDP's exception details, or undefined.
 * @param {string} expression
 * @param {Run} run
 */
async function compiled(expression, run) {
  const asked = { expression, sourceURL: "", persistScript: false };
  return (await run.send("Runtime.compileScript", asked)).exceptionDetails;
}

/**
 * Whether code may have failed to compile: what was thrown has no place in anything that ran.
 * @param {Record<string, any>|undefined} details
 */
const mayNotHaveRun = (details) => details !== undefined && !details.stackTrace?.callFrames.length;

/** What only a function may have. */
const OF_FUNCTIONS = /Illegal return|await is only valid/;

/**
 * Whether code that does not compile ends too soon.
 * @param {string} code
 * @param {Record<string, any>} details
 */
const isBehind = (code, { lineNumber }) => lineNumber + 1 - LINES_BEFORE > code.split("\n").length;

/**
 * Whether code was refused before it ran: it has a `return` of its own, which only a function may have.
 * @param {Record<string, any>|undefined} details
 */
function neverRan(details) {
  return mayNotHaveRun(details) && /^SyntaxError: Illegal return/.test(details?.exception?.description ?? "");
}

/**
 * What the last statement came to of code that is read as consoles read it, which await no promise of their own accord.
 * @param {Run} run
 * @param {Record<string, any>} ran
 */
function awaited(run, ran) {
  const isPromise = !ran.exceptionDetails && ran.result.subtype === "promise";
  if (isPromise) run.code.told = null;
  return isPromise ? run.send("Runtime.awaitPromise", { promiseObjectId: ran.result.objectId }) : ran;
}

/**
 * @param {Run} run
 * @param {Record<string, any>} result a RemoteObject
 * @param {number} linesBefore
 */
async function answerOf(run, result, linesBefore) {
  if (result.unserializableValue) return { value: result.unserializableValue };
  if (result.subtype === "promise") return { value: "[promise]" };
  if (result.type === "symbol") return { value: `[${result.description}]` };
  if (!result.objectId) return { value: result.value ?? null };
  run.code.told = null; // its getters may be the page's own code
  const { value, cut } = await serialized(run, result.objectId, linesBefore);
  const nodes = await nodeWords(run, value);
  await run.send("Runtime.releaseObjectGroup", { objectGroup: GROUP });
  return asJson(value, MAX_DEPTH, nodes, cut);
}

/**
 * A value as Chrome serialises it, unfolded first. On a page that has broken its own built-in objects it stays folded.
 * @param {Run} run
 * @param {string} objectId
 * @param {number} linesBefore
 */
async function serialized(run, objectId, linesBefore) {
  const call = (/** @type {string} */ functionDeclaration) =>
    run.send("Runtime.callFunctionOn", { functionDeclaration, objectId, serializationOptions: SERIALIZATION });
  const { result, exceptionDetails } = await call(unfoldingOf(linesBefore));
  const told = result.deepSerializedValue;
  if (!exceptionDetails && told?.type === "array" && told.value?.length === 3) {
    const [value, items, objects] = told.value;
    return { value, cut: leftOut(items.value, objects.value) };
  }
  const folded = await call("function () { return this; }");
  return { value: folded.result.deepSerializedValue, cut: [] };
}

/**
 * What was thrown, and where: lines counted in the code as it was given. What a page's own function threw has the place
 * in the code that called it; without one, none.
 * @param {Record<string, any>} details
 * @param {{code: string, linesBefore: number, address?: string}} script
 */
function thrown(details, { code, linesBefore, address = "" }) {
  const { text, exception, stackTrace } = details;
  const said = exception ? (exception.description ?? JSON.stringify(exception.value ?? null)).split("\n")[0] : text;
  const frames = stackTrace?.callFrames ?? [];
  // A script of the page may have no address either; the code itself is the outermost.
  const { scriptId } = frames.findLast((/** @type {{url: string}} */ { url }) => url === address) ?? {};
  const frame = frames.find((/** @type {{scriptId: string}} */ one) => one.scriptId === scriptId);
  const own = frames.length ? frame : details;
  return new KaptureError("EXECUTION_ERROR", said, "", own && placeIn(code, own, linesBefore));
}

/** Spaces and comments before the first word of a piece of code. */
const BEFORE_FIRST = /^(?:\s|\/\/.*|\/\*[^]*?\*\/)*/;

/**
 * What ends too soon is missed behind the last line. What the first word of an expression leads to, such as an unknown
 * name, V8 places where the statement begins, which is above the code.
 * @param {string} code
 * @param {{lineNumber: number, columnNumber: number}} at
 * @param {number} linesBefore
 */
function placeIn(code, { lineNumber, columnNumber }, linesBefore) {
  const lines = code.split("\n");
  const line = lineNumber + 1 - linesBefore;
  if (line < 1) {
    const before = (BEFORE_FIRST.exec(code)?.[0] ?? "").split("\n");
    return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
  }
  if (line <= lines.length) return { line, column: columnNumber + 1 };
  return endOf(code);
}

/** @param {string} code */
function endOf(code) {
  const lines = code.split("\n");
  return { line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}

/** @type {Record<string, Handler>} */
export const handlers = { kapturemcp_evaluate: evaluate, kapturemcp_inject_script: injectScript };
