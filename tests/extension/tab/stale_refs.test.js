import assert from "node:assert/strict";
import { test } from "../testing.js";
import { KaptureError } from "../../../extension/basics/errors.js";
import { withCandidates } from "../../../extension/tab/stale_refs.js";

const STALE = new KaptureError("STALE_REF", "e15 is another now", "take a new snapshot", { was: {} });
const CANDIDATE = { ref: "e40", role: "button", name: "15", where: "March" };
const answering = (answer) => ({ reply: async () => ({ value: { answer } }) });

test("the error of a stale ref lists what could be meant now, with its refs", async () => {
  const error = await withCandidates(answering({ count: 3, candidates: [CANDIDATE] }), "e15", STALE);
  assert.deepEqual(
    [error.code, error.message, error.details.candidates],
    [
      "STALE_REF",
      'e15 is another now; if you mean button "15" [ref=e40] under "March", and 2 more, use that ref, else take a new snapshot',
      [CANDIDATE],
    ],
  );
});

test("where nothing is like it the error says so", async () => {
  const error = await withCandidates(answering({ count: 0, candidates: [] }), "e15", STALE);
  assert.equal(error.message, "e15 is another now, and nothing like it is there; take a new snapshot");
});

test("of a document that goes away meanwhile the first error stands", async () => {
  const inside = { reply: () => Promise.reject(new KaptureError("EXECUTION_ERROR", "gone")) };
  assert.equal(await withCandidates(inside, "e15", STALE), STALE);
});
