// What stands where there are no results: how to search, with examples of this team's own words, and what to try.

import { button, h } from "../../js/dom.js";
import { number, plural } from "../../js/format.js";
import { may } from "../../js/session.js";
import { exampleQueries } from "./examples.js";
import { sourceLabel } from "./sources.js";
import { LOCAL, addressOf, isChosen, isLocalOnly, withSource } from "./state.js";

/** @typedef {import("./state.js").SearchState} SearchState */
/** @typedef {{archive: number | null, indices: number}} Counts */

/** @type {[string, string][]} */
const OPERATORS = [
  ['"a phrase"', "as it stands"],
  ["+word", "must be there"],
  ["-word", "must not"],
  ["begin*", "how words begin"],
  ["*", "everything"],
];

/** @param {Counts | null} counts null while the engine does not say @param {import("./examples.js").Titled[]} documents */
export function emptyPage(counts, documents) {
  if (counts && !counts.archive && !counts.indices) return nothingToSearch();
  const examples = exampleQueries(documents).map(({ query, means }) => {
    return h("li", null, h("a", { href: addressOf({ q: query }), dir: "auto" }, query), h("span", { class: "soft" }, means));
  });
  const all = h("a", { href: addressOf({ q: "*", sort: "-date" }) }, "See all, newest first");
  const feed = h("a", { href: "/feed" }, may("ingest") ? "feed files, folders and addresses" : "see what it holds");
  return h(
    "section",
    { class: "lesson stack" },
    h("h2", null, "Search what this team knows"),
    counts && h("p", { class: "soft" }, countsText(counts), " ", all),
    examples.length > 0 && h("div", { class: "stack tight" }, h("h3", null, "For example"), h("ul", { class: "plain" }, examples)),
    h("p", { class: "operators soft" }, OPERATORS.map(([sign, means]) => h("span", null, h("code", null, sign), ` ${means}`))),
    h("p", null, "More to search: ", feed, ", or ", h("a", { href: "/connect" }, "connect an agent"), "."),
  );
}

/** @param {Counts} counts */
function countsText({ archive, indices }) {
  const inArchive = archive !== null && `${plural(archive, "document")} in the archive`;
  return `${[inArchive, indices > 0 && `${number(indices)} in indices`].filter(Boolean).join(", ")}.`;
}

function nothingToSearch() {
  const whoCan = "Feed this team's Trawl with files, folders, web addresses or buckets. What is read can be found at once.";
  const whoCannot = "Somebody who may feed this team's Trawl has to put documents in first.";
  const feed = may("ingest") && h("a", { href: "/feed", class: "button primary" }, "Feed it");
  return h(
    "section",
    { class: "lesson stack" },
    h("h2", null, "There is nothing to search yet"),
    h("p", null, may("ingest") ? whoCan : whoCannot),
    h("p", { class: "row" }, feed, h("a", { href: "/connect", class: "button" }, "Connect an agent")),
  );
}

/**
 * What to try where nothing was found.
 * @param {SearchState} state @param {import("./request.js").Answer} answer @param {import("./results.js").Actions} actions
 */
export function nothingFound(state, answer, actions) {
  const link = (/** @type {string} */ q) => h("a", { href: addressOf({ ...state, q, page: 1 }), dir: "auto" }, q);
  const press = (/** @type {string} */ text, /** @type {SearchState} */ next) =>
    button(text, () => actions.change(next), { class: "link" });
  if (state.page > 1 && answer.total > 0) {
    const first = h("a", { href: addressOf({ ...state, page: 1 }) }, "Go to the first");
    return h("p", { class: "empty" }, `There is no page ${number(state.page)}. `, first, ".");
  }
  const where = answer.sources.map(({ source }) => `the ${source}`).join(" and ");
  const words = [...new Set(state.q.match(/[^\s"+*-][^\s"*]*/g) ?? [])];
  const plainWords = words.join(" ");
  const isPlain = plainWords === state.q || plainWords === "";
  const begins = words.length === 1 && isPlain && words[0].length > 2 ? `${words[0].slice(0, Math.max(3, words[0].length - 2))}*` : "";
  const others = actions.offered().filter((name) => !isChosen(name, state) && (LOCAL.includes(name) || !isLocalOnly(state)));
  const waiting = actions.waiting().map(sourceLabel).join(" and ");
  const tries = [
    state.filters.length > 0 && press("Search without filters", { ...state, filters: [], page: 1 }),
    answer.did_you_mean && ["Did you mean ", link(answer.did_you_mean), "?"],
    !isPlain && ["The words without signs: ", link(plainWords)],
    words.length > 1 && ["Fewer words: ", ...words.slice(0, 5).flatMap((word, position) => [position > 0 && " · ", link(word)])],
    begins && ["Words that begin so: ", link(begins)],
    ...others.map((name) => {
      const label = name === "web" ? "the web" : sourceLabel(name);
      return press(`Search ${label} too`, withSource(state, name, actions.offered()));
    }),
    waiting && `Enter searches ${waiting} too`,
    "Check the spelling",
  ];
  return h(
    "section",
    { class: "nothing stack tight" },
    h("h2", { dir: "auto" }, `Nothing found${state.q && ` for “${state.q}”`} in ${where}`),
    h("ul", { class: "tries" }, tries.map((each) => each && h("li", null, each))),
  );
}
