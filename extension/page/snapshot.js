// The page's structure as text, one line a node: - role "name" [ref=e5] [state] value=… offscreen

const INTERACTIVE = new Set(
  `button checkbox combobox link listbox menuitem menuitemcheckbox menuitemradio option radio searchbox slider
   spinbutton switch tab textbox treeitem gridcell scrollbar doc-backlink doc-noteref colorpicker datepicker
   datetimepicker timepicker`.split(/\s+/),
);
/** Roles whose name says what is inside: only further controls are told below them. */
const LEAVES = new Set([...NAME_FROM_CONTENT, "textbox", "searchbox", "spinbutton", "slider", "img"]);
/** Structure that is never a target: a ref would only cost. */
const WITHOUT_REF = new Set(["listitem", "row", "cell", "columnheader", "rowheader", "separator", "alert", "status"]);
/** Roles that add nothing for a reader when they have no name. */
const PLAIN = new Set(
  `alert audio blockquote canvas caption code definition deletion document emphasis figcaption figure group insertion
   label legend list listitem mark math paragraph rowgroup status strong subscript superscript term time
   video`.split(/\s+/),
);
const SKIPPED = new Set(["script", "style", "noscript", "template", "head", "meta", "link", "title", "datalist"]);
const MAX_NAME = 200;
const MAX_TEXT = 400;

/**
 * Walk the page.
 * @param options {interactiveOnly, maxDepth, roles, depth: of the outermost nodes, nodes: also as objects, true or
 *   only if a line holds one of these texts}
 * @returns {{lines: string[], nodes: object[]|null, doors: object[], nextRef: number, title, url}}: `doors` lead into
 *   frames that cannot be read from here, whose nodes belong before the line `at`, at `depth`
 */
const snapshot = (target, { nodes = false, ...options }, numbers) => {
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
    doors: into, nextRef, title: documentTitle(document), url: document.location.href,
  };
};

/** The nodes in the order of the page, each with its element. */
const walkPage = ({ interactiveOnly = false, maxDepth = Infinity, roles, depth = 0, target = {} }) => {
  const asked = roles ? new Set(roles.map((role) => role.toLowerCase())) : null;
  for (const role of asked ?? [])
    if (!isRole(role))
      throw new Failure("INVALID_PARAMS", `roles: ${JSON.stringify(role)} is no role; use such as button, link, textbox or heading`);
  const walk = { nodes: [], interactiveOnly, maxDepth, roles: asked };
  const named = isTarget(target);
  const start = named ? find(target) : documentBody(document) ?? documentElement(document);
  if (named) walkElement(walk, start, depth);
  else if (start) walkChildren(walk, start, depth);
  return walk.nodes;
};

const walkElement = (walk, element, depth) => {
  const name = tag(element);
  if (SKIPPED.has(name) || hasAttribute(element, "inert")) return;
  if (attribute(element, "aria-hidden") === "true") return;
  const style = lookOf(element);
  if (style.display === "none" || style.contentVisibility === "hidden") return;
  const shown = style.visibility === "visible";
  // What names a control, a group or a table is told as their name.
  const names = (name === "label" && element.control) || name === "legend" || name === "caption";
  const role = shown && !names ? roleOf(element) : "";
  const named = role ? nameOf(element, role) : "";
  const listed = role !== "" && lists(walk, element, role, named);
  if (listed) {
    if (depth >= walk.maxDepth) return;
    walk.nodes.push(nodeOf(element, role, named, depth));
  }
  const next = listed ? depth + 1 : depth;
  if (names) return walkInside(walk, element, next, role);
  if (isFrame(element)) {
    const content = frameDocument(element);
    const body = content && documentBody(content);
    if (body) walkChildren(walk, body, next);
    else if (!content && shown && next < walk.maxDepth) walk.nodes.push({ frame: element, depth: next });
    return;
  }
  if (role === "combobox" && name === "select") return;
  if (role === "listitem" && !walk.interactiveOnly && !walk.roles) return walkItem(walk, element, depth);
  if (listed && LEAVES.has(role) && (named || role === "textbox")) walkInside(walk, element, next, role);
  else walkChildren(walk, element, next);
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

const lists = ({ interactiveOnly, roles }, element, role, name) => {
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
    if (INTERACTIVE.has(inside) || inside === "img" || inside === "heading") walkElement(walk, node, depth);
    else if (!isHidden(node)) walkInside(walk, node, depth, role);
  }
};

const walkChildren = (walk, element, depth) => {
  let text = "";
  const flush = () => {
    const squeezed = squeeze(text);
    text = "";
    if (squeezed && !walk.interactiveOnly && !walk.roles && depth < walk.maxDepth)
      walk.nodes.push({ role: "text", name: clipped(squeezed, MAX_TEXT), depth });
  };
  const visible = lookOf(element).visibility === "visible";
  for (const node of flatChildren(element)) {
    if (node.nodeType === 3) {
      if (visible) text += textContent(node);
    } else if (isElement(node)) {
      if (inlineText(node)) text += isHidden(node) ? "" : textContent(node);
      else {
        flush();
        walkElement(walk, node, depth);
      }
    }
  }
  flush();
};

/** Inline markup without a role of its own, such as <b> or a bare <span>: part of the text around it. */
const inlineText = (element) =>
  !firstElementChild(element) && !shadowRootOf(element) && !/^(slot|label)$/.test(tag(element)) && !SKIPPED.has(tag(element)) &&
  lookOf(element).display === "inline" && PLAIN_INLINE(roleOf(element));
const PLAIN_INLINE = (role) => role === "" || (PLAIN.has(role) && !/^(canvas|video|audio)$/.test(role));

/** {role, name, depth} and, where they say something, ref, states, value, url, offscreen. */
const nodeOf = (element, role, name, depth) => {
  const node = { element, role, name: clipped(name, MAX_NAME), depth };
  if (!WITHOUT_REF.has(role)) {
    node.ref = refOf(element, role, name);
    node.offscreen = !inViewport(element);
  }
  node.states = statesOf(element, role);
  const value = valueOf(element, role);
  if (value) node.value = clipped(value, MAX_NAME);
  const url = role === "link" ? attribute(element, "href") : null;
  if (url && !/^javascript:/i.test(url)) node.url = clipped(inOneWord(url), MAX_NAME);
  return node;
};

/** An address as the browser reads it: line ends dropped, blanks escaped, so it cannot pass for more of the line. */
const inOneWord = (url) => url.replace(/[\t\n\r]/g, "").trim().replace(/\s/g, "%20");

/** Whether an address tells more than the line without it: not a place in this page, nor what the name says. */
const tellsMore = (url, name) => !url.startsWith("#") && withoutScheme(url) !== withoutScheme(name);
const withoutScheme = (url) => url.replace(/^(?:https?:\/\/|mailto:|tel:)/i, "").replace(/\/$/, "");

const lineOf = ({ role, name, depth, ref, states = [], value, url, offscreen }) => {
  const start = `${" ".repeat(depth)}- ${role}`;
  if (role === "text") return `${start}: ${name}`;
  const parts = [start];
  if (name) parts.push(JSON.stringify(name));
  if (ref) parts.push(`[ref=${ref}]`);
  parts.push(...states.map((state) => `[${state}]`));
  if (value) parts.push(`value=${JSON.stringify(value)}`);
  if (url && tellsMore(url, name)) parts.push(`url=${url}`);
  if (offscreen) parts.push("offscreen");
  return parts.join(" ");
};

const clipped = (text, length) => (text.length > length ? `${text.slice(0, length - 1)}…` : text);
