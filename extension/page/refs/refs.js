// Refs: what a snapshot calls an element, and the element again, also after the page has made it again.

import { isConnected, ownerDocument } from "../dom.js";
import { Failure } from "../failure.js";
import { remembering } from "../memo.js";
import { isShort } from "./ref_captions.js";
import { isTold, newMemory, stale, stillItself, surroundingsBy } from "./ref_identity.js";
import {
  atSpot,
  contentOf,
  likeElements,
  ownMarks,
  saysTheSame,
  scopesOf,
  spotOf,
  textBeside,
  upFrom,
  viewOf,
} from "./ref_places.js";
import { inSurroundings, otherSurroundings, surroundingsOf } from "./ref_surroundings.js";
import { nameOf, roleOf } from "../role_and_name.js";

const refNumbers = new WeakMap();
const refElements = new Map();
/** Of what is gone, and was not listed in any of so many looks, the number alone is kept. */
const KEPT_LOOKS = 50;
const forgotten = new Set();
export let nextRef = 1;
/** The first ref of this document: smaller ones belonged to pages the tab has left. */
let firstRef = /** @type {number|null} */ (null);
/** Counts the looks at the page that gave refs; `given` are the elements of the present one, each with what is known of it. */
let look = 0;
let given = new Map();
/** The ref that was used last: to press "Next" again is meant, whatever the first press led to. */
let lastUsed = /** @type {number|null} */ (null);

/** Something else was used. */
export const forgetLastUsed = () => {
  lastUsed = null;
};

/**
 * Continue the tab's numbering: a document starts where the one before ended.
 * @param {{from, accepted}} numbers the next one, and the one after the last the extension got of this document
 */
export const startRefs = ({ from, accepted }) => {
  // Numbers whose answer never arrived may have gone to another frame meanwhile.
  if (nextRef > accepted) for (const number of refElements.keys()) if (number >= accepted) refElements.delete(number);
  nextRef = Math.max(nextRef, from);
  firstRef ??= nextRef;
  look += 1;
  given = new Map();
  for (const [number, { element, last }] of refElements)
    if (last < look - KEPT_LOOKS && !element.deref()) {
      refElements.delete(number);
      forgotten.add(number);
    }
};

export const refOf = (element, role, name) => {
  let number = refNumbers.get(element);
  if (!number || !refElements.has(number)) {
    number = nextRef++;
    refNumbers.set(element, number);
  }
  let known = refElements.get(number);
  if (known?.element.deref() !== element)
    refElements.set(
      number,
      (known = { element: new WeakRef(element), role, name, first: known?.first ?? look, last: look, place: null }),
    );
  known.role = role;
  known.name = name;
  known.last = look;
  given.set(element, known);
  return `e${number}`;
};

/** The same for an element that may be about something else than when it was told: then under another number. */
export const newRefOf = (element, role, name) => {
  const number = refNumbers.get(element);
  const known = refElements.get(number);
  if (known?.element.deref() === element) {
    try {
      stillItself({ ref: `e${number}`, known, element, again: false });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      refNumbers.delete(element);
    }
  }
  return refOf(element, role, name);
};

/**
 * Remember where the elements of this look stand, to find them again when the page has put others in their place.
 * @param whole every element of the roles that were asked for was listed, so a name listed once is there once
 */
export const keepPlaces = (whole) => {
  const memory = { ...newMemory(), sameTag: new Map() };
  const groups = whole
    ? Map.groupBy(given.keys(), (element) => `${given.get(element).role} ${given.get(element).name}`).values()
    : new Set([...given.keys()].map((element) => likeElements(element, memory)));
  for (const group of groups) {
    const scopes = group.length > 1 ? scopesOf(group) : null;
    for (const [index, element] of group.entries()) {
      const known = given.get(element);
      if (!known) continue;
      known.place = { spot: spotOf(element, memory), own: ownMarks(element), view: viewOf(element, memory) };
      if (scopes) known.place.scope = scopes[index];
      else known.place.beside = textBeside(element, memory);
      known.place.surroundings = surroundingsBy(known, element, memory);
    }
  }
  given = new Map();
};

/** Whether this document gave out a ref. */
export const knowsRef = (ref) => refElements.has(Number(ref.slice(1))) || forgotten.has(Number(ref.slice(1)));

export const byRef = (ref) => {
  const number = Number(ref.slice(1));
  const known = refElements.get(number);
  if (!known) throw new Failure("STALE_REF", `${ref} ${whyUnknown(number)}`, "take a new snapshot");
  const again = lastUsed === number && !isShort(known.name);
  const now = known.element.deref();
  const element =
    now && isConnected(now)
      ? stillItself({ ref, known, element: now, again })
      : remembering(() => madeAnew({ ref, number, known, again }));
  lastUsed = number;
  return element;
};

const whyUnknown = (number) => {
  if (forgotten.has(number)) return "is no longer in the page";
  const isLeft = firstRef === null || number < firstRef;
  return isLeft ? "belongs to a page the tab has left" : "was never given out in this page";
};

/** The one element that now is what the ref's was, and where it was: the ref moves to it. */
const madeAnew = ({ ref, number, known, again }) => {
  const found = candidatesFor(known, again);
  if (found.length !== 1) {
    const why = found.length ? `, and ${found.length} elements could be it now` : "";
    const where = inSurroundings(known.place?.surroundings);
    throw stale(
      known,
      `${ref} (${known.role} ${JSON.stringify(known.name)}${where && ` under ${JSON.stringify(where)}`}) is no longer in the page${why}`,
    );
  }
  const [element] = found;
  known.element = new WeakRef(element);
  if (again && known.place.surroundings) known.place.surroundings = surroundingsBy(known, element, newMemory());
  if (!refNumbers.has(element)) refNumbers.set(element, number);
  return element;
};

const candidatesFor = (known, again) => {
  const { place: kept, role, name, last } = known;
  const root = kept?.view.document.deref();
  if (!root || kept.scope?.twin) return [];
  const memory = newMemory();
  const told = isTold(known);
  return atSpot(kept.spot).filter((element) => {
    if (
      ownerDocument(element) !== root ||
      viewOf(element, memory).path !== kept.view.path ||
      ownMarks(element) !== kept.own
    )
      return false;
    // What was listed beside the old one cannot have come in its place.
    if ((refElements.get(refNumbers.get(element))?.first ?? Infinity) <= last) return false;
    if (roleOf(element) !== role || nameOf(element) !== name) return false;
    if (otherSurroundings(kept.surroundings, surroundingsBy(known, element, memory), { told, again })) return false;
    if (!kept.scope) return again || textBeside(element, memory) === kept.beside;
    const scope = upFrom(element, kept.scope.levels);
    return scope !== null && saysTheSame(contentOf(scope, element), kept.scope);
  });
};

/** What a ref meant, and its element while that is in the page; null for one this document did not give. */
export const meantBy = (ref) => {
  const known = refElements.get(Number(ref.slice(1)));
  if (!known) return null;
  const element = known.element.deref();
  return { role: known.role, name: known.name, element: element && isConnected(element) ? element : null };
};

/** Where a reader sees an element, in words. */
export const whereIs = (element) => inSurroundings(surroundingsOf(element, nameOf(element), newMemory()));
