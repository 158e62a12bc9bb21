// Which elements could be what a ref meant that is stale.

import { isElement, queryAll } from "../dom.js";
import { openRoots } from "../flat_tree.js";
import { meantBy, newRefOf, whereIs } from "./refs.js";
import { nameOf, roleOf } from "../role_and_name.js";
import { MAX_NAME, clipped } from "../text.js";
import { isShown } from "../visibility.js";

const MAX_CANDIDATES = 5;

/**
 * The elements of the same role and name that can be seen, else the ref's own as it is now; each gets a ref.
 * @param {{ref: string}} params
 * @returns {{count: number, candidates: {ref: string, role: string, name: string, where: string}[]}}
 */
export const likeRef = ({ ref }) => {
  const meant = meantBy(ref);
  if (!meant) return { count: 0, candidates: [] };
  const { role, name, element } = meant;
  const like = [document, ...openRoots(document)]
    .flatMap((root) => [...queryAll(root, "*")])
    .filter((one) => isElement(one) && roleOf(one) === role && nameOf(one) === name && isShown(one));
  const found = like.length ? like : [element].filter((own) => own && isShown(own));
  return { count: found.length, candidates: found.slice(0, MAX_CANDIDATES).map(candidate) };
};

const candidate = (element) => {
  const role = roleOf(element);
  const name = nameOf(element);
  return {
    ref: newRefOf(element, role, name),
    role: role || "generic",
    name: clipped(name, MAX_NAME),
    where: whereIs(element),
  };
};
