// Dropping files on an element: whether the page takes them, and what got them.

import { inWords, listen, ownerDocumentView, rectOf, unlisten } from "./dom.js";
import { takeMade } from "./files.js";
import { hitAt } from "./hit_test.js";

/** The last that was dragged over the page. @type {DragEvent|null} */
let over = null;
/** What got the drop, in words. @type {string|null} */
let dropped = null;
/** @type {Window[]} */
let watched = [];

const onOver = (event) => (over = event);
const onDrop = (event) => (dropped ??= inWords(event.composedPath()[0]));

/** From now on drags over the document that a point of the top viewport lies in are looked at. @param {{x: number, y: number}} point */
export const watchDrop = ({ x, y }) => {
  stopWatching();
  over = dropped = null;
  const element = hitAt(x, y);
  watched = [element ? ownerDocumentView(element) : window];
  for (const view of watched) {
    listen(view, "dragover", onOver, true);
    listen(view, "drop", onDrop, true);
  }
};

const stopWatching = () => {
  for (const view of watched) {
    unlisten(view, "dragover", onOver, true);
    unlisten(view, "drop", onDrop, true);
  }
  watched = [];
};

/**
 * What became of it.
 * @param {boolean} isOver nothing more comes
 * @returns {{accepts: boolean, dropped: string|null}} `accepts`: the page wants what is dragged over it; `dropped`:
 *   what got it, in words
 */
export const dropSeen = (isOver) => {
  if (isOver) stopWatching();
  return { accepts: Boolean(over?.defaultPrevented), dropped };
};

/**
 * Drop the files made of pieces at a point of the top viewport, by events of ours: where the browser may read no files
 * by their paths there is no other way.
 * @param {{x: number, y: number}} point
 */
export const dropMade = ({ x, y }) => {
  const transfer = new DataTransfer();
  for (const file of takeMade()) transfer.items.add(file);
  transfer.effectAllowed = "all";
  const element = hitAt(x, y);
  if (!element) return { accepts: false, dropped: null };
  const { left, top, width, height } = rectOf(element);
  const fire = (kind) => {
    const event = new DragEvent(kind, {
      bubbles: true,
      cancelable: kind !== "dragleave",
      composed: true,
      dataTransfer: transfer,
      view: ownerDocumentView(element),
      clientX: left + width / 2,
      clientY: top + height / 2,
    });
    element.dispatchEvent(event);
    return event.defaultPrevented;
  };
  fire("dragenter");
  if (!fire("dragover")) {
    fire("dragleave");
    return { accepts: false, dropped: null };
  }
  fire("drop");
  return { accepts: true, dropped: inWords(element) };
};
