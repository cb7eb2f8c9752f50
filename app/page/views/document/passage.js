// What to quote: the selected text, or else the sentence around the current match.

import { reflowed } from "./lines.js";
import { sentenceAround } from "./sentence.js";

/** @typedef {import("./reader.js").Reader} Reader */

/** @param {Reader} reader @returns {{text: string, unit: number} | null} `unit`: where it begins */
export function chosenPassage(reader) {
  return selected(reader) ?? aroundMatch(reader);
}

/** The page and the heading under which a position stands. @param {Reader} reader @param {number} unit */
export function placeWords({ reading }, unit) {
  const place = reading.placeAt(unit);
  const heading = place?.heading === reading.about.title ? null : place?.heading;
  return [place?.page && `page ${place.page}`, heading].filter(Boolean).join(", ");
}

/** @param {Reader} reader */
function selected({ paper }) {
  const selection = getSelection();
  const text = selection?.toString().trim();
  if (!selection || !text) return null;
  const range = selection.getRangeAt(0);
  const unit = paper.positionOf(range.startContainer, range.startOffset);
  return unit === null ? null : { text, unit };
}

/** @param {Reader} reader */
function aroundMatch({ reading, paper, current }) {
  const match = reading.matches[current];
  const block = match && paper.blockAt(match[0])?.block;
  if (!block) return null;
  const text = reflowed(reading.text.slice(block.start, block.end));
  return { text: sentenceAround(text, match[0] - block.start, match[1] - block.start), unit: match[0] };
}
