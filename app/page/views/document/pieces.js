// Cuts a block of text at the matches in it.

import { firstNot } from "./sorted.js";

/** @typedef {[start: number, end: number]} Match in UTF-16 units of the whole text; matches are sorted and apart */
/** @typedef {{start: number, end: number, match: number | null}} Piece `match`: the position of the match in the list */

/** @param {number} start @param {number} end @param {Match[]} matches @returns {Piece[]} */
export function cutAtMatches(start, end, matches) {
  /** @type {Piece[]} */
  const pieces = [];
  let at = start;
  let match = firstNot(matches.length, (position) => matches[position][1] <= start);
  for (; match < matches.length && matches[match][0] < end; match += 1) {
    const from = Math.max(matches[match][0], at);
    const to = Math.min(matches[match][1], end);
    if (from > at) pieces.push({ start: at, end: from, match: null });
    if (to > from) pieces.push({ start: from, end: to, match });
    at = Math.max(at, to);
  }
  if (end > at) pieces.push({ start: at, end, match: null });
  return pieces;
}
