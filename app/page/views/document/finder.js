// Looks for words in this document, and goes from match to match.

import { announce } from "../../js/announce.js";
import { button, h } from "../../js/dom.js";
import { number, plural } from "../../js/format.js";

/**
 * @param {{find: (query: string) => void, step: (by: 1 | -1) => void}} actions
 */
export function createFinder({ find, step }) {
  const input = h("input", {
    type: "text",
    "aria-label": "Find in this document",
    placeholder: "Find in this document",
    autocomplete: "off",
    spellcheck: "false",
    enterkeyhint: "search",
    onkeydown: clear,
  });
  const count = h("span", { class: "meta count" });
  const previous = button("Previous", () => step(-1), { title: "Previous match (p)" });
  const next = button("Next", () => step(1), { title: "Next match (n)" });
  const element = h("form", { class: "finder", onsubmit: submit, "aria-label": "Find in this document" }, input, count, previous, next);
  return { element, input, show };

  /** @param {string} query @param {number} current @param {number} total @param {boolean} isChosen */
  function show(query, current, total, isChosen) {
    if (document.activeElement !== input || isChosen) input.value = query;
    const isAtMatch = current >= 0 && Number.isInteger(current);
    const known = total === 0 ? "no match" : isAtMatch ? `${number(current + 1)} of ${number(total)}` : plural(total, "match", "matches");
    const text = query ? known : "";
    if (query && text !== count.textContent) announce(isAtMatch ? `Match ${text}` : text);
    count.textContent = text;
    previous.disabled = next.disabled = total === 0;
  }

  /** @param {SubmitEvent} event */
  function submit(event) {
    event.preventDefault();
    find(input.value.trim());
  }

  /** @param {KeyboardEvent} event */
  function clear(event) {
    if (event.key !== "Escape") return;
    input.value = "";
    find("");
  }
}
