// Quotes: a passage together with where it comes from.

/**
 * The passage in quotation marks, and below it its title, place and address.
 * @param {{text: string, title: string, place?: string | null, address?: string | null}} quote
 */
export function quoteWithSource({ text, title, place, address }) {
  const source = [title, place, address].filter(Boolean).join(", ");
  return `“${text.replace(/\s+/g, " ").trim()}”\n— ${source}`;
}
