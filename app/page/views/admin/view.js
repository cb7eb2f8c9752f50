// The team, for its administrators: tokens, use and limits, calls, searches that found nothing, health.

import { fill, h } from "../../js/dom.js";
import { callList } from "../../js/calls.js";
import { may, session } from "../../js/session.js";
import { rememberAddress } from "../../js/router.js";
import { tabs } from "../../js/tabs.js";
import { tokenForm } from "../../js/token_form.js";
import { tokenTable } from "../../js/token_table.js";
import { health } from "./health.js";
import { searches } from "./searches.js";
import { usage } from "./usage.js";

/** @param {HTMLElement} main @param {import("../../js/router.js").Place} place */
export function open(main, place) {
  if (!may("admin")) {
    fill(main, h("h1", null, "Team"), h("p", { class: "empty" }, "This is for administrators of the team: it needs the scope admin."));
    return { title: "Team" };
  }
  fill(
    main,
    h("div", { class: "stack" }, h("h1", null, `Team ${session.team ?? ""}`), tabs(
      "Team",
      [
        { name: "tokens", title: "Tokens", show: tokens },
        { name: "usage", title: "Use and limits", show: usage },
        { name: "calls", title: "Calls", show: () => callList({ path: "/api/v1/audit", hasSubject: true }) },
        { name: "searches", title: "Searches", show: searches },
        { name: "health", title: "Health", show: health },
      ],
      { chosen: place.query.get("tab"), onchoice: (name) => rememberAddress(`/admin?tab=${name}`) },
    )),
  );
  return { title: "Team" };
}

function tokens() {
  const table = tokenTable("/api/v1/tokens");
  return [
    h("section", { class: "stack tight" }, h("h2", null, "Tokens of the team"), table.element),
    h("section", { class: "panel stack tight" }, h("h2", null, "A new token"), tokenForm({ path: "/api/v1/tokens", isOwn: false, oncreated: () => void table.reload() })),
  ];
}
