// The keys of the search view.

import { searchBox } from "../../js/header.js";
import { setKeys } from "../../js/keys.js";

/**
 * @param {ReturnType<typeof import("./selection.js").resultSelection>} selection
 * @param {{open: () => void, clearBox: () => void, first: () => HTMLElement | null, moved: () => void}} actions
 */
export function setSearchKeys(selection, actions) {
  /** What a result offers as a button can be done by a key. @param {string} does */
  const press = (does) => () => {
    const article = selection.current() ?? actions.first();
    /** @type {HTMLButtonElement | null | undefined} */ (article?.querySelector(`[data-does="${does}"]`))?.click();
  };
  /** @param {1 | -1} step */
  const move = (step) => () => {
    selection.move(step);
    actions.moved();
  };
  setKeys([
    { key: "ArrowDown", what: "Next result", run: move(1), whileTyping: true },
    { key: "ArrowUp", what: "Result before", run: move(-1), whileTyping: true },
    { key: "Enter", what: "Open the selected result at the match; in the box, search all sources", run: actions.open },
    { key: "c", what: "Cite", run: press("cite") },
    { key: "q", what: "Copy the quote with its source", run: press("quote") },
    { key: "w", what: "Why this result", run: press("why") },
    { key: "Escape", what: "Clear the selection, then the box", run: clear, whileTyping: true },
  ]);

  function clear() {
    if (selection.id !== null) selection.choose(null);
    else if (searchBox.value) actions.clearBox();
    searchBox.focus();
  }
}
