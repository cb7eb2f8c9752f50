// Splits a text into what is set as one paragraph or heading. Positions are UTF-16 units of the whole text.

/** @typedef {{start: number, page: number | null, heading: string | null, line: number | null}} TextPlace */
/**
 * `isTight`: follows the block before without a blank line. `page`: the page that begins here.
 * @typedef {{start: number, end: number, isHeading: boolean, isTight: boolean, page: number | null}} Block
 */

const GAP = /\n[^\S\n]*(?:\n[^\S\n]*)*\n/g;
const LONGEST = 8_000;

/**
 * @param {string} text the whole text, as far as it is known
 * @param {number} start @param {number} end the part to split
 * @param {TextPlace[]} places those of this part, by their start
 * @param {TextPlace | null} before the place of what comes before this part
 * @returns {Block[]}
 */
export function splitBlocks(text, start, end, places, before) {
  /** @type {Block[]} */
  const blocks = [];
  let next = 0;
  let page = before?.page ?? null;
  let heading = before?.heading ?? null;
  for (const [from, to] of paragraphs(text, start, end)) {
    let at = from;
    while (at < to) {
      let newPage = null;
      let isHeading = false;
      while (next < places.length && places[next].start <= at) {
        const place = places[next];
        if (place.page !== null && place.page !== page) newPage = page = place.page;
        isHeading = place.heading !== null && place.start === at;
        heading = place.heading;
        next += 1;
      }
      const stop = Math.min(to, places[next]?.start ?? to, at + LONGEST);
      const cut = stop === at + LONGEST && stop < to ? at + longestPiece(text.slice(at, stop)) : stop;
      const content = trimmedEnd(text, at, cut);
      if (content > at) {
        isHeading &&= oneLine(text.slice(at, content)) === heading;
        blocks.push({ start: at, end: content, isHeading, isTight: at > from, page: newPage });
      }
      at = cut;
    }
  }
  return blocks;
}

/** @param {string} text @param {number} start @param {number} end @returns {Iterable<[number, number]>} */
function* paragraphs(text, start, end) {
  const part = text.slice(start, end);
  let from = 0;
  for (const gap of part.matchAll(GAP)) {
    if (gap.index > from) yield [start + from, start + gap.index];
    from = gap.index + gap[0].length;
  }
  if (from < part.length) yield [start + from, end];
}

/** Where to end a piece of a paragraph that is too long: after a line, else after a word. @param {string} piece */
function longestPiece(piece) {
  const line = piece.lastIndexOf("\n") + 1;
  if (line > LONGEST / 2) return line;
  const word = piece.lastIndexOf(" ") + 1;
  if (word > LONGEST / 2) return word;
  return /[\ud800-\udbff]$/.test(piece) ? piece.length - 1 : piece.length;
}

/** @param {string} text @param {number} start @param {number} end */
function trimmedEnd(text, start, end) {
  return start + text.slice(start, end).trimEnd().length;
}

/** As the service writes a heading. @param {string} text */
const oneLine = (text) => text.split(/\s+/).join(" ").trim();
