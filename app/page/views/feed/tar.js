// Packs files as one tar stream, which keeps their paths and times; nothing is read before it is sent.

const BLOCK = 512;
const REGULAR = "0";
const EXTENDED = "x";
const MODE = "0000644\0";
const NOBODY = "0000000\0";
const encoder = new TextEncoder();

/** @typedef {{path: string, file: File, size: number, modified: number}} Entry a file as a browser describes it, and its path */

/** @param {Entry[]} entries @returns {Blob} */
export function tar(entries) {
  /** @type {BlobPart[]} */
  const parts = [];
  let fill = 0;
  for (const { path, file, size, modified } of entries) {
    // One part for all between two files: browsers are slow with many parts.
    parts.push(beforeFile(fill, path, size, Math.max(0, Math.floor(modified / 1_000))), file);
    fill = padding(size);
  }
  return new Blob([...parts, new Uint8Array(fill + 2 * BLOCK)], { type: "application/x-tar" });
}

/**
 * The padding of the file before, the name of this one in any length and script, and its header.
 * @param {number} fill @param {string} path @param {number} size @param {number} modified
 */
function beforeFile(fill, path, size, modified) {
  const record = encoder.encode(extendedRecord("path", path));
  const bytes = new Uint8Array(fill + BLOCK + record.length + padding(record.length) + BLOCK);
  bytes.set(header("path", EXTENDED, record.length, modified), fill);
  bytes.set(record, fill + BLOCK);
  bytes.set(header("file", REGULAR, size, modified), bytes.length - BLOCK);
  return bytes;
}

/** A record whose length counts itself. @param {string} name @param {string} value */
function extendedRecord(name, value) {
  const rest = ` ${name}=${value}\n`;
  const bytes = encoder.encode(rest).length;
  let length = bytes + String(bytes).length;
  if (bytes + String(length).length > length) length += 1;
  return `${length}${rest}`;
}

/** @param {string} name @param {string} kind @param {number} size @param {number} modified */
function header(name, kind, size, modified) {
  const block = new Uint8Array(BLOCK);
  /** @param {string} text @param {number} offset */
  const put = (text, offset) => block.set(encoder.encode(text), offset);
  put(name, 0);
  put(MODE + NOBODY + NOBODY, 100);
  put(octal(size, 12), 124);
  put(octal(modified, 12), 136);
  put(" ".repeat(8), 148);
  put(kind, 156);
  put("ustar\0" + "00", 257);
  put(`${octal(block.reduce((sum, byte) => sum + byte, 0), 7)} `, 148);
  return block;
}

/** @param {number} value @param {number} length with the zero at its end */
const octal = (value, length) => `${value.toString(8).padStart(length - 1, "0")}\0`;

/** @param {number} size */
const padding = (size) => (BLOCK - (size % BLOCK)) % BLOCK;
