import assert from "node:assert/strict";
import { problemOf } from "../../../../extension/devtools/form/problems.js";
import { test } from "../../testing.js";

for (const [schema, value, wanted] of [
  [{ type: "integer" }, 1.5, "a whole number"],
  [{ type: "number" }, "abc", "a number"],
  [{ type: "number" }, Infinity, "a number"],
  [{ type: "boolean" }, "yes", "yes or no"],
  [{ type: "integer", minimum: 1 }, 0, "at least 1"],
  [{ type: "number", exclusiveMinimum: 0 }, 0, "more than 0"],
  [{ type: "integer", maximum: 600000 }, 600001, "at most 600,000"],
  [{ type: "string", minLength: 1 }, "", "not empty"],
  [{ type: "string", maxLength: 2 }, "abc", "at most 2 characters"],
  [{ type: "string", enum: ["a", "b"] }, "c", "one of a, b"],
  [{ type: "string", pattern: "^e[0-9]+$" }, "5", "a ref of a snapshot, like e5"],
  [{ type: "array", items: { type: "string" }, minItems: 1 }, [], "at least 1"],
  [{ type: "array", items: { type: "string", minLength: 1 } }, ["a", ""], "not empty (item 2)"],
  [{ type: "array", items: { type: "object" } }, "[{", "a list"],
  [{ type: "object", properties: { x: { type: "number" } }, required: ["x", "y"] }, { x: 1 }, "complete: y is missing"],
  [{ type: "object", properties: { x: { type: "number" } } }, { x: "left" }, "a number (x)"],
  [{ type: "object", properties: {}, additionalProperties: false }, { z: 1 }, "without z, which is unknown"],
])
  test(`${JSON.stringify(value)} must be ${wanted}`, () => assert.equal(problemOf(schema, value), wanted));

for (const [schema, value] of [
  [{ type: "integer", minimum: 0 }, 0],
  [{ type: "string", pattern: "^e[0-9]+$" }, "e12"],
  [{ type: "array", items: { enum: ["Shift"] } }, ["Shift"]],
  [
    { type: "object", properties: { x: { type: "number" } }, required: ["x"] },
    { x: 1, more: 2 },
  ],
])
  test(`${JSON.stringify(value)} is right`, () => assert.equal(problemOf(schema, value), ""));
