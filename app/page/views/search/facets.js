// Filters: counts that one can click, a range of dates, and what is chosen as chips that remove it.

import { button, h } from "../../js/dom.js";
import { number } from "../../js/format.js";
import { FACETS } from "./request.js";
import { hasFilter, withFilterToggled, withRange } from "./state.js";

/** @typedef {import("./state.js").SearchState} SearchState */
/** @typedef {import("./state.js").Filter} Filter */
/** @typedef {(state: SearchState) => void} Change */

/** @type {Record<string, string>} */
const LABELS = { author: "Author", tags: "Tag", language: "Language", source: "Kind", date: "Date" };
/** @type {Record<string, string>} */
const KINDS = { research: "Files", url: "Web pages" };
const LANGUAGES = new Intl.DisplayNames(["en"], { type: "language" });
const DATE = /^\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?$/;
const DATE_HINT = "A year, or a date like 2024-03-31";

/** @param {string} field @param {string} value */
function valueText(field, value) {
  if (field === "source") return KINDS[value] ?? value;
  try {
    return field === "language" ? (LANGUAGES.of(value) ?? value) : value;
  } catch {
    return value;
  }
}

/**
 * @param {SearchState} state @param {import("./request.js").Answer["facets"]} facets @param {Change} change
 * @returns {HTMLElement[]}
 */
export function facetGroups(state, facets, change) {
  const groups = FACETS.filter((field) => facets[field]?.length > 0).map((field) =>
    h(
      "section",
      null,
      h("h3", null, LABELS[field]),
      facets[field].map(({ value, count }) => facetButton(state, { field, bound: "", value: String(value) }, count, change)),
    ),
  );
  return [dateRange(state, change), ...groups];
}

/** @param {SearchState} state @param {Filter} filter @param {number} count @param {Change} change */
function facetButton(state, filter, count, change) {
  const facet = button("", () => change(withFilterToggled(state, filter)), {
    class: "facet",
    "data-facet": filter.field,
    "data-value": filter.value,
    "data-focus": `${filter.field} ${filter.value}`,
    "aria-pressed": String(hasFilter(state, filter)),
  });
  facet.append(h("span", { dir: "auto" }, valueText(filter.field, filter.value)), h("span", { class: "number" }, number(count)));
  return facet;
}

/** Two fields, from and to; each takes a year or a date. @param {SearchState} state @param {Change} change */
function dateRange(state, change) {
  const from = dateField(state, "gte", "From");
  const to = dateField(state, "lte", "To");
  const apply = () => {
    if ([from, to].some((input) => !hasValidDate(input))) return;
    const bounds = [boundOf(from, "gte"), boundOf(to, "lte")].filter((bound) => bound !== null);
    const before = state.filters.filter(({ field, bound }) => field === "date" && bound);
    if (JSON.stringify(bounds) !== JSON.stringify(before)) change(withRange(state, "date", bounds));
  };
  const dash = h("span", { "aria-hidden": "true" }, "–");
  const fields = h("div", { class: "dates", onchange: apply, onkeydown: keepKeys }, from, dash, to);
  return h("section", null, h("h3", null, LABELS.date), fields);

  /** @param {KeyboardEvent} event */
  function keepKeys(event) {
    event.stopPropagation();
    if (event.key === "Enter") apply();
  }
}

/** @param {SearchState} state @param {string} bound @param {string} label */
function dateField(state, bound, label) {
  const names = { "aria-label": `${label} date`, placeholder: label, title: DATE_HINT };
  const input = h("input", { type: "text", ...names, maxlength: "10", "data-focus": `date ${bound}` });
  input.value = shortDate(state.filters.find((filter) => filter.field === "date" && filter.bound === bound));
  return input;
}

/** @param {HTMLInputElement} input */
function hasValidDate(input) {
  const isValid = !input.value.trim() || DATE.test(input.value.trim());
  input.setAttribute("aria-invalid", String(!isValid));
  input.setCustomValidity(isValid ? "" : DATE_HINT);
  if (!isValid) input.reportValidity();
  return isValid;
}

/**
 * Days, because a year alone would read as a number.
 * @param {HTMLInputElement} input @param {string} bound @returns {Filter | null}
 */
function boundOf(input, bound) {
  const text = input.value.trim();
  if (!text) return null;
  const [year, month, date] = text.split("-");
  const lastDay = String(new Date(Date.UTC(Number(year), Number(month ?? 12), 0)).getUTCDate());
  const value = bound === "gte" ? [year, month ?? "01", date ?? "01"] : [year, month ?? "12", date ?? lastDay];
  return { field: "date", bound, value: value.join("-") };
}

/** A whole year as the year. @param {Filter | undefined} filter */
function shortDate(filter) {
  if (!filter) return "";
  return filter.value.endsWith(filter.bound === "gte" ? "-01-01" : "-12-31") ? filter.value.slice(0, 4) : filter.value;
}

/** A chip for each filter that is in force. @param {SearchState} state @param {Change} change */
export function chosenFilters(state, change) {
  const ranges = [...new Set(state.filters.filter(({ bound }) => bound).map(({ field }) => field))];
  return [
    ...ranges.map((field) => removable(field, rangeText(state, field), () => change(withRange(state, field, [])))),
    ...state.filters
      .filter(({ bound }) => !bound)
      .map((filter) => removable(filter.field, valueText(filter.field, filter.value), () => change(withFilterToggled(state, filter)))),
  ];
}

/** @param {SearchState} state @param {string} field */
function rangeText(state, field) {
  const of = (/** @type {string} */ bound) => state.filters.find((filter) => filter.field === field && filter.bound === bound);
  const [from, to] = [shortDate(of("gte")) || of("gt")?.value, shortDate(of("lte")) || of("lt")?.value];
  const range = from && to ? (from === to ? from : `${from} – ${to}`) : from ? `from ${from}` : `until ${to}`;
  return field === "date" ? range : `${field} ${range}`;
}

/** @param {string} field @param {string} text @param {() => void} remove */
function removable(field, text, remove) {
  const label = `Remove filter: ${LABELS[field] ?? field} ${text}`;
  const chip = button("", remove, { class: "chip", "aria-label": label, "data-focus": label });
  chip.append(h("span", { dir: "auto" }, LABELS[field] ? text : `${field}: ${text}`), h("span", { "aria-hidden": "true" }, "×"));
  return chip;
}
