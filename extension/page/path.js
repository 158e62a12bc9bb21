// What names an element beyond the life of its page: for the history and what is made of it, never for agents.

/** Page functions whose first argument is the target of a command; with some a label stands for its control. */
const TAKES_TARGET = new Set(["locate", "boxOf", "startFill", "startType", "select", "setFiles", "scroll", "waitFor"]);
const TAKES_FIELD = new Set(["startFill", "startType", "select", "setFiles"]);
/** Without a target these act on what has the focus. */
const TAKES_FOCUS = new Set(["startType", "demandCaret", "watchFocus"]);

/**
 * The element a call is about, before it acts.
 * @returns {{selector, through, role, name, alone, type, secret}|{focus, secret}|undefined} `through` says of each >>>
 *   of the selector whether it enters a "frame" or a "shadow" root; `alone`: nothing else of the document has this role
 *   and name; `focus`: no element was named, and what has the focus is meant
 */
const targetOfCall = (name, [target]) => {
  if (TAKES_FOCUS.has(name) && !(target && isTarget(target))) {
    const active = innermostActive();
    return active && isDoor(active) ? undefined : { focus: true, ...(active && secret(active) && { secret: true }) };
  }
  if (!TAKES_TARGET.has(name) || !isTarget(target)) return undefined;
  try {
    return remembering(() => {
      const element = find(target);
      return recorded(TAKES_FIELD.has(name) ? fieldOf(element) : element);
    });
  } catch (error) {
    // What is wrong with the target, or where it goes on, is told by the function itself.
    if (error instanceof Failure || error instanceof Crossing) return undefined;
    throw error;
  }
};

const MAX_RECORDED_NAME = 100;

const recorded = (element) => {
  const role = roleOf(element);
  const name = nameOf(element);
  const control = /^(input|select|textarea)$/.test(tag(element));
  return {
    ...pathOf(element), role, name: clipped(name, MAX_RECORDED_NAME),
    ...(isAlone(element, role, name) && { alone: true }),
    ...(control && { type: element.type }),
    ...(secret(element) && { secret: true }),
  };
};

/** A selector that only this element matches, in whichever frames and shadow roots it is. */
const pathOf = (element) => {
  const parts = [];
  const through = [];
  for (let node = element; node; ) {
    const root = rootOf(node);
    parts.unshift(pathIn(root, node));
    const around = nodeType(root) === 11 ? root.host : defaultView(root)?.frameElement;
    if (around) through.unshift(nodeType(root) === 11 ? "shadow" : "frame");
    node = around;
  }
  // A document of another origin cannot see the frame it is in; the one around has told.
  if (place?.path) {
    parts.unshift(place.path.selector);
    through.unshift(...place.path.through, "frame");
  }
  return parts.includes(null) ? { selector: null, through: [] } : { selector: parts.join(" >>> "), through };
};

/** The shortest way to an element within its document or shadow root, or null. */
const pathIn = (root, element) => {
  const own = selectorsOf(element);
  const only = (selector) => {
    const found = queryAll(root, selector);
    return found.length === 1 && found[0] === element;
  };
  const direct = own.find(only);
  if (direct) return direct;
  let chain = stepTo(element);
  for (let node = parentNode(element); node && isElement(node); node = parentNode(node)) {
    for (const anchor of selectorsOf(node)) {
      const found = [...own.map((mark) => `${anchor} ${mark}`), `${anchor} > ${chain}`].find(only);
      if (found) return found;
    }
    chain = `${stepTo(node)} > ${chain}`;
  }
  return only(chain) ? chain : null;
};

/** An element among its neighbours: its tag, counted where there are several. */
const stepTo = (element) => {
  const parent = parentNode(element);
  const same = parent ? [...childNodes(parent)].filter((node) => isElement(node) && tag(node) === tag(element)) : [element];
  return same.length === 1 ? CSS.escape(tag(element)) : `${CSS.escape(tag(element))}:nth-of-type(${same.indexOf(element) + 1})`;
};

const TEST_MARKS = ["data-testid", "data-test-id", "data-test", "data-cy", "data-qa"];
const NAMED = /^(input|select|textarea|button|form|iframe|frame|fieldset)$/;
/** Addresses with these in their parameters may carry a secret: the words of basics/address_secrets.js. */
const SECRET_PARAMETER = /[?&#;].*(?:token|code|key|sig|pass|pwd|secret|auth|session|sessid|jwt|otp|cvc|cvv|card|credential|assertion|(?<![a-z])(?:sid|ticket|pin|hash|access|nonce)(?![a-z]))/i;

/** What an element is marked with, the best first; nothing that looks as if it were different next time. */
const selectorsOf = (element) => {
  const kind = CSS.escape(tag(element));
  const marked = (name) => {
    const value = attribute(element, name);
    return value && value.length <= 100 && !value.includes(">>>") ? `[${name}=${quoted(value)}]` : null;
  };
  const id = attribute(element, "id");
  const name = attribute(element, "name");
  const href = tag(element) === "a" ? attribute(element, "href") : null;
  const choice = tag(element) === "input" && /^(radio|checkbox)$/.test(element.type) ? (marked("value") ?? "") : "";
  return [
    ...TEST_MARKS.map(marked),
    id && !looksMade(id) ? `#${CSS.escape(id)}` : null,
    name && NAMED.test(tag(element)) && !looksMade(name) && marked("name") ? `${kind}${marked("name")}${choice}` : null,
    marked("aria-label") && `${kind}${marked("aria-label")}`,
    marked("placeholder") && `${kind}${marked("placeholder")}`,
    tag(element) === "label" && attribute(element, "for") && !looksMade(attribute(element, "for")) ? `label${marked("for")}` : null,
    href && !/:\/\//.test(href) && !SECRET_PARAMETER.test(href) && marked("href") ? `a${marked("href")}` : null,
  ].filter(Boolean);
};

const looksMade = (value) =>
  GENERATED.test(value) || value.length > 60 || /\d{4,}|\d[a-z]{1,4}\d|>>>/i.test(value) || /(?=[a-f]*\d)[0-9a-f]{8,}/i.test(value);

const quoted = (value) => `"${value.replace(/["\\\u0000-\u001f\u007f]/g, (character) => `\\${character.codePointAt(0).toString(16)} `)}"`;

/** More than this many like it are not compared: an action does not wait for that. */
const MAX_COMPARED = 500;

const isAlone = (element, role, name) => {
  if (!role || !name || name.length > MAX_RECORDED_NAME) return false;
  const sameRole = `[role=${quoted(role)}]`;
  const others = queryAll(rootOf(element), hasAttribute(element, "role") ? sameRole : `${CSS.escape(tag(element))}, ${sameRole}`);
  if (others.length > MAX_COMPARED) return false;
  const say = (one) => squeeze(attribute(one, "aria-label") ?? textContent(one));
  const said = say(element);
  return ![...others].some((one) => one !== element && say(one) === said && roleOf(one) === role && nameOf(one) === name);
};
