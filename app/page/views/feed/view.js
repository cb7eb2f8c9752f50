// Feeding the archive: what it holds, what is being read, and ways to put more in.

import { fill, h } from "../../js/dom.js";
import { jobBoard } from "../../js/job_board.js";
import { may } from "../../js/session.js";
import { dropZone } from "./drop_zone.js";
import { overview } from "./overview.js";
import { sourceForm } from "./source_form.js";

/** @param {HTMLElement} main @returns {import("../../js/router.js").Opened} */
export function open(main) {
  const board = jobBoard({ running: "Running", ended: "Just read", onend: () => held.refresh() });
  const held = overview((jobId) => board.add(jobId, true));
  const zone = may("ingest") ? dropZone((jobId) => board.add(jobId), held.limits) : null;
  const content = h("div", { class: "stack wide" }, h("h1", null, "What is in the archive"), held.element, board.element);
  const side = zone && h("div", { class: "stack" }, zone.element, sourceForm((jobId) => board.add(jobId, true)));
  fill(main, h("div", { class: `page manage${side ? " with-side" : ""}` }, content, side));
  return {
    title: "Feed",
    close() {
      board.close();
      held.close();
      zone?.close();
    },
  };
}
