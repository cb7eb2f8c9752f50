// Limits as a table: what each is, and how much of it is used.

import { h } from "./dom.js";
import { number, size } from "./format.js";

/** @type {Record<string, string>} */
const NAMES = {
  calls_per_minute: "Calls per minute, of one token",
  calls_burst: "Calls at once, of one token",
  searches: "Searches at the same time",
  documents: "Documents",
  bytes: "Stored text",
  indices: "Indices",
  jobs: "Unfinished jobs",
};

/** @param {Record<string, {limit: number | null, used: number | null}>} limits */
export function limitsTable(limits) {
  const heads = ["Limit", "Used", "At most"].map((text, position) => h("th", { scope: "col", class: position ? "number" : null }, text));
  const rows = Object.entries(limits).map(([name, { limit, used }]) => {
    const shown = name === "bytes" ? size : number;
    const isFull = limit !== null && used !== null && used >= limit * 0.9;
    return h(
      "tr",
      { "data-limit": name },
      h("th", { scope: "row" }, NAMES[name] ?? name),
      h("td", { class: `number ${isFull ? "warning" : ""}` }, used === null ? "–" : shown(used)),
      h("td", { class: "number" }, limit === null ? "no limit" : shown(limit)),
    );
  });
  return h("div", { class: "scrolls" }, h("table", null, h("caption", { class: "unseen" }, "Limits"), h("thead", null, h("tr", null, heads)), h("tbody", null, rows)));
}
