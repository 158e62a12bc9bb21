import assert from "node:assert/strict";
import { extensionFile } from "../fakes.js";
import { test } from "../testing.js";

class Failure extends Error {
  constructor(code, message, details) {
    super(message);
    Object.assign(this, { code, details });
  }
}

/** Elements are words here: "password" is a secret field, and "label of X" leads to X. */
const WORLD = {
  Failure,
  document: {},
  documentTitle: () => "The title",
  location: { protocol: "https:", host: "a.example:8443", hostname: "a.example", href: "https://a.example:8443/x" },
  isTarget: (target) => Boolean(target.selector),
  find: ({ selector }) => selector,
  fieldOf: (element) => element.replace("label of ", ""),
  focused: () => "text with the focus",
  secret: (element) => element.startsWith("password"),
  secretKind: (element) => (element.startsWith("password") ? "password" : null),
  rectOf: () => ({ left: 1, top: 2, right: 11, bottom: 22 }),
  toTop: (element, { left, top, right, bottom }) => ({ left: left + 100, top: top + 100, right: right + 100, bottom: bottom + 100 }),
};

/** The functions of page/grant.js, which is part of one script of the page's world. */
function load(world = {}) {
  const known = { ...WORLD, ...world };
  const source = `${extensionFile("page/grant.js")}\nreturn { demandGrant, isGranted, demandGranted };`;
  return new Function(...Object.keys(known), source)(...Object.values(known));
}

const HERE = { origins: ["https://a.example:8443"], secret: false };
const ELSEWHERE = { origins: ["https://b.example"], secret: true };
const ACTS = ["locate", "pointsWithin", "startFill", "startType", "select", "setFiles", "scroll", "demandCaret", "watchFocus", "demandGranted"];
const ON_FIELDS = ACTS.filter((name) => name !== "scroll");
const NEEDS_APPROVAL = { code: "NEEDS_APPROVAL", message: "a person is asked first" };

for (const name of ACTS) {
  test(`${name} does nothing to a document whose origin was not granted`, () => {
    const { demandGrant } = load();
    for (const given of [[{ selector: "button" }], [{}], []]) {
      assert.throws(() => demandGrant(name, given, ELSEWHERE), NEEDS_APPROVAL);
      demandGrant(name, given, HERE);
      demandGrant(name, given, { origins: "*", secret: false });
    }
  });
}

for (const name of ON_FIELDS) {
  test(`${name} does nothing to a secret field unless that was granted`, () => {
    const { demandGrant } = load();
    for (const selector of ["password", "label of password"])
      for (const origins of [HERE.origins, "*"]) {
        assert.throws(() => demandGrant(name, [{ selector }], { origins, secret: false }), NEEDS_APPROVAL);
        demandGrant(name, [{ selector }], { origins, secret: true });
      }
  });
}

test("without a target it is what has the focus that may be secret", () => {
  const { demandGrant } = load({ focused: () => "password with the focus" });
  for (const given of [[], [{}], [null]]) assert.throws(() => demandGrant("startType", given, HERE), NEEDS_APPROVAL);
  demandGrant("startType", [{ selector: "text" }], HERE);
  assert.throws(() => load().demandGrant("startType", [{ selector: "password" }], HERE), NEEDS_APPROVAL);
  load({ focused: () => null }).demandGrant("startType", [], HERE);
});

test("scrolling, and looking at a place, tell a secret field nothing", () => {
  const { demandGrant } = load({ focused: () => "password with the focus" });
  demandGrant("scroll", [{ selector: "password" }], HERE);
  demandGrant("scroll", [{}], HERE);
  demandGrant("locate", [{ selector: "password" }, { enabled: false }], HERE);
  for (const options of [{ enabled: true }, {}]) assert.throws(() => demandGrant("locate", [{ selector: "password" }, options], HERE), NEEDS_APPROVAL);
  assert.throws(() => demandGrant("locate", [{ selector: "password" }, { enabled: false }], ELSEWHERE), NEEDS_APPROVAL);
});

test("what only looks needs no grant", () => load().demandGrant("snapshot", [{ selector: "password" }], ELSEWHERE));

test("a like origin is another one", () => {
  const { demandGrant } = load();
  for (const origin of ["http://a.example:8443", "https://a.example", "https://a.example:844", "https://b.a.example:8443", "a.example:8443", ""])
    assert.throws(() => demandGrant("locate", [{ selector: "button" }], { origins: [origin], secret: false }), NEEDS_APPROVAL, origin);
});

test("what is asked about is told: the document, the field and where it is", () => {
  const { demandGrant } = load();
  const told = (given, grant, name = "locate") => {
    try {
      demandGrant(name, given, grant);
    } catch (failure) {
      return failure.details;
    }
  };
  const document = { origin: "https://a.example:8443", site: "a.example:8443", url: "https://a.example:8443/x", title: "The title" };
  const box = { x: 101, y: 102, width: 10, height: 20 };
  assert.deepEqual(told([{ selector: "password" }], HERE), { ...document, fieldKind: "password", box });
  assert.deepEqual(told([{ selector: "button" }], ELSEWHERE), { ...document, box });
  assert.deepEqual(told([{ selector: "password" }], ELSEWHERE), { ...document, box });
  assert.deepEqual(told([{}], ELSEWHERE, "scroll"), document);
  const file = load({ location: { protocol: "file:", host: "", href: "file:///x" } });
  assert.throws(() => file.demandGrant("locate", [{}], HERE), (failure) => failure.details.site === "file:" && failure.details.origin === "file://");
});

test("a field is granted as the command under way has it, and the next one begins anew", () => {
  const { demandGrant, isGranted } = load();
  const granted = () => [isGranted("text"), isGranted("password")];
  assert.deepEqual(granted(), [true, true]);
  demandGrant("snapshot", [], HERE);
  assert.deepEqual(granted(), [true, false]);
  demandGrant("snapshot", [], { ...HERE, secret: true });
  assert.deepEqual(granted(), [true, true]);
  demandGrant("snapshot", [], HERE);
  demandGrant("snapshot", [], undefined);
  assert.deepEqual(granted(), [true, true]);
  demandGrant("locate", [{ selector: "password" }], undefined);
});

test("only to look whether a target may be acted on answers nothing", () => assert.equal(load().demandGranted(), null));
