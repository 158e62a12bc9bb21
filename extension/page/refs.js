// Refs: what a snapshot calls an element, and the element again.

const refNumbers = new WeakMap();
const refElements = new Map();
let nextRef = 1;
/** The first ref of this document: smaller ones belonged to pages the tab has left. */
let firstRef = null;

/** Continue the tab's numbering: a document starts where the one before ended. */
const startRefs = (from) => {
  nextRef = Math.max(nextRef, from);
  firstRef ??= nextRef;
};

const refOf = (element, role, name) => {
  let number = refNumbers.get(element);
  if (!number) {
    number = nextRef++;
    refNumbers.set(element, number);
  }
  refElements.set(number, { element: new WeakRef(element), role, name });
  return `e${number}`;
};

const byRef = (ref) => {
  const number = Number(ref.slice(1));
  const known = refElements.get(number);
  const element = known?.element.deref();
  if (!known) {
    const gone = firstRef === null || number < firstRef;
    throw new Failure("STALE_REF", `${ref} ${gone ? "belongs to a page the tab has left" : "was never given out in this page"}; take a new snapshot`);
  }
  if (!element || !isConnected(element))
    throw new Failure("STALE_REF", `${ref} (${known.role} ${JSON.stringify(known.name)}) is no longer in the page; take a new snapshot`);
  const role = roleOf(element);
  const name = nameOf(element);
  if (role !== known.role || name !== known.name)
    throw new Failure("STALE_REF", `${ref} was ${known.role} ${JSON.stringify(known.name)} and is now ${role || tag(element)} ${JSON.stringify(name)}; take a new snapshot`);
  return element;
};
