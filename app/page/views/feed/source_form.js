// Names what the service itself reads into the archive: a folder that it can see, web pages, or a bucket.

import { Failed, post } from "../../js/api.js";
import { h, fill } from "../../js/dom.js";
import { clearFailure, showFailure } from "../../js/failure.js";

/** @typedef {{path: HTMLInputElement, include: HTMLInputElement, mirror: HTMLInputElement, urls: HTMLTextAreaElement,
 *   bucket: HTMLInputElement, prefix: HTMLInputElement}} Fields */

/** @type {[string, string][]} */
const TYPES = [["urls", "Web pages"], ["folder", "Folder of the server"], ["s3", "Bucket"]];

/** @param {(jobId: string) => Promise<void>} started @returns {HTMLFormElement} */
export function sourceForm(started) {
  /** @type {Fields} */
  const fields = {
    path: input("path"),
    include: input("include"),
    mirror: h("input", { type: "checkbox", name: "mirror" }),
    urls: h("textarea", { name: "urls", required: true, rows: 4, spellcheck: "false" }),
    bucket: input("bucket"),
    prefix: input("prefix"),
  };
  fields.path.required = fields.bucket.required = true;
  const groups = new Map([
    ["urls", [h("label", null, "Addresses, one a line", fields.urls)]],
    ["folder", [
      h("label", null, "Path on the server", fields.path),
      h("label", null, "Only files like", fields.include, h("span", { class: "hint" }, "**/*.md, notes/**; empty for all")),
      h("label", { class: "inline" }, fields.mirror, "Also remove documents whose files are gone"),
    ]],
    ["s3", [h("label", null, "Bucket", fields.bucket), h("label", null, "Only below this prefix", fields.prefix)]],
  ]);
  const chosen = h("div", { class: "stack tight" }, groups.get("urls") ?? []);
  const trouble = h("div", { class: "stack tight" });
  const submit = h("button", { type: "submit", class: "primary" }, "Read it");
  const type = h("select", { name: "type", onchange: choose }, TYPES.map(([value, text]) => h("option", { value }, text)));
  return h(
    "form",
    { class: "panel stack", onsubmit: send, "aria-labelledby": "source-title" },
    h("h2", { id: "source-title" }, "Read from elsewhere"),
    h("label", null, "What to read", type),
    chosen,
    trouble,
    h("div", null, submit),
  );

  function choose() {
    fill(trouble);
    fill(chosen, groups.get(type.value) ?? []);
  }

  /** @param {SubmitEvent} event */
  async function send(event) {
    event.preventDefault();
    clearFailure(trouble);
    submit.disabled = true;
    const source = sourceOf(type.value, fields);
    try {
      const { job_id: jobId } = await post("/api/v1/archives/ingest", { source });
      fill(trouble);
      await started(jobId);
      fields.urls.value = "";
    } catch (error) {
      fill(trouble);
      showFailure(trouble, error);
      trouble.append(...wrongLines(error, source.urls));
    }
    submit.disabled = false;
  }
}

/** @param {string} name */
const input = (name) => h("input", { type: "text", name, autocomplete: "off", spellcheck: "false" });

/** @param {string} type @param {Fields} fields @returns {{type: string, urls?: string[]} & Record<string, unknown>} */
function sourceOf(type, { path, include, mirror, urls, bucket, prefix }) {
  if (type === "urls") return { type, urls: urls.value.split(/\s+/).filter(Boolean) };
  if (type === "s3") return { type, bucket: bucket.value.trim(), prefix: prefix.value.trim() };
  const patterns = include.value.split(",").map((pattern) => pattern.trim()).filter(Boolean);
  return { type, path: path.value.trim(), mirror: mirror.checked, ...(patterns.length > 0 && { include: patterns }) };
}

/** The addresses that were refused, by the positions that a failure gives. @param {unknown} error @param {string[]} [urls] */
function wrongLines(error, urls) {
  const positions = error instanceof Failed ? error.failure.details?.positions : null;
  if (!Array.isArray(positions) || !urls) return [];
  const lines = positions.map((position) => h("li", null, h("span", { class: "path bad" }, urls[position - 1])));
  return [h("ul", { class: "plain problems" }, lines)];
}
