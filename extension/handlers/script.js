import { KaptureError } from "../basics/errors.js";
import { plain } from "../tab/values.js";

/**
 * The ways to read a piece of code, tried in order until one compiles. Nothing runs before that, so the code
 * runs at most once. A block answers its last statement's value and keeps its variables to itself.
 */
const FORMS = [
  (code) => `(\n${code}\n)`,
  (code) => `(async () => (\n${code}\n))()`,
  (code) => `{\n${code}\n}`,
  (code) => `(async () => {\n${code}\n})()`,
];

/** The panel reads frames to a depth of 64. */
const MAX_DEPTH = 50;
const SERIALIZATION = { serialization: "deep", maxDepth: MAX_DEPTH, additionalParameters: { maxNodeDepth: 0 } };
/** Every form puts a line above the code. */
const LINES_BEFORE = 1;

async function evaluate({ code, awaitPromise }, run) {
  const expression = await compiled(code, run);
  const { result, exceptionDetails } = await run.evaluate({
    expression,
    awaitPromise,
    userGesture: true,
    allowUnsafeEvalBlockedByCSP: true,
    timeout: run.timeoutMs,
    serializationOptions: SERIALIZATION,
  });
  if (exceptionDetails) throw thrown(exceptionDetails, LINES_BEFORE);
  return answerOf(result);
}

/**
 * Run a whole script in the page's own world, as a script tag would: its declarations stay. `id` names it
 * from one call to the next; `url` is where the panel got it from.
 */
async function injectScript({ source, url, id, keep }, run) {
  const { kept } = run.session;
  if (!keep) await kept.end(run, id);
  const named = url ? `${source}\n//# sourceURL=${url.replace(/\s/g, "")}` : source;
  const { result, exceptionDetails } = await run.evaluate({
    expression: named,
    userGesture: true,
    allowUnsafeEvalBlockedByCSP: true,
    timeout: run.timeoutMs,
    serializationOptions: SERIALIZATION,
  });
  if (exceptionDetails) throw thrown(exceptionDetails, 0);
  if (keep) await kept.keep(run, id, named);
  return { ...answerOf(result), kept: keep };
}

async function compiled(code, run) {
  let first = null;
  for (const form of FORMS) {
    const expression = form(code);
    const { exceptionDetails } = await run.send("Runtime.compileScript", { expression, sourceURL: "", persistScript: false });
    if (!exceptionDetails) return expression;
    first = exceptionDetails; // of the last form: the one that takes most
  }
  throw thrown(first, LINES_BEFORE);
}

function answerOf(result) {
  if (result.unserializableValue) return { value: result.unserializableValue };
  if (result.subtype === "error") return { value: result.description };
  if (result.subtype === "promise") return { value: "[promise]" };
  return result.deepSerializedValue ? plain(result.deepSerializedValue, MAX_DEPTH) : { value: result.value ?? null };
}

/** The exception as the code's author reads it: lines counted in the code as it was given. */
function thrown({ text, exception, lineNumber, columnNumber }, linesBefore) {
  const said = exception ? (exception.description ?? JSON.stringify(exception.value ?? null)).split("\n")[0] : text;
  const line = Math.max(1, lineNumber + 1 - linesBefore);
  const column = columnNumber + 1;
  return new KaptureError("EXECUTION_ERROR", `${said} (line ${line}, column ${column})`, { line, column });
}

export const handlers = { kapturemcp_evaluate: evaluate, kapturemcp_inject_script: injectScript };
