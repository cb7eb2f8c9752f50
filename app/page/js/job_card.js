// A job as a card: how far it is, what became of its files, and what can be done about it.

import { announce } from "./announce.js";
import { get, pathOf, post, remove } from "./api.js";
import { button, fill, h } from "./dom.js";
import { clearFailure, showFailure } from "./failure.js";
import { moment } from "./format.js";
import { countWords, outcomeWords, showProblems } from "./job_problems.js";
import { isFinished, isLoose, jobKind, jobName, Pace, stateOf } from "./job_words.js";
import { may } from "./session.js";

/**
 * @typedef {import("./job_words.js").Job} Job
 * @typedef {import("./job_words.js").JobDetails} JobDetails
 * @typedef {{element: HTMLElement, show: (job: Job | JobDetails) => Promise<void>, focus: () => void}} JobCard
 */

const DETAILS_EVERY_MS = 4_000;

/**
 * @param {Job} first
 * @param {{heading?: "h1" | "h3", onchange: () => void, onend?: (job: Job) => void, signal: AbortSignal}} options
 * `onchange` is called when somebody cancelled or retried the job, `onend` when it ended while it was shown
 * @returns {JobCard}
 */
export function jobCard(first, { heading = "h3", onchange, onend, signal }) {
  const address = pathOf("/api/v1/jobs", first.job_id);
  const pace = new Pace();
  const title = h(heading, { class: "job-name", dir: "auto", tabindex: "-1" });
  const state = h("span", { class: "meta" });
  const far = h("span", { class: "meta far" });
  const bar = h("progress", { max: 1, value: 0 });
  const counts = h("span", { class: "row meta" });
  const problems = h("div", { class: "stack tight" });
  const cancel = button("Cancel", () => act(() => remove(address)), { class: "link" });
  const again = button("", () => act(() => post(`${address}/retry`, {})), { class: "link" });
  const search = h("a", { hidden: true }, "Search them");
  const about = heading === "h1" && h("p", { class: "meta" });
  const element = h(
    "article",
    { class: "panel stack tight job", "data-job": first.job_id },
    h("div", { class: "row apart" }, h("div", { class: "row" }, title, state), far),
    bar,
    h("div", { class: "row meta" }, counts, cancel, again, search),
    problems,
    about,
  );
  /** @type {Job | null} */
  let latest = null;
  let known = "";
  let knownAt = 0;

  /** @param {Job | JobDetails} job */
  async function show(job) {
    const hadEnded = latest === null || isFinished(latest);
    latest = job;
    showState(job);
    if ("errors" in job && "skipped" in job) showDetails(job);
    else await loadDetails(job);
    if (isFinished(job) && !hadEnded) {
      announce(`${jobName(job)}: ${outcomeWords(job)}`);
      onend?.(job);
    }
  }

  /** @param {Job} job */
  function showState(job) {
    const name = jobName(job);
    if (title.textContent !== name) fill(title, heading === "h1" ? name : h("a", { href: pathOf("/jobs", job.job_id) }, name));
    fill(state, `${jobKind(job)} · `, stateOf(job));
    far.textContent = pace.describe(job);
    bar.value = job.progress;
    bar.setAttribute("aria-label", `Progress of ${name}`);
    fill(counts, countWords(job.counts));
    counts.hidden = !counts.firstChild;
    const focused = document.activeElement;
    const isOpen = !isFinished(job);
    cancel.hidden = !isOpen || !may("ingest");
    again.hidden = isOpen || !may("ingest") || (job.status === "done" && job.counts.failed < 2);
    again.textContent = job.status === "done" ? "Retry all" : "Run again";
    search.hidden = job.kind !== "ingest" || isOpen || job.counts.indexed + job.counts.unchanged === 0;
    search.href = searchAddress(job);
    if (focused === cancel ? cancel.hidden : focused === again && again.hidden) title.focus();
    const ended = job.finished_at ? ` · ended ${moment(job.finished_at)}` : "";
    if (about) about.textContent = `Asked for by ${job.subject} · ${moment(job.created_at)}${ended} · ${job.job_id}`;
  }

  /** Ask for the problems if there are new ones, but not at each step of a job that runs. @param {Job} job */
  async function loadDetails(job) {
    const key = keyOf(job);
    if (key === known || (!isFinished(job) && Date.now() - knownAt < DETAILS_EVERY_MS)) return;
    if (!job.error_count && !job.counts.skipped && !isFinished(job)) return;
    showDetails(await get(address, { signal }));
  }

  /** @param {JobDetails} job */
  function showDetails(job) {
    const key = keyOf(job);
    if (key === known) return;
    known = key;
    knownAt = Date.now();
    const hadFocus = problems.contains(document.activeElement);
    const canRetry = may("ingest") && job.kind === "ingest" && job.status === "done";
    showProblems(problems, job, canRetry ? (path) => void act(() => post(`${address}/retry`, { paths: [path] })) : null);
    if (hadFocus) title.focus();
  }

  /** @param {() => Promise<JobDetails>} change */
  async function act(change) {
    clearFailure(element);
    try {
      known = "";
      await show(await change());
      onchange();
    } catch (error) {
      showFailure(element, error);
    }
  }

  return { element, show, focus: () => title.focus() };
}

/** What the problems of a job depend on. @param {Job} job */
const keyOf = (job) => [job.status, job.error_count, job.counts.skipped, job.finished_at].join();

/** The address of a search of what the job read: the folder that its documents stand below, or fetched pages. @param {Job} job */
function searchAddress(job) {
  const query = new URLSearchParams({ q: "*", sources: "archive" });
  if (job.source?.type === "urls") query.set("f.source", "url");
  else if (job.source && job.source.type !== "s3") {
    const folder = isLoose(job) ? "upload" : job.source.name;
    query.set("f.path.gte", `${folder}/`);
    query.set("f.path.lt", `${folder}/\uFFFD`);
  }
  return `/?${query}`;
}
