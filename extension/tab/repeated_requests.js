// Requests that do not show that an action did anything: those of the browser's own, and those that a page makes again
// and again by itself, such as those of a poll.

/** So many requests alike, at most so far apart and at about the same intervals, are a habit of the page. */
const HABIT = 3;
const HABIT_GAP_MS = 30_000;
const HABIT_RATIO = 4;
const HABIT_SLACK_MS = 500;

/**
 * What kind of request an event of Chrome's tells of, and what began it, in the words of a record of the network log.
 * The browser asks for a page's icon by itself, at any time; of that alone Chrome tells neither a kind nor a beginner.
 * @param {{type?: string, initiator?: {type: string, url?: string}}} params
 */
export const kindOf = ({ type = "Other", initiator }) => ({
  type: type.toLowerCase(),
  initiator: initiator?.type ?? "other",
  byBrowser: type === "Other" && (initiator?.type ?? "other") === "other" && !initiator?.url,
});

/**
 * Whether a page asked a server. Other addresses hold what they are about, or the browser does.
 * @param {{url: string, byBrowser?: boolean}} record
 */
export const isOfPage = ({ url, byBrowser }) => !byBrowser && !/^(data|blob|chrome):/.test(url);

/**
 * The request that all that began after a mark repeat, if the page makes it by itself.
 * @param {any[]} all records of the network log, newest first; `inAction`: it began during an action
 * @param {number} mark the number of the last one before
 * @returns {{method: string, url: string}|null}
 */
export function onlyRepeated(all, mark) {
  const isNew = (record) => Number(record.id.slice(1)) > mark;
  const begun = all.filter((record) => isNew(record) && isOfPage(record));
  const earlier = all.filter((record) => !isNew(record) && !record.inAction);
  const isRepeated = begun.length > 0 && begun.every((one) => isHabit(one, earlier));
  return isRepeated ? { method: begun[0].method, url: begun[0].url } : null;
}

/**
 * @param {any} record
 * @param {any[]} earlier those that began while nothing was done, newest first
 */
function isHabit(record, earlier) {
  const key = keyOf(record);
  const times = earlier.filter((one) => keyOf(one) === key).map(({ at }) => at);
  if (times.length < HABIT) return false;
  const gaps = times.slice(0, HABIT - 1).map((at, index) => at - times[index + 1]);
  const [least, most] = [Math.min(...gaps), Math.max(...gaps)];
  const isRegular = most <= HABIT_GAP_MS && most <= HABIT_RATIO * least + HABIT_SLACK_MS;
  return isRegular && record.at - times[0] <= 2 * most + SETTLED_MS;
}
/** While actions go on, none of the page's own is seen. */
const SETTLED_MS = 5000;

/** @param {any} record */
const keyOf = ({ method, url }) => `${method} ${url.replace(/[?#].*/s, "")}`;
