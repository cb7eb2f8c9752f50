// The graph as a table, and one node with its neighbours: for those who do not see the picture, and for reading on.

import { pathOf } from "../../js/api.js";
import { button, h, outsideLink } from "../../js/dom.js";
import { number } from "../../js/format.js";
import { kindOf } from "./graph.js";

/** @typedef {import("./graph.js").Graph} Graph */

const SHOWN = 10;

/** The page of a document, with the search that led here. @param {string} id @param {string} query */
export const documentAddress = (id, query) => pathOf("/d", id) + (query ? `?${new URLSearchParams({ q: query })}` : "");

/** @param {Graph} graph @param {Set<string>} results @param {string} query */
export function graphTable({ nodes, cites, citedBy }, results, query) {
  const head = ["Title", "What", "Cites", "Cited by"].map((text, column) =>
    h("th", { scope: "col", class: column > 1 ? "number" : null }, text),
  );
  const rows = nodes.map((node, position) =>
    h(
      "tr",
      null,
      h("td", { dir: "auto" }, nameOf(node)),
      h("td", null, kindOf(node, results)),
      h("td", { class: "number" }, number(cites[position].length)),
      h("td", { class: "number" }, number(citedBy[position].length)),
    ),
  );
  return h("div", { class: "scrolls" }, h("table", null, h("thead", null, h("tr", null, head)), h("tbody", null, rows)));

  /** @param {import("./graph.js").GraphNode} node */
  function nameOf({ id, kind, label, url }) {
    return kind === "address" ? outsideLink(url, label) : h("a", { href: documentAddress(id, query) }, label);
  }
}

/**
 * @param {Graph} graph @param {Set<string>} results @param {string} query
 * @param {number} chosen @param {(node: number) => void} choose
 */
export function nodeDetails(graph, results, query, chosen, choose) {
  const node = graph.nodes[chosen];
  const open = node.kind === "address"
    ? node.url ? outsideLink(node.url, "Open the address") : h("p", { class: "soft" }, "No document is known by this name.")
    : h("a", { class: "button", href: documentAddress(node.id, query) }, "Open");
  const graphAddress = pathOf("/graph", node.id) + location.search;
  const here = node.kind === "document" && h("a", { class: "button", href: graphAddress }, "Graph from here");
  return [
    h("h2", { dir: "auto" }, node.label),
    h("p", { class: "meta" }, kindOf(node, results)),
    h("div", { class: "row" }, open, here),
    neighbours("Cited by", graph.citedBy[chosen]),
    neighbours("Cites", graph.cites[chosen]),
  ];

  /** @param {string} title @param {number[]} others */
  function neighbours(title, others) {
    if (others.length === 0) return null;
    const items = others.slice(0, SHOWN).map((other) =>
      h("li", null, button(graph.nodes[other].label, () => choose(other), { class: "link", dir: "auto" })),
    );
    const rest = others.length - SHOWN;
    const more = rest > 0 && h("p", { class: "hint" }, `${number(rest)} more in the list below`);
    const heading = h("h3", null, `${title} · ${number(others.length)}`);
    return h("section", { class: "stack tight" }, heading, h("ul", { class: "plain" }, items), more);
  }
}
