// One index: what can be asked of it, its documents, and what can be done with it.

import { announce } from "../../js/announce.js";
import { get, pathOf, remove } from "../../js/api.js";
import { button, fill, h } from "../../js/dom.js";
import { confirmByName } from "../../js/dialog.js";
import { showFailure } from "../../js/failure.js";
import { plural } from "../../js/format.js";
import { navigate } from "../../js/router.js";
import { may } from "../../js/session.js";
import { beginning } from "../../js/show_more.js";
import { addForm } from "./add.js";
import { indexDocuments } from "./index_documents.js";
import { reindexing } from "./reindexing.js";

/**
 * @typedef {{name: string, types: string[], documents: number, sample_values: unknown[]}} Field
 * @typedef {{documents: number, tokenizer_config: Record<string, any>, fields: Field[],
 *   sortable_fields: Record<string, string>}} Description
 */

const FIRST_FIELDS = 12;

/** @param {string} name @returns {Promise<import("./view.js").Part>} */
export async function indexDetail(name) {
  const address = pathOf("/api/v1/indices", name);
  const [first, { indices }] = await Promise.all([get(address), get("/api/v1/indices")]);
  const isOutdated = indices.some((/** @type {any} */ each) => each.index_name === name && each.outdated);
  const about = h("div", { class: "stack tight" });
  const fields = h("section", { class: "panel stack tight" });
  const documents = indexDocuments(name, refresh);
  const rebuild = reindexing(name, isOutdated, refresh);
  const drop = may("write") && name !== "default" && button("Delete the index", () => void dropIndex(), { class: "danger" });
  const content = h(
    "div",
    { class: "stack" },
    h("p", null, h("a", { href: "/indices" }, "All indices")),
    h("div", { class: "row apart" }, h("h1", null, name), h("div", { class: "actions" }, rebuild.button, drop)),
    about,
    rebuild.element,
    documents.element,
  );
  describe(first);
  documents.reload();
  const side = h("div", { class: "stack" }, may("write") && addForm(name, changed), fields);
  return {
    title: name,
    content,
    side,
    close() {
      documents.close();
      rebuild.close();
    },
  };

  async function changed() {
    documents.reload();
    await refresh();
  }

  async function refresh() {
    try {
      describe(await get(address));
    } catch (error) {
      showFailure(content, error);
    }
  }

  /** @param {Description} description */
  function describe({ documents: count, tokenizer_config: words, fields: found, sortable_fields: sortable }) {
    const sorted = Object.entries(sortable).map(([field, type]) => `${field} (${type})`);
    fill(
      about,
      h("p", { class: "meta" }, [
        plural(count, "document"),
        words.language === "none" ? "words as written" : `words in ${words.language}`,
        `from ${plural(words.min_length, "letter")} on`,
        words.lowercase ? "" : "capitals differ from small letters",
        sorted.length ? `sorted fields: ${sorted.join(", ")}` : "",
      ].filter(Boolean).join(" · ")),
    );
    const list = h("dl", { class: "fields" });
    fill(
      fields,
      h("h2", null, "Fields"),
      beginning(list, found, fieldRow, { first: FIRST_FIELDS }),
      found.length === 0 && h("p", { class: "empty" }, "No document has metadata yet."),
    );
  }

  async function dropIndex() {
    const text = `All its documents are lost for good: ${plural((await get(address)).documents, "document")}.`;
    if (!(await confirmByName({ title: "Delete this index?", text, name, action: "Delete the index" }))) return;
    try {
      await remove(address);
      announce(`The index ${name} was deleted`);
      navigate("/indices");
    } catch (error) {
      showFailure(content, error);
    }
  }
}

/** @param {Field} field */
function fieldRow({ name, types, documents, sample_values: samples }) {
  return h(
    "div",
    null,
    h("dt", { dir: "auto" }, name),
    h("dd", { class: "meta" }, `${types.join(" or ")} · ${plural(documents, "document")}`),
    samples.length > 0 && h("dd", { class: "samples", dir: "auto" }, samples.map((sample) => h("code", null, String(sample)))),
  );
}
