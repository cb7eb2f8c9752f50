// Connect a client: for each the complete block with a fresh token in it, and a button that tries the connection.

import { fill, h } from "../../js/dom.js";
import { get } from "../../js/api.js";
import { copyButton } from "../../js/copy.js";
import { tabs } from "../../js/tabs.js";
import { session } from "../../js/session.js";
import { tryConnection } from "./attempt.js";
import { freshToken } from "./fresh_token.js";

/** @typedef {{name: string, title: string, instruction: string, block: string, takes_token: boolean, note: string | null}} Client */

const PLACEHOLDER = "<token>";
const CHOSEN_KEY = "trawl.client";

/** @param {HTMLElement} main */
export async function open(main) {
  const guide = await get("/api/v1/connect");
  let token = /** @type {string | null} */ (null);
  const panels = h("div");
  const making = guide.needs_token && freshToken({ isAdmin: session.scopes.includes("admin"), ontoken: use });
  fill(
    main,
    h(
      "div",
      { class: "stack narrow" },
      h("h1", null, "Connect an agent"),
      h("p", null, "Agents search this team's documents over MCP at ", h("code", null, guide.url), guide.needs_token ? ", with a token." : ". No token is needed here."),
      making || null,
      panels,
    ),
  );
  show();
  return { title: "Connect" };

  /** @param {string} made */
  function use(made) {
    token = made;
    show();
  }

  function show() {
    const chosen = localStorage.getItem(CHOSEN_KEY);
    /** @param {Client} client */
    const panel = (client) => ({ name: client.name, title: client.title, show: () => clientPanel(client) });
    fill(panels, tabs("Clients", guide.clients.map(panel), { chosen, onchoice: (name) => localStorage.setItem(CHOSEN_KEY, name) }));
  }

  /** @param {Client} client */
  function clientPanel(client) {
    const block = token === null ? client.block : client.block.replaceAll(PLACEHOLDER, token);
    const misses = block.includes(PLACEHOLDER);
    const attempt = tryConnection(guide.url, () => token);
    return [
      h("p", null, client.instruction),
      h("pre", { class: "block", "data-client": client.name, tabindex: "0" }, block),
      h("div", { class: "row" }, copyButton("Copy", () => block, { class: "primary" }), attempt.button, attempt.outcome),
      misses && h("p", { class: "hint" }, `Make a token above: it takes the place of ${PLACEHOLDER} here.`),
      client.note && h("p", { class: "hint" }, client.note),
    ];
  }
}
