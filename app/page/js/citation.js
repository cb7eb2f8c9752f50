// The dialog that cites a document of the archive, in a format for bibliographies or for notes.

import { get, pathOf } from "./api.js";
import { copyButton } from "./copy.js";
import { openDialog } from "./dialog.js";
import { button, fill, h } from "./dom.js";
import { showFailure } from "./failure.js";

/** @type {[string, string][]} */
const FORMATS = [["bibtex", "BibTeX"], ["csl-json", "CSL"], ["markdown", "Markdown"]];

/** @param {string} documentId the archive's own id @param {string} title */
export function openCitation(documentId, title) {
  const text = h("pre");
  const panel = h("div", { role: "tabpanel", id: "citation", tabindex: "0" }, text);
  const copy = copyButton("Copy", () => text.textContent ?? "", { class: "primary", disabled: true });
  const tabs = FORMATS.map(([format, label]) =>
    button(label, () => void show(format), { role: "tab", id: `citation-${format}`, "aria-controls": "citation" }),
  );
  const list = h("div", { role: "tablist", "aria-label": "Format", onkeydown: step }, tabs);
  let shown = "";
  openDialog("Cite", [h("p", { class: "soft cited-title", dir: "auto" }, title), list, panel], { actions: [copy] });
  void show(FORMATS[0][0]);
  tabs[0].focus();

  /** @param {string} format */
  async function show(format) {
    shown = format;
    for (const tab of tabs) {
      const isShown = tab.id === `citation-${format}`;
      tab.setAttribute("aria-selected", String(isShown));
      tab.tabIndex = isShown ? 0 : -1;
    }
    panel.setAttribute("aria-labelledby", `citation-${format}`);
    try {
      const { citation } = await get(`${pathOf("/api/v1/archives/documents", documentId)}/citation`, { query: { format } });
      if (shown !== format) return;
      text.textContent = typeof citation === "string" ? citation : JSON.stringify(citation, null, 2);
      fill(panel, text);
      copy.disabled = false;
    } catch (error) {
      if (shown !== format) return;
      copy.disabled = true;
      fill(panel);
      showFailure(panel, error, () => void show(format));
    }
  }

  /** @param {KeyboardEvent} event */
  function step(event) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    const next = tabs[(tabs.findIndex((tab) => tab === event.target) + by + tabs.length) % tabs.length];
    next.focus();
    next.click();
  }
}
