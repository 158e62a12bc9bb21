/**
 * A `deepSerializedValue` of CDP (the WebDriver BiDi form) as plain JSON. Chrome serialises it outside the
 * page's reach, so cycles, nodes and tampered prototypes do no harm.
 */
export function plain(value) {
  const convert = CONVERTERS[value.type];
  return convert ? convert(value) : `[${value.type}]`;
}

const CONVERTERS = {
  undefined: () => null,
  null: () => null,
  string: ({ value }) => value,
  number: ({ value }) => value, // "NaN", "Infinity" and "-0" come as strings and stay them
  boolean: ({ value }) => value,
  bigint: ({ value }) => `${value}n`,
  date: ({ value }) => value,
  regexp: ({ value }) => `/${value.pattern}/${value.flags ?? ""}`,
  symbol: () => "[symbol]",
  function: () => "[function]",
  array: list,
  set: list,
  nodelist: list,
  htmlcollection: list,
  object: pairs,
  map: pairs,
  node: ({ value }) => node(value),
};

function list({ type, value }) {
  return value ? value.map(plain) : `[${type}]`;
}

function pairs({ type, value }) {
  if (!value) return `[${type}]`;
  return Object.fromEntries(value.map(([key, item]) => [typeof key === "string" ? key : String(plain(key)), plain(item)]));
}

function node({ nodeType, localName, attributes, nodeValue } = {}) {
  if (nodeType === 9) return "[document]";
  if (nodeType === 3 || nodeType === 8) return nodeValue;
  const shown = Object.entries(attributes ?? {}).map(([name, text]) => ` ${name}="${text}"`);
  return `<${localName ?? "node"}${shown.join("")}>`;
}
