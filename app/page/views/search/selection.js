// The selected result: moved by arrow keys or a click, and kept when results are shown anew.

import { searchBox } from "../../js/header.js";

/**
 * @param {HTMLElement} root holds the articles
 * @param {() => void} onChange
 */
export function resultSelection(root, onChange) {
  /** @type {string | null} */
  let id = null;
  const articles = () => /** @type {HTMLElement[]} */ ([...root.querySelectorAll("article[data-id]")]);
  const current = () => articles().find((article) => article.dataset.id === id);

  /** @param {string | null | undefined} chosen */
  function choose(chosen) {
    current()?.removeAttribute("aria-current");
    const before = id;
    id = chosen ?? null;
    const article = current();
    article?.setAttribute("aria-current", "true");
    if (!article) id = null;
    if (id !== before) onChange();
  }

  return {
    get id() {
      return id;
    },
    current,
    choose,
    /** Above the first result is the search box. @param {1 | -1} step */
    move(step) {
      const all = articles();
      const position = all.findIndex((article) => article.dataset.id === id) + step;
      if (position < 0) {
        choose(null);
        searchBox.focus();
        return;
      }
      const next = all[Math.min(position, all.length - 1)];
      if (!next) return;
      choose(next.dataset.id);
      next.focus({ preventScroll: true });
      next.scrollIntoView({ block: "nearest", behavior: "instant" });
    },
    /** Find the selected result among new ones; it is given up where it is gone. */
    restore: () => choose(id),
  };
}
