// The ids by which a document of any source is opened at /d/{id}; mcp_server/features/simple/ids.py makes the same.

/** @param {string} id */
export const archiveId = (id) => encoded(`a\0${id}`);

/** @param {string} index @param {string} id */
export const indexId = (index, id) => encoded(`i${index}\0${id}`);

/** @param {string} text */
function encoded(text) {
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
  return `1${btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}
