// When the mouse or a key was last pressed in this document, by a person or for an agent.

import { listen } from "./dom.js";

/** @type {number|null} */
let pressedAt = null;

/** From now on it is noted. */
export const watchInput = () => {
  const note = (event) => event.isTrusted && (pressedAt = Date.now());
  for (const kind of ["pointerdown", "keydown"]) listen(window, kind, note, { capture: true, passive: true });
};

/** @returns {number|null} as `Date.now()` has it, or null when nothing has been pressed here */
export const lastInput = () => pressedAt;
