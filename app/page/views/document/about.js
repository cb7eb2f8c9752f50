// What is known of a document besides its text.

import { h, outsideLink } from "../../js/dom.js";
import { day, number } from "../../js/format.js";

/** @typedef {import("./reading.js").About} About @typedef {import("../../js/dom.js").Child} Child */

const SHOWN = ["authors", "author", "date", "path"];
/** Said elsewhere on the page, or of use to programs alone. */
const LEFT_OUT = new Set([...SHOWN, "title", "url", "source", "index_name", "origin", "revision"]);
const LONGEST = 300;
const DIRECTLY = 8;
/** @type {Record<string, string>} */
const SOURCES = { archive: "archive", indices: "index", osdu: "OSDU", quilt: "Quilt" };

/** The line below the title. @param {About} about @param {number | null} pages */
export function aboutLine({ source, index_name, metadata, sandbox }, pages) {
  /** @type {Child[]} */
  const parts = [SOURCES[source] ?? source];
  if (index_name) parts[0] = `index ${index_name}`;
  if (sandbox) parts.push("sample data");
  for (const name of SHOWN) if (metadata[name]) parts.push(name === "date" ? day(String(metadata.date)) : shortText(metadata[name]));
  if (pages) parts.push(`${number(pages)} pages`);
  return h("p", { class: "meta row about" }, parts.map((part) => h("span", { dir: "auto" }, part)));
}

/** All else, as a list of names and values; null if there is nothing. @param {About} about @param {boolean} isLabelled */
export function aboutList({ metadata }, isLabelled) {
  const known = Object.entries(metadata).filter(([name, value]) => !LEFT_OUT.has(name) && shortText(value) !== "");
  if (known.length === 0) return null;
  const [first, rest] = [known.slice(0, DIRECTLY), known.slice(DIRECTLY)];
  return h(
    "section",
    { class: "stack tight" },
    isLabelled && h("h2", { class: "label" }, "Details"),
    list(first),
    rest.length > 0 && h("details", null, h("summary", null, `${rest.length} more`), list(rest)),
  );
}

/** @param {[string, unknown][]} entries */
function list(entries) {
  return h(
    "dl",
    { class: "known" },
    entries.map(([name, value]) =>
      h("div", null, h("dt", null, name.replaceAll("_", " ")), h("dd", { dir: "auto" }, valueNode(name, value))),
    ),
  );
}

/** @param {string} name @param {unknown} value */
function valueNode(name, value) {
  const text = shortText(value);
  if (name === "doi") return outsideLink(`https://doi.org/${encodeURI(text)}`, text);
  return typeof value === "string" && text === value ? outsideLink(value) : text;
}

/** @param {unknown} value @returns {string} */
function shortText(value) {
  if (value === null || value === undefined) return "";
  const isPlain = Array.isArray(value) && value.every((each) => typeof each !== "object");
  const text = isPlain ? value.join(", ") : typeof value === "object" ? JSON.stringify(value) : String(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
