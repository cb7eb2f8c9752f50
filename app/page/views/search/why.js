// Why a result stands where it does: the words that found it, as bars.

import { fill, h } from "../../js/dom.js";
import { failureNotice } from "../../js/failure.js";
import { callSearch } from "./request.js";
import { keyOf } from "./result.js";

/** @typedef {import("./request.js").Part} Part */
/** @typedef {import("./request.js").Hit} Hit */

/** @type {Record<string, string>} */
const KINDS = { phrase: "phrase", prefix: "words that begin so", fuzzy: "similar word", filter: "filter" };

/**
 * Explanations of one answer: asked for once, when the first is wanted.
 * @param {Record<string, unknown>} body the arguments of the answer @param {AbortSignal} signal
 */
export function explanationsOf(body, signal) {
  /** @type {Promise<Map<string, Part[]>> | null} */
  let asked = null;
  return () => {
    asked ??= callSearch({ ...body, explain: true }, signal).then(
      ({ results }) => new Map(results.map((hit) => [keyOf(hit), hit.explanation ?? []])),
    );
    asked.catch(() => (asked = null));
    return asked;
  };
}

/**
 * Open or close the panel of a result.
 * @param {Hit} hit @param {HTMLButtonElement} why its button
 * @param {() => Promise<Map<string, Part[]>>} explanations
 */
export async function toggleWhy(hit, why, explanations) {
  const article = /** @type {HTMLElement} */ (why.closest("article"));
  const open = article.querySelector(".why");
  why.setAttribute("aria-expanded", String(!open));
  if (open) return open.remove();
  const panel = h("div", { class: "why" });
  article.append(panel);
  try {
    fill(panel, bars((await explanations()).get(keyOf(hit)) ?? []));
  } catch (error) {
    const notice = failureNotice(error);
    if (notice) fill(panel, notice);
    else panel.remove();
  }
}

/** @param {Part[]} parts */
function bars(parts) {
  if (parts.length === 0) return h("p", { class: "soft" }, "No word decides here: all that match are alike.");
  const longest = Math.max(...parts.map(({ score }) => score)) || 1;
  return h("ul", { class: "plain" }, parts.map((part) => barOf(part, longest)));
}

/** @param {Part} part @param {number} longest */
function barOf({ what, kind, score }, longest) {
  const bar = h("span", { class: "weight" });
  bar.style.setProperty("--share", `${Math.max(0, Math.round((score / longest) * 100))}%`);
  const text = h("span", { dir: "auto" }, what, KINDS[kind] && h("span", { class: "soft" }, ` ${KINDS[kind]}`));
  return h("li", { "data-score": score }, text, bar, h("span", { class: "number" }, score.toFixed(1)));
}
