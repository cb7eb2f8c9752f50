// One's own account: who one is here, one's tokens and calls, and how the page looks.

import { button, fill, h } from "../../js/dom.js";
import { get } from "../../js/api.js";
import { callList } from "../../js/calls.js";
import { limitsTable } from "../../js/limits.js";
import { chooseTeam, session, signOut } from "../../js/session.js";
import { chooseTheme, chosenTheme } from "../../js/theme.js";
import { showFailure } from "../../js/failure.js";
import { tokenForm } from "../../js/token_form.js";
import { tokenTable } from "../../js/token_table.js";

const TOKENS = "/api/v1/me/tokens";

/** @param {HTMLElement} main */
export async function open(main) {
  const account = await get("/api/v1/me");
  const tokens = tokenTable(TOKENS);
  fill(
    main,
    h(
      "div",
      { class: "page with-side" },
      h(
        "div",
        { class: "stack" },
        h("h1", null, "Your account"),
        h("section", { class: "panel stack tight" }, h("h2", null, "Your tokens"), h("p", { class: "hint" }, "What your agents and programs use in your place. Revoke one, and it stops within a second."), tokens.element),
        h("section", { class: "panel stack tight" }, h("h2", null, "A new token"), tokenForm({ path: TOKENS, isOwn: true, oncreated: () => void tokens.reload() })),
        h("section", { class: "panel stack tight" }, h("h2", null, "Your calls"), h("p", { class: "hint" }, "What you and your agents did here. Queries are never kept."), callList({ path: "/api/v1/me/calls", hasSubject: false })),
      ),
      h("aside", { class: "stack" }, who(account), look(), h("section", { class: "panel stack tight" }, h("h2", null, "Limits"), limitsTable(account.limits))),
    ),
  );
  return { title: "Your account" };
}

/** @param {any} account */
function who(account) {
  const section = h(
    "section",
    { class: "panel stack tight" },
    h("h2", null, "You"),
    h(
      "dl",
      { class: "facts" },
      fact("Name", account.subject),
      account.teams.length > 1 ? fact("Team", teamChoice(account)) : fact("Team", account.team),
      fact("May", account.scopes.join(", ") || "nothing"),
      account.indices && fact("Only", account.indices.join(", ")),
    ),
    session.needs_sign_in && h("div", null, button("Sign out", leave)),
  );
  return section;

  async function leave() {
    try {
      await signOut();
      location.assign("/auth/login");
    } catch (error) {
      showFailure(section, error);
    }
  }
}

/** @param {string} name @param {Node | string} value */
function fact(name, value) {
  return [h("dt", null, name), h("dd", { dir: "auto" }, value)];
}

/** @param {any} account */
function teamChoice(account) {
  /** @param {Event} event */
  function choose(event) {
    chooseTeam(/** @type {HTMLSelectElement} */ (event.target).value);
    location.reload();
  }
  return h("select", { "aria-label": "Team", onchange: choose }, account.teams.map((/** @type {string} */ team) => h("option", { value: team, selected: team === account.team }, team)));
}

function look() {
  const chosen = chosenTheme();
  const options = /** @type {["system" | "light" | "dark", string][]} */ ([["system", "as the system"], ["light", "light"], ["dark", "dark"]]);
  const choices = options.map(([value, text]) =>
    h("label", null, h("input", { type: "radio", name: "theme", value, checked: value === chosen, onchange: () => chooseTheme(value) }), text),
  );
  return h("section", { class: "panel stack tight" }, h("h2", null, "How the page looks"), h("fieldset", null, h("legend", { class: "unseen" }, "Colours"), choices));
}
