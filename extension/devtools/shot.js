/** Shows a screenshot that was taken in DevTools; the picture lives as long as DevTools is open. */
const { address, name } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
const picture = /** @type {HTMLImageElement} */ (document.getElementById("picture"));
const words = /** @type {HTMLElement} */ (document.getElementById("words"));

document.title = name;
picture.alt = `Screenshot ${name}`;
picture.addEventListener("load", () => (words.textContent = ""));
picture.addEventListener("error", () => {
  picture.hidden = true;
  words.textContent = "This picture was closed together with its DevTools. The panel keeps it, under Screenshots.";
});
if (address?.startsWith(`blob:${location.origin}/`)) picture.src = address;
else words.textContent = "There is no picture here. Open one from Kapture in DevTools.";

export {}; // a module, whose names are its own
