// What the team used: limits, calls by operation, and what the upstreams cost.

import { h } from "../../js/dom.js";
import { duration, moment, number } from "../../js/format.js";
import { limitsTable } from "../../js/limits.js";
import { loaded, simpleTable } from "../../js/loaded.js";

export function usage() {
  return loaded("/api/v1/usage", (result) => [
    h("h2", null, "Limits"),
    limitsTable(result.limits),
    h("h2", null, "Other sources"),
    h("p", { class: "hint" }, covers(result.covers.upstreams)),
    sources(result.upstreams),
    h("h2", null, "Calls"),
    h("p", { class: "hint" }, covers(result.covers.calls), result.truncated ? " Only the newest calls are counted." : ""),
    result.calls.length > 0
      ? simpleTable("Calls by operation", ["Operation", "Calls#", "Failures#", "Median#", "95 % within#"], result.calls.map(callRow))
      : h("p", { class: "empty" }, "No calls yet."),
  ]);
}

/** @param {any[]} upstreams */
function sources(upstreams) {
  if (upstreams.length === 0) return h("p", { class: "empty" }, "None is configured.");
  const heads = ["Source", "Requests#", "Failed#", "From the cache#", "Cost"];
  return simpleTable("Other sources", heads, upstreams.map((each) => [
    each.name,
    each.configured ? number(each.requests) : "not configured",
    number(each.failures),
    number(each.cached),
    costs(each.cost),
  ]));
}

/** @param {Record<string, {used: number, limit: number | null, scope: string}> | null | undefined} cost */
function costs(cost) {
  const parts = Object.entries(cost ?? {}).map(([name, { used, limit, scope }]) => {
    const of = limit === null ? "" : ` of ${number(limit)} today`;
    return `${name.replaceAll("_", " ")}: ${number(used)}${of}${scope === "process" ? " in this process" : ""}`;
  });
  return parts.join(" · ") || "–";
}

/** @param {any} call */
function callRow(call) {
  const time = (/** @type {number | null} */ value) => (value === null ? "–" : duration(value));
  return [call.operation, number(call.calls), h("span", { class: call.failures ? "warning" : null }, number(call.failures)), time(call.median_ms), time(call.p95_ms)];
}

/** @param {{scope: string, since: string | null}} part */
function covers({ scope, since }) {
  const who = scope === "process" ? "Of this process of the service" : "Of the team";
  return since ? `${who}, since ${moment(since)}.` : `${who}.`;
}
