// Roles (HTML-AAM) and accessible names (accname 1.2), as far as a reader of the page can tell them apart.

// What ARIA has no word for is called: audio canvas video figcaption iframe label legend, button (a summary),
// colorpicker datepicker datetimepicker timepicker (inputs of those types; months and weeks are datetimepickers).
const INPUT_ROLES = {
  button: "button", image: "button", reset: "button", submit: "button", checkbox: "checkbox", radio: "radio",
  range: "slider", number: "spinbutton", search: "searchbox", email: "textbox", tel: "textbox", text: "textbox",
  url: "textbox", password: "textbox", color: "colorpicker", date: "datepicker", time: "timepicker", file: "button",
  "datetime-local": "datetimepicker", month: "datetimepicker", week: "datetimepicker",
};

const TAG_ROLES = {
  __proto__: null, // a page may well have a <constructor>
  article: "article", audio: "audio", blockquote: "blockquote", button: "button", canvas: "canvas", caption: "caption",
  code: "code", dd: "definition", del: "deletion", details: "group", dfn: "term", dialog: "dialog", dt: "term",
  em: "emphasis", fieldset: "group", figcaption: "figcaption", figure: "figure", frame: "iframe", hr: "separator",
  html: "document", iframe: "iframe", ins: "insertion", label: "label", legend: "legend", li: "listitem", main: "main",
  mark: "mark", math: "math", menu: "list", meter: "meter", nav: "navigation", ol: "list", optgroup: "group",
  option: "option", output: "status", p: "paragraph", progress: "progressbar", s: "deletion", search: "search",
  strong: "strong", sub: "subscript", sup: "superscript", table: "table", tbody: "rowgroup", textarea: "textbox",
  tfoot: "rowgroup", thead: "rowgroup", time: "time", tr: "row", ul: "list", video: "video",
};
for (const level of [1, 2, 3, 4, 5, 6]) TAG_ROLES[`h${level}`] = "heading";

const KNOWN_ROLES = new Set(
  `alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox
   complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid
   gridcell group heading img image insertion link list listbox listitem log main marquee math menu menubar menuitem
   menuitemcheckbox menuitemradio meter navigation none note option paragraph presentation progressbar radio
   radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong
   subscript superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid
   treeitem doc-backlink doc-noteref`.split(/\s+/),
);

/** Whether a snapshot can list something as `role`. */
const isRole = (role) =>
  role === "text" || KNOWN_ROLES.has(role) || [TAG_ROLES, INPUT_ROLES].some((roles) => Object.values(roles).includes(role));

const NAME_FROM_CONTENT = new Set(
  `button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio
   rowheader switch tab tooltip treeitem term doc-backlink doc-noteref`.split(/\s+/),
);

/** Containers that give what is inside them to nobody's name; a table does when it only lays out. */
const SILENT = new Set(
  `alert alertdialog application article banner blockquote complementary dialog document feed figure form grid group
   iframe img log main marquee menu menubar navigation note progressbar radiogroup row rowgroup search separator status
   table tablist tabpanel timer toolbar tree treegrid`.split(/\s+/),
);
/** Roles whose value stands for them inside another's name: "Flash [3] times". */
const VALUED = new Set(["textbox", "searchbox", "spinbutton", "slider", "combobox", "listbox", "meter", "scrollbar"]);

const SECTIONING = "article, aside, nav, section, [role=article], [role=complementary], [role=navigation], [role=region]";
const LANDMARK_SECTIONS = `${SECTIONING}, main, [role=main]`;
const PRESENTED = "[role=none], [role=presentation]";

/** Roles that hang on more than the name of the tag. */
const ROLE_RULES = {
  __proto__: null,
  input: (element) => inputRole(element),
  a: (element) => (hasAttribute(element, "href") ? "link" : ""),
  area: (element) => (hasAttribute(element, "href") ? "link" : ""),
  select: (element) => (element.multiple || element.size > 1 ? "listbox" : "combobox"),
  img: (element) => (attribute(element, "alt") === "" && !hasAttribute(element, "aria-label") ? "" : "img"),
  svg: (element) => (authorName(element) || childText(element, "title") ? "img" : ""),
  header: (element) => (closest(element, LANDMARK_SECTIONS) ? "" : "banner"),
  footer: (element) => (closest(element, LANDMARK_SECTIONS) ? "" : "contentinfo"),
  section: (element) => (entitled(element) ? "region" : ""),
  form: (element) => (entitled(element) ? "form" : ""),
  aside: (element) => (isWithin(element, SECTIONING) && !entitled(element) ? "" : "complementary"),
  summary: (element) => (isFirstSummary(element) ? "button" : ""),
  li: (element) => (isElement(parentNode(element)) && matches(parentNode(element), PRESENTED) ? "" : "listitem"),
  td: (element) => inTable(element, closest(element, "[role=grid], [role=treegrid]") ? "gridcell" : "cell"),
  th: (element) => inTable(element, headerRole(element)),
  tr: (element) => inTable(element, "row"),
  tbody: (element) => inTable(element, "rowgroup"),
  thead: (element) => inTable(element, "rowgroup"),
  tfoot: (element) => inTable(element, "rowgroup"),
};

/** Roles, styles and sheets while a walk lasts: the page cannot change meanwhile, and all are asked for repeatedly. */
let memo = null;
const remembering = (work) => {
  memo = { roles: new Map(), styles: new Map(), generating: new Map(), lays: new Map(), static: new Map(), absolute: new Map(), fixed: new Map(), focused: new Map() };
  try {
    return work();
  } finally {
    memo = null;
  }
};
const remembered = (kind, key, read) => {
  if (!memo) return read(key);
  let value = memo[kind].get(key);
  if (value === undefined) memo[kind].set(key, (value = read(key)));
  return value;
};
const lookOf = (element) => remembered("styles", element, styleOf);

/** The role of an element; "" for one that says nothing about itself. */
const roleOf = (element) => remembered("roles", element, readRole);

const readRole = (element) => {
  const own = ownRole(element);
  if (own !== null) return own;
  const name = tag(element);
  return ROLE_RULES[name]?.(element) ?? TAG_ROLES[name] ?? (isEditingHost(element) ? "textbox" : componentRole(element, name));
};

/** A component may tell its role to the browser alone (ElementInternals): one that takes the focus is what it is called. */
const componentRole = (element, name) =>
  name.includes("-") && hasAttribute(element, "tabindex") ? (COMPONENT_ROLES.exec(name)?.[1] ?? "") : "";
const COMPONENT_ROLES = /-(checkbox|option|radio|switch|tab)$/;

/** The role the author gave, or null where the tag decides. */
const ownRole = (element) => {
  const given = attribute(element, "role");
  if (!given) return null;
  const own = given.trim().toLowerCase().split(/\s+/).find((role) => KNOWN_ROLES.has(role));
  if (!own) return null;
  if (own === "none" || own === "presentation") return isFocusable(element) ? null : "";
  if ((own === "region" || own === "form") && !entitled(element)) return "";
  return own === "image" ? "img" : own === "generic" ? "" : own;
};

const entitled = (element) => Boolean(authorName(element) || attribute(element, "title"));

const isWithin = (element, selector) => {
  const parent = parentNode(element);
  return isElement(parent) && closest(parent, selector) !== null;
};

const isFirstSummary = (summary) => {
  const details = parentNode(summary);
  return isElement(details) && tag(details) === "details" && summaryOf(details) === summary;
};
const summaryOf = (details) => [...children(details)].find((child) => tag(child) === "summary");

const inTable = (element, role) => {
  const table = closest(element, "table");
  return table && matches(table, PRESENTED) && !isFocusable(table) ? "" : role;
};

const inputRole = (input) => {
  const type = input.type;
  if (type === "hidden") return "";
  const suggests = hasAttribute(input, "list") && ["text", "search", "email", "tel", "url"].includes(type);
  return suggests ? "combobox" : (INPUT_ROLES[type] ?? "textbox");
};

const headerRole = (cell) => {
  const scope = attribute(cell, "scope");
  if (scope === "row" || scope === "rowgroup") return "rowheader";
  if (scope) return "columnheader";
  const row = parentNode(cell);
  const cells = row ? [...children(row)] : [];
  return cells.some((other) => tag(other) === "td") ? "rowheader" : "columnheader";
};

const isEditingHost = (element) => {
  const value = attribute(element, "contenteditable");
  return value !== null && value.toLowerCase() !== "false";
};

const isFocusable = (element) =>
  hasAttribute(element, "tabindex") || /^(a|button|input|select|textarea|summary)$/.test(tag(element)) || isEditingHost(element);

const styleSheets = getter(Document.prototype, "styleSheets");
const adoptedStyleSheets = getter(Document.prototype, "adoptedStyleSheets");

const squeeze = (text) => text.replace(/[\s\u00a0]+/g, " ").trim();

/** Whether nothing of the element is rendered or it is taken from assistive technology. */
const isHidden = (element, style = lookOf(element)) =>
  attribute(element, "aria-hidden") === "true" ||
  style.display === "none" || style.visibility !== "visible" || style.contentVisibility === "hidden";

/** Whether a label or what a reference means is hidden by itself or by anything around it. */
const isUnseen = (element) =>
  !Element.prototype.checkVisibility.call(element, { visibilityProperty: true }) || closest(element, "[aria-hidden=true]") !== null;

/**
 * The accessible name. `path`, below: the elements whose names are being made, against cycles, and
 * `referring` (within aria-labelledby, which is followed once) and `unseen` (a hidden reference is read whole).
 */
const nameOf = (element, role = roleOf(element)) => nameAlong(element, role, newPath());

const newPath = (referring = false, unseen = false) => ({ elements: new Set(), referring, unseen });

const nameAlong = (element, role, path) =>
  (path.referring && embeddedValue(element, role)) ||
  authorName(element, path) ||
  nativeName(element, path) ||
  (NAME_FROM_CONTENT.has(role) || path.referring ? squeeze(contentText(element, path)) : "") ||
  fallbackName(element);

/** aria-labelledby and aria-label: what the author names an element with, whatever it is. */
const authorName = (element, path) => {
  const ids = path?.referring ? null : attribute(element, "aria-labelledby");
  if (ids) {
    const named = ids.trim().split(/\s+/).map((id) => byId(element, id)).filter(Boolean);
    const text = squeeze(named.map((label) => nameAlong(label, roleOf(label), newPath(true, isUnseen(label)))).join(" "));
    if (text) return text;
  }
  const label = attribute(element, "aria-label");
  return label ? squeeze(label) : "";
};

const attributeName = (...names) => (element) => {
  const found = names.map((name) => attribute(element, name)).find((value) => value !== null);
  return squeeze(found ?? "");
};

/** What HTML itself has to name an element. */
const NATIVE_NAMES = {
  __proto__: null,
  img: attributeName("alt"), area: attributeName("alt"), optgroup: attributeName("label"),
  option: attributeName("label"), iframe: attributeName("title"), frame: attributeName("title"),
  fieldset: (element, path) => childText(element, "legend", path),
  table: (element, path) => childText(element, "caption", path) || squeeze(attribute(element, "summary") ?? ""),
  svg: (element, path) => childText(element, "title", path),
  input: (element, path) => labelText(element, path) || (INPUT_NAMES[element.type]?.(element) ?? ""),
};
for (const name of ["select", "textarea", "meter", "progress", "output", "button"])
  NATIVE_NAMES[name] = (element, path) => labelText(element, path);

const INPUT_NAMES = {
  button: attributeName("value"),
  submit: (input) => squeeze(attribute(input, "value") ?? "Submit"),
  reset: (input) => squeeze(attribute(input, "value") ?? "Reset"),
  image: (input) => attributeName("alt", "value", "title")(input) || "Submit",
};

const nativeName = (element, path) => NATIVE_NAMES[tag(element)]?.(element, path) ?? "";

const fallbackName = (element) => {
  const text = attribute(element, "title") ?? attribute(element, "placeholder") ?? attribute(element, "aria-placeholder");
  if (text) return squeeze(text);
  if (tag(element) !== "input" || element.type !== "file") return "";
  return element.multiple ? "Choose Files" : "Choose File";
};

const labelText = (control, path) => {
  const labels = control.labels;
  if (!labels?.length || path.elements.has(control)) return "";
  path.elements.add(control);
  const texts = [...labels].filter((label) => !isUnseen(label)).map((label) => authorName(label, path) || contentText(label, path));
  path.elements.delete(control);
  return squeeze(texts.join(" "));
};

const childText = (element, name, path = newPath()) => {
  const child = [...children(element)].find((candidate) => tag(candidate) === name);
  return child ? squeeze(name === "title" ? textContent(child) : contentText(child, path)) : "";
};

/** The text a reader finds inside: what images, fields and styles add included, hidden parts left out. */
const contentText = (element, path) => {
  if (path.elements.has(element)) return "";
  path.elements.add(element);
  const style = lookOf(element);
  const transform = TRANSFORMS[style.textTransform];
  const generates = mayGenerate(element);
  let text = generates ? generatedText(element, "::before") : "";
  for (const node of flatChildren(element)) {
    if (nodeType(node) === 3) text += transform ? transform(textContent(node)) : textContent(node);
    else if (isElement(node) && !path.elements.has(node)) text += pieceOf(node, path);
  }
  if (generates) text += generatedText(element, "::after");
  path.elements.delete(element);
  return text;
};

const TRANSFORMS = {
  uppercase: (text) => text.toUpperCase(),
  lowercase: (text) => text.toLowerCase(),
  capitalize: (text) => text.replace(/(^|[\s\-–—/("“])(\p{L})/gu, (_, before, letter) => before + letter.toUpperCase()),
};

const pieceOf = (element, path) => {
  const name = tag(element);
  if (name === "br") return " ";
  if (UNREAD.has(name)) return "";
  const style = lookOf(element);
  if (!path.unseen && isHidden(element, style)) return "";
  const piece = embeddedText(element, roleOf(element), path);
  return style.display === "inline" || style.display === "contents" ? piece : ` ${piece} `;
};
const UNREAD = new Set(["style", "script", "template", "noscript", "wbr"]);

const embeddedText = (element, role, path) => {
  const named = embeddedValue(element, role) || authorName(element, path) || nativeName(element, path);
  if (named) return named;
  if (SILENT.has(role) && !path.unseen && !(TABULAR.has(role) && onlyLaysOut(element))) return "";
  return contentText(element, path) || squeeze(attribute(element, "title") ?? "");
};

/** What a field stands for inside a name is its value, unless that is a secret. */
const embeddedValue = (element, role) => {
  if (!VALUED.has(role) || secret(element)) return "";
  const name = tag(element);
  if (name === "select") return [...element.selectedOptions].map((option) => option.label).join(" ");
  if (name === "input" || name === "textarea") return element.value;
  return attribute(element, "aria-valuetext") ?? attribute(element, "aria-valuenow") ?? squeeze(textContent(element));
};

const TABULAR = new Set(["table", "row", "rowgroup"]);
const DATA_TABLE = "[role], :has(> caption, > thead, > tfoot, > tr > th, > tbody > tr > th)";
/** Whether an element belongs to a table without headers or a caption, which may only put things side by side. */
const onlyLaysOut = (element) => {
  const table = closest(element, "table");
  return table !== null && !hasAttribute(element, "role") && !matches(table, DATA_TABLE);
};

/** Text of ::before or ::after, as far as it is text; symbols of icon fonts have no meaning without their font. */
const generatedText = (element, pseudo) => {
  const { content, display } = ownerDocumentView(element).getComputedStyle(element, pseudo);
  if (content === "none" || content === "normal" || content === "") return "";
  const text = contentStrings(content).replace(/[\ue000-\uf8ff]/g, "");
  return display === "inline" ? text : ` ${text} `;
};

/** Asking for the style of a pseudo-element is dear, and most pages' sheets style none. */
const mayGenerate = (element) => {
  const root = rootOf(element);
  const host = parentNode(element);
  if (nodeType(root) !== 9 || tag(element) === "q" || shadowRootOf(element) || (isElement(host) && shadowRootOf(host))) return true;
  return remembered("generating", root, () => [...styleSheets(root), ...adoptedStyleSheets(root)].some(sheetGenerates));
};

const sheetsRead = new WeakMap();
const sheetGenerates = (sheet) => {
  let rules;
  try {
    rules = sheet.cssRules;
  } catch {
    return true; // a sheet of another origin
  }
  const known = sheetsRead.get(sheet);
  if (known?.count === rules.length) return known.generates;
  const generates = rulesGenerate(rules);
  sheetsRead.set(sheet, { count: rules.length, generates });
  return generates;
};
const rulesGenerate = (rules) => {
  for (const rule of rules) {
    if (/:(?:before|after)/.test(rule.selectorText ?? "")) return true;
    if (rule.styleSheet ? sheetGenerates(rule.styleSheet) : rule.cssRules?.length && rulesGenerate(rule.cssRules)) return true;
  }
  return false;
};

const contentStrings = (content) => {
  const alternative = /(?:^|["\s)])\s*\/\s*("(?:[^"\\]|\\.)*")\s*$/.exec(content);
  const shown = alternative ? alternative[1] : content;
  return shown.replace(/"((?:[^"\\]|\\.)*)"|\bopen-quote\b|\bclose-quote\b|[^"]+?(?="|open-quote|close-quote|$)/g, (part, string) =>
    string !== undefined ? string.replace(/\\(.)/g, "$1") : part === "open-quote" ? "“" : part === "close-quote" ? "”" : "",
  );
};

/** Children in the flat tree; of closed details only the summary. */
const flatChildren = (element) => {
  const shadow = shadowRootOf(element);
  if (shadow) return childrenOf(shadow);
  const name = tag(element);
  if (name === "slot") {
    const assigned = element.assignedNodes();
    if (assigned.length) return assigned;
  }
  if (name === "details" && !hasAttribute(element, "open")) return [summaryOf(element)].filter(Boolean);
  return childrenOf(element);
};

/** Node by node: going through a list of the DOM costs more than twice as much. */
const childrenOf = (parent) => {
  const nodes = [];
  for (let node = firstChild(parent); node; node = nextSibling(node)) nodes.push(node);
  return nodes;
};
