// Long lists show their beginning, and the rest when it is asked for.

import { button, h } from "./dom.js";
import { number } from "./format.js";

/**
 * Append items to a list, and a button behind the list that appends those beyond the first ones.
 * @template Item
 * @param {Element} list @param {Item[]} items @param {(item: Item) => Node} render @param {{first: number}} options
 * @returns {Node[]} the list and its button
 */
export function beginning(list, items, render, { first }) {
  list.append(...items.slice(0, first).map(render));
  if (items.length <= first) return [list];
  const more = button(`Show all ${number(items.length)}`, () => {
    const rest = items.slice(first).map(render);
    list.append(...rest);
    more.remove();
    const next = rest[0] instanceof HTMLElement ? rest[0] : list;
    next.setAttribute("tabindex", "-1");
    /** @type {HTMLElement} */ (next).focus();
  }, { class: "link" });
  return [list, h("p", null, more)];
}
