// The roles of ARIA and HTML, and which of them give or take a name.

// What ARIA has no word for is called: audio canvas embed video figcaption iframe label legend object, button (a summary),
// colorpicker datepicker datetimepicker timepicker (inputs of those types; months and weeks are datetimepickers).
export const INPUT_ROLES = {
  button: "button",
  image: "button",
  reset: "button",
  submit: "button",
  checkbox: "checkbox",
  radio: "radio",
  range: "slider",
  number: "spinbutton",
  search: "searchbox",
  email: "textbox",
  tel: "textbox",
  text: "textbox",
  url: "textbox",
  password: "textbox",
  color: "colorpicker",
  date: "datepicker",
  time: "timepicker",
  file: "button",
  "datetime-local": "datetimepicker",
  month: "datetimepicker",
  week: "datetimepicker",
};

export const TAG_ROLES = {
  __proto__: null, // a page may well have a <constructor>
  address: "group",
  article: "article",
  audio: "audio",
  blockquote: "blockquote",
  button: "button",
  canvas: "canvas",
  caption: "caption",
  code: "code",
  dd: "definition",
  del: "deletion",
  details: "group",
  dir: "list",
  dfn: "term",
  dialog: "dialog",
  dt: "term",
  em: "emphasis",
  embed: "embed",
  fieldset: "group",
  figcaption: "figcaption",
  figure: "figure",
  form: "form",
  frame: "iframe",
  hgroup: "group",
  hr: "separator",
  html: "document",
  iframe: "iframe",
  ins: "insertion",
  label: "label",
  legend: "legend",
  li: "listitem",
  main: "main",
  mark: "mark",
  math: "math",
  menu: "list",
  meter: "meter",
  nav: "navigation",
  object: "object",
  ol: "list",
  optgroup: "group",
  option: "option",
  output: "status",
  p: "paragraph",
  progress: "progressbar",
  s: "deletion",
  search: "search",
  strong: "strong",
  sub: "subscript",
  sup: "superscript",
  table: "table",
  tbody: "rowgroup",
  textarea: "textbox",
  tfoot: "rowgroup",
  thead: "rowgroup",
  time: "time",
  tr: "row",
  ul: "list",
  video: "video",
};
for (const level of [1, 2, 3, 4, 5, 6]) TAG_ROLES[`h${level}`] = "heading";

export const KNOWN_ROLES = new Set(
  `alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox
   complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid
   gridcell group heading img image insertion link list listbox listitem log main marquee math menu menubar menuitem
   menuitemcheckbox menuitemradio meter navigation none note option paragraph presentation progressbar radio
   radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong
   subscript superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid
   treeitem comment sectionfooter sectionheader suggestion graphics-document graphics-object graphics-symbol
   doc-abstract doc-acknowledgments doc-afterword doc-appendix doc-backlink doc-biblioentry doc-bibliography doc-biblioref
   doc-chapter doc-colophon doc-conclusion doc-cover doc-credit doc-credits doc-dedication doc-endnote doc-endnotes
   doc-epigraph doc-epilogue doc-errata doc-example doc-footnote doc-foreword doc-glossary doc-glossref doc-index
   doc-introduction doc-noteref doc-notice doc-pagebreak doc-pagefooter doc-pageheader doc-pagelist doc-part doc-preface
   doc-prologue doc-pullquote doc-qna doc-subtitle doc-tip doc-toc`.split(/\s+/),
);

/** Roles that mean something within others only: the next one around must be of these. */
export const CONTEXTS = {
  __proto__: null,
  listitem: new Set(["list", "group"]),
  option: new Set(["listbox", "group"]),
  treeitem: new Set(["tree", "group", "treeitem"]),
};

/** What may be said of any element: whoever says it of one does not want its role taken away. */
export const GLOBAL_STATES = `atomic busy controls current describedby description details flowto keyshortcuts label
   labelledby live owns relevant roledescription`
  .split(/\s+/)
  .map((name) => `aria-${name}`);

/** Whether a snapshot can list something as `role`. */
export const isRole = (role) =>
  role === "text" ||
  role === "clickable" ||
  KNOWN_ROLES.has(role) ||
  [TAG_ROLES, INPUT_ROLES].some((roles) => Object.values(roles).includes(role));

export const NAME_FROM_CONTENT = new Set(
  `button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio
   rowheader switch tab tooltip treeitem term doc-backlink doc-noteref`.split(/\s+/),
);

/** Containers that give what is inside them to nobody's name; a table does when it only lays out. */
export const SILENT = new Set(
  `alert alertdialog application article banner blockquote complementary dialog document feed figure form grid group
   iframe img log main marquee menu menubar navigation note progressbar radiogroup row rowgroup search separator status
   table tablist tabpanel timer toolbar tree treegrid`.split(/\s+/),
);
/** Roles whose value stands for them inside another's name: "Flash [3] times". */
export const VALUED = new Set([
  "textbox",
  "searchbox",
  "spinbutton",
  "slider",
  "combobox",
  "listbox",
  "meter",
  "progressbar",
  "scrollbar",
]);

/** Roles of what a person acts on. */
export const INTERACTIVE = new Set(
  `button checkbox combobox link listbox menuitem menuitemcheckbox menuitemradio option radio searchbox slider
   spinbutton switch tab textbox treeitem gridcell scrollbar doc-backlink doc-noteref colorpicker datepicker
   datetimepicker timepicker`.split(/\s+/),
);

/** Roles that add nothing for a reader when they have no name. */
export const PLAIN = new Set(
  `alert audio blockquote canvas caption code definition deletion document emphasis figcaption figure form group
   insertion label legend list listitem mark math paragraph rowgroup sectionfooter sectionheader status strong subscript
   suggestion superscript term time video`.split(/\s+/),
);
