// What a page says of itself.

import { attribute, characterSet, documentElement, documentTitle, queryAll, readyState, textContent } from "./dom.js";
import { nameOf } from "./role_and_name.js";
import { isToken } from "./secrets.js";
import { unlessEmpty } from "./telling.js";
import { MAX_NAME, clipped } from "./text.js";
import { isShown } from "./visibility.js";

export const getPageMetadata = () => {
  const all = (selector) => [...queryAll(document, selector)];
  const meta = {};
  for (const element of all("meta[content]")) {
    const name = attribute(element, "name") ?? attribute(element, "property") ?? attribute(element, "http-equiv");
    if (name && !isToken(element) && Object.keys(meta).length < 100)
      meta[`${clipped(name, 100)}`] ??= clipped(attribute(element, "content"), 500);
  }
  const link = (relation) => all(`link[rel~="${relation}" i][href]`)[0]?.href;
  const root = documentElement(document);
  return {
    title: documentTitle(document),
    url: document.location.href,
    language: (root && attribute(root, "lang")) || undefined,
    charset: characterSet(document),
    readyState: readyState(document),
    scroll: scrollX || scrollY ? { x: Math.round(scrollX), y: Math.round(scrollY) } : undefined,
    canonical: link("canonical"),
    icon: link("icon"),
    feeds: unlessEmpty(
      all('link[rel~="alternate" i][type$="+xml" i][href]')
        .slice(0, 10)
        .map(({ href }) => href),
    ),
    meta,
    headings: unlessEmpty(
      all("h1, h2")
        .filter(isShown)
        .slice(0, 20)
        .map((heading) => clipped(nameOf(heading), MAX_NAME)),
    ),
    structuredData: unlessEmpty(
      all('script[type="application/ld+json" i]')
        .slice(0, 20)
        .flatMap((script) => typesIn(textContent(script))),
    ),
  };
};

/** What each thing in a piece of JSON-LD says it is. */
const typesIn = (source) => {
  try {
    const data = JSON.parse(source);
    const things = Array.isArray(data) ? data : (data?.["@graph"] ?? [data]);
    return [...things]
      .map((thing) => String(thing?.["@type"] ?? ""))
      .filter(Boolean)
      .slice(0, 20);
  } catch {
    return []; // not JSON: a page's own mistake
  }
};
