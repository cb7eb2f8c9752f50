// What the archive holds, by where it came from, and how fresh it is.

import { announce } from "../../js/announce.js";
import { get, pathOf, post } from "../../js/api.js";
import { button, fill, h } from "../../js/dom.js";
import { clearFailure, showFailure } from "../../js/failure.js";
import { ago, moment, number, plural } from "../../js/format.js";
import { sourceKind } from "../../js/job_words.js";
import { poll } from "../../js/poll.js";
import { may } from "../../js/session.js";
import { beginning } from "../../js/show_more.js";

/** @typedef {import("./batches.js").Limits} Limits */
/**
 * @typedef {{job_id: string, status: string, failed: number, skipped: number, finished_at: string | null}} LastJob
 * @typedef {{type: string, name: string, documents: number, last_read_at: string | null, last_job: LastJob | null,
 *   action: string | null}} Source `action` says in words what to do about it
 */

// Narrow screens show each row as a block, so the roles say that this is a table.
const FIRST = 25;
const REFRESH_MS = 60_000;

/**
 * @param {(jobId: string) => Promise<void>} started called with each job that "Run now" started
 * @returns {{element: HTMLElement, refresh: () => void, limits: () => Limits | null, close: () => void}} `limits` of
 * uploads, once they are known
 */
export function overview(started) {
  const waiting = h("p", { class: "empty" }, "…");
  const element = h("section", { class: "panel stack tight", "aria-label": "Sources", "aria-busy": "true" }, waiting);
  /** @type {Limits | null} */
  let limits = null;
  const poller = poll(ask);

  /** Times grow old while they are shown, but nothing changes under somebody's fingers. @param {AbortSignal} signal */
  async function ask(signal) {
    try {
      const held = await get("/api/v1/archives/overview", { signal });
      if (!element.contains(document.activeElement)) show(held);
    } catch (error) {
      waiting.remove();
      showFailure(element, error, poller.soon);
    }
    element.removeAttribute("aria-busy");
    return REFRESH_MS;
  }

  /** @param {{documents: number, sources: Source[], limits?: Limits}} held */
  function show({ documents, sources, limits: given }) {
    limits = given ?? null;
    if (!sources.length) {
      const how = may("ingest") ? "Drop files here, or name pages or a folder." : "Somebody who may feed it can put files in here.";
      fill(element, h("p", { class: "empty" }, documents ? `${plural(documents, "document")}.` : `Nothing yet. ${how}`));
      return;
    }
    const heads = [["Source", ""], ["Documents", "number"], ["Last read", ""]].map(([text, name]) =>
      h("th", { class: name, scope: "col", role: "columnheader" }, text),
    );
    const body = h("tbody", { role: "rowgroup" });
    const table = h(
      "table",
      { class: "sources", role: "table" },
      h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, heads, h("td", { role: "cell" }))),
      body,
    );
    const [, more] = beginning(body, sources, row, { first: FIRST });
    fill(
      element,
      table,
      more,
      h("p", { class: "meta" }, `${plural(documents, "document")} · `, h("a", { href: "/indices/archive" }, "Browse them")),
    );
  }

  /** @param {Source} source */
  function row(source) {
    const { last_job: job, action } = source;
    // Files that were sent are gone after their job, so only somebody who has them can send them again.
    const run = job && source.type !== "upload" && may("ingest") && !["running", "queued"].includes(job.status);
    const why = job && (job.failed || job.skipped || job.status === "failed");
    return h(
      "tr",
      { role: "row" },
      h(
        "th",
        { scope: "row", role: "rowheader" },
        h("span", { class: "name", dir: "auto", title: source.name }, source.name),
        h("span", { class: "meta" }, describe(source)),
        action && h("span", { class: "meta" }, `${action}.`),
      ),
      h("td", { class: "number", role: "cell" }, number(source.documents)),
      h("td", { role: "cell" }, freshness(source)),
      h(
        "td",
        { class: "acts", role: "cell" },
        run && button("Run now", (event) => start(source, job, event), { class: "link", "aria-label": `Run now: ${source.name}` }),
        why && h("a", { href: pathOf("/jobs", job.job_id), "aria-label": `See why: ${source.name}` }, "See why"),
      ),
    );
  }

  /**
   * The last job reads its source anew; documents that did not change stay.
   * @param {Source} source @param {LastJob} job @param {MouseEvent} event
   */
  async function start(source, job, event) {
    clearFailure(element);
    const pressed = /** @type {HTMLButtonElement} */ (event.currentTarget);
    pressed.disabled = true;
    try {
      await post(`${pathOf("/api/v1/jobs", job.job_id)}/retry`, {});
      announce(`${source.name} is being read`);
      await started(job.job_id);
    } catch (error) {
      showFailure(element, error);
    }
    pressed.disabled = false;
    poller.soon();
  }

  return { element, refresh: poller.soon, limits: () => limits, close: poller.stop };
}

/** @param {Source} source */
function describe({ type, name, last_job: job, action }) {
  const kind = type === "upload" && name === type ? "files without a folder" : sourceKind(type);
  const failed = job?.failed && !action ? ` · ${number(job.failed)} failed` : "";
  return `${kind}${failed}${job?.skipped ? ` · ${number(job.skipped)} skipped` : ""}`;
}

/** When the source was last read, and whether that went well. @param {Source} source */
function freshness({ last_job: job, last_read_at: at }) {
  const when = h("time", { class: "ink", datetime: at, title: at && moment(at) }, ago(at));
  if (job?.status === "running") return h("span", { class: "dot accent" }, "reading now");
  if (job?.status === "queued") return h("span", { class: "dot soft" }, "waiting");
  if (job && job.status !== "done") {
    const state = h("span", { class: `dot ${job.status === "failed" ? "bad" : "soft"}` }, job.status);
    return [state, at && h("span", { class: "meta" }, "read ", when)];
  }
  const colour = !at ? "soft" : job?.failed ? "warning" : "good";
  return h("span", { class: `dot ${colour}` }, when, colour === "warning" && h("span", { class: "unseen" }, ", some files failed"));
}
