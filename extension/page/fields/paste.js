// Handing an editor a text at once, as a paste does: what is typed into it, it may indent, complete and pair.

import { callOn, listen, ownerDocumentView, unlisten } from "../dom.js";
import { innermostActive } from "../focus.js";

/** @returns whether what has the focus took it; where nothing of a page minds pastes, it is the browser's to do */
export const paste = (text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true, composed: true });
  const active = innermostActive();
  if (!active) return false;
  const view = ownerDocumentView(active);
  let arrived = false;
  const onPaste = () => (arrived = true);
  listen(view, "paste", onPaste);
  callOn(active, "dispatchEvent", event);
  unlisten(view, "paste", onPaste);
  return event.defaultPrevented || !arrived;
};
