// Splits what was chosen into uploads: one folder each, and not too much at a time.

/**
 * @typedef {import("./tar.js").Entry} Entry
 * @typedef {{root: string | null, entries: Entry[], bytes: number}} Batch files with their paths below the folder `root`
 * @typedef {{file_bytes: number, upload_bytes: number}} Limits
 */

const MAX_FILES = 2_000;
const MAX_BYTES = 250_000_000;
/** Headers and padding of one file in a tar stream, at most. */
const OVERHEAD = 4_096;

/**
 * @param {Entry[]} entries @param {Limits | null} limits if they are known
 * @returns {{batches: Batch[], tooBig: Entry[]}}
 */
export function splitIntoBatches(entries, limits) {
  const isTooBig = /** @param {Entry} entry */ ({ path, size }) =>
    limits !== null && size > (isArchive(path) ? limits.upload_bytes : limits.file_bytes);
  const most = Math.min(MAX_BYTES, limits?.upload_bytes ?? MAX_BYTES);
  /** @type {Batch[]} */
  const batches = [];
  /** @type {Map<string | null, Batch>} */
  const filling = new Map();
  for (const entry of entries) {
    if (isTooBig(entry)) continue;
    const slash = entry.path.indexOf("/");
    const root = slash < 0 ? null : entry.path.slice(0, slash);
    let batch = filling.get(root);
    if (!batch || batch.entries.length >= MAX_FILES || batch.bytes + entry.size + OVERHEAD * (batch.entries.length + 1) > most) {
      batch = { root, entries: [], bytes: 0 };
      batches.push(batch);
      filling.set(root, batch);
    }
    batch.entries.push({ ...entry, path: entry.path.slice(slash + 1) });
    batch.bytes += entry.size;
  }
  return { batches, tooBig: entries.filter(isTooBig) };
}

/** Whether the service unpacks a file, which it does only if the file is sent by itself. @param {string} path */
export const isArchive = (path) => /\.(zip|tar|tar\.gz|tgz|tar\.xz|txz)$/i.test(path);
