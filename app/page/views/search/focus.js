// Keeps the focus where it was when a part of the page is built anew.

const NAMED = "[data-focus], [data-id]";

/** @param {Element | null} element */
const nameOf = (element) => element && (element.getAttribute("data-focus") ?? element.getAttribute("data-id"));

/**
 * @param {HTMLElement} part @param {() => void} render builds what the part holds; elements keep `data-focus` or `data-id`
 */
export function keepFocus(part, render) {
  const active = document.activeElement;
  const hadFocus = active !== null && part.contains(active);
  const before = hadFocus ? nameOf(active.closest(NAMED)) : null;
  render();
  if (!hadFocus || part.contains(document.activeElement)) return;
  const after = before && [...part.querySelectorAll(NAMED)].find((element) => nameOf(element) === before);
  /** @type {HTMLElement | null} */ (after || document.getElementById("main"))?.focus({ preventScroll: true });
}
