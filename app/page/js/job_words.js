// What is said of a job: its name, its state, and how fast it goes.

import { h } from "./dom.js";
import { ago, number, plural } from "./format.js";

/**
 * @typedef {{found: number, indexed: number, unchanged: number, removed: number, failed: number, skipped: number}} Counts
 * @typedef {{job_id: string, kind: "ingest" | "reindex", status: "queued" | "running" | "done" | "failed" | "cancelled",
 *   source: {type: string, name: string} | null, index_name: string | null, subject: string, counts: Counts, progress: number,
 *   error_count: number, created_at: string, started_at: string | null, finished_at: string | null}} Job
 * @typedef {{path: string, reason: string}} Problem
 * @typedef {Job & {errors: Problem[], skipped: Problem[], skipped_kinds: {kind: string, count: number, reason: string}[],
 *   warning: string | null}} JobDetails
 */

/** @type {Record<string, string>} */
const SOURCES = { folder: "folder", urls: "web pages", s3: "bucket", upload: "upload" };
/** @type {Record<Job["status"], [string, string]>} */
const STATES = {
  queued: ["soft", "waiting"],
  running: ["accent", "running"],
  done: ["good", "done"],
  failed: ["bad", "failed"],
  cancelled: ["soft", "cancelled"],
};
const WINDOW_MS = 15_000;

/** @param {Job} job */
export const isFinished = (job) => !["queued", "running"].includes(job.status);

/** Files without a folder come packed under the name of one of them, or their number. @param {Job} job */
export const isLoose = ({ source }) => source?.type === "upload" && source.name.endsWith(".tar");

/** @param {Job} job */
export const jobName = (job) => (isLoose(job) ? job.source?.name.slice(0, -4) : job.source?.name) ?? job.index_name ?? job.job_id;

/** @param {Job} job */
export const jobKind = (job) => (job.kind === "reindex" ? "re-index" : sourceKind(job.source?.type));

/** @param {string} [type] */
export const sourceKind = (type) => SOURCES[type ?? ""] ?? "import";

/** The state as a coloured dot and a word; the counts beside it say how many files failed. @param {Job} job */
export function stateOf(job) {
  const [colour, word] = STATES[job.status];
  const isPartial = job.status === "done" && job.counts.failed > 0;
  return h("span", { class: `dot ${isPartial ? "warning" : colour}` }, word);
}

/** How many files the job is through with. @param {Job} job */
const processed = ({ counts }) => counts.indexed + counts.unchanged + counts.failed + counts.skipped;

/** Tells how far a job is, from what was seen of it in the last seconds. */
export class Pace {
  constructor() {
    /** @type {{at: number, done: number}[]} */
    this.seen = [];
  }

  /** @param {Job} job @param {number} [now] @returns {string} */
  describe(job, now = Date.now()) {
    const isWhole = job.kind === "ingest" && job.status === "done";
    if (isFinished(job)) return `${isWhole ? `${plural(job.counts.found, "file")} · ` : ""}${ago(job.finished_at)}`;
    if (job.status === "queued") return "";
    const isCounted = job.kind === "ingest";
    if (isCounted && !job.counts.found) return "looking for files";
    const done = isCounted ? processed(job) : job.progress;
    this.seen = [...this.seen.filter((sample) => now - sample.at < WINDOW_MS && sample.done <= done), { at: now, done }];
    const far = isCounted ? `${number(done)} of ${number(job.counts.found)}` : `${Math.floor(job.progress * 100)} %`;
    const seconds = (now - this.seen[0].at) / 1_000;
    const speed = seconds > 0 ? (done - this.seen[0].done) / seconds : 0;
    if (!speed) return far;
    const left = `about ${remaining(((isCounted ? job.counts.found : 1) - done) / speed)} left`;
    const rounded = speed < 10 ? Math.round(speed * 10) / 10 : Math.round(speed);
    return isCounted ? `${far} · ${number(rounded)} files/s · ${left}` : `${far} · ${left}`;
  }
}

/** @param {number} seconds */
function remaining(seconds) {
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))} s`;
  return seconds < 3_600 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}
