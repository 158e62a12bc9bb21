// Waiting by observation: a condition is looked at when the page changed, never on a clock.

let waiting = null;

const CHANGES = { subtree: true, childList: true, attributes: true, characterData: true };

/** Resolves when the target or text is in the wanted state. */
const waitFor = (condition) => {
  stopWaiting();
  const holds = condition.text === undefined ? () => elementIs(condition.target, condition.state) : () => textIs(condition.text, condition.state);
  return new Promise((resolve, reject) => {
    const observer = new MutationObserver(() => look());
    const stop = () => {
      observer.disconnect();
      for (const kind of ["transitionend", "animationend", "load", "toggle"]) document.removeEventListener(kind, look, true);
      waiting = null;
    };
    const look = () => {
      try {
        const found = holds();
        if (found === null) return;
        stop();
        resolve(found);
      } catch (error) {
        stop();
        reject(error);
      }
    };
    waiting = stop;
    observer.observe(document, CHANGES);
    for (const root of openRoots(document)) observer.observe(root, CHANGES);
    for (const kind of ["transitionend", "animationend", "load", "toggle"]) document.addEventListener(kind, look, true);
    look();
  });
};

const stopWaiting = () => waiting?.();

const openRoots = (root) =>
  [...queryAll(root, "*")].flatMap((element) => {
    const inside = inner(element);
    return inside ? [inside, ...openRoots(inside)] : [];
  });

const elementIs = (target, state) => {
  let element = null;
  try {
    element = find(target);
  } catch (error) {
    if (!["ELEMENT_NOT_FOUND", "STALE_REF"].includes(error.code)) throw error;
  }
  const visible = element !== null && element.checkVisibility({ visibilityProperty: true }) && rectOf(element).width > 0 && rectOf(element).height > 0;
  const holds = { attached: element !== null, visible, hidden: !visible }[state];
  return holds ? { found: element === null ? null : inWords(element) } : null;
};

const textIs = (text, state) => {
  const wanted = squeeze(text).toLowerCase();
  const shown = state === "attached" ? textContent(documentElement(document)) : visibleText();
  const there = squeeze(shown ?? "").toLowerCase().includes(wanted);
  return there === (state !== "hidden") ? { text } : null;
};

const visibleText = () => [document, ...openRoots(document)].map((root) => (root.body ?? root.firstElementChild)?.innerText ?? "").join("\n");
