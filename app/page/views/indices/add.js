// The form that adds a document to an index, or replaces one.

import { announce } from "../../js/announce.js";
import { pathOf, put } from "../../js/api.js";
import { indexId } from "../../js/document_id.js";
import { fill, h } from "../../js/dom.js";
import { clearFailure, showFailure } from "../../js/failure.js";
import { plural } from "../../js/format.js";

/** @param {string} index @param {() => Promise<void>} added @returns {HTMLFormElement} */
export function addForm(index, added) {
  const id = h("input", { type: "text", name: "doc_id", required: true, autocomplete: "off", spellcheck: "false", dir: "auto" });
  const content = h("textarea", { name: "content", required: true, rows: 6, dir: "auto", class: "prose" });
  const metadata = h("textarea", {
    name: "metadata",
    rows: 3,
    spellcheck: "false",
    placeholder: '{"title": "…", "year": 2024}',
    "aria-describedby": "metadata-hint",
    oninput: check,
  });
  const hint = h("span", { class: "hint", id: "metadata-hint" });
  const outcome = h("p", { class: "good", role: "status" });
  const address = pathOf("/api/v1/indices", index);
  const form = h(
    "form",
    { class: "panel stack", onsubmit: save, "aria-labelledby": "add-title" },
    h("h2", { id: "add-title" }, "Add a document"),
    h("label", null, "Id", id, h("span", { class: "hint" }, "Replaces the document with this id, if there is one")),
    h("label", null, "Text", content),
    h("label", null, "Metadata as JSON", metadata, hint),
    h("div", { class: "row" }, h("button", { type: "submit", class: "primary" }, "Add"), outcome),
  );
  check();
  return form;

  /** Say at once whether the metadata are an object. */
  function check() {
    const problem = problemOf(metadata.value);
    metadata.setCustomValidity(problem);
    metadata.setAttribute("aria-invalid", String(problem !== ""));
    hint.textContent = problem || "A title and whatever to filter by; may be empty";
    hint.classList.toggle("bad", problem !== "");
  }

  /** @param {SubmitEvent} event */
  async function save(event) {
    event.preventDefault();
    clearFailure(form);
    fill(outcome);
    const saved = id.value.trim();
    const document = { content: content.value, ...(metadata.value.trim() && { metadata: JSON.parse(metadata.value) }) };
    try {
      const { status, token_count: words } = await put(pathOf(`${address}/documents`, saved), document);
      const link = h("a", { href: pathOf("/d", indexId(index, saved)) }, "Read it");
      fill(outcome, `${status === "re-indexed" ? "Replaced" : "Added"}: ${plural(words, "word")}. `, link);
      announce(`${saved} was added`);
      id.value = content.value = "";
      await added();
    } catch (error) {
      showFailure(form, error);
    }
  }
}

/** @param {string} text */
function problemOf(text) {
  if (!text.trim()) return "";
  try {
    const value = JSON.parse(text);
    const isObject = value !== null && typeof value === "object" && !Array.isArray(value);
    return isObject ? "" : 'This must be an object, like {"year": 2024}';
  } catch (error) {
    return `This is no JSON yet: ${error instanceof Error ? error.message : ""}`;
  }
}
