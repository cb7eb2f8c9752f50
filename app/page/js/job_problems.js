// The files that a job could not read or left out, each with its reason.

import { button, fill, h } from "./dom.js";
import { number, plural } from "./format.js";
import { beginning } from "./show_more.js";

/**
 * @typedef {import("./job_words.js").JobDetails} JobDetails
 * @typedef {import("./job_words.js").Problem} Problem
 */

const FIRST = 6;

/**
 * Show the failed files, then the skipped ones.
 * @param {Element} element @param {JobDetails} job
 * @param {((path: string) => void) | null} retry tries one failed file again, if that is possible now
 */
export function showProblems(element, job, retry) {
  const { errors, error_count: failed, skipped = [], skipped_kinds: kinds = [], counts } = job;
  const problems = [
    ...errors.map((problem) => row(problem, "bad", retry)),
    ...skipped.map((problem) => row(problem, "warning", null)),
  ];
  const unlisted = [
    failed > errors.length && `${number(failed - errors.length)} failed`,
    counts.skipped > skipped.length && `${number(counts.skipped - skipped.length)} skipped`,
  ].filter(Boolean);
  const kindWords = kinds.map(({ kind, count }) => `${number(count)} ${kind}`);
  fill(
    element,
    problems.length > 0 && beginning(h("ul", { class: "plain problems" }), problems, (each) => each, { first: FIRST }),
    unlisted.length > 0 && h("p", { class: "meta" }, `Not listed: ${unlisted.join(", ")}.`),
    kinds.length > 1 && h("p", { class: "meta" }, `No reader for ${kindWords.join(", ")}.`),
    job.warning && h("p", { class: "warning" }, `${job.warning}.`),
  );
}

/** @param {Problem} problem @param {string} colour @param {((path: string) => void) | null} retry */
function row({ path, reason }, colour, retry) {
  return h(
    "li",
    null,
    h("span", { class: `path ${colour}`, dir: "auto" }, path),
    h("span", null, h("span", { class: "unseen" }, colour === "bad" ? "failed: " : "skipped: "), reason),
    retry && button("Retry", () => retry(path), { class: "link", "aria-label": `Retry ${path}` }),
  );
}

/** Say in words what became of the files. @param {import("./job_words.js").Counts} counts */
export function countWords(counts) {
  /** @type {[number, string, string][]} */
  const parts = [
    [counts.indexed, "indexed", ""],
    [counts.unchanged, "unchanged", ""],
    [counts.removed, "removed", ""],
    [counts.failed, "failed", "bad"],
    [counts.skipped, "skipped", "warning"],
  ];
  const known = parts.filter(([count]) => count > 0);
  return known.map(([count, word, colour]) => h("span", { class: colour }, `${number(count)} ${word}`));
}

/** The same for those who hear it. @param {import("./job_words.js").Job} job */
export function outcomeWords(job) {
  const failed = job.counts.failed ? `, ${plural(job.counts.failed, "file")} failed` : "";
  return job.status === "done" ? `finished${failed}` : job.status;
}
