// Example queries, made of words from the titles of documents.

/** @typedef {{title: string, tags?: string[]}} Titled */
/** @typedef {{query: string, means: string}} Example */

const SHORT = 4;
/** One character of these scripts says as much as several letters. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** @param {Titled[]} documents @returns {Example[]} */
export function exampleQueries(documents) {
  const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });
  const titles = documents.map(({ title }) => [...segmenter.segment(title)]);
  const words = titles.map((segments) => new Set(segments.filter(isTelling).map(({ segment }) => segment.toLowerCase())));
  /** In how many titles each word stands. @type {Map<string, number>} */
  const counts = new Map();
  for (const word of words.flatMap((each) => [...each])) counts.set(word, (counts.get(word) ?? 0) + 1);
  const count = (/** @type {string} */ word) => counts.get(word) ?? 0;
  const beside = (/** @type {string} */ word) => words.flatMap((each) => (each.has(word) ? [...each] : []));
  const rarest = [...counts.keys()].sort((one, other) => count(one) - count(other) || other.length - one.length);
  const [word] = rarest;
  if (!word) return [];
  const phrase = longest(titles.flatMap(pairs).filter((pair) => !pair.toLowerCase().includes(word)));
  const common = longest(rarest.filter((each) => count(each) > 1));
  const without = common && longest(beside(common).filter((each) => count(each) < count(common)));
  const elsewhere = rarest.find((each) => !beside(word).includes(each));
  const excluding = without ? `+${common} -${without}` : elsewhere && `+${elsewhere} -${word}`;
  return [
    { query: word, means: "a word, in all its forms" },
    ...(phrase ? [{ query: `"${phrase}"`, means: "these words together" }] : []),
    ...(excluding ? [{ query: excluding, means: "with the one, without the other" }] : []),
  ];
}

/** Long words say more than short ones. @param {string[]} words @returns {string | undefined} */
const longest = (words) => words.toSorted((one, other) => other.length - one.length)[0];

/** @param {Intl.SegmentData} segment */
function isTelling({ segment, isWordLike }) {
  return Boolean(isWordLike) && /^\p{L}+$/u.test(segment) && segment.length >= (DENSE.test(segment) ? 2 : SHORT + 1);
}

/** Telling words that stand side by side. @param {Intl.SegmentData[]} segments */
function pairs(segments) {
  return segments.flatMap((first, position) => {
    const end = position + (segments[position + 1]?.segment.trim() === "" ? 2 : 1);
    const second = segments[end];
    if (!second || !isTelling(first) || !isTelling(second)) return [];
    return [segments.slice(position, end + 1).map(({ segment }) => segment).join("")];
  });
}
