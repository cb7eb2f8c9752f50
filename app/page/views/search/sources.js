// Chips: one per source, which switch it on and off and say what became of it.

import { button, fill, h } from "../../js/dom.js";
import { number } from "../../js/format.js";
import { may } from "../../js/session.js";
import { LOCAL, UPSTREAMS, isChosen, isLocalOnly } from "./state.js";

/** @typedef {import("./state.js").SearchState} SearchState */
/**
 * What became of a source.
 * @typedef {{status: "idle" | "asking" | "slow" | "answered" | "failed", count?: number | null,
 *   error?: import("../../js/api.js").Failed, milliseconds?: number}} Shown
 */

/** @type {Record<string, string>} */
const LABELS = { archive: "Archive", indices: "Indices", osdu: "OSDU", quilt: "Quilt", web: "Web" };
/** @type {Record<string, string>} */
const FAILURES = {
  rate_limit: "too many calls",
  authentication: "sign-in refused",
  authorization: "not allowed",
  not_configured: "not configured",
  validation: "query not understood",
  unavailable: "not available",
};

export const ONLY_LOCAL = "Filters and sorting work in the archive and the indices alone";

/** @param {string} source */
export const sourceLabel = (source) => LABELS[source] ?? source;

/** What failed, in two or three words. @param {Shown} shown */
function shortFailure({ error, milliseconds }) {
  const category = error?.failure.error_category ?? "";
  const seconds = Math.max(1, Math.round((milliseconds ?? 0) / 1_000));
  return category === "timeout" ? `no answer in ${seconds} s` : (FAILURES[category] ?? "failed");
}

/** The sources to offer: those that are configured and allowed. @param {Record<string, string> | null} known */
export function offeredSources(known) {
  const upstreams = UPSTREAMS.filter((name) => known?.[name] === "configured" && may(name));
  return [...LOCAL, ...upstreams];
}

/** @param {(name: string) => void} onToggle */
export function sourceChips(onToggle) {
  const element = h("div", { class: "chips", role: "group", "aria-label": "Sources" });
  /** @type {Map<string, HTMLButtonElement>} */
  const chips = new Map();

  return {
    element,
    /** @param {string[]} names */
    offer(names) {
      if (names.join() === [...chips.keys()].join()) return;
      const before = new Map(chips);
      chips.clear();
      for (const name of names) chips.set(name, before.get(name) ?? button("", () => onToggle(name), { "data-source": name }));
      fill(element, [...chips.values()]);
    },
    /** @param {string} name @param {SearchState} state @param {Shown} shown */
    show(name, state, shown) {
      const chip = chips.get(name);
      if (!chip) return;
      const isOn = isChosen(name, state);
      const isLeftOut = isOn && isLocalOnly(state) && UPSTREAMS.includes(name);
      const leftOut = state.filters.length > 0 ? "not with filters" : "not sorted";
      const hasFailed = isOn && !isLeftOut && shown.status === "failed";
      chip.setAttribute("aria-pressed", String(isOn));
      chip.className = hasFailed ? "chip bad" : isLeftOut ? "chip left-out" : "chip";
      chip.textContent = isLeftOut ? `${LABELS[name]}: ${leftOut}` : text(name, isOn, shown);
      chip.title = hasFailed ? failureTitle(shown) : isLeftOut ? ONLY_LOCAL : hint(name, isOn, shown);
    },
  };
}

/** @param {string} name @param {boolean} isOn @param {Shown} shown */
function text(name, isOn, shown) {
  const label = LABELS[name];
  if (!isOn) return `${label} +`;
  if (shown.status === "failed") return `${label}: ${shortFailure(shown)}`;
  if (shown.status === "asking") return `${label} …`;
  if (shown.status === "slow") return `${label}: slow`;
  return shown.count === undefined || shown.count === null ? label : `${label} ${number(shown.count)}`;
}

/** @param {Shown} shown */
const failureTitle = ({ error }) => (error ? `${error.message}. ${error.failure.fix?.required_action ?? ""}` : "It gave no answer");

/** @param {string} name @param {boolean} isOn @param {Shown} shown */
function hint(name, isOn, shown) {
  if (!isOn) return name === "web" ? "Search the web too; each search of it costs" : "Search here too";
  return UPSTREAMS.includes(name) && shown.status === "idle" ? "Press Enter in the search box to search here" : "";
}
