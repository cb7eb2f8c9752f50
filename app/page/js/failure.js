// Says what went wrong, where it went wrong, and what to do.

import { Failed } from "./api.js";
import { announce } from "./announce.js";
import { button, h } from "./dom.js";

/**
 * Build a notice of a failure; null for a call that was given up on purpose.
 * @param {unknown} error @param {() => void} [retry]
 */
export function failureNotice(error, retry) {
  if (error instanceof DOMException && error.name === "AbortError") return null;
  const failure = error instanceof Failed ? error.failure : null;
  if (!failure) console.error(error);
  const what = failure?.error ?? "This page could not be shown";
  const closest = failure?.details?.closest;
  return h(
    "div",
    { class: "notice bad", role: "alert" },
    h("p", { class: "what" }, what),
    h("p", null, `${failure?.fix?.required_action ?? "Reload it, or go to another one"}.`),
    Array.isArray(closest) && closest.length > 0 && h("p", null, `Closest: ${closest.join(", ")}.`),
    failure?.fix?.command && h("pre", null, failure.fix.command),
    retry && button("Try again", retry),
  );
}

/**
 * Put a notice of a failure at the beginning of an element, in the place of an earlier one.
 * @param {Element} element @param {unknown} error @param {() => void} [retry]
 */
export function showFailure(element, error, retry) {
  clearFailure(element);
  const notice = failureNotice(error, retry);
  if (!notice) return;
  element.prepend(notice);
  announce(notice.querySelector(".what")?.textContent ?? "");
}

/** @param {Element} element */
export function clearFailure(element) {
  for (const notice of element.querySelectorAll(":scope > .notice.bad")) notice.remove();
}
