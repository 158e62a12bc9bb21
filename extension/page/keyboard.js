// Where keys go, through frames of another origin too.

import { listen, unlisten } from "./dom.js";
import { Crossing, doorElement, isDoor, wayInto } from "./doors.js";
import { Failure } from "./failure.js";
import { focusInWords, hasFocus, innermostActive } from "./focus.js";
import { watchKeys, watchTarget } from "./observe.js";

/** How long the browser may take to tell a document that the focus went into a frame of it. */
const FOCUS_DEADLINE_MS = 1000;

/** Resolves once the focus is in the frame: the browser hands it over between processes. */
export const focusArrived = (number) =>
  new Promise((resolve, reject) => {
    const frame = doorElement(number);
    const end = (settle, ...outcome) => {
      clearTimeout(timer);
      for (const kind of ["focus", "focusin"]) unlisten(document, kind, look, true);
      removeEventListener("blur", look);
      settle(...outcome);
    };
    const look = () => frame && hasFocus(frame) && end(resolve);
    const timer = setTimeout(
      end,
      FOCUS_DEADLINE_MS,
      reject,
      new Failure(
        "ELEMENT_NOT_VISIBLE",
        "the frame does not take the focus, so nothing was typed",
        "choose a field in it",
      ),
    );
    for (const kind of ["focus", "focusin"]) listen(document, kind, look, true);
    addEventListener("blur", look);
    look();
  });

/** What has the focus beside a frame, in words, or null when it is in the frame. */
export const focusBeside = (number) => {
  const frame = doorElement(number);
  return frame && hasFocus(frame) ? null : focusInWords();
};

/** The innermost element that has the focus. */
export const focused = () => {
  const active = innermostActive();
  if (active && isDoor(active)) throw new Crossing([wayInto(active)]);
  return active;
};

/** Whatever the keyboard goes to is watched for changes, in whichever frame it is. */
export const watchFocus = () => {
  const active = focused();
  if (active) watchTarget(active);
  watchKeys(active);
  return active;
};
