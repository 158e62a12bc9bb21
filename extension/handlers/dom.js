import { answerIn } from "../tab/frame_answers.js";
import { coverAround, merged, reach } from "../tab/inside.js";
import { maskUrl } from "../tab/masking.js";
import { overlapping } from "../tab/overlapping.js";
/** @import { Handler } from "../tab/executor.js" */
/** @import { Inside, Way } from "../tab/inside.js" */
/** @import { Run } from "../tab/run.js" */
/** @import { Target } from "../tab/target.js" */

/** Questions whose answers give out no refs. */
const WITHOUT_REFS = new Set(["countElements", "getVisibleText", "getPageMetadata"]);
const asking = (/** @type {string} */ question) => (WITHOUT_REFS.has(question) ? "ask" : "explore");

/** A question about one element or the top document, answered by the page's half. */
const asks =
  (question) =>
  async ({ selector, ...params }, run) => {
    const { answer } = await run.at(selector === undefined ? {} : { selector }, asking(question), question, params);
    return amongMatches(answer, run);
  };

/** An answer about the first of several elements says of how many. */
const amongMatches = (answer, { matches }) => (Object.keys(matches).length ? { ...answer, matches } : answer);

/**
 * Where the page is, without what its address may tell about the person's accounts.
 * @type {Handler}
 */
async function getPageMetadata(params, run) {
  const { url, canonical, ...about } = await asks("getPageMetadata")(params, run);
  return { ...about, url: maskUrl(url), ...(canonical && { canonical: maskUrl(canonical) }) };
}

/** @typedef {{answer: any, frames: (Answered|null)[]}} Answered what a document and those in it say; null: a frame does not */

/**
 * A question whose answer may come from several documents.
 * @param {Run} run
 * @param {string} question
 * @param {Record<string, any>} params
 * @returns {Promise<Answered>}
 */
async function gather(run, question, { selector, ...params }) {
  const target = selector === undefined ? {} : { selector };
  const { value, inside } = await reach(run, target, asking(question), question, params);
  return withFrames(inside, value, { target, question, params });
}

/**
 * @param {Inside} inside
 * @param {{answer: any, doors: Way[]}} told
 * @param {{target: Target, question: string, params: object}} asked
 * @returns {Promise<Answered>}
 */
async function withFrames(inside, { answer, doors }, { target, question, params }) {
  /** @type {(Answered|null)[]} */
  const frames = [];
  for (const way of doors) {
    const next = merged(target, way.rest);
    const asked = await answerIn(inside, { way }, (frame) => frame.reply(asking(question), next, question, params));
    frames.push(asked && (await withFrames(asked.frame, asked.reply.value, { target: next, question, params })));
  }
  return { answer, frames };
}

/** @type {(found: Answered|null) => any[]} */
const flat = (found) => (found ? [found.answer, ...found.frames.flatMap(flat)] : []);
const sum = (answers, key) => answers.reduce((total, answer) => total + answer[key], 0);

/** A list {count, [key]} over all documents, `limit` long at most. */
const lists = (question, key, limitOf) => async (params, run) => {
  const answers = flat(await gather(run, question, params));
  return { count: sum(answers, "count"), [key]: answers.flatMap((answer) => answer[key]).slice(0, limitOf(params)) };
};

/** @type {Handler} */
async function checkVisibility({ selector }, run) {
  const { value, inside } = await run.found({ selector }, "explore", "checkVisibility", {});
  const { points, ...answer } = value.answer;
  const whole = points ? { ...answer, coveredBy: await coverAround(inside, points) } : answer;
  return amongMatches(whole, run);
}

/** @type {Handler} */
async function countElements(params, run) {
  const answers = flat(await gather(run, "countElements", params));
  return { count: sum(answers, "count"), visible: sum(answers, "visible") };
}

/** @type {Handler} */
async function getVisibleText(params, run) {
  const { maxLength } = params;
  const text = readable(await gather(run, "getVisibleText", params));
  if (text === "") return "(no visible text)";
  if (text.length <= maxLength) return text;
  return `${text.slice(0, maxLength).toWellFormed()}\n(cut after ${maxLength} characters; name a selector, or raise maxLength)`;
}

/**
 * The pieces of a document's text with those of its frames between them.
 * @param {Answered|null} found
 * @returns {string}
 */
function readable(found) {
  if (!found) return "";
  return found.answer
    .flatMap((piece, index) => [piece, readable(found.frames[index])])
    .filter(Boolean)
    .join("\n");
}

const asMany = ({ limit }) => limit;
const MAX_FIELDS = 200;
const listFields = lists("getFormValues", "fields", () => MAX_FIELDS);
const getFormValues = ({ formSelector }, run) => listFields({ selector: formSelector }, run);

/**
 * The snapshot's walker with other defaults.
 * @type {Handler}
 */
function getFilteredAriaTree({ roles, maxDepth, interactiveOnly }, run) {
  return run.snapshots.take(run, {
    maxDepth,
    ...(interactiveOnly && { interactiveOnly }),
    ...(roles?.length && { roles }),
  });
}

/** @type {Record<string, Handler>} */
export const handlers = {
  kapturemcp_query_dom: lists("queryDom", "elements", asMany),
  kapturemcp_get_visible_text: overlapping(getVisibleText),
  kapturemcp_get_computed_styles: asks("getComputedStyles"),
  kapturemcp_check_visibility: checkVisibility,
  kapturemcp_get_attributes: asks("getAttributes"),
  kapturemcp_count_elements: overlapping(countElements),
  kapturemcp_get_page_metadata: overlapping(getPageMetadata),
  kapturemcp_get_filtered_aria_tree: getFilteredAriaTree,
  kapturemcp_find_by_text: lists("findByText", "elements", asMany),
  kapturemcp_get_form_values: getFormValues,
  kapturemcp_check_element_state: asks("checkElementState"),
};
