// Numbers, times and sizes as people write them.

const NUMBER = new Intl.NumberFormat("en");
const RELATIVE = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const DAY = new Intl.DateTimeFormat("en", { year: "numeric", month: "short", day: "numeric" });
const MOMENT = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium" });
/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const UNITS = [["year", 31_536_000], ["month", 2_592_000], ["week", 604_800], ["day", 86_400], ["hour", 3_600], ["minute", 60]];

/** @param {number | null | undefined} value */
export const number = (value) => (value === null || value === undefined ? "–" : NUMBER.format(value));

/** @param {number} count @param {string} one @param {string} [many] */
export const plural = (count, one, many) => `${number(count)} ${count === 1 ? one : (many ?? `${one}s`)}`;

/** @param {number | null | undefined} bytes */
export function size(bytes) {
  if (bytes === null || bytes === undefined) return "–";
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = 0;
  while (value >= 1_000 && unit < units.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return `${unit === 0 ? NUMBER.format(value) : value.toFixed(value < 10 ? 1 : 0)} ${units[unit]}`;
}

/** @param {string | null | undefined} time @param {number} [now] */
export function ago(time, now = Date.now()) {
  const then = time ? Date.parse(time) : Number.NaN;
  if (Number.isNaN(then)) return "never";
  const seconds = (then - now) / 1_000;
  for (const [unit, length] of UNITS) {
    if (Math.abs(seconds) >= length) return RELATIVE.format(Math.round(seconds / length), unit);
  }
  return Math.abs(seconds) < 10 ? "just now" : RELATIVE.format(Math.round(seconds), "second");
}

/** @param {string | null | undefined} time */
export function moment(time) {
  const then = time ? Date.parse(time) : Number.NaN;
  return Number.isNaN(then) ? "–" : MOMENT.format(then);
}

/** A date as it stands in a document: a day is shown as a day. @param {string | null | undefined} text */
export function day(text) {
  if (!text) return "";
  const then = Date.parse(text);
  return Number.isNaN(then) ? text : text.length > 10 ? DAY.format(then) : text;
}

/** @param {number} milliseconds */
export function duration(milliseconds) {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1_000).toFixed(1)} s`;
  return `${Math.floor(milliseconds / 60_000)} min ${Math.round((milliseconds % 60_000) / 1_000)} s`;
}
