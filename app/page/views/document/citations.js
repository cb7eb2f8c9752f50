// What a document cites, and what cites it.

import { get, pathOf } from "../../js/api.js";
import { button, fill, h, outsideLink } from "../../js/dom.js";
import { failureNotice } from "../../js/failure.js";
import { number } from "../../js/format.js";

/** @typedef {{id: string | null, title: string, url: string | null, context: string, confidence: number}} Citation */

const SHOWN = 12;

/**
 * Fill an element with the citations of a document.
 * @param {Element} element @param {string} id @param {AbortSignal} signal
 * @returns {Promise<void>}
 */
export async function showCitations(element, id, signal) {
  try {
    const { cites, cited_by, truncated } = await get(`${pathOf("/api/v1/documents", id)}/citations`, { query: { depth: 1 }, signal });
    fill(
      element,
      cites.length + cited_by.length === 0 && h("p", { class: "soft" }, "It cites nothing, and nothing here cites it."),
      citationList("Cited by", cited_by),
      citationList("Cites", cites),
      truncated && h("p", { class: "hint" }, "There are more; these are the surest."),
    );
  } catch (error) {
    fill(element, failureNotice(error, () => void showCitations(element, id, signal)));
  }
}

/** @param {string} title @param {Citation[]} citations */
function citationList(title, citations) {
  const known = distinct(citations);
  if (known.length === 0) return null;
  const list = h("ul", { class: "plain citations" }, known.slice(0, SHOWN).map(citationItem));
  const more = button(`Show all ${number(known.length)}`, () => {
    list.append(...known.slice(SHOWN).map(citationItem));
    more.remove();
    /** @type {HTMLElement | null | undefined} */ (list.children[SHOWN]?.querySelector("a"))?.focus();
  }, { class: "link" });
  const heading = h("h2", { class: "label" }, `${title} · ${number(known.length)}`);
  return h("section", { class: "stack tight" }, heading, list, known.length > SHOWN && more);
}

/** @param {Citation} citation */
function citationItem({ id, title, url, context }) {
  const name = id ? h("a", { href: pathOf("/d", id), dir: "auto" }, title) : outsideLink(url, title);
  const around = context && context !== title && h("p", { class: "meta", dir: "auto", title: context }, context);
  return h("li", { class: id ? null : "outside" }, name, around);
}

/** One entry for each document or address, however often it is cited. @param {Citation[]} citations */
function distinct(citations) {
  /** @type {Map<string, Citation>} */
  const known = new Map();
  for (const citation of citations) {
    const key = citation.id ?? citation.url ?? citation.title;
    if (!known.has(key)) known.set(key, citation);
  }
  return [...known.values()];
}
