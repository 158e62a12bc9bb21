import assert from "node:assert/strict";
import { show } from "./jsdom.js";
import { roleOf } from "../../../extension/page/roles.js";
import { test } from "../testing.js";

const roleIn = (html) => {
  show(html);
  return roleOf(document.querySelector("#it") ?? document.body.firstElementChild);
};

for (const [html, role] of [
  [`<nav role="region group"></nav>`, "group"],
  [`<nav role="region group" aria-label="x"></nav>`, "region"],
  [`<nav role="form"></nav>`, "navigation"],
  [`<div role="region"></div>`, ""],
  [`<div role="directory"></div>`, "list"],
  [`<h1 role="none" aria-label="x">x</h1>`, "heading"],
  [`<h1 role="none" title="x">x</h1>`, ""],
  [`<button role="none" disabled>x</button>`, ""],
  [`<img alt="" title="x">`, "img"],
  [`<img alt="">`, ""],
  [`<ul role="menu"><li id="it">x</li></ul>`, ""],
  [`<ul><li id="it">x</li></ul>`, "listitem"],
  [`<article><header id="it"></header></article>`, "sectionheader"],
  [`<article role="group"><header id="it"></header></article>`, "banner"],
  [`<button role="option">x</button>`, "button"],
  [`<div role="listbox"><div><div id="it" role="option">x</div></div></div>`, "option"],
  [`<x-list><div id="it" role="option">x</div></x-list>`, "option"],
  [`<table role="none"><tr><td id="it">x</td></tr></table>`, ""],
  [`<table role="none" aria-label="t"><tr><td id="it">x</td></tr></table>`, "cell"],
  [`<div role="constructor"></div>`, ""],
  [`<svg><a id="it" xlink:href="/one"></a></svg>`, "link"],
  [`<svg><a id="it" href="/one"></a></svg>`, "link"],
  [`<svg><a id="it"></a></svg>`, ""],
  [`<a xlink:href="/one">x</a>`, ""],
])
  test(`${html} is ${role || "nothing by itself"}`, () => assert.equal(roleIn(html), role));
