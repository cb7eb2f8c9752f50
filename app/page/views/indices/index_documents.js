// The documents of an index: all, or those that a query finds.

import { announce } from "../../js/announce.js";
import { pathOf, post, remove } from "../../js/api.js";
import { confirmAction } from "../../js/confirm.js";
import { indexId } from "../../js/document_id.js";
import { button, h } from "../../js/dom.js";
import { showFailure } from "../../js/failure.js";
import { marked } from "../../js/marks.js";
import { may } from "../../js/session.js";
import { pages } from "./pages.js";

/** @typedef {{doc_id: string, title: string, highlights: string[], metadata: Record<string, unknown>}} Hit */

const SIZE = 20;
const LONGEST_VALUE = 80;

/** @param {string} name @param {() => Promise<void>} changed called after a document was deleted */
export function indexDocuments(name, changed) {
  const address = pathOf("/api/v1/indices", name);
  const query = h("input", {
    type: "text",
    name: "query",
    "aria-label": `Search in ${name}`,
    placeholder: "Words to look for; empty for all",
    autocomplete: "off",
    spellcheck: "false",
  });
  const found = pages({
    label: "Documents",
    empty: () => (query.value.trim() ? "Nothing matches." : "No documents yet."),
    size: SIZE,
    render,
    async load(cursor, signal) {
      const asked = { query: query.value.trim() || "*", k: SIZE, fuzzy: true, ...(cursor && { cursor }) };
      const { results, total_matches: total, next_cursor: next } = await post(`${address}/search`, asked, { signal });
      return { items: /** @type {Hit[]} */ (results), total, next };
    },
  });
  const form = h("form", { class: "find", onsubmit: find }, query, h("button", { type: "submit" }, "Search"));
  const element = h("section", { class: "panel stack" }, h("h2", null, "Documents"), form, found.element);

  /** @param {SubmitEvent} event */
  function find(event) {
    event.preventDefault();
    found.reload();
  }

  /** @param {Hit} hit */
  function render({ doc_id: id, title, highlights, metadata }) {
    const known = Object.entries(metadata).filter(([field]) => field !== "title");
    const data = known.flatMap(([field, value], position) => [position ? " · " : "", h("bdi", null, `${field}: ${short(value)}`)]);
    const snippets = highlights.flatMap((highlight, position) => [position ? " … " : "", ...marked(highlight)]);
    return h(
      "li",
      { "data-id": id },
      h(
        "div",
        { class: "row apart" },
        h("a", { class: "title", href: pathOf("/d", indexId(name, id)), dir: "auto" }, title),
        may("write") && button("Delete", () => void drop(id, title), { class: "link bad", "aria-label": `Delete ${title}` }),
      ),
      title !== id && h("p", { class: "meta" }, h("bdi", null, id)),
      snippets.length > 0 && h("p", { class: "snippet", dir: "auto" }, snippets),
      data.length > 0 && h("p", { class: "meta" }, data),
    );
  }

  /** @param {string} id @param {string} title */
  async function drop(id, title) {
    const text = "It is gone from the index for good.";
    if (!(await confirmAction({ title: "Delete this document?", name: title, text, action: "Delete the document" }))) return;
    try {
      await remove(pathOf(`${address}/documents`, id));
      announce("The document was deleted");
      found.focus();
      found.reload();
      await changed();
    } catch (error) {
      showFailure(element, error);
    }
  }

  return { element, reload: found.reload, close: found.close };
}

/** @param {unknown} value */
function short(value) {
  const isList = Array.isArray(value) && value.every((each) => typeof each !== "object");
  const text = isList ? value.join(", ") : typeof value === "string" ? value : JSON.stringify(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}
