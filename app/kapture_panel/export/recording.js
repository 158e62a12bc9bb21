"use strict";
const rows = [...document.querySelectorAll("#rows > li")];
const texts = rows.map((row) => `${row.textContent} ${row.dataset.command}`.toLowerCase());
const words = document.getElementById("words");
const errors = document.getElementById("errors");

function filter() {
  const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  rows.forEach((row, index) => {
    const wrong = row.dataset.state === "error" || row.dataset.state === "unknown";
    row.hidden = (errors.checked && !wrong) || !wanted.every((word) => texts[index].includes(word));
    if (!row.hidden) shown += 1;
  });
  // The title says how many there are.
  document.getElementById("count").textContent =
    shown === rows.length ? "" : `${shown.toLocaleString("en")} of ${rows.length.toLocaleString("en")} commands`;
  document.getElementById("nothing").hidden = shown > 0;
}

words.addEventListener("input", filter);
errors.addEventListener("change", filter);
document.getElementById("filter").addEventListener("submit", (event) => event.preventDefault());
addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target === words) return;
  event.preventDefault();
  words.focus();
});

const whole = document.getElementById("whole");
document.getElementById("rows").addEventListener("click", (event) => {
  const picture = event.target.closest("figure button")?.querySelector("img");
  if (!picture) return;
  const shown = whole.querySelector("img");
  shown.src = picture.src;
  shown.alt = picture.alt;
  whole.setAttribute("aria-label", picture.alt);
  whole.showModal();
});
whole.addEventListener("click", (event) => {
  if (event.target === whole) whole.close();
});
filter(); // a browser may bring the filter back with the page
