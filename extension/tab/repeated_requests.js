// Requests that a page makes again and again by itself, such as those of a poll: none of them shows that an action did
// anything.

/** So many requests alike, at most so far apart and at about the same intervals, are a habit of the page. */
const HABIT = 3;
const HABIT_GAP_MS = 30_000;
const HABIT_RATIO = 4;
const HABIT_SLACK_MS = 500;

/** Whether an address is asked of a server; others hold what they are about, or the browser does. @param {string} url */
export const isAsked = (url) => !/^(data|blob|chrome):/.test(url);

/**
 * The request that all that began after a mark repeat, if the page makes it by itself.
 * @param {any[]} all records of the network log, newest first; `inAction`: it began during an action
 * @param {number} mark the number of the last one before
 * @returns {{method: string, url: string}|null}
 */
export function onlyRepeated(all, mark) {
  const isNew = (record) => Number(record.id.slice(1)) > mark;
  const begun = all.filter((record) => isNew(record) && isAsked(record.url));
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
