import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { catalogue } from "../fakes.js";
import { connectedTab } from "../tab.js";
import { test } from "../testing.js";

let tab, asked;
beforeEach(async () => {
  tab = await connectedTab();
  asked = [];
  tab.chrome.page.explore = (...args) => (asked.push(args), { answer: { count: 0 }, nextRef: 7 });
});

const QUESTIONS = [...catalogue().commands.values()]
  .filter(({ group, name }) => group === "dom" && !name.endsWith("aria_tree"))
  .map(({ name }) => name.replace("kapturemcp_", ""));

for (const command of QUESTIONS)
  test(`${command} asks the page's half its own question, refs counted on`, async () => {
    const { result } = await tab.run(command, { selector: "p" });
    assert.deepEqual(result, { count: 0 });
    const question = command.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());
    assert.deepEqual(asked, [[question, { selector: "p" }, 1]]);
    await tab.run(command, { selector: "p" });
    assert.equal(asked[1][2], 7);
  });

test("the filtered tree is a snapshot with these filters, empty ones left out", async () => {
  tab.chrome.page.snapshot = (options) => (asked.push(options), { lines: ["- main"], nextRef: 1, title: "Shop", url: "https://shop.example/" });
  const { result } = await tab.run("get_filtered_aria_tree", { maxDepth: 5, interactiveOnly: false, roles: [] });
  assert.equal(result, "# Shop — https://shop.example/\n- main");
  await tab.run("get_filtered_aria_tree", { maxDepth: 2, interactiveOnly: true, roles: ["link"] });
  assert.deepEqual(asked, [{ maxDepth: 5, nextRef: 1 }, { maxDepth: 2, interactiveOnly: true, roles: ["link"], nextRef: 1 }]);
});
