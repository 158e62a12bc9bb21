import { inSentences, KaptureError } from "../basics/errors.js";
/** @import { Chrome } from "../basics/chrome_door.js" */

/** Pages Chrome lets no extension into, and what they are to the person. */
/** @type {[RegExp, string|null][]} */
const PROTECTED = [
  [/^about:(blank|srcdoc)\b/, null],
  [
    /^(chrome|chrome-search|chrome-untrusted|chrome-error|edge|brave|opera|vivaldi|about|devtools):/,
    "a page of the browser itself",
  ],
  [/^view-source:/, "the source text of a page"],
  [/^(blob:|filesystem:)?(chrome-extension|moz-extension|extension):/, "a page of another extension"],
  [
    /^https:\/\/(chromewebstore\.google\.com|chrome\.google\.com\/webstore|microsoftedge\.microsoft\.com\/addons)\b/,
    "the browser's store of extensions",
  ],
];

/** @param {string} what @param {string} nextStep */
const notLetIn = (what, nextStep) => new KaptureError("PROTECTED_PAGE", what, nextStep);

/** @param {string|undefined} url @returns {KaptureError|null} null for a page that can be tried */
function protectedPage(url) {
  const [, what] = PROTECTED.find(([pattern]) => pattern.test(url ?? "")) ?? [];
  if (!what) return null;
  return notLetIn(`this is ${what}, where Chrome lets no extension in`, "open a web page in the tab, then connect it");
}

/**
 * Why a page cannot be connected, in sentences with the next step; empty for one that can be tried.
 * @param {string|undefined} url
 */
export function whyProtected(url) {
  const error = protectedPage(url);
  return error ? inSentences(error) : "";
}

/**
 * The same for a page that looked open until the debugger was refused.
 * @param {string|undefined} url
 */
export function refusedPage(url) {
  if (/^file:/.test(url ?? ""))
    return notLetIn(
      "Chrome shows files to no extension unless you say so",
      "turn on “Allow access to file URLs” in the details of Kapture Panel on the page of extensions, then connect the tab",
    );
  return notLetIn(
    "Chrome lets no extension into this page: part of it belongs to another extension, as in the PDF viewer, or a policy of this browser forbids it",
    "open another page in the tab, then connect it",
  );
}

/**
 * A page of this extension, or what it made: whoever drives it could connect tabs and pair.
 * @param {Chrome} chrome
 * @param {string|undefined} url
 */
export function isOfExtension(chrome, url) {
  return Boolean(url?.replace(/^(blob|filesystem):/, "").startsWith(chrome.runtime.getURL("")));
}

/**
 * The address of a tab that can be tried.
 * @param {Chrome} chrome
 * @param {{url?: string, pendingUrl?: string}} tab
 * @throws {KaptureError} PROTECTED_PAGE
 */
export function demandOpen(chrome, { url, pendingUrl }) {
  if (isOfExtension(chrome, url) || isOfExtension(chrome, pendingUrl)) throw extensionPage();
  const address = url || pendingUrl; // a tab that was just opened has no address yet
  const error = protectedPage(address);
  if (error) throw error;
  return address;
}

export function extensionPage() {
  return notLetIn("Kapture Panel's own pages are not shared", "open a web page in the tab, then connect it");
}
