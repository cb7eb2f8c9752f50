// The state of a search: as it stands in the address, and as arguments of a call.
// app/http/routes/search_address.py reads the same address.

/** `bound` is empty for a value that must be equal. @typedef {{field: string, bound: string, value: string}} Filter */
/**
 * `sources` is null where nobody chose.
 * @typedef {{q: string, sources: string[] | null, sort: string, page: number, filters: Filter[]}} SearchState
 */

export const PAGE_SIZE = 10;
export const LAST_PAGE = 100;
export const LOCAL = ["archive", "indices"];
export const UPSTREAMS = ["osdu", "quilt", "web"];
const COSTLY = ["web"];
const BOUNDS = ["gte", "gt", "lte", "lt"];
const YEAR = /^\d{4}$/;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** @param {URLSearchParams} query @returns {SearchState} */
export function readState(query) {
  const named = (query.get("sources") ?? "").split(",").filter((name) => [...LOCAL, ...UPSTREAMS].includes(name));
  const page = Number.parseInt(query.get("page") ?? "", 10);
  return {
    q: (query.get("q") ?? "").trim(),
    sources: named.length > 0 ? named : null,
    sort: query.get("sort") ?? "",
    page: page >= 1 ? Math.min(page, LAST_PAGE) : 1,
    filters: [...query].flatMap(([name, value]) => (name.startsWith("f.") && value ? [readFilter(name.slice(2), value)] : [])),
  };
}

/** @param {string} name @param {string} value @returns {Filter} */
function readFilter(name, value) {
  const dot = name.lastIndexOf(".");
  const bound = name.slice(dot + 1);
  return dot > 0 && BOUNDS.includes(bound) ? { field: name.slice(0, dot), bound, value } : { field: name, bound: "", value };
}

/** @param {Partial<SearchState>} state */
export function addressOf(state) {
  const query = new URLSearchParams();
  if (state.q) query.set("q", state.q);
  if (state.sources) query.set("sources", state.sources.join(","));
  if (state.sort) query.set("sort", state.sort);
  if (state.page && state.page > 1) query.set("page", String(state.page));
  for (const { field, bound, value } of state.filters ?? []) query.append(`f.${field}${bound && `.${bound}`}`, value);
  return query.size ? `/?${query.toString().replaceAll("%2C", ",")}` : "/";
}

/** Whether there is anything to search for. @param {SearchState} state */
export const isBlank = (state) => !state.q && state.filters.length === 0;

/** Filters and sorting work where values are known: not in upstreams. @param {SearchState} state */
export const isLocalOnly = (state) => state.filters.length > 0 || state.sort !== "";

/** @param {string} name @param {SearchState} state */
export const isChosen = (name, state) => (state.sources ? state.sources.includes(name) : !COSTLY.includes(name));

/**
 * The state with this source switched on or off; at least one stays on.
 * @param {SearchState} state @param {string} name @param {string[]} offered
 */
export function withSource(state, name, offered) {
  const before = offered.filter((each) => isChosen(each, state));
  const after = offered.filter((each) => (each === name ? !before.includes(name) : before.includes(each)));
  const isUsual = offered.every((each) => after.includes(each) !== COSTLY.includes(each));
  return { ...state, page: 1, sources: after.length === 0 || isUsual ? null : after };
}

/** @param {Filter} one @param {Filter} other */
const isSame = (one, other) => one.field === other.field && one.bound === other.bound && one.value === other.value;

/** @param {SearchState} state @param {Filter} filter */
export const hasFilter = (state, filter) => state.filters.some((each) => isSame(each, filter));

/** @param {SearchState} state @param {Filter} filter @returns {SearchState} */
export function withFilterToggled(state, filter) {
  const filters = hasFilter(state, filter) ? state.filters.filter((each) => !isSame(each, filter)) : [...state.filters, filter];
  return { ...state, page: 1, filters };
}

/**
 * The state with these bounds of a field; none removes its range.
 * @param {SearchState} state @param {string} field @param {Filter[]} bounds @returns {SearchState}
 */
export function withRange(state, field, bounds) {
  return { ...state, page: 1, filters: [...state.filters.filter((each) => each.field !== field || !each.bound), ...bounds] };
}

/** The arguments that all calls for this state share. @param {SearchState} state @returns {Record<string, unknown>} */
export function searchArguments(state) {
  /** @type {Record<string, unknown>} */
  const body = { query: state.q || "*", limit: PAGE_SIZE, detail: "full" };
  if (state.page > 1) body.page = state.page;
  if (state.sort) body.sort = state.sort.split(",").map((field) => field.trim()).filter(Boolean);
  if (state.filters.length > 0) body.filters = filtersOf(state.filters);
  return body;
}

/** @param {Filter[]} filters */
function filtersOf(filters) {
  /** @type {Record<string, unknown[]>} */
  const values = {};
  /** @type {Record<string, Record<string, unknown>>} */
  const ranges = {};
  for (const { field, bound, value } of filters) {
    if (bound) (ranges[field] ??= {})[bound] = field === "date" && YEAR.test(value) ? dayOf(value, bound) : numberOr(value);
    else (values[field] ??= []).push(...meanings(value));
  }
  return { ...values, ...ranges };
}

/** An address does not say whether a number, true or false is text. @param {string} value */
function meanings(value) {
  if (value === "true" || value === "false") return [value === "true", value];
  const number = numberOr(value);
  return number === value ? [value] : [number, value];
}

/** A year as a bound of dates: all of it belongs to the range, or none. @param {string} year @param {string} bound */
const dayOf = (year, bound) => `${year}-${bound === "gte" || bound === "lt" ? "01-01" : "12-31"}`;

/** @param {string} value */
function numberOr(value) {
  return NUMBER.test(value) && Number.isFinite(Number(value)) ? Number(value) : value;
}
