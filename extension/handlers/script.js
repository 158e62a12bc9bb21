import { KaptureError } from "../lib/errors.js";
import { plain } from "../lib/values.js";

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

async function evaluate({ code, awaitPromise }, run) {
  const expression = await compiled(code, run);
  const { result, exceptionDetails } = await run.send("Runtime.evaluate", {
    expression,
    awaitPromise,
    userGesture: true,
    allowUnsafeEvalBlockedByCSP: true,
    timeout: run.timeoutMs,
    serializationOptions: { serialization: "deep", maxDepth: MAX_DEPTH, additionalParameters: { maxNodeDepth: 0 } },
  });
  if (exceptionDetails) throw thrown(exceptionDetails);
  return { value: valueOf(result) };
}

async function compiled(code, run) {
  let first = null;
  for (const form of FORMS) {
    const expression = form(code);
    const { exceptionDetails } = await run.send("Runtime.compileScript", { expression, sourceURL: "", persistScript: false });
    if (!exceptionDetails) return expression;
    first = exceptionDetails; // of the last form: the one that takes most
  }
  throw thrown(first);
}

function valueOf(result) {
  if (result.unserializableValue) return result.unserializableValue;
  if (result.subtype === "error") return result.description;
  if (result.subtype === "promise") return "[promise]";
  return result.deepSerializedValue ? plain(result.deepSerializedValue) : (result.value ?? null);
}

/** The exception as the code's author reads it: lines counted in the code as it was given. */
function thrown({ text, exception, lineNumber, columnNumber }) {
  const said = exception ? (exception.description ?? JSON.stringify(exception.value ?? null)).split("\n")[0] : text;
  const line = Math.max(1, lineNumber);
  const column = columnNumber + 1;
  return new KaptureError("EXECUTION_ERROR", `${said} (line ${line}, column ${column})`, { line, column });
}

export const handlers = { kapturemcp_evaluate: evaluate };
