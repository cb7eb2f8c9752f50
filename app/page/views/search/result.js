// One result: its title, where it stands, the passages that matched, and what one can do with it.

import { openCitation } from "../../js/citation.js";
import { copyButton } from "../../js/copy.js";
import { button, h, outsideLink } from "../../js/dom.js";
import { day } from "../../js/format.js";
import { marked, plain } from "../../js/marks.js";
import { quoteWithSource } from "../../js/quote.js";
import { LOCAL } from "./state.js";
import { sourceLabel } from "./sources.js";

/** @typedef {import("./request.js").Hit} Hit */
/** @typedef {import("./request.js").Passage} Passage */

/** @param {Hit} hit */
export const keyOf = (hit) => hit.fetch_id || hit.id;
/** @param {Hit} hit */
export const titleOf = (hit) => hit.title.trim() || hit.id;
/** Its id in the archive, whose documents have references to copy. @param {Hit} hit */
export const archiveId = (hit) => [hit, ...(hit.also_in ?? [])].find(({ source }) => source === "archive")?.id;
/** A text whose direction follows from its letters. @param {unknown} text */
export const autoSpan = (text) => h("span", { dir: "auto" }, String(text));
/** @param {Hit} hit */
export const openText = (hit) => (isLocal(hit) && passagesOf(hit).length > 0 ? "Open at match" : "Open");
/** @param {Hit} hit */
export const isLocal = (hit) => LOCAL.includes(hit.source);
/** @param {string | null | undefined} url */
const isWeb = (url) => /^https?:\/\//i.test(url ?? "");

/** @param {Hit} hit @returns {Passage[]} */
export function passagesOf(hit) {
  return hit.passages?.length ? hit.passages : hit.snippet ? [{ text: hit.snippet }] : [];
}

/** The address in this service; null for what only stands elsewhere. @param {Hit} hit @param {string} query */
export function documentAddress(hit, query) {
  return hit.fetch_id ? `/d/${encodeURIComponent(hit.fetch_id)}${query ? `?q=${encodeURIComponent(query)}` : ""}` : null;
}

/** Page and heading; the title alone says nothing more. @param {Hit} hit @param {Passage | undefined} passage */
function placeText(hit, passage) {
  const heading = passage?.heading && passage.heading !== hit.title ? passage.heading : "";
  return [passage?.page && `page ${passage.page}`, heading].filter(Boolean).join(" · ");
}

/** Whatever holds it says its direction. @param {Hit} hit @param {string} query */
export function titleLink(hit, query) {
  const address = documentAddress(hit, query);
  return address ? h("a", { href: address }, titleOf(hit)) : outsideLink(hit.url, titleOf(hit));
}

/** @param {Hit} hit @param {string} query @param {(hit: Hit, why: HTMLButtonElement) => void} onWhy */
export function resultArticle(hit, query, onWhy) {
  return h(
    "article",
    { "data-id": keyOf(hit), tabindex: "-1" },
    h("h2", { title: titleOf(hit).length > 150 && titleOf(hit), dir: "auto" }, titleLink(hit, query)),
    metaLine(hit),
    passagesOf(hit).map((passage, position) => passageLine(hit, passage, position)),
    actions(hit, query, onWhy),
  );
}

/** @param {Hit} hit @param {Passage} passage @param {number} position the place of the first stands above */
function passageLine(hit, passage, position) {
  const place = position > 0 && placeText(hit, passage) !== placeText(hit, passagesOf(hit)[0]) ? placeText(hit, passage) : "";
  return h("p", { class: "passage", dir: "auto" }, marked(passage.text), place && h("span", { class: "meta place" }, place));
}

/** @param {Hit} hit */
function metaLine(hit) {
  const fields = hit.fields ?? {};
  const source = hit.index_name ? `index ${hit.index_name}` : isLocal(hit) ? hit.source : sourceLabel(hit.source);
  const others = (hit.also_in ?? []).map((each) => each.index_name ? `index ${each.index_name}` : sourceLabel(each.source));
  const authors = authorsOf(hit);
  return h(
    "p",
    { class: "meta hit-facts" },
    h("span", { class: "origin" }, source),
    hit.sandbox && h("span", { class: "warning" }, "sample data"),
    [fields.path ?? (hit.fetch_id ? null : hit.url), placeText(hit, passagesOf(hit)[0])].map((text) => text && autoSpan(text)),
    fields.date && h("time", { datetime: String(fields.date) }, day(String(fields.date))),
    authors && autoSpan(authors),
    others.length > 0 && h("span", null, `also in ${others.join(", ")}`),
  );
}

/** @param {Hit} hit */
export function authorsOf(hit) {
  const authors = hit.fields?.authors ?? hit.fields?.author ?? [];
  return [authors].flat().slice(0, 3).join(", ");
}

/** @param {Hit} hit @param {string} query @param {(hit: Hit, why: HTMLButtonElement) => void} onWhy */
function actions(hit, query, onWhy) {
  const address = documentAddress(hit, query);
  const cited = archiveId(hit);
  const why = button("Why", () => onWhy(hit, why), { class: "link", "data-does": "why", "aria-expanded": "false" });
  return h(
    "div",
    { class: "row does" },
    address && h("a", { href: address }, openText(hit)),
    cited && button("Cite", () => openCitation(cited, titleOf(hit)), { class: "link", "data-does": "cite" }),
    passagesOf(hit).length > 0 && copyButton("Copy quote", () => quoteOf(hit), { class: "link", "data-does": "quote" }),
    isWeb(hit.url) && outsideLink(hit.url, "Original"),
    isLocal(hit) && why,
  );
}

/** The first passage with its source. @param {Hit} hit */
function quoteOf(hit) {
  const [passage] = passagesOf(hit);
  const address = isWeb(hit.url) ? hit.url : hit.fetch_id ? `${location.origin}/d/${encodeURIComponent(hit.fetch_id)}` : hit.url;
  const text = plain(passage?.text ?? titleOf(hit));
  return quoteWithSource({ text, title: titleOf(hit), place: placeText(hit, passage), address });
}
