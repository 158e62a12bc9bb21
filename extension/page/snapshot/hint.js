// A word on what shows nothing but a picture, or is an unnamed field: what its author called it.

import { attribute, hrefOf, queryAll, tag } from "../dom.js";
import { looksMade } from "../path.js";
import { clipped, squeeze } from "../text.js";

const MAX_HINT = 40;
const NAMING =
  "data-icon data-lucide data-feather data-title data-tooltip data-placeholder data-name data-color data-action icon name".split(
    " ",
  );
const ICON_CLASS =
  /^(?:fa|fas|far|fab|bi|mdi|ti|ri|lucide|feather|octicon|codicon|glyphicon|icofont|icon|ico)-(?=[a-z])/i;
/** Words of icon classes that say how it looks, not what it is. */
const HOW = /^(?:fw|lg|sm|xs|xl|\dx|spin|pulse|solid|regular|outline)$/i;

/** @returns {string} "" where nothing says anything */
export const hintOf = (element) => {
  const within = [element, ...[...queryAll(element, "*")].slice(0, 12)];
  for (const read of [titleOf, dataOf, fragmentOf, iconOf, fileOf])
    for (const one of within) {
      const hint = squeeze(read(one) ?? "");
      if (hint) return clipped(hint, MAX_HINT);
    }
  return clipped(ownWords(element), MAX_HINT);
};

const titleOf = (element) => attribute(element, "title") ?? (tag(element) === "img" ? attribute(element, "alt") : null);

const dataOf = (element) => NAMING.map((name) => attribute(element, name)).find(Boolean);

/** <use href="#trash">: the picture in a sheet of pictures. */
const fragmentOf = (element) => (tag(element) === "use" ? hrefOf(element)?.split("#").at(-1) : undefined);

const classesOf = (element) =>
  (attribute(element, "class") ?? "").split(/\s+/).filter((name) => name && !looksMade(name));

const iconOf = (element) =>
  classesOf(element)
    .filter((name) => ICON_CLASS.test(name))
    .map((name) => name.replace(ICON_CLASS, ""))
    .find((name) => !HOW.test(name));

/** The last part of a picture's address, or of where it leads. */
const fileOf = (element) => {
  const address = tag(element) === "img" ? attribute(element, "src") : hrefOf(element);
  if (!address || /^(?:data|blob|javascript):/i.test(address)) return undefined;
  return address.split(/[?#]/)[0].replace(/\/$/, "").split("/").at(-1);
};

/** Classes that say what kind of thing it is, not which one. */
const KIND = /^(?:btn|button|link|nav-link|ic|icon|item|input|field|form-control|form-select)(?:-|$)/i;

/** Its own classes, its id or a test's name for it, where a person wrote them. */
const ownWords = (element) => {
  const classes = classesOf(element).slice(0, 2);
  const names = ["id", "data-testid", "data-test"].map((name) => attribute(element, name));
  const named = names.find((word) => word && !looksMade(word));
  return (classes.every((name) => KIND.test(name)) && named) || classes.join(" ");
};
