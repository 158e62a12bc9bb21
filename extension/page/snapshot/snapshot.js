// The page's structure as text, one line a node: - role "name" [ref=e5] [state] value=… offscreen

import { appearanceOf, inLine } from "./appearance.js";
import { INTERACTIVE, NAME_FROM_CONTENT, PLAIN, isRole } from "../aria.js";
import { areasOf } from "../boxes.js";
import { shadowRootOf } from "../closed_roots.js";
import {
  attribute,
  documentBody,
  documentElement,
  documentTitle,
  firstElementChild,
  frameDocument,
  hasAttribute,
  hasAttributes,
  hrefOf,
  isElement,
  isFrame,
  parentNode,
  tag,
  textContent,
} from "../dom.js";
import { wayInto } from "../doors.js";
import { isPressedByLabel } from "../faces.js";
import { Failure } from "../failure.js";
import { formatOf, optionsOf } from "../fields/field_hints.js";
import { isEditingHost } from "../fields/field_kinds.js";
import { SKIPPED, flatChildren } from "../flat_tree.js";
import { hintOf } from "./hint.js";
import { inViewport } from "../in_view.js";
import { find, isTarget } from "../lookup.js";
import { lookOf, remembered, remembering } from "../memo.js";
import { isLeaf, pressOf } from "../pressable.js";
import { keepPlaces, nextRef, refOf, startRefs } from "../refs/refs.js";
import { authorName, nameOf, roleOf, wordsOf } from "../role_and_name.js";
import { isSecret } from "../secrets.js";
import { valueOf, statesOf } from "../states.js";
import { MAX_NAME, clipped, squeeze } from "../text.js";
import { TextRun } from "./text_run.js";
import { pressedUnspoken } from "./unspoken.js";
import { isHidden } from "../visibility.js";

/** Roles whose name says what is inside: only further controls are told below them. */
const LEAVES = new Set([...NAME_FROM_CONTENT, "textbox", "searchbox", "spinbutton", "slider", "img"]);
/** Structure that is never a target: a ref would only cost. */
const WITHOUT_REF = new Set(["listitem", "row", "cell", "columnheader", "rowheader", "separator", "alert", "status"]);
const MAX_TEXT = 400;

/**
 * Walk the page.
 * @param {import("../lookup.js").Target} target what to walk instead of all
 * @param {{interactiveOnly?: boolean, maxDepth?: number, roles?: string[], look?: boolean, depth?: number, nodes?: boolean|string[]}} options
 *   `depth`: of the outermost nodes; `nodes`: also as objects, true or only if a line holds one of these texts
 * @returns {{lines: string[], nodes: object[]|null, doors: object[], nextRef: number, title: string, url: string}} `doors`
 *   lead into frames that cannot be read from here, whose nodes belong before the line `at`, at `depth`
 */
export const snapshot = (target, { nodes = false, ...options }, numbers) => {
  startRefs(numbers);
  const whole = !isTarget(target) && options.maxDepth === undefined;
  const walked = remembering(() => {
    const all = walkPage({ ...options, target });
    keepPlaces(whole);
    return all;
  });
  const found = [];
  const into = [];
  for (const node of walked) {
    if (node.frame) into.push({ ...wayInto(node.frame), at: found.length, depth: node.depth });
    else found.push(node);
  }
  const lines = found.map(lineOf);
  const asked = Array.isArray(nodes) ? lines.some((line) => nodes.some((sign) => line.includes(sign))) : nodes;
  return {
    lines,
    nodes: asked ? found.map(({ element: _, ...node }) => node) : null,
    doors: into,
    nextRef,
    title: documentTitle(document),
    url: document.location.href,
  };
};

/**
 * The nodes in the order of the page, each with its element.
 * @param {{interactiveOnly?: boolean, maxDepth?: number, roles?: string[], look?: boolean, depth?: number, target?: object}} options
 */
const walkPage = ({ interactiveOnly = false, maxDepth = Infinity, roles, look = false, depth = 0, target = {} }) => {
  const asked = roles ? new Set(roles.map((role) => role.toLowerCase())) : null;
  for (const role of asked ?? [])
    if (!isRole(role))
      throw new Failure(
        "INVALID_PARAMS",
        `roles: ${JSON.stringify(role)} is not a role`,
        "use such as button, link, textbox or heading",
      );
  const walk = { nodes: [], run: new TextRun(), interactiveOnly, maxDepth, roles: asked, look };
  const named = isTarget(target);
  const start = named ? find(target) : (documentBody(document) ?? documentElement(document));
  if (named) walkElement(walk, start, depth);
  else if (start) walkBody(walk, start, depth);
  return walk.nodes;
};

/** The body of a document is told where it is an editor. */
const walkBody = (walk, body, depth) => (isEditingHost(body) ? walkElement : walkChildren)(walk, body, depth);

const walkElement = (walk, element, depth) => {
  const name = tag(element);
  if (SKIPPED.has(name)) return;
  if (hasAttributes(element) && isTakenOut(element)) return walkUnspoken(walk, element, depth);
  const style = lookOf(element);
  if (style.display === "none" || style.contentVisibility === "hidden") return;
  const shown = style.visibility === "visible";
  const names = isToldAsName(element, name);
  const role = shown && !names ? roleOf(element) : "";
  const pressed = shown && !names && !INTERACTIVE.has(role) && pressOf(element) !== "";
  const named = role || pressed ? nameOf(element, role) : "";
  const called = pressed && isUncalled(element, role) ? "clickable" : role;
  const listed = pressed ? listsPressed(walk, called) : role !== "" && lists(walk, role, named);
  const start = walk.nodes.length;
  if (listed) {
    if (depth >= walk.maxDepth) return;
    const node = nodeOf(element, called, named, depth, { pressed });
    if (walk.look && (pressed || name === "canvas")) node.look = inLine(appearanceOf(element));
    walk.nodes.push(node);
  }
  const next = listed ? depth + 1 : depth;
  if (names) return walkNaming(walk, element, next, role);
  if (name === "img") walkAreas(walk, element, next);
  if (isFrame(element)) {
    const content = frameDocument(element);
    const body = content && documentBody(content);
    if (body) walkBody(walk, body, next);
    else if (!content && shown && next < walk.maxDepth) walk.nodes.push({ frame: element, depth: next });
    return;
  }
  if (role === "combobox" && name === "select") return;
  if (isSecret(element)) {
    // What it says is its value: its line has dots for that, and where it has none they stand alone.
    if (shown && !listed) walk.run.add(valueOf(element, role), style.style);
    tellText(walk, next);
    return walkInside(walk, element, next, called);
  }
  if (called === "clickable" && listed) {
    walkPressed(walk, element, next, start);
    if (walk.nodes[start]?.element === element) nameByWords(walk, walk.nodes[start], element);
    return;
  }
  if (role === "listitem" && !walk.interactiveOnly && !walk.roles) return walkItem(walk, element, depth);
  if (listed && LEAVES.has(role) && (named || role === "textbox")) walkInside(walk, element, next, role);
  else walkChildren(walk, element, next);
  if (listed && pressed) nameByWords(walk, walk.nodes[start], element);
};

/** Where the text in it is not told, what can be pressed is told by its words. */
const nameByWords = ({ interactiveOnly, roles }, node, element) => {
  if (node.name || node.hint || !(interactiveOnly || roles) || textContent(element).length > MAX_READ) return;
  node.name = clipped(wordsOf(element), MAX_WORDS);
};
const MAX_READ = 2000;
const MAX_WORDS = 80;

const isTakenOut = (element) => hasAttribute(element, "inert") || attribute(element, "aria-hidden") === "true";

/** What is hidden from screen readers alone can be pressed; nothing more of it is told. */
const walkUnspoken = (walk, element, depth) => {
  if (depth >= walk.maxDepth || hasAttribute(element, "inert")) return;
  for (const one of pressedUnspoken(element)) {
    const role = roleOf(one);
    const pressed = !INTERACTIVE.has(role);
    const called = pressed && isUncalled(one, role) ? "clickable" : role;
    const named = nameOf(one, role);
    if (pressed ? !listsPressed(walk, called) : !lists(walk, role, named)) continue;
    const node = nodeOf(one, called, named, depth, { pressed });
    if (walk.look && pressed) node.look = inLine(appearanceOf(one));
    walk.nodes.push(node);
  }
};

/** What names a control, a group or a table is told as their name, if that is told. */
const isToldAsName = (element, name) => {
  if (name === "label")
    return Boolean(element.control) && (isPressedByLabel(element.control) || isDrawn(element.control));
  if (name !== "legend" && name !== "caption") return false;
  const named = parentNode(element);
  return isElement(named) && nameOf(named).includes(wordsOf(element));
};

/** A label is told as its control, where that is not to be seen and the label is pressed for it. */
const walkNaming = (walk, element, depth, role) => {
  const control = tag(element) === "label" ? element.control : null;
  if (!control || !isPressedByLabel(control) || isDrawn(control)) return walkInside(walk, element, depth, role);
  const controlRole = roleOf(control);
  const named = nameOf(control, controlRole);
  if (lookOf(element).visibility !== "visible" || !lists(walk, controlRole, named)) return;
  if (depth < walk.maxDepth) walk.nodes.push(nodeOf(control, controlRole, named, depth, { seen: element }));
};

const isDrawn = (element) => Element.prototype.checkVisibility.call(element, { visibilityProperty: true });

/** The areas of an image are drawn by it, wherever they stand. */
const walkAreas = (walk, image, depth) => {
  if (!hasAttribute(image, "usemap") || depth >= walk.maxDepth) return;
  for (const area of areasOf(image)) {
    const role = roleOf(area);
    const named = nameOf(area, role);
    if (lists(walk, role, named)) walk.nodes.push(nodeOf(area, role, named, depth));
  }
};

/** An item of a list gets a line of its own when it holds more than one thing, or is in a state. */
const walkItem = (walk, element, depth) => {
  const start = walk.nodes.length;
  walkChildren(walk, element, depth + 1);
  const inside = walk.nodes.slice(start);
  const tops = inside.filter((node) => node.depth === depth + 1).length;
  const item = nodeOf(element, "listitem", "", depth);
  if (tops > 1 || item.states.length) walk.nodes.splice(start, 0, item);
  else for (const node of inside) node.depth -= 1;
};

/** Whether an element that can be pressed has no role worth a word. */
const isUncalled = (element, role) => role === "" || (PLAIN.has(role) && role !== "canvas" && !authorName(element));

const listsPressed = ({ roles }, called) => !roles || roles.has("clickable") || roles.has(called.toLowerCase());

/**
 * What is in something pressable. It has no line where it is only there for a control in it: for the one that says the
 * same, or as a component around its own.
 */
const walkPressed = (walk, element, depth, start) => {
  if (isLeaf(element)) return walkInside(walk, element, depth, "clickable");
  walkChildren(walk, element, depth);
  const [own, ...inside] = walk.nodes.slice(start);
  const controls = inside.filter(isControl);
  const isShell = tag(element).includes("-") && controls.length > 0;
  if (isShell || (controls.length === 1 && inside.length === 1 && controls[0].name === textIn(element))) {
    for (const node of inside) node.depth -= 1;
    walk.nodes.splice(start, 1);
  } else if (!own.name && inside.length && inside.every(({ role }) => role === "text")) {
    own.name = clipped(squeeze(inside.map(({ name }) => name).join(" ")), MAX_NAME);
    if (inside.every(({ name }) => own.name.includes(squeeze(name)))) walk.nodes.splice(start + 1);
  }
};
const isControl = ({ role, states }) => INTERACTIVE.has(role) || role === "clickable" || states?.includes("clickable");
const textIn = (element) => clipped(squeeze(textContent(element)), MAX_NAME);

const lists = ({ interactiveOnly, roles }, role, name) => {
  if (roles) return roles.has(role.toLowerCase());
  if (INTERACTIVE.has(role) || role === "heading") return true;
  if (interactiveOnly) return false;
  return name !== "" || !PLAIN.has(role);
};

/** Inside a leaf only further controls count: its text is already its name. */
const walkInside = (walk, element, depth, role) => {
  if (role === "textbox" && isEditingHost(element)) return;
  for (const node of flatChildren(element)) {
    if (!isElement(node)) continue;
    const inside = roleOf(node);
    if (INTERACTIVE.has(inside) || inside === "img" || inside === "heading" || isPressedIn(role, node))
      walkElement(walk, node, depth);
    else if (!isHidden(node)) walkInside(walk, node, depth, role);
  }
};

/** Of what is drawn in a control, the pointer's shape says nothing more, and a button is pressed as a whole. */
const isPressedIn = (role, node) =>
  !WHOLE.has(role) &&
  pressOf(node) !== "" &&
  (pressOf(node) === "handled" || !INTERACTIVE.has(role)) &&
  !isHidden(node);
const WHOLE = new Set(["button", "checkbox", "radio", "switch"]);

const walkChildren = (walk, element, depth) => {
  for (const node of flatChildren(element)) {
    if (!isElement(node) || isInlineText(node)) addText(walk.run, node, element);
    else {
      tellText(walk, depth);
      walkElement(walk, node, depth);
    }
  }
  tellText(walk, depth);
};

const tellText = (walk, depth) => {
  const text = walk.run.take();
  if (text && !walk.interactiveOnly && !walk.roles && depth < walk.maxDepth)
    walk.nodes.push({ role: "text", name: clipped(text, MAX_TEXT), depth });
};

/** Add what a node among the children of `holder` says in its line. */
const addText = (run, node, holder) => {
  if (!isElement(node)) {
    if (node.nodeType === 3 && lookOf(holder).visibility === "visible")
      run.add(textContent(node), lookOf(holder).style);
  } else if (tag(node) === "br") run.break();
  else if (!isHidden(node))
    if (!firstElementChild(node)) run.add(textContent(node), lookOf(node).style);
    else for (const inner of flatChildren(node)) addText(run, inner, node);
};

/** Inline markup without a role of its own, such as <b> or a bare <span>: part of the text around it. */
const isInlineText = (element) => {
  if (!firstElementChild(element)) return isInlineMarkup(element);
  return !BLOCKS.has(tag(element)) && remembered("inline", element, readInlineText);
};
const BLOCKS = new Set(
  "article aside div dl dt dd fieldset footer form header li main nav ol p pre section table tbody td th tr ul".split(
    " ",
  ),
);
const readInlineText = (element) =>
  isInlineMarkup(element) && flatChildren(element).every((node) => !isElement(node) || isInlineText(node));
const isInlineMarkup = (element) =>
  tag(element) === "br" ||
  (lookOf(element).display === "inline" &&
    !shadowRootOf(element) &&
    !/^(slot|label)$/.test(tag(element)) &&
    !SKIPPED.has(tag(element)) &&
    isPlainInline(roleOf(element)) &&
    pressOf(element) === "" &&
    !isSecret(element));
const isPlainInline = (role) => role === "" || (PLAIN.has(role) && !/^(canvas|video|audio)$/.test(role));

/**
 * {role, name, depth} and, where they say something, ref, states, value, format, options, url, hint, offscreen; `seen` is
 * what is seen of it.
 */
const nodeOf = (element, role, name, depth, { pressed = false, seen = element } = {}) => {
  const node = { element, role, name: clipped(name, MAX_NAME), depth };
  if (pressed || !WITHOUT_REF.has(role)) {
    node.ref = refOf(element, role === "clickable" ? roleOf(element) : role, name);
    node.offscreen = !inViewport(seen);
  }
  node.states = statesOf(element, role);
  if (pressed && role !== "clickable") node.states.push("clickable");
  const value = valueOf(element, role);
  if (value) node.value = clipped(value, MAX_NAME);
  const format = formatOf(element);
  if (format) node.format = format;
  const options = optionsOf(element);
  if (options) node.options = options;
  const url = ADDRESSED.get(role)?.(element);
  if (url && !/^javascript:/i.test(url)) node.url = clipped(inOneWord(url), MAX_NAME);
  if (!name && !node.url && (HINTED.has(role) || (pressed && PICTURED.has(role) && isLeaf(element)))) {
    const hint = hintOf(element);
    if (hint) node.hint = hint;
  }
  return node;
};

/** Controls that have nothing but a name to tell them by. */
const HINTED = new Set(
  "button link menuitem option tab treeitem textbox searchbox combobox listbox checkbox radio switch slider spinbutton".split(
    " ",
  ),
);
const PICTURED = new Set(["canvas", "clickable", "img"]);

/** Roles that lead somewhere, and what says where. */
const ADDRESSED = new Map([
  ["link", hrefOf],
  ["embed", (element) => attribute(element, "src")],
  ["object", (element) => attribute(element, "data")],
]);

/** An address as the browser reads it: line ends dropped, blanks escaped, so it cannot pass for more of the line. */
const inOneWord = (url) =>
  url
    .replace(/[\t\n\r]/g, "")
    .trim()
    .replace(/\s/g, "%20");

/** Whether an address tells more than the line without it: not a place in this page, nor what the name says. */
const tellsMore = (url, name) => !url.startsWith("#") && withoutScheme(url) !== withoutScheme(name);
const withoutScheme = (url) => url.replace(/^(?:https?:\/\/|mailto:|tel:)/i, "").replace(/\/$/, "");

const lineOf = ({ role, name, depth, ref, states = [], value, format, options, url, hint, look, offscreen }) => {
  const start = `${" ".repeat(depth)}- ${role}`;
  // Lines and indentation are told as JSON tells them.
  if (role === "text") return `${start}: ${name === squeeze(name) ? name : JSON.stringify(name)}`;
  const parts = [start];
  if (name) parts.push(JSON.stringify(name));
  if (ref) parts.push(`[ref=${ref}]`);
  parts.push(...states.map((state) => `[${state}]`));
  if (value) parts.push(`value=${JSON.stringify(value)}`);
  if (format) parts.push(`format=${JSON.stringify(format)}`);
  if (options) {
    const more = options.count > options.texts.length ? ` … ${options.count} in all` : "";
    parts.push(`options=${options.texts.map((text) => JSON.stringify(text)).join(" ")}${more}`);
  }
  if (url && tellsMore(url, name)) parts.push(`url=${url}`);
  if (hint) parts.push(`hint=${JSON.stringify(hint)}`);
  if (look) parts.push(look);
  if (offscreen) parts.push("offscreen");
  return parts.join(" ");
};
