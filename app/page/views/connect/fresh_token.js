// A fresh token for the blocks: made for the person who is signed in, with what agents need.

import { button, fill, h } from "../../js/dom.js";
import { post } from "../../js/api.js";
import { createdNotice } from "../../js/token_form.js";
import { showFailure } from "../../js/failure.js";
import { session } from "../../js/session.js";

/** Agents read, and search the sources that the person may search; more is given on the account's page. */
const FOR_AGENTS = ["search", "osdu", "quilt", "web"];

/** @param {{isAdmin: boolean, ontoken: (token: string) => void}} options */
export function freshToken({ isAdmin, ontoken }) {
  const name = h("input", { type: "text", value: "My agent", maxlength: "100", autocomplete: "off" });
  const scopes = FOR_AGENTS.filter((scope) => session.scopes.includes(scope));
  const result = h("div", { class: "stack tight" });
  const make = button("Create a token", create, { class: "primary" });
  return h(
    "section",
    { class: "panel stack tight" },
    h("h2", null, "A fresh token"),
    h("p", { class: "hint" }, `It may ${scopes.join(", ") || "nothing yet"}, works for 90 days and then expires. `, h("a", { href: "/account" }, "Your tokens"), isAdmin && [" · ", h("a", { href: "/admin" }, "the team's tokens")]),
    h("div", { class: "row" }, h("label", null, "Name", name), make),
    result,
  );

  async function create() {
    make.disabled = true;
    try {
      const { token } = await post("/api/v1/me/tokens", { name: name.value.trim(), scopes, expires: "90d" });
      fill(result, createdNotice(token));
      ontoken(token);
    } catch (error) {
      fill(result);
      showFailure(result, error);
    } finally {
      make.disabled = false;
    }
  }
}
