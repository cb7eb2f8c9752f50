// Dialogs: the browser's own, which hold the focus and close with Esc.

import { button, h } from "./dom.js";

/** @typedef {import("./dom.js").Child} Child */

/**
 * Open a dialog with a button that closes it; it is removed when it closes.
 * @param {string} title @param {Child[]} content @param {{actions?: Child[], onclose?: () => void}} [options]
 * @returns {HTMLDialogElement}
 */
export function openDialog(title, content, options = {}) {
  /** @type {HTMLDialogElement} */
  const dialog = h(
    "dialog",
    { "aria-labelledby": "dialog-title" },
    h("h2", { id: "dialog-title" }, title),
    content,
    h("div", { class: "actions" }, options.actions ?? [], button("Close", () => dialog.close())),
  );
  dialog.addEventListener("close", () => {
    dialog.remove();
    options.onclose?.();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * Ask before something is lost for good: the button works once its name is typed.
 * @param {{title: string, text: string, name: string, action: string}} question
 * @returns {Promise<boolean>}
 */
export function confirmByName({ title, text, name, action }) {
  return new Promise((resolve) => {
    let isConfirmed = false;
    const confirm = button(action, finish, { class: "danger", disabled: true });
    const input = h("input", { type: "text", autocomplete: "off", spellcheck: "false", oninput: check, onkeydown: finishOnEnter });
    const dialog = openDialog(title, [h("p", null, text), h("label", null, h("span", null, "Type ", h("strong", null, name), " to confirm"), input)], {
      actions: [confirm],
      onclose: () => resolve(isConfirmed),
    });
    input.focus();

    function check() {
      confirm.disabled = input.value.trim() !== name;
    }
    function finish() {
      if (confirm.disabled) return;
      isConfirmed = true;
      dialog.close();
    }
    /** @param {KeyboardEvent} event */
    function finishOnEnter(event) {
      if (event.key !== "Enter") return;
      // Else the button that has the focus once the dialog is closed would be pressed by the same key.
      event.preventDefault();
      finish();
    }
  });
}
