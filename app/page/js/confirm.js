// Asks before something is deleted, naming it.

import { button, h } from "./dom.js";
import { openDialog } from "./dialog.js";

/** @param {{title: string, name: string, text: string, action: string}} question @returns {Promise<boolean>} */
export function confirmAction({ title, name, text, action }) {
  return new Promise((resolve) => {
    let isConfirmed = false;
    const confirm = button(action, () => ((isConfirmed = true), dialog.close()), { class: "danger" });
    const dialog = openDialog(title, [h("p", { class: "named", dir: "auto" }, name), h("p", null, text)], {
      actions: [confirm],
      onclose: () => resolve(isConfirmed),
    });
    confirm.focus();
  });
}
