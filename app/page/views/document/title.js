// Tells where a text only says the title again.

/**
 * Say whether a heading is the title; the service shortens titles that are very long.
 * @param {string} text @param {string} title
 */
export function isTitle(text, title) {
  return title.endsWith("…") ? text.startsWith(title.slice(0, -1)) : text === title;
}
