import assert from "node:assert/strict";
import { driverWords, hintOf, PANEL_HINTS, PANEL_WORDS, TAB_WORDS, toggleOf } from "../../../extension/basics/words.js";
import { test } from "../testing.js";

for (const panel of ["idle", "refused", "outdated", "ahead", "connecting", "connected"])
  for (const tab of ["idle", "connecting", "connected", "executing", "disconnecting"])
    test(`panel ${panel}, tab ${tab}: there are words, and one button`, () => {
      assert.ok(PANEL_WORDS[panel] && TAB_WORDS[tab]);
      const { words, ask, isDisabled, isBusy } = toggleOf({ panel, tab, protected: "" });
      assert.ok(words);
      assert.equal(
        ask,
        ["idle", "refused"].includes(panel)
          ? "pair"
          : ["idle", "disconnecting"].includes(tab)
            ? "connect"
            : "disconnect",
      );
      const isMismatch = ["outdated", "ahead"].includes(panel);
      assert.equal(isDisabled, ask === "connect" && isMismatch);
      assert.equal(isBusy, ask === "connect" && tab === "disconnecting");
      assert.equal(hintOf({ panel, tab, protected: "" }), PANEL_HINTS[panel]);
    });

test("a protected page cannot be connected and says why; one that is connected can be let go", () => {
  assert.equal(toggleOf({ panel: "connected", tab: "idle", protected: "why" }).isDisabled, true);
  assert.equal(hintOf({ panel: "connected", tab: "idle", protected: "why" }), "why");
  assert.equal(toggleOf({ panel: "connected", tab: "connected", protected: "why" }).isDisabled, false);
});

test("who drives is told beside the state", () => {
  assert.deepEqual(
    [
      ["executing", "codex"],
      ["connected", "codex"],
      ["connected", ""],
    ].map(([tab, driver]) => driverWords({ tab, driver })),
    ["by codex", "last by codex", ""],
  );
});
