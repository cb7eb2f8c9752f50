// Tries the connection as an agent would: asks the MCP endpoint for its tools.

import { button, fill, h } from "../../js/dom.js";
import { announce } from "../../js/announce.js";
import { plural } from "../../js/format.js";

const PROTOCOL = "2025-11-25";

/** @param {string} url the MCP address that clients use @param {() => string | null} token */
export function tryConnection(url, token) {
  const outcome = h("span", { class: "outcome", role: "status" });
  const attempt = button("Try it", run);
  return { button: attempt, outcome };

  async function run() {
    attempt.disabled = true;
    fill(outcome, h("span", { class: "soft" }, "asking …"));
    const said = await ask();
    fill(outcome, said);
    announce(said.textContent ?? "");
    attempt.disabled = false;
  }

  async function ask() {
    // A browser reaches this service at the page's own address, whatever its public one is.
    const address = new URL(new URL(url).pathname, location.origin);
    /** @type {Record<string, string>} */
    const headers = { "Content-Type": "application/json", Accept: "application/json, text/event-stream", "MCP-Protocol-Version": PROTOCOL };
    const given = token();
    if (given) headers.Authorization = `Bearer ${given}`;
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });
    try {
      const started = performance.now();
      const response = await fetch(address, { method: "POST", headers, body, credentials: "omit" });
      const took = Math.round(performance.now() - started);
      if (response.status === 401) return h("span", { class: "bad dot" }, given ? "the token is not accepted" : "needs a token: make one above");
      const answer = await response.json();
      const tools = answer.result?.tools;
      if (!tools) return h("span", { class: "bad dot" }, answer.error?.message ?? answer.error ?? `answered ${response.status}`);
      return h("span", { class: "good dot" }, `answers in ${took} ms, ${plural(tools.length, "tool")}`);
    } catch {
      return h("span", { class: "bad dot" }, "does not answer");
    }
  }
}
