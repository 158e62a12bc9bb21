import assert from "node:assert/strict";
import { test } from "../testing.js";
import { Pointer } from "../../../extension/tab/pointer.js";

test("what is shown of the mouse follows it, as the person chose", () => {
  const shown = [];
  const pointer = new Pointer({
    show: (is) => shown.push(is),
    at: (point) => shown.push(point),
    pressed: () => shown.push("pressed"),
  });
  pointer.choose({ natural: true, cursor: true });
  pointer.at({ x: 3, y: 4 });
  pointer.pressed();
  assert.deepEqual([pointer.isNatural, pointer.point], [true, { x: 3, y: 4 }]);
  assert.deepEqual(shown, [true, { x: 3, y: 4 }, "pressed"]);
});
