// The indices of the team: all of them as a list, one in full, and the documents of the archive.

import { fill, h } from "../../js/dom.js";
import { archive } from "./archive.js";
import { indexDetail } from "./detail.js";
import { indexList } from "./list.js";

/**
 * What the parts of this view are made of.
 * @typedef {{title: string, content: HTMLElement, side?: HTMLElement | null, close: () => void}} Part
 */

/**
 * @param {HTMLElement} main @param {import("../../js/router.js").Place} place
 * @returns {Promise<import("../../js/router.js").Opened>}
 */
export async function open(main, place) {
  const part = await partOf(place.id);
  fill(main, h("div", { class: `page manage${part.side ? " with-side" : ""}` }, part.content, part.side));
  return { title: part.title, close: part.close };
}

/** @param {string} name */
function partOf(name) {
  if (!name) return indexList();
  return name === "archive" ? archive() : indexDetail(name);
}
