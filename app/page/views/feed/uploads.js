// Sends files, one batch after the other. It goes on while other views are open, and tells whoever listens.

import { callHeaders, Failed } from "../../js/api.js";
import { number } from "../../js/format.js";
import { isArchive } from "./batches.js";
import { tar } from "./tar.js";

/** @typedef {import("./batches.js").Batch} Batch */

const ADDRESS = "/api/v1/archives/upload";
const CUT_OFF = {
  error: "The upload was cut off",
  error_category: "unavailable",
  fix: { required_action: "See whether the service runs and whether the files are still there unchanged, then try again" },
};

/** What is being sent: `sent` and `total` in bytes; `error` stops it until `resume` or `cancel`. */
export const uploads = {
  /** @type {Batch[]} */
  waiting: [],
  total: 0,
  sentBefore: 0,
  sent: 0,
  /** @type {unknown} */
  error: null,
  /** @type {(() => void) | null} */
  listener: null,
  /** @type {((jobId: string) => void) | null} */
  onjob: null,
};
/** @type {XMLHttpRequest | null} */
let request = null;
let isSending = false;

/** @param {Batch[]} batches */
export function upload(batches) {
  uploads.waiting.push(...batches);
  uploads.total += batches.reduce((sum, { bytes }) => sum + bytes, 0);
  resume();
}

/** Begin, or go on where an error stopped it. */
export function resume() {
  uploads.error = null;
  if (!isSending) void sendAll();
}

export function cancel() {
  Object.assign(uploads, { waiting: [], total: 0, sentBefore: 0, sent: 0, error: null });
  request?.abort();
  uploads.listener?.();
}

async function sendAll() {
  isSending = true;
  addEventListener("beforeunload", warn);
  while (uploads.waiting.length > 0 && !uploads.error) {
    const batch = uploads.waiting[0];
    try {
      const jobId = await send(batch);
      if (uploads.waiting[0] !== batch) continue;
      uploads.waiting.shift();
      uploads.sentBefore += batch.bytes;
      uploads.onjob?.(jobId);
    } catch (error) {
      if (uploads.waiting[0] === batch) uploads.error = error;
    }
    uploads.sent = 0;
    uploads.listener?.();
  }
  removeEventListener("beforeunload", warn);
  isSending = false;
  if (!uploads.error) cancel();
}

/** @param {Batch} batch @returns {Promise<string>} the job that reads it */
function send({ root, entries, bytes }) {
  return new Promise((resolve, reject) => {
    const made = new XMLHttpRequest();
    request = made;
    made.open("POST", ADDRESS);
    made.responseType = "json";
    for (const [name, value] of Object.entries(callHeaders())) made.setRequestHeader(name, value);
    made.upload.onprogress = ({ loaded, total }) => {
      uploads.sent = total ? (loaded / total) * bytes : 0;
      uploads.listener?.();
    };
    made.onerror = () => reject(new Failed(0, CUT_OFF));
    made.onabort = () => reject(new DOMException("", "AbortError"));
    made.onload = () => {
      if (made.response?.success) resolve(made.response.job_id);
      else reject(new Failed(made.status, made.response?.error ? made.response : CUT_OFF));
    };
    made.send(form(root, entries));
  });
}

/** @param {string | null} root @param {import("./tar.js").Entry[]} entries */
function form(root, entries) {
  const data = new FormData();
  if (root !== null) data.append("root", root);
  const plain = entries.filter(({ path }) => !isArchive(path));
  // A job without a folder is called by this name.
  const name = entries.length === 1 ? entries[0].path : `${number(entries.length)} files`;
  if (plain.length > 0) data.append("files", tar(plain), `${name}.tar`);
  for (const { path, file } of entries) if (isArchive(path)) data.append("files", file, path);
  return data;
}

/** @param {BeforeUnloadEvent} event */
function warn(event) {
  event.preventDefault();
}
