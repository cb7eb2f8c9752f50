// The form for a new token: a person's own, or one of the team.

import { fill, h } from "./dom.js";
import { post } from "./api.js";
import { clearFailure, showFailure } from "./failure.js";
import { copyButton } from "./copy.js";
import { session } from "./session.js";

/** @type {Record<string, string>} */
const SCOPES = {
  search: "search and read documents",
  write: "add and delete documents, make indices",
  ingest: "feed the archive",
  osdu: "search OSDU",
  quilt: "search the Quilt catalog",
  web: "search the web, which costs",
  admin: "manage the team",
};
const LIFETIMES = [["30d", "30 days"], ["90d", "90 days"], ["365d", "a year"], ["", "never"]];

/**
 * Build the form. `path` is /api/v1/tokens or /api/v1/me/tokens; a person's own token lives 90 days at most.
 * @param {{path: string, isOwn: boolean, oncreated: (created: any) => void}} options
 */
export function tokenForm({ path, isOwn, oncreated }) {
  const name = h("input", { type: "text", maxlength: "100", placeholder: "What it is for, like Ann's agent", autocomplete: "off" });
  const scopes = Object.entries(SCOPES).filter(([scope]) => !isOwn || session.scopes.includes(scope));
  const boxes = scopes.map(([scope, what]) => {
    const box = h("input", { type: "checkbox", value: scope, checked: scope === "search" });
    return { box, label: h("label", null, box, h("span", null, h("strong", null, scope), ` ${what}`)) };
  });
  const lifetimes = LIFETIMES.filter(([value]) => !isOwn || value === "30d" || value === "90d");
  const expires = h("select", null, lifetimes.map(([value, text]) => h("option", { value, selected: value === "90d" }, text)));
  const indices = h("input", { type: "text", placeholder: "all", autocomplete: "off" });
  const result = h("div");
  const form = h(
    "form",
    { class: "stack tight", onsubmit: create },
    h("label", null, "Name", name),
    h("fieldset", { class: "scopes" }, h("legend", null, "It may"), boxes.map(({ label }) => label)),
    h("div", { class: "row" }, h("label", null, "Expires after", expires), h("label", null, "Only these indices, comma-separated", indices)),
    h("div", null, h("button", { type: "submit", class: "primary" }, "Create token")),
    result,
  );
  return form;

  /** @param {SubmitEvent} event */
  async function create(event) {
    event.preventDefault();
    clearFailure(result);
    try {
      const chosen = boxes.filter(({ box }) => box.checked).map(({ box }) => box.value);
      const only = indices.value.split(",").map((each) => each.trim()).filter(Boolean);
      const body = { name: name.value.trim(), scopes: chosen, expires: expires.value || null, indices: only.length ? only : null };
      const created = await post(path, body);
      fill(result, createdNotice(created.token));
      name.value = "";
      oncreated(created);
    } catch (error) {
      fill(result);
      showFailure(result, error);
    }
  }
}

/** @param {string} token */
export function createdNotice(token) {
  return h(
    "div",
    { class: "notice" },
    h("p", { class: "what" }, "The new token. It is shown only now:"),
    h("pre", { "data-token": true }, token),
    copyButton("Copy the token", () => token, { class: "primary" }),
  );
}
