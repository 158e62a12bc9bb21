import assert from "node:assert/strict";
import { show } from "../jsdom.js";
import { hintOf } from "../../../../extension/page/snapshot/hint.js";
import { test } from "../../testing.js";

for (const [html, hint] of [
  [`<button><i class="fa fa-trash"></i></button>`, "trash"],
  [`<button><i class="fas fa-fw fa-lg fa-paper-plane"></i></button>`, "paper-plane"],
  [`<button><svg><use href="#reply"></use></svg></button>`, "reply"],
  [`<button><svg data-icon="star"></svg></button>`, "star"],
  [`<div data-color="red" class="box"></div>`, "red"],
  [`<span><i title="Send"></i></span>`, "Send"],
  [`<div><img src="/pictures/reply.png?v=2"></div>`, "reply.png"],
  [`<div><img src="data:image/gif;base64,R0lGOD"></div>`, ""],
  [`<div class="open-search"></div>`, "open-search"],
  [`<div id="ttt-0"></div>`, "ttt-0"],
  [`<div></div>`, ""],
])
  test(`${html} is told as ${JSON.stringify(hint)}`, () => {
    show(html);
    assert.equal(hintOf(document.body.firstElementChild), hint);
  });
