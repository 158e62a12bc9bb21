// Whether an action changed the page: mutations, input and scroll between `observe` and `settled`. The first ends the
// watching; from `settled` on it is watched again, for a dialog that opens by itself: behind one nothing can be begun.

let observation = null;

const observe = () => {
  driven();
  stopObserving();
  const state = { changed: false };
  const note = () => {
    state.changed = true;
    state.stop();
  };
  const observer = new MutationObserver(note);
  const kinds = ["input", "change", "scroll", "toggle"];
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  for (const kind of kinds) listen(document, kind, note, { capture: true, passive: true });
  state.pending = () => observer.takeRecords().length > 0;
  state.watch = (element) => {
    const root = rootOf(element);
    if (root !== document) observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  };
  state.stop = () => {
    observer.disconnect();
    for (const kind of kinds) unlisten(document, kind, note, { capture: true });
  };
  observation = state;
};

const stopObserving = () => {
  observation?.stop();
  observation = null;
};

/** What changed so far; of a document nobody watched it cannot be said that nothing did. */
const observed = () => {
  const changed = observation ? observation.pending() || observation.changed : true;
  observe();
  return { changed, ...state() };
};

/** What changed up to the next frame. */
const settled = async () => {
  await frame();
  return observed();
};

const state = () => ({ url: document.location.href, title: documentTitle(document) });

/** The next frame; a page that draws none (hidden, minimised) is not waited for beyond the deadline. */
const FRAME_DEADLINE_MS = 250;
const frame = () =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, FRAME_DEADLINE_MS);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      resolve();
    });
  });
