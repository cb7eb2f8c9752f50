// The newest jobs of the team, of all states or of one.

import { get, pathOf } from "../../js/api.js";
import { fill, h } from "../../js/dom.js";
import { failureNotice } from "../../js/failure.js";
import { ago, moment } from "../../js/format.js";
import { countWords } from "../../js/job_problems.js";
import { isFinished, jobKind, jobName, stateOf } from "../../js/job_words.js";
import { poll } from "../../js/poll.js";

/** @typedef {import("../../js/job_words.js").Job} Job */

const STATES = ["running", "queued", "done", "failed", "cancelled"];
const LIMIT = 200;

/**
 * @param {URLSearchParams} query
 * @returns {{element: HTMLElement, update: (query: URLSearchParams) => true, close: () => void}}
 */
export function jobList(query) {
  const chips = h("nav", { class: "chips", "aria-label": "State of the jobs" });
  const trouble = h("div");
  const content = h("div");
  const element = h("div", { class: "stack" }, h("h1", null, "Jobs"), chips, trouble, content);
  /** @type {Map<string, {key: string, row: HTMLTableRowElement}>} */
  const rows = new Map();
  let status = query.get("status") ?? "";
  showChips();
  const poller = poll(ask);

  /** @param {AbortSignal} signal */
  async function ask(signal) {
    const asked = status;
    try {
      /** @type {{jobs: Job[]}} */
      const { jobs } = await get("/api/v1/jobs", { query: { status, limit: LIMIT }, signal });
      if (asked === status) show(jobs);
      fill(trouble);
      return jobs.some((job) => !isFinished(job)) ? 1_000 : 15_000;
    } catch (error) {
      if (signal.aborted) throw error;
      if (!trouble.firstChild) fill(trouble, failureNotice(error, poller.soon));
      return 5_000;
    }
  }

  /** Rows that did not change stay, so that the focus does. @param {Job[]} jobs */
  function show(jobs) {
    if (jobs.length === 0) {
      const what = status ? `No job is ${status}.` : ["No jobs yet. ", h("a", { href: "/feed" }, "Feed the archive")];
      fill(content, h("p", { class: "empty" }, what));
      rows.clear();
      return;
    }
    let body = content.querySelector("tbody");
    if (!body) {
      const heads = ["Job", "State", "Files", "Asked for", "By"].map((text) => h("th", { scope: "col" }, text));
      body = h("tbody");
      const table = h("table", { class: "jobs" }, h("thead", null, h("tr", null, heads)), body);
      const rest = jobs.length === LIMIT && h("p", { class: "meta" }, `The newest ${LIMIT}.`);
      fill(content, h("div", { class: "panel stack tight" }, table, rest));
    }
    const wanted = jobs.map((job) => {
      const key = JSON.stringify(job) + ago(job.created_at);
      const known = rows.get(job.job_id);
      if (known?.key === key) return known.row;
      const row = renderRow(job);
      if (known?.row.contains(document.activeElement)) setTimeout(() => row.querySelector("a")?.focus());
      rows.set(job.job_id, { key, row });
      return row;
    });
    const old = body.children;
    if (wanted.length !== old.length || wanted.some((row, position) => old[position] !== row)) fill(body, wanted);
  }

  function showChips() {
    const links = ["", ...STATES].map((state) => {
      const href = state ? `/jobs?status=${state}` : "/jobs";
      return h("a", { class: "chip", href, "aria-current": state === status && "true" }, state || "all");
    });
    const focused = document.activeElement?.getAttribute("href");
    const hadFocus = chips.contains(document.activeElement);
    fill(chips, links);
    if (hadFocus) links.find((link) => link.getAttribute("href") === focused)?.focus();
  }

  return {
    element,
    update(next) {
      status = next.get("status") ?? "";
      showChips();
      poller.soon();
      return true;
    },
    close: poller.stop,
  };
}

/** @param {Job} job */
function renderRow(job) {
  const name = jobName(job);
  const link = h("a", { href: pathOf("/jobs", job.job_id), dir: "auto" }, name);
  const bar = !isFinished(job) && h("progress", { max: 1, value: job.progress, "aria-label": `Progress of ${name}` });
  return h(
    "tr",
    { "data-job": job.job_id },
    h("th", { scope: "row" }, link, h("span", { class: "meta" }, jobKind(job))),
    h("td", null, stateOf(job), bar),
    h("td", null, h("div", { class: "row meta" }, countWords(job.counts))),
    h("td", null, h("time", { datetime: job.created_at, title: moment(job.created_at) }, ago(job.created_at))),
    h("td", { class: "by" }, job.subject),
  );
}
