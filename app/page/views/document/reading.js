// What has been read of a document so far. The service gives it in parts; here all positions are UTF-16 units.

import { get, pathOf } from "../../js/api.js";
import { splitBlocks } from "./blocks.js";
import { Offsets } from "./offsets.js";
import { firstNot } from "./sorted.js";

/** @typedef {import("./blocks.js").Block} Block @typedef {import("./blocks.js").TextPlace} TextPlace */
/** @typedef {import("./pieces.js").Match} Match */
/**
 * @typedef {{id: string, document_id: string, source: string, index_name: string | null, title: string, url: string | null,
 *   metadata: Record<string, any>, total_chars: number, matches_total: number, places: TextPlace[], sandbox?: boolean}} About
 */

const FIRST_PART = 200_000;
const LATER_PART = 500_000;

export class Reading {
  text = "";
  offsets = new Offsets();
  /** @type {Match[]} */
  matches = [];
  /** @type {number | null} where to read on, in characters */
  next = 0;
  /** @type {About} */
  about;
  #split = 0;
  /** @type {TextPlace[]} those of the text that was read, in units */
  #places = [];

  /** @param {string} id @param {string} query @param {any} part the first one */
  constructor(id, query, part) {
    this.id = id;
    this.query = query;
    this.about = part;
    this.#take(part);
  }

  /** @param {string} id @param {string} query @param {AbortSignal} signal */
  static async begin(id, query, signal) {
    return new Reading(id, query, await readPart(id, query, 0, FIRST_PART, signal));
  }

  get isWhole() {
    return this.next === null;
  }

  /** Read the next part. @param {AbortSignal} signal */
  async readOn(signal) {
    if (this.next === null) return;
    this.#take(await readPart(this.id, this.query, this.next, LATER_PART, signal));
  }

  /** The blocks of what was read since the last call; a paragraph that goes on in the next part waits for it. @returns {Block[]} */
  takeBlocks() {
    const start = this.#split;
    const gap = this.isWhole ? -1 : this.text.lastIndexOf("\n\n");
    const end = gap > start ? gap : this.text.length;
    this.#split = end;
    const from = firstNot(this.#places.length, (position) => this.#places[position].start < start);
    return splitBlocks(this.text, start, end, this.#places.slice(from), this.#places[from - 1] ?? null);
  }

  /** Page, heading and line of a position. @param {number} unit @returns {TextPlace | null} */
  placeAt(unit) {
    return this.#places[firstNot(this.#places.length, (position) => this.#places[position].start <= unit) - 1] ?? null;
  }

  /** The first match that ends after a position, or the number of matches that are known. @param {number} unit */
  matchAfter(unit) {
    return firstNot(this.matches.length, (position) => this.matches[position][1] <= unit);
  }

  /** @param {any} part */
  #take(part) {
    const before = this.offsets.characters;
    this.text += part.text;
    this.offsets.append(part.text);
    this.next = part.next_offset;
    const unit = (/** @type {number} */ character) => this.offsets.unitOf(character);
    for (const [start, end] of part.matches) this.matches.push([unit(start), unit(end)]);
    for (const place of part.places) {
      if (place.start >= before && place.start < this.offsets.characters) this.#places.push({ ...place, start: unit(place.start) });
    }
  }
}

/** @param {string} id @param {string} query @param {number} offset @param {number} size @param {AbortSignal} signal */
function readPart(id, query, offset, size, signal) {
  return get(pathOf("/api/v1/documents", id), { query: { query, offset, max_chars: size }, signal });
}
