import { CheckField, ChoiceField, ListField, TogglesField } from "./choice_fields.js";
import { NumberField, NumbersField } from "./number_fields.js";
import { TargetField } from "./target_field.js";
import { JsonField, LinesField, TextField } from "./text_fields.js";
/** @import { Command } from "../commands.js" */
/** @import { Field, Options, Schema } from "./field.js" */

/** Up to here all values are in sight side by side, beyond in a list. */
const MAX_SEGMENTS = 3;

/**
 * Which field a parameter gets: the first row whose test its schema passes.
 * @type {[test: (schema: Schema, isRequired: boolean) => boolean, Kind: new (name: string, schema: Schema, options: Options) => Field][]}
 */
const KINDS = [
  [
    ({ type, enum: values, default: preset }, isRequired) =>
      values?.length <= MAX_SEGMENTS || (type === "boolean" && isRequired && preset === undefined),
    ChoiceField,
  ],
  [({ enum: values }) => values !== undefined, ListField],
  [({ type }) => type === "boolean", CheckField],
  [({ type }) => type === "integer" || type === "number", NumberField],
  [({ type, items }) => type === "array" && Boolean(items.enum), TogglesField],
  [({ type, items }) => type === "array" && items.type === "object", JsonField],
  [({ type }) => type === "array", LinesField],
  [({ type }) => type === "object", NumbersField],
];

/**
 * The fields of a command in the order of its parameters, the timeout last.
 * @param {Command} command
 * @returns {Field[]}
 */
export function fieldsOf({ target, targetProperties, properties, required }) {
  /** @type {Field[]} */
  const fields = target === "none" ? [] : [new TargetField(targetProperties, { isRequired: target === "required" })];
  for (const [name, schema] of Object.entries(properties)) {
    const isRequired = required.has(name);
    const [, Kind = TextField] = KINDS.find(([test]) => test(schema, isRequired)) ?? [];
    fields.push(new Kind(name, schema, { isRequired, description: schema.description }));
  }
  return fields;
}
