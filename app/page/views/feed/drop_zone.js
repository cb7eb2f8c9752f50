// Where files and folders are dropped or chosen, and what became of sending them.

import { announce } from "../../js/announce.js";
import { button, fill, h } from "../../js/dom.js";
import { failureNotice } from "../../js/failure.js";
import { number, plural, size } from "../../js/format.js";
import { beginning } from "../../js/show_more.js";
import { splitIntoBatches } from "./batches.js";
import { chosenFiles, droppedFiles } from "./entries.js";
import { cancel, resume, upload, uploads } from "./uploads.js";

const FIRST_NAMED = 5;

/**
 * @param {(jobId: string) => Promise<void>} started called with the job of each upload
 * @param {() => import("./batches.js").Limits | null} limits
 * @returns {{element: HTMLElement, close: () => void}}
 */
export function dropZone(started, limits) {
  const files = h("input", { type: "file", multiple: true, hidden: true, onchange: choose });
  const folder = h("input", { type: "file", webkitdirectory: true, hidden: true, onchange: choose });
  const chooseFiles = button("Choose files", () => files.click(), { class: "primary" });
  const said = h("div", { class: "stack tight" });
  const sending = h("div", { class: "stack tight" });
  const bar = h("div", { class: "bar" }, h("div"));
  const stop = button("Cancel", stopSending, { class: "link", "aria-label": "Cancel the upload" });
  const far = h("span", { class: "meta" });
  const running = h("div", { class: "stack tight", hidden: true }, h("div", { class: "row apart" }, far, stop), bar);
  const element = h(
    "section",
    { class: "panel stack drop", "aria-labelledby": "drop-title" },
    h("h2", { id: "drop-title" }, "Drop files or folders here"),
    h("p", { class: "soft" }, "Markdown, HTML, PDF, Word and text, also in zip and tar files"),
    h("div", { class: "row" }, chooseFiles, button("Choose a folder", () => folder.click()), files, folder),
    running,
    sending,
    said,
  );
  const closed = new AbortController();
  for (const name of ["dragover", "dragleave", "drop"]) addEventListener(name, drag, { signal: closed.signal });
  uploads.listener = showSending;
  uploads.onjob = (jobId) => void started(jobId).catch((error) => fill(sending, failureNotice(error)));
  showSending();

  /** Files may be dropped anywhere: a browser would leave the page to show them. @param {Event} event */
  function drag(event) {
    const { type, dataTransfer: transfer } = /** @type {DragEvent} */ (event);
    if (!transfer?.types.includes("Files")) return;
    event.preventDefault();
    element.classList.toggle("over", type === "dragover");
    if (type === "drop") void take(() => droppedFiles(transfer));
  }

  /** @param {Event} event */
  function choose(event) {
    const input = /** @type {HTMLInputElement} */ (event.currentTarget);
    const chosen = Array.from(input.files ?? []);
    input.value = "";
    if (chosen.length > 0) void take(() => chosenFiles(chosen));
  }

  /** @param {() => Promise<import("./entries.js").Chosen>} read */
  async function take(read) {
    fill(said, h("p", { class: "meta" }, "Looking at the files …"));
    try {
      const { entries, hidden } = await read();
      const { batches, tooBig } = splitIntoBatches(entries, limits());
      fill(
        said,
        entries.length === 0 && h("p", null, "There is no file in it."),
        hidden > 0 && h("p", { class: "meta" }, `Hidden files and folders left out: ${number(hidden)}.`),
        tooBig.length > 0 && tooBigNotice(tooBig, limits()?.file_bytes),
      );
      announce(`Sending ${plural(entries.length - tooBig.length, "file")}`);
      if (batches.length > 0) upload(batches);
    } catch {
      fill(said, h("p", { class: "bad", role: "alert" }, "These files cannot be read. See whether they are there, then drop them again."));
    }
  }

  function showSending() {
    const { total, sentBefore, sent, waiting, error } = uploads;
    const done = sentBefore + sent;
    const hadFocus = running.contains(document.activeElement);
    running.hidden = waiting.length === 0;
    if (hadFocus && running.hidden) chooseFiles.focus();
    fill(sending, error !== null && failureNotice(error, resume));
    if (waiting.length === 0) return;
    const share = total ? done / total : 1;
    const isStored = waiting.length === 1 && sent > 0 && sent >= waiting[0].bytes;
    const what = `Sending ${plural(count(waiting), "file")} · ${size(done)} of ${size(total)}`;
    far.textContent = isStored ? "Sent, being stored …" : what;
    /** @type {HTMLElement} */ (bar.firstChild).style.width = `${share * 100}%`;
  }

  function stopSending() {
    cancel();
    announce("The upload was cancelled");
    fill(said, h("p", { class: "meta" }, "Cancelled. What was sent before stays."));
  }

  return {
    element,
    close() {
      closed.abort();
      Object.assign(uploads, { listener: null, onjob: null });
    },
  };
}

/** @param {import("./batches.js").Batch[]} batches */
const count = (batches) => batches.reduce((sum, { entries }) => sum + entries.length, 0);

/** @param {import("./tar.js").Entry[]} files @param {number} [limit] */
function tooBigNotice(files, limit) {
  const row = /** @param {import("./tar.js").Entry} entry */ ({ path, size: bytes }) =>
    h("li", null, h("span", { class: "path", dir: "auto" }, path), h("span", { class: "meta" }, size(bytes)));
  return h(
    "div",
    { class: "notice warning", role: "alert" },
    h("p", { class: "what" }, `${plural(files.length, "file")} not sent: more than ${size(limit)}`),
    beginning(h("ul", { class: "plain problems" }), files, row, { first: FIRST_NAMED }),
  );
}
