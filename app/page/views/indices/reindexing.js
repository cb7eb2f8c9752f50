// Building an index anew while it serves, with its progress.

import { pathOf, post } from "../../js/api.js";
import { button, fill, h } from "../../js/dom.js";
import { failureNotice } from "../../js/failure.js";
import { jobBoard } from "../../js/job_board.js";
import { may } from "../../js/session.js";

/**
 * @param {string} name @param {boolean} isOutdated @param {() => void} onend called when it was built anew
 * @returns {{button: HTMLButtonElement | null, element: HTMLElement, close: () => void}}
 */
export function reindexing(name, isOutdated, onend) {
  const advice = "An earlier version of the service built this index. A re-index is advised; searches go on meanwhile.";
  const notice = isOutdated ? h("div", { class: "notice warning" }, h("p", null, advice)) : null;
  const trouble = h("div");
  const board = jobBoard({
    running: "Re-index",
    ended: "Re-index",
    select: (job) => job.kind === "reindex" && job.index_name === name,
    onend(job) {
      if (job.status === "done") notice?.remove();
      onend();
    },
  });
  const start = may("write") ? button("Re-index", () => void begin(start)) : null;
  return { button: start, element: h("div", { class: "stack tight" }, notice, trouble, board.element), close: board.close };

  /** @param {HTMLButtonElement | null} pressed */
  async function begin(pressed) {
    fill(trouble);
    if (pressed) pressed.disabled = true;
    try {
      const { job_id: jobId } = await post(`${pathOf("/api/v1/indices", name)}/reindex`);
      await board.add(jobId, true);
    } catch (error) {
      fill(trouble, failureNotice(error));
    }
    if (pressed) pressed.disabled = false;
  }
}
