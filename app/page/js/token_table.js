// Tokens as a table: what each may do, when it was used, and a way to revoke it.

import { fill, h, button } from "./dom.js";
import { get, pathOf, remove } from "./api.js";
import { ago, day, plural } from "./format.js";
import { announce } from "./announce.js";
import { showFailure } from "./failure.js";

/**
 * Build the table; `reload` shows the tokens as they are now.
 * @param {string} path /api/v1/tokens or /api/v1/me/tokens
 */
export function tokenTable(path) {
  const element = h("div", { class: "stack tight" });
  const reload = async () => {
    try {
      const { tokens } = await get(path);
      fill(element, tokens.length ? h("div", { class: "scrolls" }, table(tokens)) : h("p", { class: "empty" }, "No tokens yet."));
    } catch (error) {
      showFailure(element, error, () => void reload());
    }
  };
  void reload();
  return { element, reload };

  /** @param {any[]} tokens */
  function table(tokens) {
    const heads = ["Name", "May", "Last used", "Expires", ""].map((text) => h("th", { scope: "col" }, text || h("span", { class: "unseen" }, "Revoke")));
    return h("table", { class: "tokens" }, h("caption", { class: "unseen" }, plural(tokens.length, "token")), h("thead", null, h("tr", null, heads)), h("tbody", null, tokens.map(row)));
  }

  /** @param {any} token */
  function row(token) {
    const title = token.name || token.id;
    const used = token.last_used_at ? [ago(token.last_used_at), token.last_client && h("div", { class: "meta client" }, token.last_client)] : "never";
    return h(
      "tr",
      { "data-token-id": token.id },
      h("th", { scope: "row", dir: "auto" }, title, h("div", { class: "meta" }, `made ${ago(token.created_at)} by ${token.created_by}`)),
      h("td", null, token.scopes.join(", "), token.indices && h("div", { class: "meta" }, `only ${token.indices.join(", ")}`)),
      h("td", null, used),
      h("td", null, token.expires_at ? expiry(token.expires_at) : "never"),
      h("td", null, revokeButton(token.id, title)),
    );
  }

  /** The first press asks, the second does it. @param {string} id @param {string} title */
  function revokeButton(id, title) {
    const press = button("Revoke", act, { class: "danger", "aria-label": `Revoke ${title}` });
    return press;

    async function act() {
      if (press.dataset.asked === undefined) {
        press.dataset.asked = "";
        press.textContent = "Revoke for good?";
        return;
      }
      try {
        await remove(pathOf(path, id));
        announce(`${title} no longer works`);
        await reload();
      } catch (error) {
        showFailure(element, error);
      }
    }
  }
}

/** @param {string} time */
function expiry(time) {
  return Date.parse(time) < Date.now() ? h("span", { class: "bad" }, `expired ${ago(time)}`) : day(time);
}
