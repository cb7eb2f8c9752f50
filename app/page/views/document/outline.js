// The headings of a document, as links to where they stand; the one that is being read is named.

import { h } from "../../js/dom.js";
import { firstNot } from "./sorted.js";
import { isTitle } from "./title.js";

/** @typedef {import("./blocks.js").TextPlace} TextPlace */

/**
 * @param {TextPlace[]} places of the whole document, in characters @param {string} title
 * @param {(character: number) => void} go
 */
export function createOutline(places, title, go) {
  /** @type {{start: number, heading: string}[]} */
  const headings = [];
  for (const { start, heading } of places) {
    if (heading && heading !== headings.at(-1)?.heading && !isTitle(heading, title)) headings.push({ start, heading });
  }
  const links = headings.map(({ start, heading }) =>
    h("a", { href: `#${start}`, dir: "auto", onclick: (/** @type {MouseEvent} */ event) => follow(event, start) }, heading),
  );
  let current = -1;
  const element = links.length
    ? h("nav", { class: "outline", "aria-label": "Outline" }, h("ul", { class: "plain" }, links.map((link) => h("li", null, link))))
    : null;
  return { element, show };

  /** @param {MouseEvent} event @param {number} start */
  function follow(event, start) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(start);
  }

  /** Name the heading under which somebody reads. @param {number} character */
  function show(character) {
    const found = firstNot(headings.length, (position) => headings[position].start <= character) - 1;
    if (found === current) return;
    links[current]?.removeAttribute("aria-current");
    links[found]?.setAttribute("aria-current", "true");
    const holder = element?.parentElement;
    if (holder && links[found]) holder.scrollTop = links[found].offsetTop - holder.clientHeight / 2;
    current = found;
  }
}
