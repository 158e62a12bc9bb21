import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { layOut, page, show } from "./jsdom.js";
import { demandGrant, demandGranted, isGranted } from "../../../extension/page/grant.js";
import { standAt } from "../../../extension/page/place.js";
import { test } from "../testing.js";

const HERE = { origins: ["https://a.example:8443"], secret: ["https://b.example"] };
const ELSEWHERE = { origins: ["https://b.example"], secret: "*" };
const ACTS = [
  "locate",
  "pointsWithin",
  "startFill",
  "startType",
  "select",
  "startUpload",
  "tickSpot",
  "choiceStep",
  "scroll",
  "startWheel",
  "demandCaret",
  "watchFocus",
  "demandGranted",
];
const ON_FIELDS = ACTS.filter((name) => name !== "scroll" && name !== "startWheel");
const NEEDS_APPROVAL = { code: "NEEDS_APPROVAL", message: "a person is asked first" };

const element = (id) => document.getElementById(id);

beforeEach(() => {
  page.reconfigure({ url: "https://a.example:8443/x" });
  document.title = "The title";
  show(
    `<button>Go</button><label id="label" for="password">Password</label><input id="password" type="password"><input id="text">`,
  );
  demandGrant("snapshot", [], undefined);
});

for (const name of ACTS) {
  test(`${name} does nothing to a document whose origin was not granted`, () => {
    for (const given of [[{ selector: "button" }], [{}], []]) {
      assert.throws(() => demandGrant(name, given, ELSEWHERE), NEEDS_APPROVAL);
      demandGrant(name, given, HERE);
      demandGrant(name, given, { origins: "*", secret: [] });
    }
  });
}

for (const name of ON_FIELDS) {
  test(`${name} does nothing to a secret field unless that was granted`, () => {
    for (const selector of ["#password", "#label"])
      for (const origins of [HERE.origins, "*"]) {
        for (const secret of [[], ["https://b.example"], ["https://a.example"], ["https://a.example:84433"]])
          assert.throws(() => demandGrant(name, [{ selector }], { origins, secret }), NEEDS_APPROVAL);
        for (const secret of ["*", HERE.origins]) demandGrant(name, [{ selector }], { origins, secret });
      }
  });
}

test("without a target it is what has the focus that may be secret", () => {
  element("password").focus();
  for (const given of [[], [{}], [null]]) assert.throws(() => demandGrant("startType", given, HERE), NEEDS_APPROVAL);
  demandGrant("startType", [{ selector: "#text" }], HERE);
  element("text").focus();
  demandGrant("startType", [], HERE);
  assert.throws(() => demandGrant("startType", [{ selector: "#password" }], HERE), NEEDS_APPROVAL);
  const root = document.documentElement;
  root.remove();
  assert.equal(document.activeElement, null);
  demandGrant("startType", [], HERE);
  document.append(root);
});

test("scrolling, and looking at a place, tell a secret field nothing", () => {
  element("password").focus();
  demandGrant("scroll", [{ selector: "#password" }], HERE);
  demandGrant("scroll", [{}], HERE);
  demandGrant("startWheel", [{ selector: "#password" }], HERE);
  demandGrant("startWheel", [{}], HERE);
  demandGrant("locate", [{ selector: "#password" }, { enabled: false }], HERE);
  for (const options of [{ enabled: true }, {}])
    assert.throws(() => demandGrant("locate", [{ selector: "#password" }, options], HERE), NEEDS_APPROVAL);
  assert.throws(
    () => demandGrant("locate", [{ selector: "#password" }, { enabled: false }], ELSEWHERE),
    NEEDS_APPROVAL,
  );
});

test("what only looks needs no grant", () => demandGrant("snapshot", [{ selector: "#password" }], ELSEWHERE));

test("a like origin is another one", () => {
  for (const origin of [
    "http://a.example:8443",
    "https://a.example",
    "https://a.example:844",
    "https://b.a.example:8443",
    "a.example:8443",
    "",
  ])
    assert.throws(
      () => demandGrant("locate", [{ selector: "button" }], { origins: [origin], secret: [] }),
      NEEDS_APPROVAL,
      origin,
    );
});

/** What the error says that a call meets with. */
function told(given, grant, name = "locate") {
  try {
    demandGrant(name, given, grant);
  } catch (failure) {
    return failure.details;
  }
  return assert.fail("nothing was demanded");
}

test("what is asked about is told: the document, the field and where it is in the top viewport", () => {
  layOut({ x: 1, y: 2, width: 10, height: 20 });
  standAt({ a: 1, b: 0, c: 0, d: 2, e: 100, f: 200 });
  const here = {
    origin: "https://a.example:8443",
    site: "a.example:8443",
    url: "https://a.example:8443/x",
    title: "The title",
  };
  const box = { x: 101, y: 204, width: 10, height: 40 };
  assert.deepEqual(told([{ selector: "#password" }], HERE), { ...here, fieldKind: "password", box });
  assert.deepEqual(told([{ selector: "button" }], ELSEWHERE), { ...here, box });
  assert.deepEqual(told([{ selector: "#password" }], ELSEWHERE), { ...here, box });
  assert.deepEqual(told([{}], ELSEWHERE, "scroll"), here);
});

test("a document without a host is told by its scheme", () => {
  page.reconfigure({ url: "file:///x" });
  const { site, origin } = told([{ selector: "button" }], HERE);
  assert.deepEqual([site, origin], ["file:", "file://"]);
});

test("a field is granted as the command under way has it, and the next one begins again", () => {
  const granted = () => [isGranted(element("text")), isGranted(element("password"))];
  assert.deepEqual(granted(), [true, true]);
  demandGrant("snapshot", [], HERE);
  assert.deepEqual(granted(), [true, false]);
  demandGrant("snapshot", [], { ...HERE, secret: HERE.origins });
  assert.deepEqual(granted(), [true, true]);
  demandGrant("snapshot", [], HERE);
  demandGrant("snapshot", [], undefined);
  assert.deepEqual(granted(), [true, true]);
  demandGrant("locate", [{ selector: "#password" }], undefined);
});

test("only to look whether a target may be acted on answers nothing", () => assert.equal(demandGranted(), null));
