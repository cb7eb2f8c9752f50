// Shows highlights. They come HTML-escaped but for <mark>; here they become text and mark elements, never markup.

const ENTITIES = /&(?:amp|lt|gt|quot|#x27|#39);/g;
/** @type {Record<string, string>} */
const CHARACTERS = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#x27;": "'", "&#39;": "'" };

/** @param {string} text */
const unescaped = (text) => text.replace(ENTITIES, (entity) => CHARACTERS[entity]);

/**
 * Turn a highlight into nodes.
 * @param {string} highlight
 * @returns {Node[]}
 */
export function marked(highlight) {
  let isMarked = false;
  /** @type {Node[]} */
  const nodes = [];
  for (const part of highlight.split(/(<\/?mark>)/)) {
    if (part === "<mark>") isMarked = true;
    else if (part === "</mark>") isMarked = false;
    else if (part) nodes.push(isMarked ? markOf(unescaped(part)) : document.createTextNode(unescaped(part)));
  }
  return nodes;
}

/** The highlight as plain text. @param {string} highlight */
export const plain = (highlight) => unescaped(highlight.replace(/<\/?mark>/g, ""));

/** @param {string} text */
function markOf(text) {
  const mark = document.createElement("mark");
  mark.textContent = text;
  return mark;
}
