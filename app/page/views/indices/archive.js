// The archive: its documents by path, date or title, and building it anew.

import { announce } from "../../js/announce.js";
import { get, pathOf, remove } from "../../js/api.js";
import { confirmAction } from "../../js/confirm.js";
import { archiveId } from "../../js/document_id.js";
import { button, h } from "../../js/dom.js";
import { showFailure } from "../../js/failure.js";
import { day } from "../../js/format.js";
import { may } from "../../js/session.js";
import { pages } from "./pages.js";
import { reindexing } from "./reindexing.js";

/**
 * @typedef {{id: string, title: string, path: string, source: string, date: string | null, authors: string[],
 *   url: string | null}} Listed
 */

const SIZE = 50;
/** @type {[string, string][]} */
const ORDERS = [["path", "Path"], ["-date", "Newest first"], ["date", "Oldest first"], ["title", "Title"]];

/** @returns {Promise<import("./view.js").Part>} */
export async function archive() {
  const status = await get("/api/v1/status").catch(() => null);
  const path = h("input", {
    type: "text",
    name: "path",
    "aria-label": "Path begins with",
    placeholder: "Path begins with …",
    autocomplete: "off",
    spellcheck: "false",
    dir: "auto",
  });
  const orders = ORDERS.map(([value, text]) => h("option", { value }, text));
  const order = h("select", { name: "sort", "aria-label": "Order", onchange: () => listed.reload() }, orders);
  const listed = pages({
    label: "Documents",
    empty: () => (path.value.trim() ? "No path begins like this." : "The archive is empty."),
    size: SIZE,
    render,
    async load(cursor, signal) {
      const prefix = path.value.trim();
      const filters = prefix ? { path: { prefix } } : undefined;
      const query = { filters, sort: [order.value], limit: SIZE, cursor };
      const { documents, total, next_cursor: next } = await get("/api/v1/archives/documents", { query, signal });
      return { items: /** @type {Listed[]} */ (documents), total, next };
    },
  });
  const rebuild = reindexing("archive", status?.outdated_indices?.includes("archive") ?? false, () => {});
  const documents = h(
    "section",
    { class: "panel stack" },
    h("h2", null, "Documents"),
    h("form", { class: "find", onsubmit: find }, path, order, h("button", { type: "submit" }, "Show")),
    listed.element,
  );
  const content = h(
    "div",
    { class: "stack" },
    h("p", null, h("a", { href: "/indices" }, "All indices")),
    h("div", { class: "row apart" }, h("h1", null, "archive"), h("div", { class: "actions" }, rebuild.button)),
    h("p", { class: "soft" }, "Files and web pages that were read. ", h("a", { href: "/feed" }, "Where they come from")),
    rebuild.element,
    documents,
  );
  listed.reload();
  return {
    title: "archive",
    content,
    close() {
      listed.close();
      rebuild.close();
    },
  };

  /** @param {SubmitEvent} event */
  function find(event) {
    event.preventDefault();
    listed.reload();
  }

  /** @param {Listed} document */
  function render({ id, title, path: where, date, authors, source, url }) {
    const place = source === "url" && url ? url : where;
    const known = [place, day(date), authors.slice(0, 3).join(", ")].filter(Boolean);
    return h(
      "li",
      { "data-id": id },
      h(
        "div",
        { class: "row apart" },
        h("a", { class: "title", href: pathOf("/d", archiveId(id)), dir: "auto" }, title),
        may("write") && button("Delete", () => void drop(id, where), { class: "link bad", "aria-label": `Delete ${title}` }),
      ),
      h("p", { class: "meta" }, known.flatMap((each, position) => [position ? " · " : "", h("bdi", null, each)])),
    );
  }

  /** @param {string} id @param {string} where */
  async function drop(id, where) {
    const text = "It is taken out of the archive. A file stays where it is, and comes back when its source is read again.";
    if (!(await confirmAction({ title: "Delete this document?", name: where, text, action: "Delete the document" }))) return;
    try {
      await remove(pathOf("/api/v1/archives/documents", id));
      announce("The document was deleted");
      listed.focus();
      listed.reload();
    } catch (error) {
      showFailure(documents, error);
    }
  }
}
