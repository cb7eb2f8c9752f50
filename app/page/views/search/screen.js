// What is on the page: it shows answers, and knows which results and outcomes stand there.

import { announce } from "../../js/announce.js";
import { fill, h } from "../../js/dom.js";
import { showFailure } from "../../js/failure.js";
import { facetGroups } from "./facets.js";
import { keepFocus } from "./focus.js";
import { previewPane } from "./preview.js";
import { failureOf } from "./request.js";
import { keyOf } from "./result.js";
import { drawerButton, localResults, onlyUpstreams, sortMenu, summaryText, upstreamSection } from "./results.js";
import { resultSelection } from "./selection.js";
import { offeredSources, sourceChips } from "./sources.js";
import { UPSTREAMS, isBlank, isChosen, isLocalOnly, withSource } from "./state.js";
import { isFinished, totalOf } from "./upstreams.js";

/** @typedef {import("./state.js").SearchState} SearchState */
/** @typedef {import("./upstreams.js").Asked} Asked */
/**
 * An answer with the state that it belongs to; `answer` is null where no local source was chosen.
 * @typedef {{state: SearchState, answer: import("./request.js").Answer | null,
 *   explanations: () => Promise<Map<string, import("./request.js").Part[]>>}} Shown
 */

const PREVIEW_DELAY_MS = 150;
/** The best result is previewed while none is selected, but not in the midst of typing. */
const BEST_PREVIEW_DELAY_MS = 600;
const ANNOUNCE_DELAY_MS = 700;

/**
 * @param {HTMLElement} main
 * @param {() => SearchState} now the state of the address
 * @param {ReturnType<typeof import("./upstreams.js").upstreamCalls>} upstreams
 * @param {import("./results.js").Actions} actions
 */
export function searchScreen(main, now, upstreams, actions) {
  /** @type {Shown | null} */
  let shown = null;
  let announcing = 0;
  /** Which sources there are. @type {string[]} */
  let offered = [];
  /** @type {WeakMap<object, HTMLElement>} */
  const sections = new WeakMap();
  const chips = sourceChips((name) => actions.change(withSource(now(), name, offered)));
  const sort = sortMenu(now(), actions.change);
  const summary = h("span", { class: "soft summary" });
  const facets = h("aside", { class: "facets", id: "facets", "aria-label": "Filters" });
  const localPart = h("div", { class: "local" });
  const hint = h("div");
  const upstreamPart = h("div", { class: "upstreams" });
  const results = h("div", { class: "results" }, localPart, hint, upstreamPart);
  const previewPart = h("aside", { class: "preview", "aria-label": "Preview" });
  const preview = previewPane(previewPart);
  const selection = resultSelection(results, showPreview);
  const tools = h("div", { class: "row" }, drawerButton(facets), summary, sort.select);
  const top = h("div", { class: "search-top" }, chips.element, tools);
  fill(main, h("h1", { class: "unseen" }, "Search"), top, h("div", { class: "search-grid" }, facets, results, previewPart));
  results.addEventListener("click", selectByClick);

  /** @param {Shown} next */
  function show(next) {
    const isOtherPage = shown !== null && shown.state.page !== next.state.page;
    shown = next;
    if (!upstreams.isFor(next.state.q)) upstreams.clear();
    keepFocus(localPart, () => fill(localPart, localResults(next.state, next.answer, actions)));
    const groups = facetGroups(next.state, next.answer?.facets ?? {}, actions.change);
    keepFocus(facets, () => fill(facets, h("h2", { class: "unseen" }, "Filters"), groups));
    showOutcomes();
    selection.restore();
    showPreview();
    if (isOtherPage) scrollTo(0, 0);
  }

  /** Take all results away: there is nothing to search for, or the search failed. @param {(Node | null)[]} content */
  function clear(...content) {
    shown = null;
    fill(localPart, content);
    if (isBlank(now())) fill(facets);
    preview.clear();
    showOutcomes();
  }

  /** Chips, sections of upstreams, total and time: after any answer. */
  function showOutcomes() {
    const state = now();
    for (const name of offered) showChip(name);
    sort.show(state);
    const isShown = !isLocalOnly(state) && state.page === 1;
    const finished = upstreams.entries().filter(([name, asked]) => isShown && isChosen(name, state) && isFinished(asked));
    // A source without results says so in its chip, unless there is nothing else to see.
    showSections(finished.filter(([, { status, answer }]) => !shown?.answer || status === "failed" || answer?.results.length));
    upstreamPart.setAttribute("aria-busy", String(upstreams.entries().some(([, asked]) => !isFinished(asked))));
    fill(hint, shown && !shown.answer && finished.length === 0 && onlyUpstreams(state, upstreams.isFor(state.q)));
    const answered = finished.map(([, asked]) => asked).filter(({ status }) => status === "answered");
    const isIdle = !shown?.answer && answered.length === 0;
    top.classList.toggle("is-idle", isIdle);
    const milliseconds = shown?.answer?.milliseconds ?? Math.max(...answered.map((asked) => asked.milliseconds));
    summary.textContent = isIdle ? "" : summaryText([shown?.answer?.total, ...answered.map(totalOf)], milliseconds);
    clearTimeout(announcing);
    announcing = setTimeout(() => announce(summary.textContent ?? ""), ANNOUNCE_DELAY_MS);
  }

  /** In the order in which the answers came, so that none moves another. @param {[string, Asked][]} finished */
  function showSections(finished) {
    const built = finished.map(([name, asked]) => {
      const section = sections.get(asked) ?? upstreamSection(name, asked, now(), actions);
      sections.set(asked, section);
      return section;
    });
    const before = [...upstreamPart.children];
    const isSame = built.length === before.length && built.every((section, position) => section === before[position]);
    if (!isSame) keepFocus(upstreamPart, () => fill(upstreamPart, built));
  }

  /** @param {string} name */
  function showChip(name) {
    if (UPSTREAMS.includes(name)) {
      const asked = upstreams.of(name);
      chips.show(name, now(), { ...asked, status: asked?.status ?? "idle", count: totalOf(asked) });
      return;
    }
    const outcome = shown?.answer?.sources.find(({ source }) => source === name);
    const hasFailed = outcome?.success === false;
    const failed = hasFailed && { status: /** @type {const} */ ("failed"), error: failureOf(outcome), milliseconds: outcome.took_ms };
    chips.show(name, now(), failed || { status: "idle", count: outcome?.total ?? outcome?.count });
  }

  function showPreview() {
    const hits = [...(shown?.answer?.results ?? []), ...upstreams.entries().flatMap(([, { answer }]) => answer?.results ?? [])];
    const selected = hits.find((hit) => keyOf(hit) === selection.id);
    const hit = selected ?? shown?.answer?.results[0];
    if (hit && shown) preview.show(hit, shown.state.q, selected ? PREVIEW_DELAY_MS : BEST_PREVIEW_DELAY_MS);
    else preview.clear();
  }

  /** A click beside links and buttons selects. @param {MouseEvent} event */
  function selectByClick(event) {
    const target = /** @type {Element} */ (event.target);
    const article = /** @type {HTMLElement | null} */ (target.closest("article"));
    if (article && !target.closest("a, button") && getSelection()?.isCollapsed !== false) selection.choose(article.dataset.id);
  }

  return {
    show,
    clear,
    showOutcomes,
    selection,
    get shown() {
      return shown;
    },
    first: () => /** @type {HTMLElement | null} */ (results.querySelector("article")),
    /** @param {Record<string, string> | null} sources */
    offer(sources) {
      offered = offeredSources(sources);
      chips.offer(offered);
      showOutcomes();
    },
    /** @param {boolean} isBusy */
    showBusy: (isBusy) => localPart.setAttribute("aria-busy", String(isBusy)),
    /** @param {string[]} names */
    showSlow: (names) => names.forEach((name) => chips.show(name, now(), { status: "slow" })),
    /** @param {unknown} error @param {() => void} retry */
    fail(error, retry) {
      if (!upstreams.isFor(now().q)) upstreams.clear();
      clear();
      showFailure(localPart, error, retry);
    },
    stop() {
      preview.stop();
      clearTimeout(announcing);
    },
  };
}
