import { byId, make } from "/shop.js";

const say = (id, text) => { byId(id).textContent = text; };
const onClick = (id, act) => byId(id).addEventListener("click", act);

/* Events: the one global of the site, and the same as text. */

const KEPT = 20;
const SEEN = ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "dblclick", "contextmenu", "keydown", "keyup", "input", "change", "dragstart", "drop"];
let seen = 0;
window.labEvents = [];

function showEvents() {
  byId("lab-events").start = Math.max(1, seen - window.labEvents.length + 1);
  byId("lab-events").replaceChildren(...window.labEvents.map(({ type, target, isTrusted }) =>
    make("li", {}, `${type} ${target} ${isTrusted ? "trusted" : "untrusted"}`)));
}

function record(event) {
  const [target] = event.composedPath();
  seen += 1;
  window.labEvents.push({ number: seen, type: event.type, target: target.id || target.localName, isTrusted: event.isTrusted });
  window.labEvents.splice(0, window.labEvents.length - KEPT);
  showEvents();
}

const recordIn = (root) => SEEN.forEach((type) => root.addEventListener(type, record, true));

// Not from the whole page: clearing the list must leave it empty.
recordIn(document.querySelector(".panels"));
onClick("clear-events", () => {
  seen = 0;
  window.labEvents.length = 0;
  showEvents();
});

let clicks = 0;
onClick("counter-button", () => say("counter-output", clicks += 1));

/* Console */

for (const level of ["log", "info", "warn", "error", "debug"]) {
  onClick(`${level}-line`, () => {
    console[level](`lab: one ${level} line`);
    say("console-output", `${level}: one line`);
  });
}
onClick("log-object", () => {
  console.log({ shop: "Corner Shop", open: true, counters: [1, 2, 3], nested: { empty: null } });
  say("console-output", "log: one object");
});
onClick("log-500", () => {
  for (let line = 1; line <= 500; line += 1) console.log(`lab: line ${line} of 500`);
  say("console-output", "log: 500 lines");
});
onClick("throw-error", () => {
  say("console-output", "error thrown");
  throw new Error("lab: thrown on purpose");
});
onClick("reject-promise", () => {
  say("console-output", "promise rejected");
  Promise.reject(new Error("lab: rejected on purpose"));
});

/* Network */

async function request(path) {
  say("network-output", `${path}: waiting`);
  try {
    const response = await fetch(path);
    say("network-output", `${path}: ${response.status} ${await response.text()}`);
  } catch (error) {
    say("network-output", `${path}: ${error.message}`);
  }
}

onClick("failed-fetch", () => request("/api/recommendations"));
onClick("slow-fetch", () => request(`/api/slow?ms=${byId("slow-ms").value}`));

/* Dialogs and windows */

onClick("show-alert", () => {
  alert("This is an alert.");
  say("dialog-output", "alert: closed");
});
onClick("show-confirm", () => say("dialog-output", `confirm: ${confirm("Is this a good shop?")}`));
onClick("show-prompt", () => say("dialog-output", `prompt: ${prompt("What is your name?", "Ada") ?? "dismissed"}`));
onClick("open-popup", () => {
  const popup = window.open("/product?id=desk-lamp", "lab-popup", "popup,width=520,height=640");
  say("dialog-output", `popup: ${popup ? "open" : "blocked"}`);
});
onClick("download-csv", () => {
  const href = URL.createObjectURL(new Blob(["item,price\nDesk Lamp Arc,39.90\nClip Lamp,18.50\n"], { type: "text/csv" }));
  make("a", { href, download: "data.csv" }).click();
  // The browser reads the data after this turn.
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
  say("dialog-output", "download: data.csv");
});
window.addEventListener("beforeunload", (event) => {
  if (byId("ask-before-leaving").checked) event.preventDefault();
});

/* Obstacles, coming and going */

onClick("covered-button", () => say("obstacle-output", "the covered button was clicked"));
onClick("cover", () => say("obstacle-output", "the cover took the click"));
onClick("remove-cover", () => {
  byId("cover").remove();
  byId("remove-cover").disabled = true;
});
onClick("disabled-button", () => say("obstacle-output", "the disabled button was clicked"));
onClick("show-late", () => setTimeout(() => byId("late-slot").replaceChildren(make("p", { id: "late-element" }, "Here I am.")), 300));
onClick("hide-element", () => setTimeout(() => byId("vanishing-element")?.remove(), 300));

/* A list whose nodes are new after every click */

let drawn = 0;
function drawList() {
  drawn += 1;
  byId("rendered-list").replaceChildren(...["Apples", "Bread", "Coffee"].map((name) =>
    make("li", { id: `item-${name.toLowerCase()}` }, make("span", {}, name), make("button", { class: "small", click: () => pick(name), "aria-label": `Pick ${name}` }, "Pick"))));
  say("list-output", `drawing ${drawn}`);
}
function pick(name) {
  drawList();
  say("list-output", `drawing ${drawn}, picked ${name}`);
}
onClick("rerender-list", drawList);
drawList();

/* Pointer */

for (const action of ["copy", "move", "delete"]) onClick(`hover-${action}`, () => say("pointer-output", `menu: ${action}`));
byId("double-target").addEventListener("dblclick", () => say("pointer-output", "double click"));
byId("context-target").addEventListener("contextmenu", (event) => {
  event.preventDefault();
  say("pointer-output", "right click");
});

/* Drag */

const drop = byId("drop-target");
byId("drag-source").addEventListener("dragstart", ({ dataTransfer }) => dataTransfer.setData("text/plain", "Parcel"));
drop.addEventListener("dragover", (event) => event.preventDefault());
drop.addEventListener("dragenter", () => drop.classList.add("over"));
drop.addEventListener("dragleave", () => drop.classList.remove("over"));
drop.addEventListener("drop", (event) => {
  event.preventDefault();
  drop.classList.remove("over");
  say("drop-output", `dropped: ${event.dataTransfer.getData("text/plain")}`);
});

const slider = byId("pointer-slider");
function slideTo(value) {
  const rounded = Math.round(Math.min(100, Math.max(0, value)));
  slider.setAttribute("aria-valuenow", rounded);
  byId("pointer-thumb").style.insetInlineStart = `${rounded}%`;
  say("slider-output", rounded);
}
let sliding = false;
function slide({ clientX }) {
  const { left, width } = slider.getBoundingClientRect();
  slideTo(((clientX - left) / width) * 100);
}
slider.addEventListener("pointerdown", (event) => {
  sliding = true;
  // A made-up event has no pointer to capture.
  if (event.isTrusted) slider.setPointerCapture(event.pointerId);
  slide(event);
});
slider.addEventListener("pointermove", (event) => sliding && slide(event));
for (const end of ["pointerup", "pointercancel"]) slider.addEventListener(end, () => { sliding = false; });
slider.addEventListener("keydown", (event) => {
  const now = Number(slider.ariaValueNow);
  const next = { ArrowLeft: now - 1, ArrowDown: now - 1, ArrowRight: now + 1, ArrowUp: now + 1, Home: 0, End: 100 }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  slideTo(next);
});

/* Keyboard and scrolling */

byId("key-input").addEventListener("keydown", (event) => {
  const modifiers = ["Control", "Shift", "Alt", "Meta"].filter((name) => event.getModifierState(name) && name !== event.key);
  const key = event.key === " " ? "Space" : event.key;
  say("key-output", `${[...modifiers, key].join("+")} · ${event.code || "no code"} · ${event.isTrusted ? "trusted" : "untrusted"}`);
});

byId("scroll-lines").append(...Array.from({ length: 40 }, (_, index) => make("li", { id: `scroll-line-${index + 1}` }, `Line ${index + 1}`)));
byId("scroll-box").addEventListener("scroll", ({ target }) => say("scroll-output", `${Math.round(target.scrollTop)} px`));

/* Shadow DOM and frame: the same small form in both */

const greeter = (prefix) => `
  <link rel="stylesheet" href="/style.css">
  <div class="bar">
    <div class="field"><label class="label" for="${prefix}-input">Name</label><input id="${prefix}-input" type="text" autocomplete="off"></div>
    <button id="${prefix}-button">Greet</button>
  </div>
  <output id="${prefix}-output">Nobody greeted yet</output>`;

function greetIn(root, prefix) {
  root.getElementById(`${prefix}-button`).addEventListener("click", () => {
    root.getElementById(`${prefix}-output`).textContent = `Hello, ${root.getElementById(`${prefix}-input`).value || "stranger"}`;
  });
}

customElements.define("lab-greeter", class extends HTMLElement {
  connectedCallback() {
    const root = this.attachShadow({ mode: "open" });
    root.innerHTML = greeter("shadow");
    greetIn(root, "shadow");
  }
});

const frame = byId("lab-frame");
frame.addEventListener("load", () => {
  // Handlers come from here: the policy allows no script inside the frame.
  greetIn(frame.contentDocument, "frame");
  recordIn(frame.contentDocument);
});
frame.srcdoc = `<!doctype html><html lang="en" class="inner"><title>Frame</title><body>${greeter("frame")}`;
