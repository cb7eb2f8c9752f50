// Short pieces of a document around its matches, with the page or heading where each stands.

/** @typedef {{start: number, page?: number | null, heading?: string | null}} Start */
/** @typedef {{text: string, offset: number, matches: [number, number][], places: Start[]}} DocumentPart */
/** @typedef {{text: string, isMatch: boolean}} Piece */
/** @typedef {{start: number, place: Start | undefined, pieces: Piece[]}} Excerpt */

const AROUND = 36;
const SURROGATES = /[\ud800-\udfff]/;

/** @param {DocumentPart} part @param {number} limit @returns {Excerpt[]} */
export function excerptsOf({ text, offset, matches, places }, limit) {
  // Positions count code points; characters of a plain text do as well, and are quicker to cut.
  const characters = SURROGATES.test(text) ? [...text] : null;
  const length = characters ? characters.length : text.length;
  const cut = (/** @type {number} */ from, /** @type {number} */ to) =>
    characters ? characters.slice(from, to).join("") : text.slice(from, to);
  return grouped(matches.map(([from, to]) => [from - offset, to - offset]), limit).map((group) => {
    const [first, last] = [group[0][0], group[group.length - 1][1]];
    /** @type {Piece[]} */
    const pieces = [];
    const [begin, end] = [Math.max(0, first - AROUND), Math.min(length, last + AROUND)];
    let position = begin;
    const add = (/** @type {number} */ to, /** @type {boolean} */ isMatch) => {
      const piece = cut(position, to).replace(/\s+/g, " ");
      if (piece) pieces.push({ text: piece, isMatch });
      position = to;
    };
    for (const [from, to] of group) {
      add(from, false);
      add(to, true);
    }
    add(end, false);
    // Words that were cut are left out.
    if (begin > 0 && !pieces[0].isMatch) pieces[0].text = pieces[0].text.replace(/^\S*\s/, "");
    const tail = pieces[pieces.length - 1];
    if (end < length && !tail.isMatch) tail.text = tail.text.replace(/\s\S*$/, "");
    return { start: first + offset, place: places.findLast(({ start }) => start <= first + offset), pieces };
  });
}

/** Matches that stand close together make one excerpt. @param {number[][]} matches @param {number} limit */
function grouped(matches, limit) {
  /** @type {number[][][]} */
  const groups = [];
  for (const match of matches) {
    const group = groups.at(-1);
    if (group && match[0] - group[group.length - 1][1] <= AROUND && group.length < 6) group.push(match);
    else if (groups.push([match]) > limit) return groups.slice(0, limit);
  }
  return groups;
}
