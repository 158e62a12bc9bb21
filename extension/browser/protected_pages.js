/** Pages Chrome lets no extension into, and what they are to the person. */
const PROTECTED = [
  [/^about:(blank|srcdoc)\b/, null],
  [/^(chrome|chrome-search|chrome-untrusted|chrome-error|edge|brave|opera|vivaldi|about|devtools):/, "a page of the browser itself"],
  [/^view-source:/, "the source text of a page"],
  [/^(blob:|filesystem:)?(chrome-extension|moz-extension|extension):/, "a page of another extension"],
  [/^https:\/\/(chromewebstore\.google\.com|chrome\.google\.com\/webstore|microsoftedge\.microsoft\.com\/addons)\b/, "the browser's store of extensions"],
];

/** Why a page cannot be connected, in words with the next step; empty for one that can be tried. */
export function whyProtected(url) {
  const [, what] = PROTECTED.find(([pattern]) => pattern.test(url ?? "")) ?? [];
  return what ? `This is ${what}, where Chrome lets no extension in. Open a web page in the tab, then connect it.` : "";
}

/** The same for a page that looked open until the debugger was refused. */
export function whyRefused(url) {
  if (/^file:/.test(url ?? ""))
    return "Chrome shows files to no extension unless you say so: turn on “Allow access to file URLs” in the details of Kapture Panel on the page of extensions, then connect the tab.";
  return "Chrome lets no extension into this page: part of it belongs to another extension, as in the PDF viewer, or a policy of this browser forbids it. Open another page in the tab, then connect it.";
}
