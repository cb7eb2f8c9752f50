// Calls from the audit trail: filtered, page after page, and exported as CSV.

import { button, fill, h } from "./dom.js";
import { get } from "./api.js";
import { announce } from "./announce.js";
import { duration, moment, number } from "./format.js";
import { showFailure, clearFailure } from "./failure.js";

const COLUMNS = ["time", "subject", "client", "address", "operation", "object", "outcome", "duration_ms", "bytes"];
const PAGE = 50;
const EXPORT_PAGE = 1_000;
const MAX_EXPORTED = 100_000;

/**
 * Build the list with its filters. `path` is /api/v1/audit or /api/v1/me/calls, which has no filter by subject.
 * @param {{path: string, hasSubject: boolean}} options
 */
export function callList({ path, hasSubject }) {
  const filters = h("form", { class: "row filters", onsubmit: (/** @type {Event} */ event) => (event.preventDefault(), void load()) });
  const fields = ["since", "until", ...(hasSubject ? ["subject"] : []), "operation", "outcome"].map((name) => field(name));
  const body = h("tbody");
  const heads = ["Time", ...(hasSubject ? ["Who"] : []), "Call", "Concerned", "Outcome", "Took"];
  const head = h("tr", null, heads.map((text) => h("th", { scope: "col" }, text)));
  const more = button("More", () => load(cursor), { hidden: true });
  const element = h("section", { class: "stack tight" });
  const note = h("p", { class: "empty", hidden: true }, "No calls fit these filters.");
  let cursor = /** @type {string | null} */ (null);
  fill(filters, fields.map(({ label }) => label), h("button", { type: "submit" }, "Show"), button("Export as CSV", exportAll));
  fill(element, filters, h("div", { class: "scrolls" }, h("table", { class: "calls" }, h("caption", { class: "unseen" }, "Calls"), h("thead", null, head), body)), note, h("div", null, more));
  void load();
  return element;

  /** @param {string | null} [from] */
  async function load(from = null) {
    clearFailure(element);
    try {
      const page = await get(path, { query: { ...chosen(), cursor: from, limit: PAGE } });
      const rows = page.records.map(row);
      if (from === null) fill(body, rows);
      else body.append(...rows);
      cursor = page.next_cursor;
      more.hidden = cursor === null;
      note.hidden = body.childElementCount > 0;
    } catch (error) {
      showFailure(element, error);
    }
  }

  function chosen() {
    return Object.fromEntries(fields.map(({ name, input }) => [name, input.value.trim()]));
  }

  /** @param {any} call */
  function row(call) {
    return h(
      "tr",
      null,
      h("td", null, h("time", { datetime: call.time }, moment(call.time))),
      hasSubject && h("td", null, call.subject, h("div", { class: "meta client" }, call.client)),
      h("td", null, call.operation),
      h("td", { class: "object", dir: "auto" }, call.object),
      h("td", { class: call.outcome === "ok" ? null : "warning" }, call.outcome),
      h("td", { class: "number" }, duration(call.duration_ms)),
    );
  }

  async function exportAll() {
    clearFailure(element);
    const lines = [COLUMNS.join(",")];
    try {
      for (let next = /** @type {string | null} */ (null), isFirst = true; isFirst || next; isFirst = false) {
        const page = await get(path, { query: { ...chosen(), cursor: next, limit: EXPORT_PAGE } });
        for (const call of page.records) lines.push(COLUMNS.map((name) => csvValue(call[name])).join(","));
        next = lines.length < MAX_EXPORTED ? page.next_cursor : null;
      }
      const address = URL.createObjectURL(new Blob([`${lines.join("\r\n")}\r\n`], { type: "text/csv" }));
      h("a", { href: address, download: "trawl-calls.csv" }).click();
      URL.revokeObjectURL(address);
      announce(`${number(lines.length - 1)} calls exported`);
    } catch (error) {
      showFailure(element, error);
    }
  }
}

/** @param {string} name */
function field(name) {
  const isDate = name === "since" || name === "until";
  const input = h("input", { type: isDate ? "date" : "text", name, autocomplete: "off" });
  return { name, input, label: h("label", null, name[0].toUpperCase() + name.slice(1), input) };
}

/** A value that a spreadsheet does not take for a formula. @param {unknown} value */
function csvValue(value) {
  const text = String(value ?? "");
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
