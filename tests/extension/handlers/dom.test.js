import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { settle } from "../fakes.js";
import { connectedTab } from "../tab.js";
import { test } from "../testing.js";

let tab, asked, answers;
beforeEach(async () => {
  tab = await connectedTab();
  asked = [];
  answers = {
    countElements: { count: 2, visible: 1 },
    queryDom: { count: 1, elements: [{ ref: "e1" }] },
    getVisibleText: ["Once", "upon"],
  };
  answers.findByText = answers.queryDom;
  answers.getPageMetadata = { title: "Shop", url: "https://shop.example/?page=2" };
  answers.getFormValues = { count: 1, fields: [{ ref: "e1" }] };
  tab.chrome.page.explore = (...args) => (
    asked.push(args),
    { answer: answers[args[1]] ?? { held: 1 }, doors: [], nextRef: 7 }
  );
  tab.chrome.page.ask = (...args) => (asked.push(args), { answer: answers[args[1]], doors: [] });
});

const QUESTIONS = [
  "query_dom",
  "get_computed_styles",
  "check_visibility",
  "get_attributes",
  "find_by_text",
  "get_form_values",
  "check_element_state",
];

for (const command of QUESTIONS)
  test(`${command} asks the page's half its own question, refs counted on`, async () => {
    const selector = command === "get_form_values" ? "formSelector" : "selector";
    const { result } = await tab.run(command, { [selector]: "p", limit: 10, maxLength: 100 });
    const question = command.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());
    assert.deepEqual(result, answers[question] ?? { held: 1 });
    const [target, name, , numbers] = asked[0];
    assert.deepEqual([target, name, numbers], [{ selector: "p" }, question, { from: 1, accepted: 1 }]);
    await tab.run(command, { [selector]: "p", limit: 10, maxLength: 100 });
    assert.deepEqual(asked[1][3], { from: 7, accepted: 7 });
  });

for (const [command, told] of Object.entries({
  count_elements: { count: 2, visible: 1 },
  get_visible_text: "Once\nupon",
  get_page_metadata: { title: "Shop", url: "https://shop.example/?page=2" },
}))
  test(`${command} gives out no refs, and needs no numbers`, async () => {
    const { result } = await tab.run(command, { selector: "p", maxLength: 100 });
    assert.deepEqual(result, told);
    const question = command.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());
    assert.deepEqual([asked[0][1], asked[0].length], [question, 3]);
  });

test("such questions need not wait for one another, and those with refs and actions wait for all before them", async () => {
  const answering = [];
  tab.chrome.page.ask = (_target, question) => {
    asked.push(question);
    const { promise, resolve } = Promise.withResolvers();
    answering.push(() => resolve({ answer: answers[question], doors: [] }));
    return promise;
  };
  const runs = ["count_elements", "get_visible_text", "query_dom"].map((command) =>
    tab.run(command, { selector: "p", maxLength: 100, limit: 10 }),
  );
  await settle();
  assert.deepEqual(asked, ["countElements", "getVisibleText"]);
  answering[1]();
  await settle();
  assert.equal(asked.length, 2);
  answering[0]();
  for (const run of runs) assert.equal((await run).success, true);
  assert.equal(asked[2][1], "queryDom");
});

test("the page's address is told without its secrets", async () => {
  answers.getPageMetadata = {
    title: "Shop",
    url: "https://shop.example/?token=abc&page=2#access_token=abc",
    canonical: "https://shop.example/?key=abc",
  };
  assert.deepEqual((await tab.run("get_page_metadata", {})).result, {
    title: "Shop",
    url: "https://shop.example/?token=***&page=2#access_token=***",
    canonical: "https://shop.example/?key=***",
  });
});

test("a text longer than was asked for is cut and says so", async () => {
  answers.getVisibleText = ["x".repeat(50)];
  assert.match((await tab.run("get_visible_text", { maxLength: 20 })).result, /^x{20}\n\(cut after 20 characters/);
  answers.getVisibleText = [""];
  assert.equal((await tab.run("get_visible_text", { maxLength: 20 })).result, "(no visible text)");
});

test("the filtered tree is a snapshot with these filters, empty ones left out", async () => {
  tab.chrome.page.snapshot = (...args) => (
    asked.push(args),
    { lines: ["- main"], doors: [], nextRef: 1, title: "Shop", url: "https://shop.example/" }
  );
  const { result } = await tab.run("get_filtered_aria_tree", { maxDepth: 5, interactiveOnly: false, roles: [] });
  assert.equal(result, "# Shop — https://shop.example/\n- main");
  await tab.run("get_filtered_aria_tree", { maxDepth: 2, interactiveOnly: true, roles: ["link"] });
  assert.deepEqual(
    asked.map(([target, options]) => [target, options]),
    [
      [{}, { maxDepth: 5 }],
      [{}, { maxDepth: 2, interactiveOnly: true, roles: ["link"] }],
    ],
  );
});
