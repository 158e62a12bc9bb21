// Where the keyboard is after typing, also when the field has gone from memory meanwhile.
import { layOut, show } from "./jsdom.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { startType, typedInto } from "../../../extension/page/fields/typing.js";

test("a field that has gone from memory holds none of the text", async (t) => {
  show("<input id=field value=old>");
  const field = document.getElementById("field");
  layOut({ x: 0, y: 0, width: 100, height: 20 });
  Element.prototype.getClientRects = () => [field.getBoundingClientRect()];
  Element.prototype.checkVisibility = () => true;
  Document.prototype.elementFromPoint = () => field;
  globalThis.requestAnimationFrame = (done) => setTimeout(done);
  await startType({ selector: "#field" }, { clear: false });
  field.remove();
  t.mock.method(WeakRef.prototype, "deref", () => undefined);
  const { kept, whole, holds } = typedInto("text");
  assert.deepEqual({ kept, whole, holds }, { kept: false, whole: false, holds: 0 });
});
