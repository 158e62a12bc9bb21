// Numbers as people write them: with a sign, a currency, groups of thousands, and either sign for decimals.

/**
 * What a text may say as a number; in none of these ways, if it is no number.
 * @param {string} text
 * @param {{own?: boolean}} how `own`: it was given by an agent, whose single point is that of decimals, and whose
 *   single comma that of thousands, where it may be either
 * @returns {string[]} such as "-1250.5"
 */
export const readingsOf = (text, { own = false } = {}) => {
  const plain = text
    .normalize("NFKC")
    .replace(/[\p{Sc}%]/gu, "")
    .replace(/[‐-―−]/g, "-")
    .trim();
  const [, sign, number] = /^([-+]?)\s*(\d(?:[\d.,'’\s]*\d)?|[.,]\d+)[.,]?$/.exec(plain) ?? [];
  if (number === undefined) return [];
  const groups = number.split(/\D/);
  const between = number.match(/\D/g)?.map((one) => one.replace(/[\s’]/, "'")) ?? [];
  const found = [...inDecimals(groups, between), ...inThousands(groups, between)];
  const meant = { ".": found.slice(0, 1), ",": found.slice(-1) };
  const kept = own && between.length === 1 ? meant[between[0]] : undefined;
  return (kept ?? found).map(([whole, part]) => written(sign === "-" ? "-" : "", whole, part));
};

/** @returns {[string, string][]} what is before the sign for decimals, and behind it */
const inDecimals = (groups, between) => {
  const point = between.at(-1);
  const head = inThousands(groups.slice(0, -1), between.slice(0, -1));
  const isPoint = point !== undefined && point !== "'" && !between.slice(0, -1).includes(point);
  return isPoint && head.length ? [[head[0][0], groups.at(-1)]] : [];
};

/** @returns {[string, string][]} */
const inThousands = (groups, between) => {
  const [first, ...others] = groups;
  const isGrouped =
    /^[1-9]\d{0,2}$/.test(first) &&
    others.every((group, at) => group.length === 3 || (group.length === 2 && at < others.length - 1));
  return !others.length || (isGrouped && new Set(between).size === 1) ? [[groups.join(""), ""]] : [];
};

const written = (sign, whole, part) => {
  const [digits, decimals] = [whole.replace(/^0+/, "") || "0", part.replace(/0+$/, "")];
  return `${digits === "0" && !decimals ? "" : sign}${digits}${decimals && `.${decimals}`}`;
};
