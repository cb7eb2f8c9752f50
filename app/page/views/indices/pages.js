// A list that is read page by page with cursors.

import { announce } from "../../js/announce.js";
import { button, fill, h } from "../../js/dom.js";
import { clearFailure, showFailure } from "../../js/failure.js";
import { number } from "../../js/format.js";

/**
 * @template Item
 * @param {{label: string, empty: () => string, load: (cursor: string | null, signal: AbortSignal) =>
 *   Promise<{items: Item[], total: number, next: string | null}>, render: (item: Item) => HTMLElement, size: number}} options
 * @returns {{element: HTMLElement, reload: () => void, focus: () => void, close: () => void}} `reload` begins at the first page
 */
export function pages({ label, empty, load, render, size }) {
  const list = h("ul", { class: "plain documents", "aria-label": label, tabindex: "-1" });
  const where = h("span", { class: "meta" });
  const back = button("Previous", () => go(position - 1));
  const forth = button("Next", () => go(position + 1));
  const foot = h("div", { class: "row apart" }, where, h("div", { class: "row" }, back, forth));
  const element = h("div", { class: "stack tight" }, list, foot);
  /** @type {(string | null)[]} */
  let cursors = [null];
  let position = 0;
  let asking = new AbortController();
  back.hidden = forth.hidden = true;

  /** @param {number} page @param {boolean} [isAnew] */
  async function go(page, isAnew = false) {
    asking.abort();
    asking = new AbortController();
    const { signal } = asking;
    if (isAnew) cursors = [null];
    list.setAttribute("aria-busy", "true");
    try {
      const { items, total, next } = await load(cursors[page], signal);
      if (signal.aborted) return;
      position = page;
      cursors = [...cursors.slice(0, page + 1), next];
      clearFailure(element);
      show(items, total, next !== null);
      if (!isAnew) list.focus();
    } catch (error) {
      if (!signal.aborted) showFailure(element, error, () => void go(isAnew ? 0 : page, isAnew));
    }
    list.removeAttribute("aria-busy");
  }

  /** @param {Item[]} items @param {number} total @param {boolean} hasNext */
  function show(items, total, hasNext) {
    fill(list, items.length ? items.map(render) : h("li", { class: "empty" }, empty()));
    const first = position * size + 1;
    where.textContent = items.length ? `${number(first)}–${number(first + items.length - 1)} of ${number(total)}` : "";
    announce(where.textContent || empty());
    back.hidden = position === 0;
    forth.hidden = !hasNext;
  }

  return { element, reload: () => void go(0, true), focus: () => list.focus(), close: () => asking.abort() };
}
