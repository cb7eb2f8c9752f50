// Keyboard shortcuts: views say which keys they take, and `?` shows them all.

import { h } from "./dom.js";
import { openDialog } from "./dialog.js";

/** @typedef {{key: string, what: string, run: (event: KeyboardEvent) => void, whileTyping?: boolean}} Shortcut */

/** @type {Shortcut[]} */
const everywhere = [];
/** @type {Shortcut[]} */
let ofView = [];

/** @param {Shortcut[]} shortcuts that work in all views */
export function addGlobalKeys(shortcuts) {
  everywhere.push(...shortcuts);
}

/** @param {Shortcut[]} shortcuts of the view that is open */
export function setKeys(shortcuts) {
  ofView = shortcuts;
}

export function clearKeys() {
  ofView = [];
}

export function startKeys() {
  addGlobalKeys([{ key: "?", what: "Show the keys", run: showKeys }]);
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (document.querySelector("dialog[open]")) return;
    // Enter presses the button or follows the link that has the focus.
    if (event.key === "Enter" && event.target instanceof Element && event.target.closest("a, button, summary")) return;
    const isTyping = event.target instanceof Element && event.target.matches("input, textarea, select");
    const found = [...ofView, ...everywhere].find((each) => each.key === event.key && (!isTyping || each.whileTyping));
    if (!found) return;
    event.preventDefault();
    found.run(event);
  });
}

function showKeys() {
  const rows = [...ofView, ...everywhere].map(({ key, what }) => h("tr", null, h("td", null, h("kbd", null, label(key))), h("td", null, what)));
  openDialog("Keys", [h("table", { class: "keys" }, h("tbody", null, rows))]);
}

/** @param {string} key */
function label(key) {
  return { ArrowDown: "↓", ArrowUp: "↑", Escape: "Esc", " ": "Space" }[key] ?? key;
}
