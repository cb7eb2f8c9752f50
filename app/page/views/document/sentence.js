// Finds the sentence around a position, for quotes.

const SENTENCES = new Intl.Segmenter(undefined, { granularity: "sentence" });

/**
 * @param {string} text a paragraph @param {number} start @param {number} end what the sentence must hold
 * @returns {string}
 */
export function sentenceAround(text, start, end) {
  let from = -1;
  let to = text.length;
  for (const { segment, index } of SENTENCES.segment(text)) {
    const after = index + segment.length;
    if (from < 0 && after > start) from = index;
    if (after >= end) {
      to = after;
      break;
    }
  }
  return text.slice(Math.max(from, 0), to).trim();
}
