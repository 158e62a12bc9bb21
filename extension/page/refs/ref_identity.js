// Whether an element still is what its ref was told as, and stands where it stood.

import { tag } from "../dom.js";
import { isProxy } from "../fields/editors.js";
import { isEditable } from "../fields/field_kinds.js";
import { Failure } from "../failure.js";
import { remembering } from "../memo.js";
import { isShort } from "./ref_captions.js";
import { headOf, upFrom } from "./ref_places.js";
import { otherSurroundings, surroundingsMemory, surroundingsOf } from "./ref_surroundings.js";
import { nameOf, roleOf } from "../role_and_name.js";
import { MAX_NAME, clipped } from "../text.js";

export const newMemory = () => ({ spots: new Map(), beside: new Map(), views: new Map(), ...surroundingsMemory() });

/** One of several that is told by a row within the many needs no words above them. */
export const surroundingsBy = ({ name, place: { scope } }, element, memory) => {
  const surroundings = surroundingsOf(element, name, memory);
  const { caption } = surroundings;
  return caption && scope && scope.levels < caption.levels && !isShort(scope.head)
    ? { ...surroundings, caption: null }
    : surroundings;
};

/** An element that never left the page, if it still is about the same thing. */
export const stillItself = ({ ref, known, element, again }) => {
  const role = roleOf(element);
  const name = nameOf(element);
  const isSame = role === known.role && (name === known.name || isEditorOf(element, name, known.name));
  if (!isSame)
    throw stale(
      known,
      `${ref} was ${known.role} ${JSON.stringify(known.name)} and is now ${role || tag(element)} ${JSON.stringify(name)}`,
    );
  // Around a field nobody sees stands what is written through it.
  if (isProxy(element)) return element;
  demandSameRow(ref, known, element);
  remembering(() => demandSameSurroundings({ ref, known, element, again }));
  return element;
};

/** Editors tell in the name of the field they type through where the caret is, others what to write, till that is done. */
const isEditorOf = (element, name, before) => isProxy(element) || (isEditable(element) && (!name || !before));

/** `details` let the extension ask which elements could be it now. */
export const stale = ({ role, name }, why) =>
  new Failure("STALE_REF", `${why}`, "take a new snapshot", { was: { role, name: clipped(name, MAX_NAME) } });

/** One of several like elements is told by its row; a list that shows fewer rows than it has puts others into them. */
const demandSameRow = (ref, { place: kept, role, name }, element) => {
  if (!kept?.scope?.head) return;
  const scope = upFrom(element, kept.scope.levels);
  const head = scope ? headOf(scope, element) : "";
  if (head !== kept.scope.head)
    throw stale(
      { role, name },
      `${ref} was ${role} ${JSON.stringify(name)} at ${JSON.stringify(kept.scope.head)} and is now at ${JSON.stringify(head)}`,
    );
};

/** A name like "15" or "Delete" is about what stands around it: another month, another dialog, another order. */
const demandSameSurroundings = ({ ref, known, element, again }) => {
  const kept = known.place?.surroundings;
  if (!kept) return;
  const now = surroundingsBy(known, element, newMemory());
  const other = otherSurroundings(kept, now, { told: isTold(known), again });
  if (!other) {
    if (again) known.place.surroundings = now;
    return;
  }
  const { role, name } = known;
  throw stale(
    known,
    `${ref} was ${role} ${JSON.stringify(name)} under ${JSON.stringify(other.was)} and is now under ${JSON.stringify(other.is)}`,
  );
};

/** Things that are ticked one after the other, while a heading above them counts. */
const TICKED = new Set(["checkbox", "menuitemcheckbox", "option", "switch", "treeitem"]);
export const isTold = ({ role, name, place: { scope } }) =>
  scope ? !isShort(scope.head) : TICKED.has(role) && !isShort(name);
