// Tells the lines that an author broke from those that only the width of a page broke. Lengths never change, so that
// positions in the text stay what they are.

const SHORTEST_WIDTH = 50;
const LONGEST_WIDTH = 130;
const FULL = 0.75;
const ITEM = /^(?:\s|[-*•–+>#|]|\(?(?:\d{1,3}|[a-z])[.)]\s)/i;
const INDENTED = /^(?:\t| {2,})\S/;

/**
 * Join the lines of paragraphs that were broken at a fixed width: the break becomes a space. All others stay.
 * @param {string} text
 */
export function reflowed(text) {
  const lines = text.split("\n");
  if (lines.length < 2) return text;
  const width = Math.max(...lines.map((line) => line.length));
  if (width < SHORTEST_WIDTH || width > LONGEST_WIDTH) return text;
  let joined = lines[0];
  for (let position = 1; position < lines.length; position += 1) {
    const wasFull = lines[position - 1].length >= width * FULL;
    joined += (wasFull && !ITEM.test(lines[position]) ? " " : "\n") + lines[position];
  }
  return joined;
}

/** Say whether columns matter in this text, as they do in programs and tables. @param {string} text */
export function isAligned(text) {
  const lines = text.split("\n");
  return lines.length > 1 && lines.filter((line) => INDENTED.test(line)).length * 4 >= lines.length;
}
