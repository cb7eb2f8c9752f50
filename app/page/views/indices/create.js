// The form that creates an index.

import { pathOf, post } from "../../js/api.js";
import { button, h } from "../../js/dom.js";
import { clearFailure, showFailure } from "../../js/failure.js";
import { navigate } from "../../js/router.js";

/** Those that stem alike on both engines, as in indexer/schema/languages.py. */
const LANGUAGES = [
  "english", "arabic", "danish", "french", "greek", "hungarian", "italian", "portuguese", "romanian", "russian", "spanish",
  "tamil", "turkish", "none",
];
const TYPES = ["string", "number", "date", "boolean"];

/** @returns {HTMLFormElement} */
export function createForm() {
  const name = h("input", { type: "text", name: "index_name", required: true, autocomplete: "off", spellcheck: "false" });
  const languages = LANGUAGES.map((each) => h("option", { value: each }, each === "none" ? "none: words as written" : each));
  const language = h("select", { name: "language" }, languages);
  const length = h("input", { type: "number", name: "min_length", min: 1, max: 20, value: 2, required: true });
  const lowercase = h("input", { type: "checkbox", name: "lowercase", checked: true });
  const sortable = h("div", { class: "stack tight" });
  const more = button("Add a field", addField);
  const form = h(
    "form",
    { class: "panel stack", onsubmit: create, "aria-labelledby": "create-title" },
    h("h2", { id: "create-title" }, "Create an index"),
    h("label", null, "Name", name, h("span", { class: "hint" }, "a–z, 0–9, _ and -")),
    h("label", null, "Language", language, h("span", { class: "hint" }, "Words match in all their forms in this language")),
    h(
      "details",
      null,
      h("summary", null, "More"),
      h(
        "div",
        { class: "stack" },
        h("label", null, "Shortest word that is found", length),
        h("label", { class: "inline" }, lowercase, "Capitals and small letters are the same"),
        h(
          "fieldset",
          { class: "stack tight" },
          h("legend", null, "Sorted fields"),
          h("p", { class: "hint" }, "Fields to sort more than 10,000 results by"),
          sortable,
          h("div", null, more),
        ),
      ),
    ),
    h("div", null, h("button", { type: "submit", class: "primary" }, "Create")),
  );
  return form;

  function addField() {
    const field = h("input", { type: "text", name: "field", "aria-label": "Field", placeholder: "year", autocomplete: "off" });
    const type = h("select", { name: "type", "aria-label": "Its type" }, TYPES.map((each) => h("option", null, each)));
    const line = h("div", { class: "field" }, field, type, button("Remove", removeField, { class: "link" }));
    sortable.append(line);
    field.focus();

    function removeField() {
      const near = (line.nextElementSibling ?? line.previousElementSibling)?.querySelector("input") ?? more;
      line.remove();
      near.focus();
    }
  }

  /** @param {SubmitEvent} event */
  async function create(event) {
    event.preventDefault();
    clearFailure(form);
    const lines = Array.from(sortable.children, (line) => [line.querySelector("input")?.value.trim(), line.querySelector("select")?.value]);
    const fields = Object.fromEntries(lines.filter(([field]) => field));
    try {
      const { index_name: created } = await post("/api/v1/indices", {
        index_name: name.value.trim(),
        tokenizer_config: { language: language.value, min_length: Number(length.value), lowercase: lowercase.checked },
        sortable_fields: fields,
      });
      navigate(pathOf("/indices", created));
    } catch (error) {
      showFailure(form, error);
    }
  }
}
