/** @type {Record<string, string>} */
const TYPES = {
  integer: "a whole number",
  number: "a number",
  boolean: "yes or no",
  string: "text",
  array: "a list",
  object: "an object",
};
/** @param {number} number */
const amount = (number) => number.toLocaleString("en");

/** @type {Record<string, (value: any) => boolean>} */
const IS_TYPE = {
  integer: Number.isInteger,
  number: (value) => typeof value === "number" && Number.isFinite(value),
  boolean: (value) => typeof value === "boolean",
  string: (value) => typeof value === "string",
  array: Array.isArray,
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};

/**
 * Keyword of a schema → whether a value breaks it, and what it must be.
 * @type {Record<string, [isBroken: (limit: any, value: any) => boolean, words: (limit: any) => string]>}
 */
const CHECKS = {
  enum: [(all, value) => !all.includes(value), (all) => `one of ${all.join(", ")}`],
  minimum: [(least, value) => value < least, (least) => `at least ${amount(least)}`],
  exclusiveMinimum: [(above, value) => value <= above, (above) => `more than ${amount(above)}`],
  maximum: [(most, value) => value > most, (most) => `at most ${amount(most)}`],
  minLength: [(least, value) => value.length < least, () => "not empty"],
  maxLength: [(most, value) => value.length > most, (most) => `at most ${amount(most)} characters`],
  minItems: [(least, value) => value.length < least, (least) => `at least ${amount(least)}`],
  maxItems: [(most, value) => value.length > most, (most) => `at most ${amount(most)}`],
  pattern: [(pattern, value) => !new RegExp(pattern, "u").test(value), () => "a ref of a snapshot, like e5"],
};

/**
 * What `value` must be according to its schema, in the words of the panel's forms (core/catalogue/catalogue.py); empty
 * when it is.
 * @param {Record<string, any>} schema
 * @param {any} value
 * @returns {string}
 */
export function problemOf(schema, value) {
  if (schema.type && !IS_TYPE[schema.type](value)) return TYPES[schema.type];
  for (const [keyword, [isBroken, words]] of Object.entries(CHECKS))
    if (keyword in schema && isBroken(schema[keyword], value)) return words(schema[keyword]);
  if (schema.items)
    return inside(
      value.map((/** @type {any} */ item, /** @type {number} */ index) => [`item ${index + 1}`, schema.items, item]),
    );
  if (schema.type !== "object") return "";
  const { properties = {}, required = [], additionalProperties } = schema;
  const missing = required.find((/** @type {string} */ name) => !(name in value));
  if (missing) return `complete: ${missing} is missing`;
  const unknown = additionalProperties === false && Object.keys(value).find((name) => !(name in properties));
  if (unknown) return `without ${unknown}, which is unknown`;
  return inside(
    Object.keys(value)
      .filter((name) => name in properties)
      .map((name) => [name, properties[name], value[name]]),
  );
}

/**
 * @param {[name: string, schema: Record<string, any>, value: any][]} parts
 * @returns {string}
 */
function inside(parts) {
  for (const [name, schema, value] of parts) {
    const problem = problemOf(schema, value);
    if (problem) return `${problem} (${name})`;
  }
  return "";
}
