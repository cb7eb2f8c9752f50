// One job in full.

import { get, pathOf } from "../../js/api.js";
import { fill, h } from "../../js/dom.js";
import { failureNotice } from "../../js/failure.js";
import { jobCard } from "../../js/job_card.js";
import { isFinished, jobName } from "../../js/job_words.js";
import { poll } from "../../js/poll.js";

/**
 * @param {string} jobId @param {(title: string) => void} setTitle
 * @returns {{element: HTMLElement, update?: undefined, close: () => void}}
 */
export function oneJob(jobId, setTitle) {
  const trouble = h("div");
  const element = h("div", { class: "stack narrow" }, h("p", null, h("a", { href: "/jobs" }, "All jobs")), trouble);
  const closed = new AbortController();
  /** @type {import("../../js/job_card.js").JobCard | null} */
  let card = null;
  const poller = poll(async (signal) => {
    try {
      /** @type {import("../../js/job_words.js").JobDetails} */
      const job = await get(pathOf("/api/v1/jobs", jobId), { signal });
      if (!card) {
        card = jobCard(job, { heading: "h1", onchange: () => poller.soon(), signal: closed.signal });
        element.append(card.element);
        setTitle(jobName(job));
      }
      await card.show(job);
      fill(trouble);
      return isFinished(job) ? 15_000 : 1_000;
    } catch (error) {
      if (signal.aborted) throw error;
      if (!trouble.firstChild) fill(trouble, failureNotice(error, poller.soon));
      return 5_000;
    }
  });
  return {
    element,
    close() {
      poller.stop();
      closed.abort();
    },
  };
}
