// Copies a text, and says so on the button that was pressed.

import { announce } from "./announce.js";
import { button } from "./dom.js";

const SHOWN_MS = 1_500;

/** @param {string} text */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copyBySelection(text);
  }
  announce("Copied");
}

/**
 * A button that copies what the function returns at that moment.
 * @param {string} label @param {() => string | Promise<string>} text @param {Record<string, unknown>} [properties]
 */
export function copyButton(label, text, properties) {
  const copy = button(
    label,
    async () => {
      await copyText(await text());
      copy.textContent = "Copied";
      setTimeout(() => (copy.textContent = label), SHOWN_MS);
    },
    properties,
  );
  return copy;
}

/** Without https, browsers offer no clipboard. @param {string} text */
function copyBySelection(text) {
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "unseen";
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}
