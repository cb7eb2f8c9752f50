// All indices of the team, the archive among them.

import { get, pathOf } from "../../js/api.js";
import { h } from "../../js/dom.js";
import { ago, moment, number, size } from "../../js/format.js";
import { may } from "../../js/session.js";
import { createForm } from "./create.js";

/** @typedef {{index_name: string, documents: number, size_bytes: number, created_at: string, outdated: boolean}} IndexEntry */

/** @returns {Promise<import("./view.js").Part>} */
export async function indexList() {
  const [{ indices }, held, status] = await Promise.all([
    get("/api/v1/indices"),
    get("/api/v1/archives/overview").catch(() => null),
    get("/api/v1/status").catch(() => null),
  ]);
  const isArchiveOutdated = status?.outdated_indices?.includes("archive") ?? false;
  const heads = [["Index", ""], ["Documents", "number"], ["Size", "number wide-only"], ["Created", "wide-only"]];
  const content = h(
    "div",
    { class: "stack" },
    h("h1", null, "Indices"),
    h("p", { class: "soft" }, "Texts that programs, agents and people put in one by one. Files and web pages are in the archive."),
    h(
      "div",
      { class: "panel" },
      h(
        "table",
        { class: "indices" },
        h("thead", null, h("tr", null, heads.map(([text, name]) => h("th", { class: name, scope: "col" }, text)))),
        h(
          "tbody",
          null,
          held && row("archive", "files and web pages", held.documents, null, null, isArchiveOutdated),
          /** @type {IndexEntry[]} */ (indices).map((index) =>
            row(index.index_name, null, index.documents, index.size_bytes, index.created_at, index.outdated),
          ),
        ),
      ),
    ),
  );
  return { title: "Indices", content, side: may("write") ? createForm() : null, close: () => {} };
}

/**
 * @param {string} name @param {string | null} what @param {number} documents @param {number | null} bytes
 * @param {string | null} created @param {boolean} isOutdated
 */
function row(name, what, documents, bytes, created, isOutdated) {
  const isWritten = created !== null && Date.parse(created) > 0;
  return h(
    "tr",
    { "data-index": name },
    h(
      "th",
      { scope: "row" },
      h("a", { href: pathOf("/indices", name) }, name),
      what && h("span", { class: "meta" }, what),
      isOutdated && h("span", { class: "meta warning" }, "outdated: re-index advised"),
    ),
    h("td", { class: "number" }, number(documents)),
    h("td", { class: "number wide-only" }, size(bytes)),
    h("td", { class: "wide-only" }, isWritten ? h("time", { datetime: created, title: moment(created) }, ago(created)) : "–"),
  );
}
