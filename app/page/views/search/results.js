// The list of results: what is in force above it, the results, and the ways to other pages.

import { button, h } from "../../js/dom.js";
import { failureNotice } from "../../js/failure.js";
import { number, plural } from "../../js/format.js";
import { chosenFilters } from "./facets.js";
import { failureOf } from "./request.js";
import { resultArticle } from "./result.js";
import { ONLY_LOCAL, sourceLabel } from "./sources.js";
import { LAST_PAGE, PAGE_SIZE, addressOf, isLocalOnly } from "./state.js";
import { nothingFound } from "./teaching.js";

/** @typedef {import("./state.js").SearchState} SearchState */
/** @typedef {import("./request.js").Answer} Answer */
/** @typedef {import("./request.js").Hit} Hit */
/**
 * What the list needs from the view.
 * @typedef {{change: (state: SearchState) => void, why: (hit: Hit, button: HTMLButtonElement) => void,
 *   retry: (source?: string) => void, offered: () => string[], waiting: () => string[]}} Actions
 * `waiting` are chosen sources that wait for Enter.
 */

const ORDERS = { "": "best first", "-date": "newest first", date: "oldest first", title: "by title" };

/** @param {SearchState} state @param {Answer | null} answer null where no local source was asked @param {Actions} actions */
export function localResults(state, answer, actions) {
  const failed = answer?.sources.filter(({ success }) => !success) ?? [];
  return [
    aboveResults(state, answer, actions),
    ...failed.map((outcome) => failureNotice(failureOf(outcome), () => actions.retry())),
    ...(answer?.results ?? []).map((hit) => resultArticle(hit, state.q, actions.why)),
    answer && answer.results.length === 0 ? nothingFound(state, answer, actions) : null,
    answer && pager(state, answer.total),
  ];
}

/**
 * Chosen filters, how the words were taken, and a better spelling.
 * @param {SearchState} state @param {Answer | null} answer @param {Actions} actions
 */
function aboveResults(state, answer, actions) {
  const suggestion = answer && answer.results.length > 0 ? answer.did_you_mean : null;
  const chips = chosenFilters(state, actions.change);
  const note = answer && answer.results.length > 0 ? matchNote(answer) : "";
  if (chips.length === 0 && !suggestion && !note) return null;
  const address = suggestion && addressOf({ ...state, q: suggestion, page: 1 });
  const better = suggestion && h("a", { href: address, "data-focus": "suggestion", dir: "auto" }, suggestion);
  return h(
    "div",
    { class: "chips above" },
    chips,
    note && h("span", { class: "soft" }, note),
    better && h("span", { class: "soft" }, "Did you mean ", better, "?"),
  );
}

/** @param {Answer} answer */
function matchNote({ results, beginning }) {
  if (beginning) return `No exact match yet; words that begin with “${beginning}”.`;
  return results.every(({ matched }) => matched === "fuzzy") ? "No exact match; similar words." : "";
}

/** @param {SearchState} state @param {number} total */
function pager(state, total) {
  const last = Math.min(LAST_PAGE, Math.ceil(total / PAGE_SIZE));
  if (last <= 1) return null;
  const link = (/** @type {string} */ text, /** @type {number} */ page) => {
    const isThere = page >= 1 && page <= last;
    return isThere ? h("a", { href: addressOf({ ...state, page }), "data-focus": text }, text) : h("span", { class: "soft" }, text);
  };
  const end = last === LAST_PAGE && state.page === last ? "; narrow the search to see others" : "";
  const here = h("span", { class: "soft" }, `Page ${number(state.page)} of ${number(last)}${end}`);
  return h("nav", { class: "row pager", "aria-label": "Pages" }, link("Previous", state.page - 1), here, link("Next", state.page + 1));
}

/** What stands there where neither archive nor indices are chosen. @param {SearchState} state @param {boolean} isAsked */
export function onlyUpstreams(state, isAsked) {
  const waiting = isAsked ? "Waiting for the first answer." : "Enter searches the chosen sources.";
  return h("p", { class: "empty" }, isLocalOnly(state) ? `${ONLY_LOCAL}: choose one of them above.` : waiting);
}

/** @param {string} name @param {import("./upstreams.js").Asked} asked @param {SearchState} state @param {Actions} actions */
export function upstreamSection(name, asked, state, actions) {
  const hits = asked.answer?.results ?? [];
  const nothing = hits.length === 0 && h("p", { class: "empty" }, "Nothing found here.");
  return h(
    "section",
    { "data-section": name, "aria-label": sourceLabel(name) },
    h("h2", { class: "source-name" }, sourceLabel(name)),
    asked.status === "failed" ? failureNotice(asked.error, () => actions.retry(name)) : nothing,
    hits.map((hit) => resultArticle(hit, state.q, actions.why)),
  );
}

/**
 * How many there are in all that answered, and how long it took.
 * @param {(number | null | undefined)[]} totals @param {number} milliseconds
 */
export function summaryText(totals, milliseconds) {
  const total = totals.reduce((/** @type {number} */ sum, each) => sum + (each ?? 0), 0);
  return `${plural(total, "result")} · ${Math.max(1, Math.round(milliseconds))} ms`;
}

/** @param {SearchState} state @param {(state: SearchState) => void} change */
export function sortMenu(state, change) {
  const select = h("select", {
    "aria-label": "Order of the results",
    onchange: () => change({ ...state, sort: select.value, page: 1 }),
    // Arrow keys choose here, and do not move the selection.
    onkeydown: (/** @type {KeyboardEvent} */ event) => event.stopPropagation(),
  });
  for (const [value, text] of Object.entries(ORDERS)) select.append(h("option", { value }, text));
  return {
    select,
    /** @param {SearchState} next */
    show(next) {
      state = next;
      if (select.value === next.sort) return;
      const isKnown = [...select.options].some(({ value }) => value === next.sort);
      // An address may name any field.
      if (!isKnown) select.append(h("option", { value: next.sort }, `by ${next.sort}`));
      select.value = next.sort;
    },
  };
}

/** The drawer of filters on narrow screens. @param {HTMLElement} facets */
export function drawerButton(facets) {
  const toggle = button("Filters", () => {
    const isOpen = facets.toggleAttribute("data-open");
    toggle.setAttribute("aria-expanded", String(isOpen));
  }, { class: "chip drawer", "aria-expanded": "false", "aria-controls": facets.id });
  return toggle;
}
