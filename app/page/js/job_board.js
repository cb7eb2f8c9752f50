// The jobs that run now, and those that were started here: one card each, kept up to date.

import { get, pathOf } from "./api.js";
import { failureNotice } from "./failure.js";
import { fill, h } from "./dom.js";
import { jobCard } from "./job_card.js";
import { isFinished } from "./job_words.js";
import { poll } from "./poll.js";

/**
 * @typedef {import("./job_words.js").Job} Job
 * @typedef {import("./job_card.js").JobCard} JobCard
 */

const RUNNING_MS = 1_000;
const RESTING_MS = 15_000;

/**
 * @param {{running: string, ended: string, select?: (job: Job) => boolean, onend: (job: Job) => void}} options
 * `running` is the title while a job runs, `ended` that afterwards
 * @returns {{element: HTMLElement, add: (jobId: string, isFocused?: boolean) => Promise<void>, close: () => void}}
 */
export function jobBoard({ running, ended, select = () => true, onend }) {
  const cards = h("div", { class: "stack" });
  const trouble = h("div");
  const title = h("h2");
  const element = h("section", { class: "stack tight", hidden: true }, title, trouble, cards);
  const closed = new AbortController();
  /** @type {Map<string, JobCard>} */
  const shown = new Map();
  /** @type {Set<string>} */
  const open = new Set();
  const poller = poll(ask);

  /** @param {AbortSignal} signal */
  async function ask(signal) {
    try {
      const { jobs } = await get("/api/v1/jobs", { query: { limit: 100 }, signal });
      const selected = /** @type {Job[]} */ (jobs).filter((job) => shown.has(job.job_id) || (!isFinished(job) && select(job)));
      for (const job of selected.toReversed()) await show(job);
      fill(trouble);
      return selected.some((job) => !isFinished(job)) ? RUNNING_MS : RESTING_MS;
    } catch (error) {
      if (signal.aborted) throw error;
      if (!trouble.firstChild) fill(trouble, failureNotice(error, poller.soon));
      return RUNNING_MS * 5;
    }
  }

  /** @param {Job} job */
  async function show(job) {
    let card = shown.get(job.job_id);
    if (!card) {
      card = jobCard(job, { onchange: () => poller.soon(), onend, signal: closed.signal });
      shown.set(job.job_id, card);
      cards.prepend(card.element);
      element.hidden = false;
    }
    open[isFinished(job) ? "delete" : "add"](job.job_id);
    title.textContent = open.size > 0 ? running : ended;
    await card.show(job);
    return card;
  }

  return {
    element,
    async add(jobId, isFocused = false) {
      const job = await get(pathOf("/api/v1/jobs", jobId), { signal: closed.signal });
      const card = await show(job);
      if (isFocused) card.focus();
      if (isFinished(job)) onend(job);
      poller.soon();
    },
    close() {
      poller.stop();
      closed.abort();
    },
  };
}
