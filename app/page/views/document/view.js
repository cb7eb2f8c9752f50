// The view of one document: its text like a page to read, its outline, what is known of it, and what it cites.

import { announce } from "../../js/announce.js";
import { Failed, pathOf } from "../../js/api.js";
import { openCitation } from "../../js/citation.js";
import { copyText } from "../../js/copy.js";
import { button, fill, h, outsideLink } from "../../js/dom.js";
import { failureNotice } from "../../js/failure.js";
import { setKeys } from "../../js/keys.js";
import { quoteWithSource } from "../../js/quote.js";
import { here, navigate, rememberAddress } from "../../js/router.js";
import { session } from "../../js/session.js";
import { aboutLine, aboutList } from "./about.js";
import { showCitations } from "./citations.js";
import { createFinder } from "./finder.js";
import { createOutline } from "./outline.js";
import { chosenPassage, placeWords } from "./passage.js";
import { Reader } from "./reader.js";
import { Reading } from "./reading.js";
import { createTicks } from "./ticks.js";

/** @typedef {import("../../js/router.js").Place} Place @typedef {import("../../js/router.js").Opened} Opened */

const QUOTE = "Copy as quote with source";
const SHOWN_MS = 1_500;

/** @param {HTMLElement} main @param {Place} place @returns {Promise<Opened>} */
export async function open(main, place) {
  const calls = new AbortController();
  try {
    const reading = await Reading.begin(place.id, queryOf(place), calls.signal);
    // Somebody may have gone elsewhere meanwhile.
    if (here().path !== place.path) return { title: "" };
    return show(main, place, reading, calls);
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    if (here().path === place.path) showMissing(main, place, error);
    return { title: error.message, update: () => false };
  }
}

/** @param {HTMLElement} main @param {Place} place @param {Reading} first @param {AbortController} calls @returns {Opened} */
function show(main, place, first, calls) {
  const { about } = first;
  const isArchived = about.source === "archive";
  const title = h("h1", { dir: "auto" });
  const reader = new Reader(first, title, calls.signal, showState);
  const outline = createOutline(about.places, about.title, (character) => void goTo(character));
  const finder = createFinder({ find: (query) => navigate(address(query), { replace: true }), step: (by) => void step(by) });
  const ticks = createTicks(() => reader, (match) => void goToMatch(match));
  const cite = () => openCitation(about.document_id, about.title);
  const quote = button(QUOTE, () => void copyQuote(), { title: "q", onpointerdown: keepSelection });
  const graph = h("a", { class: "button" }, "Citation graph");
  const citations = h("div", { class: "stack" });
  const pages = about.places.reduce((most, { page }) => Math.max(most, page ?? 0), 0);
  const isWide = matchMedia("(min-width: 1101px)").matches;
  fill(
    main,
    h(
      "div",
      { class: `reading${outline.element ? "" : " no-outline"}${pages ? " paged" : ""}` },
      h(
        "header",
        { class: "head stack tight" },
        title,
        aboutLine(about, pages),
        about.url && h("p", { class: "original" }, outsideLink(about.url)),
        h("div", { class: "row" }, isArchived && button("Cite", cite, { title: "c" }), isArchived && graph, quote),
      ),
      outline.element && h("details", { class: "fold", open: isWide }, h("summary", null, "Outline"), outline.element),
      h("details", { class: "fold beside", open: isWide }, h("summary", null, isArchived ? "Citations and details" : "Details"),
        h("div", { class: "stack" }, isArchived && citations, aboutList(about, isArchived))),
      h("div", { class: "body" }, finder.element, reader.element),
    ),
    ticks.element,
  );
  const header = new ResizeObserver(([entry]) => main.style.setProperty("--under-header", `${entry.target.clientHeight}px`));
  header.observe(/** @type {Element} */ (document.getElementById("header")));
  addEventListener("scroll", followReading, { passive: true, signal: calls.signal });
  setKeys([
    { key: "n", what: "Next match", run: () => void step(1) },
    { key: "p", what: "Previous match", run: () => void step(-1) },
    { key: "q", what: QUOTE, run: () => void copyQuote() },
    ...(isArchived ? [{ key: "c", what: "Cite", run: cite }] : []),
  ]);
  begin(place);
  if (isArchived) void showCitations(citations, place.id, calls.signal);
  return { title: about.title, update, close };

  /** Show another reading of this document, or go to another place in it. @param {Place} next */
  function update(next) {
    if (next.id !== place.id) return false;
    if (queryOf(next) === reader.reading.query) begin(next);
    else void read(next);
    return true;
  }

  /** @param {Place} next */
  async function read(next) {
    try {
      const reading = await Reading.begin(place.id, queryOf(next), calls.signal);
      if (queryOf(here()) !== reading.query) return;
      reader.show(reading);
      begin(next);
    } catch (error) {
      const notice = failureNotice(error, () => void read(next));
      main.querySelector(".finder + .notice")?.remove();
      if (notice) finder.element.after(notice);
    }
  }

  /** Go where the address says, or else to the first match. @param {Place} at */
  function begin(at) {
    main.querySelector(".finder + .notice")?.remove();
    graph.href = graphAddress();
    ticks.observe(reader.paper.element);
    finder.show(reader.reading.query, -1, reader.reading.about.matches_total, true);
    showState();
    const character = /^#\d+$/.test(location.hash) ? location.hash.slice(1) : at.query.get("at");
    // The router goes to the beginning of a view when it has opened.
    requestAnimationFrame(() => {
      if (character && /^\d+$/.test(character)) void reader.goTo(Number(character));
      else if (reader.reading.about.matches_total > 0) void reader.goToMatch(0);
    });
  }

  function showState() {
    const { reading, current } = reader;
    finder.show(reading.query, current, reading.about.matches_total, false);
    ticks.refresh();
  }

  /** @param {1 | -1} by */
  async function step(by) {
    if (reader.reading.about.matches_total === 0) return announce("There are no matches");
    await reader.step(by);
    rememberMatch();
    return undefined;
  }

  /** @param {number} match */
  async function goToMatch(match) {
    await reader.goToMatch(match);
    rememberMatch();
  }

  /** @param {number} character */
  async function goTo(character) {
    await reader.goTo(character);
    rememberAddress(address(reader.reading.query, character));
  }

  function rememberMatch() {
    const { reading, current } = reader;
    const match = reading.matches[current];
    if (match && !calls.signal.aborted) rememberAddress(address(reading.query, reading.offsets.characterOf(match[0])));
  }

  async function copyQuote() {
    const passage = chosenPassage(reader);
    if (passage) {
      const at = reader.reading.offsets.characterOf(passage.unit);
      const source = about.url ?? `${session.public_url || location.origin}${address("", at)}`;
      const place = placeWords(reader, passage.unit);
      await copyText(quoteWithSource({ text: passage.text, title: about.title, place, address: source }));
    } else {
      announce("Select a passage first");
    }
    quote.textContent = passage ? "Copied" : "Select a passage first";
    setTimeout(() => (quote.textContent = QUOTE), SHOWN_MS);
  }

  function followReading() {
    const box = reader.element.getBoundingClientRect();
    const top = finder.element.getBoundingClientRect().bottom + 24;
    const block = document.elementFromPoint(box.left + box.width / 2, top)?.closest("[data-block]");
    if (block instanceof HTMLElement) outline.show(reader.reading.offsets.characterOf(Number(block.dataset.block)));
  }

  /** @param {string} query @param {number} [at] */
  function address(query, at) {
    const pairs = new URLSearchParams();
    if (query) pairs.set("q", query);
    if (at !== undefined) pairs.set("at", String(at));
    return pathOf("/d", place.id) + (pairs.size ? `?${pairs}` : "");
  }

  function graphAddress() {
    const { query } = reader.reading;
    return pathOf("/graph", place.id) + (query ? `?${new URLSearchParams({ q: query })}` : "");
  }

  function close() {
    calls.abort();
    header.disconnect();
    ticks.close();
  }
}

/** @param {HTMLElement} main @param {Place} place @param {Failed} error */
function showMissing(main, place, error) {
  const query = queryOf(place);
  const search = h("a", { href: query ? `/?${new URLSearchParams({ q: query })}` : "/" }, query ? `Search for “${query}”` : "Search");
  fill(main, h("div", { class: "stack" }, h("h1", { class: "unseen" }, "Document"), failureNotice(error), h("p", null, search)));
}

/** @param {Place} place */
const queryOf = (place) => (place.query.get("q") ?? "").trim();

/** A press on a button would take the selection away. @param {PointerEvent} event */
function keepSelection(event) {
  event.preventDefault();
}
