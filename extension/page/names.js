// Roles (HTML-AAM) and accessible names (accname 1.2), as far as a reader of the page can tell them apart.

const INPUT_ROLES = {
  button: "button", image: "button", reset: "button", submit: "button", checkbox: "checkbox", radio: "radio",
  range: "slider", number: "spinbutton", search: "searchbox", email: "textbox", tel: "textbox", text: "textbox",
  url: "textbox", password: "textbox", color: "ColorWell", date: "Date", time: "InputTime", file: "button",
  "datetime-local": "DateTime", month: "DateTime", week: "DateTime",
};

const TAG_ROLES = {
  article: "article", blockquote: "blockquote", button: "button", caption: "caption", code: "code", dd: "definition",
  del: "deletion", details: "group", dfn: "term", dialog: "dialog", dt: "term", em: "emphasis", fieldset: "group",
  figcaption: "Figcaption", figure: "figure", hr: "separator", html: "document", ins: "insertion", li: "listitem",
  main: "main", mark: "mark", math: "math", menu: "list", meter: "meter", nav: "navigation", ol: "list",
  optgroup: "group", option: "option", output: "status", p: "paragraph", progress: "progressbar", search: "search",
  strong: "strong", sub: "subscript", summary: "DisclosureTriangle", sup: "superscript", svg: "img", table: "table",
  tbody: "rowgroup", td: "cell", textarea: "textbox", tfoot: "rowgroup", thead: "rowgroup", time: "time",
  tr: "row", ul: "list", iframe: "Iframe", frame: "Iframe", video: "Video", audio: "Audio", label: "LabelText",
  legend: "Legend", canvas: "Canvas",
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

const NAME_FROM_CONTENT = new Set(
  `button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio
   rowheader switch tab tooltip treeitem term doc-backlink doc-noteref DisclosureTriangle LabelText Legend
   Figcaption caption`.split(/\s+/),
);

const LANDMARK_SECTIONS = "article, aside, main, nav, section";

/** The role of an element; "" for one that says nothing about itself. */
const roleOf = (element) => {
  const own = (attribute(element, "role") ?? "").trim().toLowerCase().split(/\s+/).find((role) => KNOWN_ROLES.has(role));
  if (own && !(["none", "presentation"].includes(own) && isFocusable(element))) {
    if (own === "image") return "img";
    return ["none", "presentation", "generic"].includes(own) ? "" : own;
  }
  const name = tag(element);
  if (name === "input") return inputRole(element);
  if (name === "a" || name === "area") return hasAttribute(element, "href") ? "link" : "";
  if (name === "select") return element.multiple || element.size > 1 ? "listbox" : "combobox";
  if (name === "img") return attribute(element, "alt") === "" && !hasAttribute(element, "aria-label") ? "" : "img";
  if (name === "header" || name === "footer") {
    if (closest(element, LANDMARK_SECTIONS)) return "";
    return name === "header" ? "banner" : "contentinfo";
  }
  if (name === "section" || name === "form") return authorName(element) ? (name === "form" ? "form" : "region") : "";
  if (name === "aside") return "complementary";
  if (name === "th") return headerRole(element);
  if (name === "summary") return parentNode(element) && tag(parentNode(element)) === "details" ? "DisclosureTriangle" : "";
  if (name === "td") return closest(element, "[role=grid],[role=treegrid]") ? "gridcell" : "cell";
  return TAG_ROLES[name] ?? (isEditingHost(element) ? "textbox" : "");
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

const squeeze = (text) => text.replace(/[\s\u00a0]+/g, " ").trim();

/** Whether nothing of the element is rendered or it is taken from assistive technology. */
const isHidden = (element) => {
  if (attribute(element, "aria-hidden") === "true") return true;
  const style = styleOf(element);
  return style.display === "none" || style.visibility !== "visible" || style.contentVisibility === "hidden";
};

/** aria-labelledby and aria-label: what the author names an element with, whatever it is. */
const authorName = (element, seen = new Set()) => {
  const ids = attribute(element, "aria-labelledby");
  if (ids && !seen.has("labelledby")) {
    const named = ids.trim().split(/\s+/).map((id) => byId(element, id)).filter(Boolean);
    const text = squeeze(named.map((label) => nameOf(label, new Set(["labelledby"]), true)).join(" "));
    if (text) return text;
  }
  return squeeze(attribute(element, "aria-label") ?? "");
};

/**
 * The accessible name.
 * @param seen guards against cycles: elements already in use and "labelledby" while following a reference
 * @param fromContent take the content for a name whatever the role, as a reference does
 */
const nameOf = (element, seen = new Set(), fromContent = false) => {
  const authored = authorName(element, seen);
  if (authored) return authored;
  const native = nativeName(element, seen);
  if (native) return native;
  if (fromContent || NAME_FROM_CONTENT.has(roleOf(element))) {
    const text = squeeze(contentText(element, seen));
    if (text) return text;
  }
  return squeeze(attribute(element, "title") ?? attribute(element, "placeholder") ?? "");
};

const nativeName = (element, seen) => {
  const name = tag(element);
  if (name === "img" || name === "area") return squeeze(attribute(element, "alt") ?? "");
  if (name === "input" && ["button", "submit", "reset"].includes(element.type))
    return squeeze(attribute(element, "value") ?? { submit: "Submit", reset: "Reset" }[element.type] ?? "");
  if (name === "input" && element.type === "image")
    return squeeze(attribute(element, "alt") ?? attribute(element, "title") ?? "Submit");
  if (/^(input|select|textarea|meter|progress|output|button)$/.test(name)) return labelText(element, seen);
  if (name === "fieldset") return childText(element, "legend", seen);
  if (name === "table") return childText(element, "caption", seen);
  if (name === "svg") return childText(element, "title", seen);
  if (name === "optgroup") return squeeze(attribute(element, "label") ?? "");
  if (name === "option") return squeeze(attribute(element, "label") ?? "");
  if (isFrame(element)) return squeeze(attribute(element, "title") ?? "");
  return "";
};

const labelText = (control, seen) => {
  const labels = control.labels ? [...control.labels] : [];
  const texts = labels.map((label) => contentText(label, new Set([...seen, control])));
  return squeeze(texts.join(" "));
};

const childText = (element, name, seen) => {
  const child = [...children(element)].find((candidate) => tag(candidate) === name);
  return child ? squeeze(contentText(child, seen)) : "";
};

const BLOCK = /^(block|flex|grid|table|list-item|flow-root|table-cell|table-row)/;

/** The text a reader finds inside: names of images and embedded controls included, hidden parts left out. */
const contentText = (element, seen) => {
  if (seen.has(element)) return "";
  const inside = new Set([...seen, element]);
  let text = "";
  for (const node of flatChildren(element)) {
    if (node.nodeType === 3) text += textContent(node);
    else if (isElement(node) && !seen.has(node) && !isHidden(node)) {
      const piece = embeddedText(node, inside);
      text += BLOCK.test(styleOf(node).display) || tag(node) === "br" ? ` ${piece} ` : piece;
    }
  }
  return text;
};

const embeddedText = (node, seen) => {
  const named = authorName(node, seen) || (tag(node) === "img" ? nativeName(node, seen) : "");
  if (named) return named;
  const name = tag(node);
  if (name === "input" && /^(text|search|email|tel|url|number|range)$/.test(node.type)) return node.value;
  if (name === "textarea") return node.value;
  if (name === "select") return [...node.selectedOptions].map((option) => option.label).join(" ");
  if (name === "style" || name === "script") return "";
  return contentText(node, seen) || squeeze(attribute(node, "title") ?? "");
};

/** Children in the flat tree. */
const flatChildren = (element) => {
  const shadow = shadowRootOf(element);
  if (shadow) return [...childNodes(shadow)];
  if (tag(element) === "slot") {
    const assigned = element.assignedNodes();
    if (assigned.length) return assigned;
  }
  return [...childNodes(element)];
};
