// A part of a view that shows what one call returns, with its failure in the same place.

import { fill, h } from "./dom.js";
import { get } from "./api.js";
import { showFailure } from "./failure.js";

/**
 * @param {string} path @param {(result: any) => import("./dom.js").Child | import("./dom.js").Child[]} render
 * @param {Record<string, unknown>} [query]
 */
export function loaded(path, render, query) {
  const element = h("section", { class: "stack", "aria-busy": "true" });
  const load = async () => {
    try {
      fill(element, render(await get(path, { query })));
    } catch (error) {
      fill(element);
      showFailure(element, error, () => void load());
    } finally {
      element.removeAttribute("aria-busy");
    }
  };
  void load();
  return element;
}

/**
 * A table with a head of texts; columns whose name ends in "#" hold numbers.
 * @param {string} caption @param {string[]} heads @param {(import("./dom.js").Child | import("./dom.js").Child[])[][]} rows
 */
export function simpleTable(caption, heads, rows) {
  const isNumber = heads.map((text) => text.endsWith("#"));
  const head = heads.map((text, position) => h("th", { scope: "col", class: isNumber[position] && "number" }, text.replace(/#$/, "")));
  const body = rows.map((cells) => h("tr", null, cells.map((cell, position) => h("td", { class: isNumber[position] && "number" }, cell))));
  return h("div", { class: "scrolls" }, h("table", null, h("caption", { class: "unseen" }, caption), h("thead", null, h("tr", null, head)), h("tbody", null, body)));
}
