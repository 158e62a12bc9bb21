import { element } from "./element.js";

/** So many entries of a list are made at once. */
const PAGE = 200;

/**
 * A JSON value as lines that open and close; what is closed is not made.
 * @param {any} value
 */
export function jsonTree(value) {
  return element("div.tree.mono", {}, ...entriesOf(value).map(([name, part]) => node(name, part, 0)));
}

/** @param {any} value */
const isBranch = (value) => typeof value === "object" && value !== null && entriesOf(value).length > 0;

/**
 * @param {any} value
 * @returns {[string, any][]}
 */
function entriesOf(value) {
  return typeof value === "object" && value !== null ? Object.entries(value) : [["value", value]];
}

/**
 * @param {string} name
 * @param {any} value
 * @param {number} depth
 */
function node(name, value, depth) {
  const key = element("span.key", {}, name);
  if (!isBranch(value)) return element("div.leaf", {}, key, leaf(value));
  const count = element("span.secondary", {}, Array.isArray(value) ? ` [${value.length}]` : " {…}");
  const branch = element("details", {}, element("summary", {}, key, count));
  const fill = () => {
    if (branch.open && branch.children.length === 1) more(branch, entriesOf(value), 0, depth);
  };
  branch.addEventListener("toggle", fill);
  branch.open = depth < 2;
  fill();
  return branch;
}

/**
 * @param {HTMLDetailsElement} branch
 * @param {[string, any][]} entries
 * @param {number} from
 * @param {number} depth
 */
function more(branch, entries, from, depth) {
  branch.append(...entries.slice(from, from + PAGE).map(([name, part]) => node(name, part, depth + 1)));
  const left = entries.length - from - PAGE;
  if (left <= 0) return;
  const button = element(
    "button.flat",
    { type: "button", on: { click: () => (button.remove(), more(branch, entries, from + PAGE, depth)) } },
    `${left} more`,
  );
  branch.append(button);
}

/** @param {any} value */
function leaf(value) {
  const kind = value === null ? "null" : typeof value;
  return element(
    `span.${kind === "object" ? "null" : kind}`,
    {},
    kind === "string" ? JSON.stringify(value) : Array.isArray(value) ? "[]" : kind === "object" ? "{}" : String(value),
  );
}
