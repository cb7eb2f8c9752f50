// The selected result at a glance: its matches, and who cites whom. It loads when the selection rests.

import { get, pathOf } from "../../js/api.js";
import { openCitation } from "../../js/citation.js";
import { button, fill, h } from "../../js/dom.js";
import { failureNotice } from "../../js/failure.js";
import { day, number } from "../../js/format.js";
import { marked } from "../../js/marks.js";
import { excerptsOf } from "./excerpts.js";
import { citationPicture } from "./picture.js";
import { isAborted, latestCall } from "./request.js";
import {
  archiveId, authorsOf, autoSpan, documentAddress, isLocal, keyOf, openText, passagesOf, titleLink, titleOf,
} from "./result.js";

/** @typedef {import("./request.js").Hit} Hit */

const MAX_CHARACTERS = 100_000;
const MAX_EXCERPTS = 5;

/** @param {HTMLElement} pane */
export function previewPane(pane) {
  const call = latestCall();
  let timer = 0;
  let shown = "";

  function clear() {
    stop();
    shown = "";
    fill(pane);
  }
  function stop() {
    clearTimeout(timer);
    call.stop();
  }

  return {
    clear,
    stop,
    /** @param {Hit} hit @param {string} query @param {number} delay */
    show(hit, query, delay) {
      const key = `${keyOf(hit)} ${query}`;
      stop();
      if (key === shown || pane.offsetParent === null) return;
      timer = setTimeout(() => {
        shown = key;
        void load(pane, hit, query, call);
      }, delay);
    },
  };
}

/** @param {HTMLElement} pane @param {Hit} hit @param {string} query @param {ReturnType<typeof latestCall>} call */
async function load(pane, hit, query, call) {
  const passages = passagesOf(hit);
  const texts = passages.map((passage) => h("p", { class: "match", dir: "auto" }, placeOf(hit, passage), marked(passage.text)));
  const matches = h("section", null, passages.length > 0 && h("h3", null, "Matches"), texts);
  const citations = h("section");
  fill(pane, head(hit, query), matches, citations);
  pane.scrollTop = 0;
  if (!isLocal(hit) || !hit.fetch_id) return;
  const path = pathOf("/api/v1/documents", hit.fetch_id);
  try {
    await call.run((signal) => {
      const reading = query && get(path, { query: { query, max_chars: MAX_CHARACTERS }, signal });
      const citing = archiveId(hit) && get(`${path}/citations`, { signal });
      return Promise.all([
        reading && reading.then((read) => showMatches(matches, read, hit, query)),
        citing && citing.then((found) => showCitations(citations, found, hit, query)),
      ]);
    });
  } catch (error) {
    const notice = isAborted(error) ? null : failureNotice(error);
    if (notice) citations.after(notice);
  }
}

/** @param {Hit} hit @param {string} query */
function head(hit, query) {
  const fields = hit.fields ?? {};
  const address = documentAddress(hit, query);
  const page = passagesOf(hit)[0]?.page;
  const cited = archiveId(hit);
  return [
    h("h2", { dir: "auto" }, titleLink(hit, query)),
    h("p", { class: "meta hit-facts" }, [authorsOf(hit), day(fields.date), fields.path].map((text) => text && autoSpan(text))),
    h(
      "div",
      { class: "row" },
      address && h("a", { href: address, class: "button primary" }, page ? `Open at page ${page}` : openText(hit)),
      cited && button("Cite", () => openCitation(cited, titleOf(hit))),
    ),
  ];
}

/** @param {Hit} hit @param {{page?: number | null, heading?: string | null} | undefined} where */
function placeOf(hit, where) {
  const place = where?.page ? `p. ${where.page}` : where?.heading !== hit.title ? where?.heading : "";
  return place && h("span", { class: "meta", dir: "auto" }, `${place} `);
}

/** @param {HTMLElement} section @param {any} read @param {Hit} hit @param {string} query */
function showMatches(section, read, hit, query) {
  const found = excerptsOf(read, MAX_EXCERPTS);
  if (found.length === 0) return;
  const address = (/** @type {number} */ character) => `${documentAddress(hit, query)}&at=${character}`;
  const excerpts = found.map(({ start, place, pieces }) => {
    const texts = pieces.map(({ text, isMatch }) => (isMatch ? h("mark", null, text) : text));
    return h("p", { class: "match" }, h("a", { href: address(start), dir: "auto" }, placeOf(hit, place), "“…", texts, "…”"));
  });
  fill(section, h("h3", null, `Matches · ${number(read.matches_total)}`), excerpts);
  const character = matchOnPage(read, passagesOf(hit)[0]?.page);
  const main = section.parentElement?.querySelector("a.primary");
  if (character !== undefined && main) main.setAttribute("href", address(character));
}

/**
 * The first match on a page, which the main button names.
 * @param {import("./excerpts.js").DocumentPart} read @param {number | null | undefined} page
 */
function matchOnPage({ places, matches }, page) {
  const position = page ? places.findIndex((place) => place.page === page) : -1;
  if (position < 0) return undefined;
  const end = places.slice(position).find((place) => place.page !== page)?.start ?? Infinity;
  return matches.map(([start]) => start).find((start) => start >= places[position].start && start < end);
}

/** @param {HTMLElement} section @param {any} found @param {Hit} hit @param {string} query */
function showCitations(section, found, hit, query) {
  const [cites, citedBy] = [found.cites.length, found.cited_by.length];
  if (cites + citedBy === 0) return;
  const more = found.truncated ? "+" : "";
  const counts = `cites ${number(cites)}${more} · cited by ${number(citedBy)}${more}`;
  const address = `/graph/${encodeURIComponent(String(hit.fetch_id))}${query ? `?q=${encodeURIComponent(query)}` : ""}`;
  const line = h("p", { class: "meta" }, `${counts} · `, h("a", { href: address }, "open graph"));
  fill(section, h("h3", null, "Citations"), citationPicture(found.graph, counts), line);
}
