// The reference of the HTTP interface, made from openapi.json.

import { fill, h } from "../../js/dom.js";
import { get } from "../../js/api.js";
import { operationSection } from "./operation.js";

/** @typedef {import("./operation.js").Described} Described */

/** @param {HTMLElement} main */
export async function open(main) {
  const document = await get("/openapi.json");
  const schemas = document.components?.schemas ?? {};
  /** @type {Map<string, Described[]>} */
  const groups = new Map();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const group = operation.tags?.[0] ?? "other";
      groups.set(group, [...(groups.get(group) ?? []), { method, path, operation }]);
    }
  }
  fill(
    main,
    h(
      "div",
      { class: "reference" },
      h("nav", { "aria-label": "Operations" }, [...groups].map(([name, described]) => [h("h2", null, name), described.map(linkTo)]).flat(2)),
      h(
        "div",
        { class: "stack" },
        h("h1", null, "HTTP reference"),
        h("p", null, "Requests and responses are JSON. A failure has success false, error says what happened, and fix.required_action says what to do. Send a token as Authorization: Bearer. The same is in ", h("a", { href: "/openapi.json", target: "_self" }, "openapi.json"), "."),
        [...groups.values()].flat().map((described) => operationSection(described, schemas)),
      ),
    ),
  );
  if (location.hash) globalThis.document.getElementById(location.hash.slice(1))?.scrollIntoView();
  return { title: "HTTP reference" };
}

/** @param {Described} described */
function linkTo({ method, path, operation }) {
  return h("a", { href: `#${operation.operationId}` }, operation.summary ?? `${method} ${path}`);
}
