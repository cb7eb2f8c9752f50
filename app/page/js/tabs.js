// Tabs: one of several panels at a time, by mouse, arrows, Home and End.

import { fill, h } from "./dom.js";

/** @typedef {{name: string, title: string, show: () => import("./dom.js").Child | import("./dom.js").Child[]}} Tab */

let made = 0;

/**
 * Build tabs; each panel is made when it is first shown, and anew each time.
 * @param {string} label @param {Tab[]} tabs @param {{chosen?: string | null, onchoice?: (name: string) => void}} [options]
 */
export function tabs(label, tabs, options = {}) {
  const id = `tabs-${++made}`;
  const panel = h("div", { role: "tabpanel", id: `${id}-panel`, tabindex: "0", class: "stack" });
  const buttons = tabs.map((tab) =>
    h("button", { type: "button", role: "tab", id: `${id}-${tab.name}`, "aria-controls": panel.id, onclick: () => choose(tab) }, tab.title),
  );
  choose(tabs.find(({ name }) => name === options.chosen) ?? tabs[0], false);
  return h("div", { class: "stack" }, h("div", { role: "tablist", "aria-label": label, onkeydown: move }, buttons), panel);

  /** @param {Tab} chosen */
  function choose(chosen, isByUser = true) {
    tabs.forEach((tab, position) => {
      buttons[position].setAttribute("aria-selected", String(tab === chosen));
      buttons[position].tabIndex = tab === chosen ? 0 : -1;
    });
    panel.setAttribute("aria-labelledby", `${id}-${chosen.name}`);
    const content = chosen.show();
    fill(panel, content);
    if (isByUser) options.onchoice?.(chosen.name);
  }

  /** @param {KeyboardEvent} event */
  function move(event) {
    const position = buttons.indexOf(/** @type {HTMLButtonElement} */ (event.target));
    const count = buttons.length;
    const next = { ArrowRight: (position + 1) % count, ArrowLeft: (position + count - 1) % count, Home: 0, End: count - 1 }[event.key];
    if (position < 0 || next === undefined) return;
    event.preventDefault();
    buttons[next].focus();
    choose(tabs[next]);
  }
}
