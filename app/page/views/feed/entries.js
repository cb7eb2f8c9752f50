// The files that somebody dropped or chose, with their paths; hidden files and folders are left out.

/**
 * @typedef {import("./tar.js").Entry} Entry
 * @typedef {{entries: Entry[], hidden: number}} Chosen
 */

const TURN = 200;

/**
 * Must be called while the drop is handled: its items are gone afterwards.
 * @param {DataTransfer} transfer @returns {Promise<Chosen>}
 */
export async function droppedFiles(transfer) {
  const dropped = Array.from(transfer.items, (item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  /** @type {Chosen} */
  const chosen = { entries: [], hidden: 0 };
  for (const { entry, file } of dropped) {
    if (entry) await collect(entry, chosen);
    else if (file) await add(file.name, file, chosen);
  }
  return chosen;
}

/** @param {File[]} files @returns {Promise<Chosen>} */
export async function chosenFiles(files) {
  /** @type {Chosen} */
  const chosen = { entries: [], hidden: 0 };
  for (const file of files) {
    const path = file.webkitRelativePath || file.name;
    if (path.split("/").some(isHidden)) chosen.hidden += 1;
    else await add(path, file, chosen);
  }
  return chosen;
}

/**
 * Asking for a size may reach the disk, so the page gets its turn now and then.
 * @param {string} path @param {File} file @param {Chosen} chosen
 */
async function add(path, file, chosen) {
  chosen.entries.push({ path, file, size: file.size, modified: file.lastModified });
  if (chosen.entries.length % TURN === 0) await new Promise((resolve) => setTimeout(resolve));
}

/** @param {FileSystemEntry} entry @param {Chosen} chosen */
async function collect(entry, chosen) {
  if (isHidden(entry.name)) {
    chosen.hidden += 1;
  } else if (entry.isFile) {
    const file = await new Promise((resolve, reject) => /** @type {FileSystemFileEntry} */ (entry).file(resolve, reject));
    await add(entry.fullPath.replace(/^\//, ""), file, chosen);
  } else {
    for (const child of await children(/** @type {FileSystemDirectoryEntry} */ (entry))) await collect(child, chosen);
  }
}

/** A reader returns some children at a time, until there are none left. @param {FileSystemDirectoryEntry} folder */
async function children(folder) {
  const reader = folder.createReader();
  /** @type {FileSystemEntry[]} */
  const all = [];
  for (;;) {
    /** @type {FileSystemEntry[]} */
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) return all.sort((one, other) => (one.name < other.name ? -1 : 1));
    all.push(...some);
  }
}

/** @param {string} name */
const isHidden = (name) => name.startsWith(".");
